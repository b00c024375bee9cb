"""The parameter against its definition, in exact fractions."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import cases

COVERAGES = ["0.01", "0.1", "0.25", "0.5", "0.55", "0.6", "0.75", "0.8", "0.9", "0.95", "0.99"]


def defined(case, rows, coverage):
    """Return the smallest critical value that, by counting, enough rows do not exceed; None if there is none.

    A new row is the (n + 1)-th: with a share c of n + 1 rows at or below the parameter it is captured with
    probability c.
    """
    oracle = case.oracle()
    critical = [oracle.critical(oracle.rows[row]) for row in rows]
    for value in sorted(value for value in critical if value is not None):
        captured = sum(other is not None and other <= value for other in critical)
        if Fraction(captured, len(critical) + 1) >= coverage:
            return value
    return None


def same(parameter, exact):
    """Whether a parameter is what it should be, up to the rounding of one division."""
    return math.isinf(parameter) if exact is None else math.isclose(parameter, exact, rel_tol=1e-15)


@given(cases(max_rows=25, zero_bands=True, units=[1.0]), st.sampled_from(COVERAGES), st.booleans(), st.data())
@settings(max_examples=200)
def test_the_parameter_is_the_one_that_counting_finds(case, text, as_miss_rate, data):
    """Both families, ties, zero bands and residuals, one row upwards; pooled, by label, and from sketches."""
    if case.weight is not None:
        return
    coverage = Fraction(text)
    rate = {"miss_rate": float(1 - coverage)} if as_miss_rate else {"coverage": float(text)}
    intervals, n = case.intervals(), len(case.y)
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    rows_of = {label: [row for row in range(n) if labels[row] == label] for label in sorted(set(labels))}
    scaler = uc.ConformalScaler(vary=case.vary, unseen="pooled", **rate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uc.exceptions.InfiniteParameterWarning)
        everything = scaler.fit(intervals).parameter_
        assert same(everything, defined(case, range(n), coverage))
        scaler.fit(intervals, by=labels)
        assert scaler.parameter_ == everything
        assert list(scaler.parameters_) == list(rows_of)
        for label, rows in rows_of.items():
            assert same(scaler.parameters_[label], defined(case, rows, coverage))
        if case.vary == "shift":
            return
        # integers over powers of two lie in bins of their own: sketches are exact here
        rows = dict(scaler.parameters_)
        parts = {label: part.sketch() for label, part in intervals.by(labels).items()}
        assert scaler.fit(parts).parameters_ == rows
        assert scaler.parameter_ == everything
