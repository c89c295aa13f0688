"""From two commits to the report that the comment is made of."""

from sidelight_bot.analysis.analyse import analyse
from sidelight_bot.analysis.limits import AnalysisLimits

__all__ = ["AnalysisLimits", "analyse"]
