"""Answer questions about a repository from its own code, with a model or with passages alone.

The model sees numbered sources and has no tools; what it cites is checked against them.
"""
