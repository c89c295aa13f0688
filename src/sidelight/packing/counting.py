"""Count a model's tokens without the model. Pure; any other counter may take this one's place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

TokenCounter = Callable[[str], int]

# What byte-pair tokenizers split first: words with the space before them, numbers by three digits,
# runs of punctuation, runs of white space. Letters outside of ASCII count one by one, since they
# are rarely merged; a long word is several tokens.
_PRE_TOKEN = re.compile(r" ?[A-Za-z]{1,12}|\d{1,3}| ?(?:[^\s\w]|_){1,8}|\s+|\w")
PER_PRE_TOKEN = 1.2  # tokens; camelCase and rare words are split further


def count_tokens(text: str) -> int:
    """Return about how many tokens a language model sees in the text: pre-tokens times 1.2."""
    return math.ceil(PER_PRE_TOKEN * sum(1 for _ in _PRE_TOKEN.finditer(text)))
