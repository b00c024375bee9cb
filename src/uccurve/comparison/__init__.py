"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison._compare import compare
from uccurve.comparison._compare_options import CompareOptions
from uccurve.comparison._comparison import Comparison
from uccurve.comparison._record_table import RecordTable
from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, Regime, SegmentScore
from uccurve.comparison._verdict import Recommendation, verdict

__all__ = [
    "CompareOptions",
    "Comparison",
    "ModelScore",
    "PairCrossing",
    "PairTest",
    "Recommendation",
    "RecordTable",
    "Regime",
    "SegmentScore",
    "compare",
    "verdict",
]
