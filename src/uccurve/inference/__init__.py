"""How sure a number is, and whether two models differ."""

from uccurve.inference._confidence import ConfidenceInterval, confidence_interval
from uccurve.inference._exchanges import PermutationTest
from uccurve.inference._permutation import permutation_test
from uccurve.inference._ratio_curve import Crossover, RatioCurve, ratio_curve
from uccurve.inference.conditional_coverage import (
    ConditionalCoverage,
    SegmentCoverage,
    conditional_coverage,
    share_limits,
)
from uccurve.inference.families import Families, FamilyScore, FamilyTest, families

__all__ = [
    "ConditionalCoverage",
    "ConfidenceInterval",
    "Crossover",
    "Families",
    "FamilyScore",
    "FamilyTest",
    "PermutationTest",
    "RatioCurve",
    "SegmentCoverage",
    "conditional_coverage",
    "confidence_interval",
    "families",
    "permutation_test",
    "ratio_curve",
    "share_limits",
]
