"""Every warning points at the line of the user, whatever lies between it and the code that warns."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import uccurve as uc
from uccurve import exceptions as ex

RNG = np.random.default_rng(0)
Y, TABLE = RNG.normal(size=30), np.sort(RNG.normal(size=(30, 3)), axis=1)
DRAWS = RNG.normal(size=(9, 30))
HALF_PAIRED = uc.Intervals.from_quantiles(Y, TABLE, [0.1, 0.8, 0.9])
GAP = np.where(np.arange(30) == 3, np.nan, Y)

WARNINGS = {
    "draws": (
        lambda: uc.Intervals.from_samples(Y, DRAWS, levels=(0.05, 0.2, 0.8, 0.95)),
        ex.TooFewDrawsWarning,
    ),
    "draws of a library": (
        lambda: uc.adapters.from_numpyro(Y, DRAWS, levels=(0.05, 0.2, 0.8, 0.95)),
        ex.TooFewDrawsWarning,
    ),
    "a lazy curve": (lambda: HALF_PAIRED.ucc(vary="level").area(), ex.UnpairedLevelsWarning),
    "critical values": (lambda: HALF_PAIRED.critical(vary="level"), ex.UnpairedLevelsWarning),
    "a decorated function": (
        lambda: uc.permutation_test(HALF_PAIRED, HALF_PAIRED, vary="level", n_resamples=9, rng=0),
        ex.UnpairedLevelsWarning,
    ),
    "sorted rows": (
        lambda: uc.Intervals.from_quantiles(Y, TABLE[:, ::-1], [0.1, 0.8, 0.9], crossed="sort"),
        ex.SortedRowsWarning,
    ),
    "dropped rows": (lambda: uc.Intervals.from_bands(GAP, Y, 1, invalid="drop"), ex.DroppedRowsWarning),
    "too few rows": (
        lambda: uc.ConformalScaler(0.99).fit(uc.Intervals.from_bands(Y, 0 * Y, 1)),
        ex.InfiniteParameterWarning,
    ),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_warnings_name_the_line_of_the_user(name):
    """Behind cached properties of functools and decorators of NumPy as well."""
    action, category = WARNINGS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    assert {warning.category for warning in caught} == {category}
    assert {warning.filename for warning in caught} == {__file__}
