"""The coverage that another library's intervals claim: stated as a share, and never guessed."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import ArgumentError
from uccurve.formulas.tolerances import SAME_LEVEL
from uccurve.intervals import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

check_claims, check_share = checks.check_claims, checks.check_share


def place_of(claims: Sequence[float], coverage: Any) -> int:
    """Return which of several claims is asked for.

    Examples
    --------
    >>> place_of((0.5, 0.9), 0.9)
    1
    """
    wanted = check_share("coverage", coverage)
    for place, claim in enumerate(claims):
        if abs(claim - wanted) <= SAME_LEVEL:
            return place
    known = ", ".join(f"{claim:g}" for claim in claims)
    raise ArgumentError(
        argument="coverage", rule=f"be one of the claims of the output, {known}", got=repr(coverage)
    )


def levels_of(claim: float) -> tuple[float, float]:
    """Return the levels of the two quantiles that bound a central interval.

    Examples
    --------
    >>> levels_of(0.9)
    (0.05, 0.95)
    """
    tail = (1 - Decimal(repr(claim))) / 2
    return float(tail), float(1 - tail)
