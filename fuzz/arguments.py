"""Any objects as arguments: the library answers, or refuses with an error of its own."""

from __future__ import annotations

import contextlib
import datetime as dt
import decimal
import fractions
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Callable

_ROWS = uc.Intervals.from_bands([1.0, -2.0, 3.0, 0.5], [0.0] * 4, [1.0, 2.0, 2.0, 1.0], [2.0, 1.0, 1.0, 3.0])
_OTHER = uc.Intervals.from_bands([1.0, -2.0, 3.0, 0.5], [0.5] * 4, [1.0, 3.0, 2.0, 1.0])
_scalar = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.complex_numbers(),
    st.sampled_from([dt.date(2026, 1, 2), decimal.Decimal("0.1"), fractions.Fraction(1, 3), object(), len]),
)
_arrays = st.builds(
    lambda values, kind, shape: np.resize(np.array(values), shape).astype(kind),
    st.lists(st.integers(-5, 5), min_size=1, max_size=6),
    st.sampled_from(["f8", "f4", "f2", "i8", "u1", "?", "c16", "O", "U3", "M8[D]", "m8[s]"]),
    st.sampled_from([(), (0,), (1,), (4,), (4, 2), (2, 4), (4, 1), (3, 4, 2)]),
)
_anything = st.one_of(
    _scalar,
    st.lists(_scalar, max_size=5),
    st.tuples(_scalar, _scalar),
    _arrays,
    st.lists(st.floats(), min_size=4),
)
_option = st.one_of(
    _anything,
    st.sampled_from(
        [
            "scale",
            "shift",
            "mean",
            "strip",
            "bandwidth",
            "miss_rate",
            "area",
            "gain",
            "drop",
            "fair",
            "interval_score",
        ]
    ),
)

_CALLS: dict[str, tuple[Callable[..., Any], tuple[str, ...], tuple[str, ...]]] = {
    "from_bounds": (uc.Intervals.from_bounds, ("y_true", "lower", "upper"), ("y_pred", "sample_weight", "nominal", "invalid")),
    "from_bands": (uc.Intervals.from_bands, ("y_true", "y_pred", "band"), ("upper_band", "lower_band", "sample_weight")),
    "from_std": (uc.Intervals.from_std, ("y_true", "y_pred", "std"), ("sample_weight", "invalid")),
    "from_quantiles": (uc.Intervals.from_quantiles, ("y_true", "quantiles", "levels"), ("y_pred", "crossed")),
    "from_samples": (uc.Intervals.from_samples, ("y_true", "samples"), ("axis", "levels", "y_pred")),
    "interval_score": (uc.interval_score, ("y_true", "lower", "upper"), ("miss_rate", "coverage", "multioutput")),
    "pinball_loss": (uc.pinball_loss, ("y_true", "quantiles", "levels"), ("sample_weight", "multioutput")),
    "weighted_interval_score": (
        uc.weighted_interval_score,
        ("y_true", "quantiles", "levels"),
        ("decompose", "sample_weight", "multioutput"),
    ),
    "crps": (uc.crps, ("y_true", "samples"), ("axis", "estimator", "sample_weight", "multioutput")),
    "auucc": (uc.auucc, ("y_true", "lower", "upper"), ("x", "y", "vary", "partial", "miss_rate")),
    "area": (uc.UCC(_ROWS).area, (), ("x", "y", "partial", "miss_rate", "bandwidth", "deficit")),
    "gain": (uc.UCC(_ROWS).gain, (), ("x", "y", "partial", "coverage", "parameter", "reference")),
    "at": (uc.UCC(_ROWS).at, (), ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")),
    "minimize_cost": (uc.UCC(_ROWS).minimize_cost, ("c",), ("x", "y")),
    "confidence_interval": (
        lambda **given: uc.confidence_interval(_ROWS, **{"n_resamples": 3, **given}),
        ("statistic",),
        ("confidence_level", "blocks", "rng", "miss_rate"),
    ),
    "permutation_test": (
        lambda **given: uc.permutation_test(_ROWS, _OTHER, n_resamples=9, **given),
        (),
        ("statistic", "alternative", "blocks", "rng", "vary", "miss_rate"),
    ),
    "scaled": (_ROWS.scaled, ("k",), ()),
    "rows": (lambda rows: _ROWS[rows], ("rows",), ()),
    "from_bytes": (uc.UCCSketch.from_bytes, ("blob",), ()),
}  # fmt: skip


@st.composite
def _calls(draw: st.DrawFn) -> tuple[str, list[Any], dict[str, Any]]:
    """Draw a function, its arguments and some of its options."""
    name = draw(st.sampled_from(sorted(_CALLS)))
    _, needed, optional = _CALLS[name]
    options = {key: draw(_option) for key in optional if draw(st.integers(0, 3)) == 0}
    return name, [draw(_anything) for _ in needed], options


def _check(call: tuple[str, list[Any], dict[str, Any]]) -> None:
    name, arguments, options = call
    function, needed, _ = _CALLS[name]
    with contextlib.suppress(UccurveError, UserWarning):
        function(**dict(zip(needed, arguments, strict=True)), **options)


TARGET = Target(examples=_calls(), check=_check, per_round=200)
