"""What the past says: files that change together, and commit messages as an index of intent.

Pure: rows and arrays in, scores out; no git, no database, no clock. `rows` is light, for the commit
path; everything else needs numpy. `store.history` keeps the rows, `store.past` opens them.
"""
