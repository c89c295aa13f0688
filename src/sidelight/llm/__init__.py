"""Speak with a language model that the user brought: one protocol, two providers, plain failures.

Nothing here reads the environment, a file or a repository, and no client library is imported
before a model is opened. The model has no tools: text goes in, text or checked data comes out.
"""
