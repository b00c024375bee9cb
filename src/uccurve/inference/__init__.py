"""How sure a number is, and whether two models differ.

`Statistic` says what is estimated, `Sample` holds models on the same rows, ready for many of them;
`permutation_tests` and `PairedRatios` compare all pairs of a sample by the same resamples.
"""

from uccurve.inference.at_coverage import CRITERIA, Criterion
from uccurve.inference.closed_forms import share_limits
from uccurve.inference.conditional_coverage import ConditionalCoverage, SegmentCoverage, conditional_coverage
from uccurve.inference.confidence import ConfidenceInterval, Contrast, bounded_exp, confidence_interval
from uccurve.inference.families import Families, families
from uccurve.inference.permutation import PermutationTest, permutation_test, permutation_tests
from uccurve.inference.ratio_curve import (
    Crossover,
    LogRatio,
    PairedRatios,
    RatioCurve,
    find_crossover,
    ratio_curve,
)
from uccurve.inference.statistics import Statistic
from uccurve.inference.units import Resampling, Sample, block_codes

__all__ = [
    "CRITERIA",
    "ConditionalCoverage",
    "ConfidenceInterval",
    "Contrast",
    "Criterion",
    "Crossover",
    "Families",
    "LogRatio",
    "PairedRatios",
    "PermutationTest",
    "RatioCurve",
    "Resampling",
    "Sample",
    "SegmentCoverage",
    "Statistic",
    "block_codes",
    "bounded_exp",
    "conditional_coverage",
    "confidence_interval",
    "families",
    "find_crossover",
    "permutation_test",
    "permutation_tests",
    "ratio_curve",
    "share_limits",
]
