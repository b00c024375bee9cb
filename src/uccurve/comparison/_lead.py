"""How much narrower one model is than another at the chosen coverage, with a paired interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve.comparison._compare_options import MOST_AT_A_POINT
from uccurve.comparison._narrower import Saving
from uccurve.curve._references import saved_share
from uccurve.exceptions import UccurveError
from uccurve.inference._ratio_at import ratio_at

if TYPE_CHECKING:
    from uccurve.comparison._comparison import Comparison

_SEED = 0
"""The same comparison has the same verdict."""


def lead(comparison: Comparison, first: str, second: str) -> Saving:
    """Return the share of the second model's bandwidth that the first saves at the chosen coverage.

    The interval resamples the rows of both models together. There is none for sketches, which have no rows,
    and where too few rows decide.
    """
    options, curves = comparison.options, comparison.curves
    bandwidths = (curves[name].at(miss_rate=options.miss_rate).bandwidth for name in (first, second))
    share = saved_share(*bandwidths)
    a, b = (curves[name]._rows for name in (first, second))
    if a is None or b is None:
        return Saving(share)
    try:
        found = ratio_at(
            a,
            b,
            options.miss_rate,
            vary=options.vary,
            **options.resampling(np.random.default_rng(_SEED), MOST_AT_A_POINT),
        )
    except UccurveError:  # predictions that cannot be paired, say
        found = None
    return Saving(share) if found is None else Saving(share, 1 - found.high, 1 - found.low)
