"""English words that say nothing in a question. Data only; documents keep all of them."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    """
    a about above after again all also an and any are as at be because been before being below
    between both but by can could did do does doing done down during each few for from further get
    gets getting had has have having he her here hers him his how i if in into is it its itself
    just me more most my no nor not of off on once only or other our ours out over own same she
    should so some such than that the their theirs them then there these they this those through to
    too under until up us very was we were what when where which while who whom whose why will with
    would you your yours
    """.split()
)
