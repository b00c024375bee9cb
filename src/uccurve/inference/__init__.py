"""How sure a number is, and whether two models differ."""

from uccurve.inference._conditional_coverage import (
    ConditionalCoverage,
    SegmentCoverage,
    conditional_coverage,
)
from uccurve.inference._confidence import ConfidenceInterval, confidence_interval
from uccurve.inference._effective_rows import share_limits
from uccurve.inference._exchanges import PermutationTest
from uccurve.inference._families import Families, FamilyScore, FamilyTest, families
from uccurve.inference._permutation import permutation_test
from uccurve.inference._ratio_curve import Crossover, RatioCurve, ratio_curve

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
