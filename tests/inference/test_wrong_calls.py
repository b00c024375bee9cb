"""Wrong calls of tests, intervals, ratios and segments: one clear error each."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import conditional_coverage, confidence_interval, permutation_test, ratio_curve
from uccurve.exceptions import ArgumentError, ArgumentTypeError, PairError, ShapeError

Y = np.array([1.0, 2.0, 3.0, 4.0])


def rows(**change):
    return uc.Intervals.from_bands(**{"y_true": Y, "y_pred": 0 * Y, "band": 1.0, **change})


R = rows()
CALLS = [
    (lambda: confidence_interval([1, 2], "gain"), ArgumentError, "intervals"),
    (lambda: confidence_interval(R, "width"), ArgumentError, "statistic"),
    (lambda: confidence_interval(R, "gain", method="t"), ArgumentError, "method"),
    (lambda: confidence_interval(R, "gain", x="excess", method="delta"), ArgumentError, "method"),
    (lambda: confidence_interval(R, "gain", confidence_level=95), ArgumentError, "confidence_level"),
    (lambda: confidence_interval(R, "miss_rate", x="excess"), ArgumentError, None),
    (lambda: confidence_interval(R, "parameter"), ArgumentError, "coverage"),
    (lambda: confidence_interval(R, "gain_at", bandwidth=(0, 1)), ArgumentError, "coverage"),
    (lambda: confidence_interval(R, "interval_score"), ArgumentError, "coverage"),
    (lambda: confidence_interval(R, "interval_score", coverage=[0.5, 0.9]), ArgumentTypeError, "coverage"),
    (lambda: confidence_interval(R, "interval_score", coverage=0.9, vary="scale"), ArgumentError, None),
    (lambda: permutation_test(R, R, statistic="gain_at"), ArgumentError, "coverage"),
    (lambda: permutation_test(R, R, statistic="gain_at", coverage=(0.5, 0.9)), ArgumentError, "coverage"),
    (lambda: permutation_test(R, R, statistic="gain_at", coverage=0.9, x="excess"), ArgumentError, None),
    (lambda: permutation_test(R.sketch().curve(), R), ArgumentError, "a"),
    (lambda: permutation_test(R.ucc(vary="shift"), R, vary="scale"), ArgumentError, None),
    (lambda: permutation_test(R, R, vary=["scale"]), ArgumentError, "vary"),
    (lambda: permutation_test(R, R, blocks=4), ArgumentError, "blocks"),
    (lambda: permutation_test(R, R, blocks=[1, 2]), ShapeError, "blocks"),
    (lambda: permutation_test(R, R, statistic=np.array([])), ArgumentError, "statistic"),
    (lambda: permutation_test(R, R, n_resamples=0), ArgumentError, "n_resamples"),
    (lambda: permutation_test(R, rows(y_true=Y + 1)), PairError, "y_true"),
    (lambda: permutation_test(R, R[:3]), PairError, "y_true"),
    (lambda: permutation_test(R, rows(sample_weight=Y)), PairError, "sample_weight"),
    (lambda: ratio_curve(R, R, criterion="width"), ArgumentError, "criterion"),
    (lambda: conditional_coverage(R.sketch().curve()), ArgumentError, "intervals"),
    (lambda: conditional_coverage(R, by="site"), ArgumentError, "by"),
    (lambda: conditional_coverage(R, by=["a"]), ShapeError, "by"),
    (lambda: conditional_coverage(R, by=["a", None] * 2), ArgumentError, "by"),
    (lambda: conditional_coverage(R, by=list("aabb"), bins=3), ArgumentError, "by"),
    (lambda: conditional_coverage(R, bins=2.5), ArgumentError, "bins"),
    (lambda: conditional_coverage(R, coverage=1), ArgumentError, "coverage"),
    (lambda: conditional_coverage(R, name=3), ArgumentTypeError, "name"),
    (
        lambda: conditional_coverage(rows(sample_weight=[1, 1, 1, 0]), by=list("aaab")),
        ArgumentError,
        "sample_weight",
    ),
]


@pytest.mark.parametrize(("call", "error", "argument"), CALLS)
def test_each_error_names_its_argument(call, error, argument):
    with raises(error, argument):
        call()
