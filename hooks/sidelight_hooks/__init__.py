"""The git hooks: installing them, and what they run."""
