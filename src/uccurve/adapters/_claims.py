"""The coverage that another library's intervals claim: stated as a share, and never guessed."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.arguments import complement
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

_EVEN = 0.5
_PERCENT = 100
_SAME = 1e-9
"""Difference between coverages that may be rounding: 1 - 0.1 is not 0.9 to the last digit."""


def claims_of(nominal: Any, *, name: str = "nominal") -> tuple[float, ...]:
    """Check the coverage, or the coverages, that an output claims.

    Parameters
    ----------
    nominal : float or sequence of float
        Shares such as 0.9. Percentages are refused, and so are claims that all lie below 0.5: they look like
        miss rates.
    name : str
        What the user calls the argument.

    Examples
    --------
    >>> claims_of([0.5, 0.9])
    (0.5, 0.9)
    >>> claims_of(90)
    Traceback (most recent call last):
        ...
    uccurve.exceptions.ArgumentError: `nominal` must satisfy 0 < nominal < 1, got 90: write 0.9 for 90%.
    """
    if nominal is None:
        raise ArgumentError(f"`{name}` must be given: the coverage that the intervals claim, such as 0.9.")
    several = hasattr(nominal, "__iter__") and getattr(nominal, "ndim", 1) > 0
    claims = tuple(
        share(name, claim) for claim in (arguments.sequence(name, nominal) if several else [nominal])
    )
    if len(set(claims)) < max(1, len(claims)):
        raise ArgumentError(f"`{name}` must be different coverages, at least one, got {nominal!r}.")
    if max(claims) < _EVEN:
        likely = ", ".join(f"{complement(claim):g}" for claim in claims)
        raise ArgumentError(
            f"`{name}` must be the coverage that the intervals claim; {nominal!r} looks like a miss rate: "
            f"write {likely}. If the intervals do claim less than 50%, give their bounds to "
            "`Intervals.from_bounds`, or to `Intervals.from_quantiles` where there are several."
        )
    return claims


def share(name: str, value: Any) -> float:
    """Check one coverage; a percentage is an error that says what to write."""
    try:
        return arguments.number(name, value, 0, 1, open_=True)
    except ArgumentError as error:
        try:
            percent = arguments.as_float(value)
        except (TypeError, ValueError, OverflowError):
            raise error from None
        if not 1 < percent < _PERCENT:
            raise
        as_share = float(Decimal(repr(percent)) / _PERCENT)
        message = f"{str(error).rstrip('.')}: write {as_share:g} for {percent:g}%."
        raise ArgumentError(message) from None


def place_of(claims: Sequence[float], coverage: Any) -> int:
    """Return which of several claims is asked for.

    Examples
    --------
    >>> place_of((0.5, 0.9), 0.9)
    1
    """
    wanted = share("coverage", coverage)
    for place, claim in enumerate(claims):
        if abs(claim - wanted) <= _SAME:
            return place
    known = ", ".join(f"{claim:g}" for claim in claims)
    raise ArgumentError(f"`coverage` must be one of the claims of the output, {known}, got {coverage!r}.")


def levels_of(claim: float) -> tuple[float, float]:
    """Return the levels of the two quantiles that bound a central interval.

    Examples
    --------
    >>> levels_of(0.9)
    (0.05, 0.95)
    """
    tail = (1 - Decimal(repr(claim))) / 2
    return float(tail), float(1 - tail)
