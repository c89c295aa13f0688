"""The constants of the scores, each with the evaluation that chose it. Data only.

Chosen on the public cases by file nDCG@10 of the signal alone, production files only (cochange, 430
cases; prmerge, 116; issue_loc, 75; semble, 124). All are flat around the values here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fading:
    """How the weight of a commit falls with its age: share + (1 - share) · ½^(age / half-life)."""

    half_life_days: float
    old_share: float


@dataclass(frozen=True, slots=True)
class CoChangeParameters:
    """Commits of more than `max_files` files couple nothing.

    Against the study's 365 days and .3: cochange .510 → .534 (+.013 to +.035, paired 95 %),
    prmerge .481 → .492. Dividing by the number of files instead of its logarithm gave +.004 and
    -.003; normalising by how often the other file changes at all lost .01 to .04.
    """

    fading: Fading = Fading(half_life_days=90, old_share=0.1)
    max_files: int = 30


@dataclass(frozen=True, slots=True)
class MessageParameters:
    """BM25's constants, and how often a term of the path counts against one of a new subject.

    Against the study's k1 1.5, b .5, no fading, path once: cochange .514 → .548, prmerge .525 →
    .560, issue_loc .651 → .677, semble .745 → .808. Damping by the number of files: nothing.
    """

    fading: Fading = Fading(half_life_days=180, old_share=0.3)
    k1: float = 2.5
    b: float = 0.3
    path_weight: int = 3


@dataclass(frozen=True, slots=True)
class CompanionParameters:
    """From how many common commits, and from which share, a habit is believed.

    Of 513 habits met in 1,500 commits of six repositories (each asked of its own past) the
    companion did change in 85 %; of the others 55 % changed within eight commits more. With 4 and
    .6 it was 67 % and 45 %; with 10 and .8, 89 % and 76 % (340 habits).
    """

    min_support: int = 6
    min_confidence: float = 0.8


COCHANGE = CoChangeParameters()
MESSAGES = MessageParameters()
COMPANIONS = CompanionParameters()
STUDY_COCHANGE = CoChangeParameters(Fading(365, 0.3))
STUDY_MESSAGES = MessageParameters(Fading(1, 1.0), k1=1.5, b=0.5, path_weight=1)
