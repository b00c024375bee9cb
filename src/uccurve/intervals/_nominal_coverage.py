"""The coverage that intervals claim."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.arguments import complement
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE_DEVIATION = 0.6827
"""What one standard deviation to either side claims, if errors have the shape of a Gaussian."""
LOWEST_CLAIM = 0.5
"""A stated coverage below this looks like a miss rate."""
_PERCENT = 100


def checked_nominal(nominal: Any, name: str = "nominal") -> float | None:
    """Check a claim that was given by hand: a share, 0.5 or more."""
    if nominal is None:
        return None
    claim = share(name, nominal)
    check_claims(name, nominal, [claim])
    return claim


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
    uccurve.exceptions.ArgumentError: `nominal` must satisfy 0 < nominal < 1, got 90. Write 0.9 for 90%.
    """
    if nominal is None:
        raise ArgumentError(
            argument=name, rule="be the coverage that the intervals claim, such as 0.9", got="None"
        )
    several = hasattr(nominal, "__iter__") and getattr(nominal, "ndim", 1) > 0
    claims = tuple(
        share(name, claim) for claim in (arguments.sequence(name, nominal) if several else [nominal])
    )
    if len(set(claims)) < max(1, len(claims)):
        raise ArgumentError(argument=name, rule="be different coverages, at least one", got=repr(nominal))
    check_claims(name, nominal, claims)
    return claims


def check_claims(name: str, given: Any, claims: Sequence[float], *, unit: int = 1) -> None:
    """Refuse claims that all lie below 0.5; small ones beside a large one are levels of a family.

    Parameters
    ----------
    name : str
        What the user calls the argument.
    given : object
        What the user passed, to be shown.
    claims : sequence of float
        The same as shares.
    unit : int
        What the user writes for a coverage of 1: 100 for percentages.
    """
    if max(claims) < LOWEST_CLAIM:
        likely = ", ".join(f"{unit * complement(claim):g}" for claim in claims)
        raise ArgumentError(
            argument=name,
            rule=f"be the coverage that the intervals claim, {unit * LOWEST_CLAIM:g} or more",
            got=f"{given}, which looks like a miss rate",
            hint=f"Did you mean {likely}?",
        )


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
        raise error.replaced(hint=f"Write {as_share:g} for {percent:g}%.") from None


def claim_of_columns(nominal: float | None, *, std: bool) -> float | None:
    """Return what columns claim: standard deviations make a claim of their own."""
    if std and nominal is not None:
        raise ArgumentError(
            argument="nominal",
            rule=f"not be passed beside `std`, which claims {ONE_DEVIATION}",
            hint="Pass `lower` and `upper` for another claim.",
        )
    return ONE_DEVIATION if std else checked_nominal(nominal)


def claim_between(low: float, high: float) -> float:
    """Return what two quantiles claim; levels are the decimals they print as: 0.95 - 0.05 is 0.9."""
    return float(Fraction(repr(high)) - Fraction(repr(low)))
