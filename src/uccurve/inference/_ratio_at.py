"""The bandwidth of one model over that of another at one miss rate, with a paired confidence interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve.curve.families import family_of
from uccurve.inference._plain_rows import of_equal_width, plain_rows
from uccurve.inference._presorted import Presorted
from uccurve.inference._ratio_curve import FEWEST_ROWS, STEP, half_width
from uccurve.inference._ratio_draws import log_ratios

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.intervals import Intervals


class RatioAt(NamedTuple):
    """A ratio of two bandwidths, with its interval."""

    ratio: float
    low: float
    high: float


def ratio_at(
    a: Intervals,
    b: Intervals,
    miss_rate: float,
    *,
    vary: Vary,
    confidence_level: float,
    blocks: ArrayLike | int | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> RatioAt | None:
    """Return the bandwidth of a over that of b at a miss rate; None where too few rows decide it.

    The interval is that of `ratio_curve` with a pointwise band: both models are resampled together.
    """
    family = family_of(vary)
    rows = plain_rows({"a": a, "b": b}, blocks, nested=family.nested)
    rows = of_equal_width(rows, family) if family.proportional or family.nested else rows
    if rows.blocks.n_blocks < 2 or miss_rate * rows.effective_rows < FEWEST_ROWS:  # noqa: PLR2004
        return None
    first, second = (Presorted(model, family, rows.outputs) for model in rows.models)
    one, other = (model.bandwidths_at(rows.weight, np.array([miss_rate]))[0] for model in (first, second))
    if not (0 < one < np.inf and 0 < other < np.inf):
        return None
    rates = np.union1d(np.arange(STEP, 1 - STEP / 2, STEP), [miss_rate])  # draws interpolate between them
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        drawn = log_ratios((first, second), rows, rates, n_resamples, rng)[:, rates == miss_rate]
        margin = float(half_width(drawn, confidence_level, "pointwise")[0])
    if not np.isfinite(margin):
        return None
    ratio = float(one / other)
    return RatioAt(ratio, ratio * float(np.exp(-margin)), ratio * float(np.exp(margin)))
