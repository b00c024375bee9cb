"""How sure a number is, and whether two models differ."""

from uccurve.inference._confidence import ConfidenceInterval, confidence_interval
from uccurve.inference._permutation import PermutationTest, permutation_test

__all__ = ["ConfidenceInterval", "PermutationTest", "confidence_interval", "permutation_test"]
