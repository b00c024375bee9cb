"""The reliability (calibration) curve of the same intervals, for contrast with the UCC."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import frozen, to_numpy
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array
    from uccurve.curve._curve_data import CurveData

_LEVELS = 100


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Reliability:
    """Claimed against observed coverage.

    Attributes
    ----------
    nominal : Array
        Coverages claimed: 0, 0.01, …, 0.99, shape (100,).
    coverage : Array
        Share of the weight captured at each of them, shape (100,).
    parameter : Array
        The scale that turns the intervals as given into intervals that claim each coverage, shape (100,).
    as_given : float
        The coverage that the intervals as given claim.
    observed : float
        The share of the weight that they capture.
    """

    nominal: Array
    coverage: Array
    parameter: Array
    as_given: float
    observed: float

    def __repr__(self) -> str:
        return (
            f"Reliability(claimed={self.as_given:.4g}, observed={self.observed:.4g}, "
            f"at {len(self.nominal)} nominal coverages)"
        )


def reliability(data: CurveData, nominal: float | None) -> Reliability:
    r"""Read the coverages off the curve at the scales that Gaussian errors would need.

    Where the intervals as given claim a coverage :math:`p_0`, and errors have the shape of a
    Gaussian, a coverage :math:`p` is claimed at the scale
    :math:`\Phi^{-1}((1 + p) / 2) \,/\, \Phi^{-1}((1 + p_0) / 2)`.
    """
    if not data.family.proportional:
        raise ArgumentError(
            "reliability needs a curve with vary='scale': no shift goes with a claimed coverage."
        )
    if nominal is None:
        raise ArgumentError(
            "give `nominal`, the coverage that the intervals claim: here, or where they are made, "
            "as in from_bounds(..., nominal=0.9)."
        )
    nominal = arguments.number("nominal", nominal, 0, 1, open_=True)
    quantile = NormalDist().inv_cdf
    claimed = np.arange(_LEVELS) / _LEVELS
    scale = np.array([quantile((1 + p) / 2) for p in claimed.tolist()]) / quantile((1 + nominal) / 2)
    # The first operating point is 0, where the scale for a claim of 0 lies as well.
    place = np.searchsorted(to_numpy(data.parameter), scale, side="right") - 1
    return Reliability(
        nominal=frozen(claimed),
        coverage=frozen(to_numpy(data.coverage)[place]),
        parameter=frozen(scale),
        as_given=nominal,
        observed=data.at(1.0).coverage,
    )
