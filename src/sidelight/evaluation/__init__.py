"""Measuring retrieval on cases whose answers were made by real commits or published annotators.

Nothing here may change how anything is ranked, and nothing is written into an evaluated repository.
"""
