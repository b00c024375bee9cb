"""The Uncertainty Characteristics Curve, and what it answers."""

from uccurve.curve._confidence_band import CurveBand
from uccurve.curve._curve import Curve
from uccurve.curve._curve_areas import area_over, cost_candidates
from uccurve.curve._curve_data import CurveData, at_points, floor, line, slack
from uccurve.curve._exact_data import ExactData
from uccurve.curve._limits import ceiling
from uccurve.curve._ranges import below_floor, on_axes, one_of, pair, solve, span
from uccurve.curve._references import check_side, saved_share, weights
from uccurve.curve._reliability import Reliability
from uccurve.curve._results import CostOptimum, Crossing, Frontier, OperatingPoint, OperatingPoints
from uccurve.curve._ucc import UCC
from uccurve.curve.families._family import Family, OutputErrors

__all__ = [
    "UCC",
    "CostOptimum",
    "Crossing",
    "Curve",
    "CurveBand",
    "CurveData",
    "ExactData",
    "Family",
    "Frontier",
    "OperatingPoint",
    "OperatingPoints",
    "OutputErrors",
    "Reliability",
    "area_over",
    "at_points",
    "below_floor",
    "ceiling",
    "check_side",
    "cost_candidates",
    "floor",
    "line",
    "on_axes",
    "one_of",
    "pair",
    "saved_share",
    "slack",
    "solve",
    "span",
    "weights",
]
