"""The `sidelight` command: words in, results on stdout, progress and errors on stderr."""
