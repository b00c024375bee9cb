"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison.compare import Comparison, check_models, choose_miss_rate, compare, compare_checked
from uccurve.comparison.records import (
    CompareOptions,
    CoverageEstimate,
    Estimate,
    ModelScore,
    PairCrossing,
    PairTest,
    Recommendation,
    Regime,
    SegmentScore,
    Standing,
)
from uccurve.comparison.regimes import Standings
from uccurve.comparison.scoring import ask_curve
from uccurve.comparison.sentences import describe_limits, describe_share
from uccurve.comparison.tables import RecordTable, explain_answer, format_answer, format_field

__all__ = [
    "CompareOptions",
    "Comparison",
    "CoverageEstimate",
    "Estimate",
    "ModelScore",
    "PairCrossing",
    "PairTest",
    "Recommendation",
    "RecordTable",
    "Regime",
    "SegmentScore",
    "Standing",
    "Standings",
    "ask_curve",
    "check_models",
    "choose_miss_rate",
    "compare",
    "compare_checked",
    "describe_limits",
    "describe_share",
    "explain_answer",
    "format_answer",
    "format_field",
]
