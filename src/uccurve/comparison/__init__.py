"""Several models on the same rows: scores, tests, and who is best where."""

from uccurve.comparison._comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
