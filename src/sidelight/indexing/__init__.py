"""Keep views equal to trees: what to index, how a file becomes rows, refresh, worker, cache."""
