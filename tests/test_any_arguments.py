"""Any objects as arguments: the library answers, or refuses with an error of its own."""

from __future__ import annotations

import contextlib
import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uccurve as uc
from uccurve.exceptions import UccurveError

ROWS = uc.Intervals.from_bands([1.0, -2.0, 3.0, 0.5], [0.0] * 4, [1.0, 2.0, 2.0, 1.0], [2.0, 1.0, 1.0, 3.0])
CURVE, OTHER = ROWS.ucc(), ROWS.constant()

SINGLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=3),
    st.sampled_from(["shift", "strip", "bandwidth", "gain", "drop", "fair"]),
    st.sampled_from([dt.date(2026, 1, 2), Decimal("0.1"), Fraction(1, 3), object(), len]),
)
ARRAYS = st.builds(
    lambda values, kind, shape: np.resize(np.array(values), shape).astype(kind),
    st.lists(st.integers(-5, 5), min_size=1, max_size=6),
    st.sampled_from(["f8", "f4", "f2", "i8", "u1", "?", "c16", "O", "U3", "M8[D]", "m8[s]"]),
    st.sampled_from([(), (0,), (1,), (4,), (4, 2), (2, 4), (4, 1), (3, 4, 2)]),
)
ANYTHING = st.one_of(
    SINGLE,
    st.binary(max_size=3),
    ARRAYS,
    st.lists(SINGLE, max_size=5),
    st.lists(st.floats(), min_size=4),
)


CALLS = {  # what is called, the arguments it needs, and some of its options
    "from_bounds": (uc.Intervals.from_bounds, "y_true lower upper", "y_pred sample_weight nominal invalid"),
    "from_bands": (uc.Intervals.from_bands, "y_true y_pred band", "upper_band lower_band sample_weight"),
    "from_std": (uc.Intervals.from_std, "y_true y_pred std", "sample_weight invalid"),
    "from_quantiles": (uc.Intervals.from_quantiles, "y_true quantiles levels", "y_pred crossed"),
    "from_samples": (uc.Intervals.from_samples, "y_true samples", "axis levels y_pred"),
    "interval_score": (uc.interval_score, "y_true lower upper", "miss_rate coverage multioutput"),
    "pinball_loss": (uc.pinball_loss, "y_true quantiles levels", "sample_weight multioutput"),
    "crps": (uc.crps, "y_true samples", "axis estimator sample_weight multioutput"),
    "auucc": (uc.auucc, "y_true lower upper", "x y vary partial miss_rate"),
    "area": (CURVE.area, "", "x y partial miss_rate bandwidth deficit"),
    "gain": (CURVE.gain, "", "x y partial coverage parameter reference"),
    "at": (CURVE.at, "", "miss_rate coverage bandwidth excess deficit parameter"),
    "minimize_cost": (CURVE.minimize_cost, "c", "x y"),
    "confidence_interval": (
        lambda **given: uc.confidence_interval(ROWS, n_resamples=3, **given),
        "statistic",
        "confidence_level blocks rng miss_rate",
    ),
    "permutation_test": (
        lambda **given: uc.permutation_test(ROWS, OTHER, n_resamples=9, **given),
        "",
        "statistic blocks rng vary miss_rate",
    ),
    "scaled": (ROWS.scaled, "k", ""),
    "rows": (lambda rows: ROWS[rows], "rows", ""),
    "from_bytes": (uc.UCCSketch.from_bytes, "blob", ""),
}


@pytest.mark.parametrize("name", CALLS)
@given(data=st.data())
def test_any_arguments_are_answered_or_refused(name, data):
    """No other exception reaches the caller."""
    function, needed, optional = CALLS[name]
    always, sometimes = (dict.fromkeys(names.split(), ANYTHING) for names in (needed, optional))
    arguments = data.draw(st.fixed_dictionaries(always, optional=sometimes))
    with contextlib.suppress(UccurveError, UserWarning):
        function(**arguments)
