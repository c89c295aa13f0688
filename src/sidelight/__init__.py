"""Sidelight: a code index kept equal to a git tree, and retrieval over it."""

__version__ = "0.1.0"
