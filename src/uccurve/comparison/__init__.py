"""Several models on the same rows: scores, tests, and who is best where; `tables` formats what is found."""

from uccurve.comparison import tables
from uccurve.comparison.compare import Comparison, compare
from uccurve.comparison.records import (
    CompareOptions,
    Estimate,
    ModelScore,
    PairCrossing,
    PairTest,
    Recommendation,
    Regime,
    SegmentScore,
    Standing,
)
from uccurve.comparison.sentences import describe_limits
from uccurve.comparison.tables import RecordTable

__all__ = [
    "CompareOptions",
    "Comparison",
    "Estimate",
    "ModelScore",
    "PairCrossing",
    "PairTest",
    "Recommendation",
    "RecordTable",
    "Regime",
    "SegmentScore",
    "Standing",
    "compare",
    "describe_limits",
    "tables",
]
