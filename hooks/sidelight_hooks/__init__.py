"""The git hooks: installing them, and what they run.

Nothing is imported here: every commit starts a Python that pays for each import.
"""
