"""Reading git: trees, changes, blobs, attributes, history, and where things lie.

Nothing is imported here, so that a hook pays only for the modules it uses. Only `discovery` knows
GitPython; the rest starts git itself and never writes to the repository.
"""
