"""How small a p-value can get: enough resamples for several tests, and what is lacking where they are few."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from uccurve.formulas.tolerances import SAME_SUM

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike
    from uccurve.inference import PermutationTest

Needs = Literal["resamples", "blocks", "rows"]
"""What a test needs more of before it can decide."""

_MARGIN = 10
"""How far below the level of significance the smallest adjusted p-value should lie."""
_MORE = 1 + SAME_SUM
_MOST_RESAMPLES = 99_999


def enough_resamples(n_tests: int, level: float, fewest: int) -> int:
    """Return how many resamples let the smallest adjusted p-value be a tenth of the level of significance.

    It depends on nothing that was observed, so that the p-values stay valid.
    """
    wanted = math.ceil(_MARGIN * max(1, n_tests) / level - SAME_SUM) - 1
    return max(fewest, min(wanted, _MOST_RESAMPLES))


def lacking(test: PermutationTest, n_tests: int, level: float, unit: Needs) -> Needs | None:
    """Say what a test has too little of to be significant among so many, however clear the difference.

    None where the p-value decides: it could have been small enough, or is too large even on its own.
    """
    if n_tests * test.smallest_pvalue <= level or test.pvalue > max(level, _MORE * test.smallest_pvalue):
        return None
    return unit if n_tests * 2.0 ** (1 - test.n_units) > level else "resamples"


def bound_text(p_value: float) -> str:
    """Show a lower bound with two digits, rounded down so that it stays one."""
    scale = 10.0 ** (1 - math.floor(math.log10(p_value)))
    return f"{math.floor(p_value * scale + SAME_SUM) / scale:.2g}"


def units_word(blocks: ArrayLike | int | None) -> Needs:
    """Name what is exchanged."""
    return "rows" if blocks is None else "blocks"
