"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison._compare import compare
from uccurve.comparison._compare_options import CompareOptions
from uccurve.comparison._comparison import Comparison
from uccurve.comparison._record_table import RecordTable
from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, Regime, SegmentScore, Standing
from uccurve.comparison._sentences import Recommendation, about_limits
from uccurve.comparison._standings import Lead, Standings

__all__ = [
    "CompareOptions",
    "Comparison",
    "Lead",
    "ModelScore",
    "PairCrossing",
    "PairTest",
    "Recommendation",
    "RecordTable",
    "Regime",
    "SegmentScore",
    "Standing",
    "Standings",
    "about_limits",
    "compare",
]
