"""Confidence bands for the miss rate along the curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from uccurve._base import arguments
from uccurve._base.arrays import frozen

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array
    from uccurve.curve._curve_data import CurveData

BandKind = Literal["simultaneous", "pointwise"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CurveBand:
    """Where the true miss rate may lie, at each operating point.

    Attributes
    ----------
    parameter : Array
        The operating points, shape (m,).
    miss_rate : Array
        The miss rate of the rows at hand, shape (m,).
    low : Array
        Lower end of the band, shape (m,).
    high : Array
        Upper end of the band, shape (m,).
    confidence_level : float
        Probability of covering the true miss rate: everywhere at once, or at each point.
    kind : BandKind
        Which of the two.
    """

    parameter: Array
    miss_rate: Array
    low: Array
    high: Array
    confidence_level: float
    kind: BandKind


def simultaneous_margin(data: CurveData, confidence_level: float) -> float:
    """Return the largest error of the miss rate anywhere on the curve, with a probability."""
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    return math.sqrt(math.log(2 / (1 - level)) / (2 * data.effective_rows))


def confidence_band(data: CurveData, confidence_level: float, kind: BandKind) -> CurveBand:
    r"""Return a band for independent rows.

    The miss rate is one minus a distribution function, that of the critical values. The
    Dvoretzky-Kiefer-Wolfowitz inequality bounds its largest error at once, by
    :math:`\sqrt{\ln(2/\alpha) / (2n)}`; the pointwise band is Wilson's. With weights n is their
    effective number, and the band approximate; rows of several outputs count once.
    """
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    arguments.option("kind", kind, ("simultaneous", "pointwise"))
    xp, rate = data.xp, data.miss_rate
    n = data.effective_rows
    if kind == "simultaneous":
        margin = simultaneous_margin(data, level)
        low, high = rate - margin, rate + margin
    else:
        z = NormalDist().inv_cdf((1 + level) / 2) ** 2 / n
        center = (rate + z / 2) / (1 + z)
        margin = xp.sqrt(z * (rate * (1 - rate) + z / 4)) / (1 + z)
        low, high = center - margin, center + margin
    return CurveBand(
        parameter=data.parameter,
        miss_rate=rate,
        low=frozen(xp.clip(low, min=0.0)),
        high=frozen(xp.clip(high, max=1.0)),
        confidence_level=level,
        kind=kind,
    )
