"""One module a table: starts tasks, compares, sets targets. Light: nothing heavy is imported."""
