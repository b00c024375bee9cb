"""The Uncertainty Characteristics Curve, and what it answers."""

from uccurve.curve._confidence_band import CurveBand
from uccurve.curve._curve import Curve
from uccurve.curve._reliability import Reliability
from uccurve.curve._results import CostOptimum, Crossing, Frontier, OperatingPoint, OperatingPoints
from uccurve.curve._ucc import UCC

__all__ = [
    "UCC",
    "CostOptimum",
    "Crossing",
    "Curve",
    "CurveBand",
    "Frontier",
    "OperatingPoint",
    "OperatingPoints",
    "Reliability",
]
