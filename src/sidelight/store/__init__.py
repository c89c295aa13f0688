"""The index on disk: one SQLite database that is the truth, and snapshots derived from it."""
