"""The coverage that intervals claim."""

from __future__ import annotations

from fractions import Fraction

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

ONE_DEVIATION = 0.6827
"""What one standard deviation to either side claims, if errors have the shape of a Gaussian."""


def checked_nominal(nominal: float | None) -> float | None:
    """Check a claim that was given by hand."""
    return None if nominal is None else arguments.number("nominal", nominal, 0, 1, open_=True)


def claim_of_columns(nominal: float | None, *, std: bool) -> float | None:
    """Return what columns claim: standard deviations make a claim of their own."""
    if std and nominal is not None:
        raise ArgumentError(
            f"`nominal` must not be given beside `std`, which claims {ONE_DEVIATION}: "
            "give `lower` and `upper` for another claim."
        )
    return ONE_DEVIATION if std else checked_nominal(nominal)


def claim_between(low: float, high: float) -> float:
    """Return what two quantiles claim; levels are the decimals they print as: 0.95 - 0.05 is 0.9."""
    return float(Fraction(repr(high)) - Fraction(repr(low)))
