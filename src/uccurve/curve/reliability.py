"""How sure coverages are: confidence bands along the curve, and claimed against observed coverage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import frozen, to_numpy
from uccurve.curve.results import CurveBand
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Array, Side
    from uccurve.curve.sorted_rows import CurveData

_PER_CENTS = 100

# What is assumed of the shape of errors, to tell what intervals of another width claim.
Shape = Literal["none", "gaussian"]

_SHAPES = {"none": "no shape assumed", "gaussian": "Gaussian shape assumed"}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Reliability:
    """Claimed against observed coverage.

    Attributes
    ----------
    nominal : Array
        Coverages claimed, rising from 0, of one-sided limits from 0.5, shape (m,): in steps of 1%, up to
        0.99, or up to the largest nominal coverage of quantiles, with those of all their pairs.
    coverage : Array
        Share of the weight captured at each of them, shape (m,).
    low, high : Array
        Where the true coverage may lie, for independent rows: everywhere at once with the confidence level,
        by the Dvoretzky-Kiefer-Wolfowitz inequality, shape (m,).
    parameter : Array
        The scale, or under ``vary="level"`` the share of the largest nominal coverage, that turns the
        intervals as supplied into intervals that claim each coverage, shape (m,).
    levels : tuple[float, ...]
        The claims that the calibration error is the mean over: those of the pairs of quantiles, which are
        the model's own, or 0.01, 0.02, …, 0.99; of one-sided limits 0.50, 0.51, …, 0.99.
    as_given : float
        The coverage that the intervals claim as supplied.
    observed : float
        The share of the weight that they capture.
    assumed_shape : Literal['none', 'gaussian']
        What is assumed of the shape of errors: nothing with quantiles, which have their own claims, else a
        Gaussian.
    confidence_level : float
        Probability that the true coverages lie between low and high.

    See Also
    --------
    UCC.reliability : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> curve = uc.UCC(uc.Intervals.from_std([1, 2, 3, 4], [0, 0, 0, 0], std=[2, 2, 2, 2]))
    >>> curve.reliability()
    Reliability(claimed=0.6827, observed=0.5, calibration error 0.227, Gaussian shape assumed)
    """

    nominal: Array
    coverage: Array
    low: Array
    high: Array
    parameter: Array
    levels: tuple[float, ...]
    as_given: float
    observed: float
    assumed_shape: Shape
    confidence_level: float

    @property
    def expected_calibration_error(self) -> float:
        """Mean distance between claimed and observed coverage over the `levels`, each counted once.

        Few rows make it positive even where every claim is true: see `calibration_error_interval`.
        """
        claimed, (coverage, _, _) = self._at_levels()
        return float(np.abs(coverage - claimed).mean())

    @property
    def calibration_error_interval(self) -> tuple[float, float]:
        """The least and the largest error that the coverages between `low` and `high` allow.

        It covers the true error with at least the confidence level. It begins at 0 if, and only if, all
        claims may be true.
        """
        claimed, (_, low, high) = self._at_levels()
        least = np.maximum(np.maximum(low - claimed, claimed - high), 0)
        largest = np.maximum(high - claimed, claimed - low)
        return float(least.mean()), float(largest.mean())

    def _at_levels(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the claims, and the coverages with their band at each."""
        claimed = np.array(self.levels)
        place = np.searchsorted(to_numpy(self.nominal), claimed)
        return claimed, [to_numpy(column)[place] for column in (self.coverage, self.low, self.high)]

    def __repr__(self) -> str:
        return (
            f"Reliability(claimed={self.as_given:.4g}, observed={self.observed:.4g}, "
            f"calibration error {self.expected_calibration_error:.3g}, {_SHAPES[self.assumed_shape]})"
        )


def simultaneous_margin(data: CurveData, confidence_level: float) -> float:
    """Return the largest error of the miss rate anywhere on the curve, with a probability."""
    level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
    return math.sqrt(math.log(2 / (1 - level)) / (2 * data.effective_rows))


def confidence_band(data: CurveData, confidence_level: float) -> CurveBand:
    r"""Return a band for independent rows.

    The miss rate is one minus a distribution function, that of the critical values. The
    Dvoretzky-Kiefer-Wolfowitz inequality bounds its largest error at once, by
    :math:`\sqrt{\ln(2/\alpha) / (2n)}`. With weights n is their effective number, and the band
    approximate; rows of several outputs count once.
    """
    margin = simultaneous_margin(data, confidence_level)
    xp, rate = data.xp, data.steps.miss_rate
    return CurveBand(
        parameter=data.steps.parameter,
        miss_rate=rate,
        low=frozen(xp.clip(rate - margin, min=0.0)),
        high=frozen(xp.clip(rate + margin, max=1.0)),
        confidence_level=float(confidence_level),
    )


def reliability(
    data: CurveData, nominal: float | None, levels: tuple[float, ...], side: Side, confidence_level: float
) -> Reliability:
    r"""Read the coverages off the curve at the parameters that go with claims.

    Nested quantiles claim the coverages of their pairs, and in between what is interpolated. Otherwise,
    where the intervals as supplied claim a coverage :math:`p_0`, and errors have the shape of a Gaussian, a
    coverage :math:`p` is claimed at the scale
    :math:`\Phi^{-1}((1 + p) / 2) \,/\, \Phi^{-1}((1 + p_0) / 2)`. A one-sided limit has all its misses on one
    side: it claims :math:`p` at :math:`\Phi^{-1}(p) \,/\, \Phi^{-1}(p_0)`, from 0.5 on, where the limit is
    the prediction.
    """
    if levels:
        if nominal is not None:
            raise ArgumentError(
                argument="nominal",
                rule="not be passed where vary='level'",
                hint="Quantiles claim their levels.",
            )
        claimed, as_given = _claims(levels[-1], levels), levels[-1]
        parameter = claimed / as_given
    else:
        least = 0.0 if side == "both" else 0.5  # what a band of zero claims
        as_given = _checked_claim(data, nominal, least)
        claimed = _claims(1.0, least=least)
        reach = np.array([_reach(p, side) for p in claimed.tolist()])
        parameter = reach / _reach(as_given, side)
    # The first operating point is 0, where the parameter for the least claim lies as well.
    place = np.searchsorted(to_numpy(data.steps.parameter), parameter, side="right") - 1
    coverage = to_numpy(data.coverages())[place]
    margin = simultaneous_margin(data, confidence_level)
    return Reliability(
        nominal=frozen(claimed),
        coverage=frozen(coverage),
        low=frozen(np.clip(coverage - margin, 0, None)),
        high=frozen(np.clip(coverage + margin, None, 1)),
        parameter=frozen(parameter),
        levels=levels or tuple(claimed[claimed > 0].tolist()),
        as_given=as_given,
        observed=data.at(1.0).coverage,
        assumed_shape="none" if levels else "gaussian",
        confidence_level=float(confidence_level),
    )


def _claims(largest: float, levels: tuple[float, ...] = (), *, least: float = 0.0) -> np.ndarray:
    """Return per cents from the least coverage to below the largest, and the given levels, rising."""
    shares = (step / _PER_CENTS for step in range(_PER_CENTS))
    return np.array(sorted({*levels, *(share for share in shares if least <= share < largest)}))


def _reach(claim: float, side: Side) -> float:
    """Return how many standard deviations of a Gaussian a claim reaches: on both sides, or on one."""
    return NormalDist().inv_cdf((1 + claim) / 2 if side == "both" else claim)


def _checked_claim(data: CurveData, nominal: float | None, least: float) -> float:
    """Return the coverage that intervals claim, where a scale turns it into other claims."""
    if not data.family.proportional:
        raise ArgumentError(
            "reliability needs a curve with vary='scale', or with vary='level' and quantiles: "
            "a shift has no claimed coverage"
        )
    if nominal is None:
        raise ArgumentError(
            argument="nominal",
            rule="be the coverage that the intervals claim",
            got="None",
            hint="Pass it here, or where they are made, as in from_bounds(..., nominal=0.9).",
        )
    return arguments.number("nominal", nominal, least, 1, open_=True)
