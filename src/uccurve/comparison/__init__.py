"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison.compare import (
    Comparison,
    check_models,
    compare,
    compare_checked,
    target_miss_rate,
)
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
from uccurve.comparison.sentences import about_limits, describe_share
from uccurve.comparison.tables import RecordTable, answer_columns, answer_legend, format_field

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
    "about_limits",
    "answer_columns",
    "answer_legend",
    "ask_curve",
    "check_models",
    "compare",
    "compare_checked",
    "describe_share",
    "format_field",
    "target_miss_rate",
]
