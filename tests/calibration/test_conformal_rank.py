"""The parameter against its definition, in exact fractions."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import BANDS, cases
from uccurve.calibration._conformal_rank import as_written, conformal_rank, rows_needed

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


@given(st.integers(1, 10_000), st.integers(1, 999))
@settings(max_examples=200)
def test_the_rank_is_exact(n, thousandths):
    """No float noise: (n + 1)(1 - α) is rounded up as the decimal it is written as."""
    exact = math.ceil((n + 1) * (1 - Fraction(thousandths, 1000)))
    assert conformal_rank(n, 1 - as_written(thousandths / 1000)) == exact
    assert conformal_rank(n, as_written((1000 - thousandths) / 1000)) == exact


def test_the_rank_where_floats_go_wrong():
    """0.55 · 100 is 55.00000000000001 in floats, which would take the 56th."""
    assert math.ceil(100 * 0.55) == 56
    assert conformal_rank(99, 1 - as_written(0.45)) == conformal_rank(99, as_written(0.55)) == 55


@given(st.integers(1, 999))
@settings(max_examples=200)
def test_the_rows_that_a_coverage_needs(thousandths):
    """With one row fewer the rank exceeds their number."""
    coverage = Fraction(thousandths, 1000)
    n = rows_needed(coverage)
    assert conformal_rank(n, coverage) <= n
    assert conformal_rank(n - 1, coverage) > n - 1


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


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.filterwarnings("ignore::uccurve.exceptions.InfiniteParameterWarning")
def test_one_to_three_rows(n, vary):
    """n rows promise n / (n + 1) and no more."""
    intervals = uc.Intervals.from_bands([3.0, -1.0, 2.0][:n], [0.0] * n, BANDS[:n], BANDS[1 : n + 1])
    largest = max(intervals.critical(vary=vary))
    for text, finite in (("0.5", True), ("0.6", n > 1), ("0.7", n > 2), ("0.75", n > 2), ("0.76", False)):
        parameter = uc.ConformalScaler(float(text), vary=vary).fit(intervals).parameter_
        assert math.isinf(parameter) != finite
        assert not finite or parameter <= largest
    assert uc.ConformalScaler(0.5, vary=vary).fit(intervals[:1]).parameter_ == intervals[:1].critical(
        vary=vary
    )
