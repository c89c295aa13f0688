"""Pack code for a reader with a token budget: what matters most, what it stands in, what it uses.

Pure but for `reading`, which asks the index and git. It neither searches nor ranks: hits come in.
"""
