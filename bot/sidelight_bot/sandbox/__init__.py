"""Limits for the process that parses a stranger's files. Loads neither parser nor index."""
