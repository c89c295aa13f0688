"""One resolver for each family of languages: an import as it is written → files of the tree."""

from __future__ import annotations
