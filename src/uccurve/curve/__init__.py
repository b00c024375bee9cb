"""The Uncertainty Characteristics Curve, and what it answers."""

from uccurve.curve.areas import area_over, check_side, cost_candidates, share_saved, weights_of
from uccurve.curve.curve import Curve
from uccurve.curve.ranges import below_floor, check_axes, check_range, on_axes, one_of, solve, span
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
    "area_over",
    "below_floor",
    "check_axes",
    "check_range",
    "check_side",
    "cost_candidates",
    "family_of",
    "on_axes",
    "one_of",
    "share_saved",
    "solve",
    "span",
    "weights_of",
]
