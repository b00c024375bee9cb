"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison.compare import Comparison, choose_miss_rate, compare
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
from uccurve.comparison.scoring import ask_curve
from uccurve.comparison.sentences import describe_limits
from uccurve.comparison.tables import (
    MOVES,
    RecordTable,
    describe_move,
    describe_share,
    format_answer,
    format_field,
)

__all__ = [
    "MOVES",
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
    "ask_curve",
    "choose_miss_rate",
    "compare",
    "describe_limits",
    "describe_move",
    "describe_share",
    "format_answer",
    "format_field",
]
