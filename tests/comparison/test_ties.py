"""Models that are alike, or differ by rounding only, are said to be tied."""

from __future__ import annotations

import numpy as np
import pytest
from uccurve.comparison._ties import tied_groups

import uccurve as uc


def models(n=300):
    """A model of its own, and one with bands that know nothing."""
    rng = np.random.default_rng(0)
    scale = rng.lognormal(size=n)
    rows = uc.Intervals.from_bands(scale * rng.normal(size=n), np.zeros(n), scale**0.5)
    noisy = uc.Intervals.from_bands(rows.y_true, rows.y_pred, rng.lognormal(size=n))
    return rows, noisy


@pytest.mark.parametrize(("factor", "sketched"), [(1, False), (1.1, False), (3, False), (1, True)])
def test_equal_models_are_tied(factor, sketched):
    """Rounding by a factor, which curves do not depend on, is no lead."""
    rows, _ = models()
    found = {"a": rows, "b": rows.scaled(factor), "c": rows}
    if sketched:
        found = {name: model.sketch() for name, model in found.items()}
    comparison = uc.compare(found, n_resamples=99, rng=0)
    assert "At 90% coverage a, b and c need the same bandwidth." in comparison.findings
    assert "By the area on bandwidth and miss rate a, b and c are tied." in comparison.findings
    assert not any("0.0%" in text or "the order is" in text for text in comparison.findings)
    assert {regime.best for regime in comparison.regimes} <= {None, "constant band"}


def test_tied_models_beside_another():
    """Those behind are named, and with how much they need more."""
    rows, noisy = models()
    comparison = uc.compare({"noisy": noisy, "a": rows, "b": rows.scaled(1.1)}, n_resamples=99, rng=0)
    needed = {score.model: score.bandwidth_at for score in comparison.scores}
    saved = 1 - needed["a"] / needed["noisy"]
    begin = f"At 90% coverage a and b need the same bandwidth, {100 * saved:.1f}% less than noisy, which is"
    assert any(text.startswith(begin) for text in comparison.findings)
    begin = "By the area on bandwidth and miss rate the order is a and b (tied), noisy; the lead of a over noisy is"
    assert any(text.startswith(begin) for text in comparison.findings)
    assert not any("The two disagree" in text for text in comparison.findings)
    regimes = [regime for regime in comparison.regimes if regime.best is not None]
    assert not any({regime.best, regime.runner_up} == {"a", "b"} for regime in regimes)


def test_ties_behind_the_first_are_tied_as_well():
    """The order names them together."""
    rows, noisy = models()
    found = uc.compare({"x": noisy, "a": rows, "y": noisy.scaled(1.1)}, n_resamples=99, rng=0).findings
    assert any("the order is a, x and y (tied); the lead of a over x is" in text for text in found)


def test_a_model_that_needs_as_much_as_its_constant_band_says_so():
    """Not 0.0% less: bands that differ only where that changes nothing."""
    y = np.array([1.0, -1, 1, -1, 0, 0])
    rows = uc.Intervals.from_bands(y, np.zeros(6), [1.0, 1, 1, 1, 0.5, 1.5])
    found = uc.compare({"m": rows}, coverage=0.9, n_resamples=9, rng=0).findings
    assert any(
        text.startswith("At 90% coverage m needs as much bandwidth as its constant band") for text in found
    )
    same = "the area of m on bandwidth and miss rate is the same as that of its constant band"
    assert any(same in text for text in found)


def test_groups_of_numbers_that_are_equal_up_to_rounding():
    """In rising order; inside a group in the order that was given."""
    values = {"a": 2.0, "b": 1.0, "c": 1 + 1e-12, "d": 2 * (1 - 1e-12), "e": 0.0, "f": 0.0, "g": 1.001}
    assert tied_groups(values) == [["e", "f"], ["b", "c"], ["g"], ["a", "d"]]
    assert tied_groups({"a": float("inf"), "b": 1.0}) == [["b"], ["a"]]
