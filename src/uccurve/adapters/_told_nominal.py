"""A claim that an output does not make itself: it is asked for, and refused where it is told."""

from __future__ import annotations

from typing import Any

from uccurve.adapters._claims import check_claims, levels_of
from uccurve.exceptions import ArgumentError


def stated_nominal(nominal: Any, unsaid: str) -> tuple[float, float]:
    """Return the levels of the bounds of one stated coverage.

    Parameters
    ----------
    nominal : float
        The coverage.
    unsaid : str
        Why it must be given, and what to write.

    Examples
    --------
    >>> stated_nominal(0.8, "the frame does not say it")
    (0.1, 0.9)
    """
    if nominal is None:
        raise ArgumentError(argument="nominal", rule=f"be passed: {unsaid}")
    claims = check_claims(nominal)
    if len(claims) > 1:
        raise ArgumentError(
            argument="nominal", rule="be one coverage, as there is one pair of bounds", got=repr(nominal)
        )
    return levels_of(claims[0])


def refuse_nominal(nominal: Any, what: str) -> None:
    """Refuse a claim beside levels, which say it themselves."""
    if nominal is not None:
        raise ArgumentError(
            argument="nominal",
            rule=f"not be passed beside {what}",
            hint="`coverage` chooses one of their levels.",
        )
