"""TSX's rules are JavaScript's: node types that only one of them has do no harm."""

from __future__ import annotations

from sidelight.parsing.rules.javascript import RULES as _JAVASCRIPT

RULES = _JAVASCRIPT
