"""The bandwidth of each model over that of its constant band, with a band for all coverages at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve.exceptions import UccurveError
from uccurve.inference import ratio_curve
from uccurve.report_page import _sampled_curve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.comparison import CompareOptions, Comparison
    from uccurve.curve import Curve


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RatioLines:
    """The bandwidth of each model over that of its constant band, at the miss rates that the page carries."""

    rates: np.ndarray
    ratio: Mapping[str, np.ndarray]
    log_margin: Mapping[str, np.ndarray]
    """Half the width of the band around the logarithm of each; NaN where it is not known."""


_SEED = 0
"""The page's own draws: the same comparison gives the same page."""
_MOST_RESAMPLES = 499


def log_margins(comparison: Comparison, rates: np.ndarray) -> dict[str, np.ndarray]:
    """Return the margins of all models."""
    return {name: _log_margin(curve, rates, comparison.options) for name, curve in comparison.models.items()}


def ratio_lines(comparison: Comparison, rates: np.ndarray, margins: Mapping[str, np.ndarray]) -> RatioLines:
    """Return the ratios of all models."""
    ratio = {name: _ratio(curve, rates) for name, curve in comparison.models.items()}
    return RatioLines(rates=rates, ratio=ratio, log_margin=margins)


def _ratio(curve: Curve, rates: np.ndarray) -> np.ndarray:
    """Return the ratio, NaN where either bandwidth is out of reach or zero, or the ratio beyond float64."""
    own, theirs = (_sampled_curve.points(one, rates)["bandwidth"] for one in (curve, curve.reference))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = own / theirs
    return np.where((theirs > 0) & np.isfinite(ratio), ratio, np.nan)


def _log_margin(curve: Curve, rates: np.ndarray, options: CompareOptions) -> np.ndarray:
    """Return half the width of the band around the logarithm of the ratio, at each miss rate.

    NaN where the band is not known: at the ends, where a few rows decide, and where the rows are gone.
    """
    unknown = np.full(rates.size, np.nan)
    if curve._rows is None or curve.reference is curve:
        return unknown
    try:
        with np.errstate(over="ignore", under="ignore"):  # bands from few draws may be of any width
            found = ratio_curve(
                curve._rows,
                vary=options.vary,
                confidence_level=options.confidence_level,
                blocks=options.blocks,
                n_resamples=min(options.n_resamples or _MOST_RESAMPLES, _MOST_RESAMPLES),
                rng=_SEED,
            )
    except UccurveError:  # a single block, say
        return unknown
    with np.errstate(divide="ignore", invalid="ignore"):
        margin = np.log(found.high) - np.log(found.ratio)
    known = np.isfinite(margin)
    if not known.any():
        return unknown
    at, margins = found.miss_rate[known], margin[known]
    inside = (rates >= at[0]) & (rates <= at[-1])
    return np.where(inside, np.interp(rates, at, margins), np.nan)
