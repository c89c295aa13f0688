"""Rank a view's files for a diff: signals → one order → the lines of each that matter."""
