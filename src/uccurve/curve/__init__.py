"""The Uncertainty Characteristics Curve, and what it answers.

`areas` integrates any curve data, `ranges` turns values on any axis into parameters.
"""

from uccurve.curve import areas, ranges
from uccurve.curve.curve import Curve
from uccurve.curve.reliability import Reliability
from uccurve.curve.results import CostOptimum, Crossing, CurveBand, Frontier, OperatingPoint, OperatingPoints
from uccurve.curve.sorted_rows import CurveData, SortedRows
from uccurve.curve.ucc import UCC, family_of

__all__ = [
    "UCC",
    "CostOptimum",
    "Crossing",
    "Curve",
    "CurveBand",
    "CurveData",
    "Frontier",
    "OperatingPoint",
    "OperatingPoints",
    "Reliability",
    "SortedRows",
    "areas",
    "family_of",
    "ranges",
]
