"""Significance at the floor of resolution: enough resamples for many tests, and honest words where they are few."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.comparison._resolution import bound_text, enough_resamples


def clearly_ordered(n_models, n=400):
    """Models whose bands carry ever more noise; the errors have one scale."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    return {
        f"model {k}": uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=0.3 + 0.08 * k, size=n))
        for k in range(n_models)
    }


@pytest.mark.parametrize("n_tests", [1, 3, 105, 400])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_smallest_adjusted_p_value_is_a_tenth_of_the_level(n_tests, level):
    """Or less; the number depends on nothing that was observed."""
    n_resamples = enough_resamples(n_tests, level, 1999)
    if n_resamples < 99_999:
        assert n_tests / (1 + n_resamples) <= level / 10 * (1 + 1e-9)
    assert n_resamples >= 1999
    assert enough_resamples(10**9, level, 1999) == 99_999


@pytest.mark.slow
def test_clear_differences_of_fourteen_models_are_significant():
    """105 tests after Holm: with 1 999 resamples not even 556% could be."""
    models = clearly_ordered(14)
    comparison = uc.compare(models, rng=0)
    last = next(t for t in comparison.tests if (t.a, t.b) == ("model 13", "constant band"))
    assert last.pvalue_holm < 0.005 * (1 + 1e-9)
    assert last.needs is None
    line = next(line for line in comparison.findings if "the area of model 13 on" in line)
    assert "which is significant (p = 0.005 after Holm)" in line


@pytest.mark.slow
def test_too_few_resamples_are_said_to_be_too_few():
    """A number that users chose is respected; "not significant" would be wrong."""
    models = clearly_ordered(14)
    comparison = uc.compare(models, n_resamples=1999, rng=0)
    last = next(t for t in comparison.tests if (t.a, t.b) == ("model 13", "constant band"))
    assert (last.pvalue, last.needs) == (1 / 2000, "resamples")
    line = next(line for line in comparison.findings if "the area of model 13 on" in line)
    assert line.endswith(
        "which is undecided (with so few resamples no p below 0.052 is possible after Holm: more resamples are needed)."
    )
    assert last.smallest_pvalue_holm == pytest.approx(105 / 2000)
    table = repr(comparison.tests)
    assert "≤ 0.0525" in table
    assert "needs more" in table
    unclear = [t for t in comparison.tests if t.pvalue > 0.05]
    assert unclear
    assert all(t.needs is None for t in unclear)


@pytest.mark.parametrize(
    ("n_blocks", "words"),
    [
        (4, "undecided (with 4 blocks no p below 0.12 is possible after Holm: more blocks are needed)"),
        (12, "significant (p = 0.00049 after Holm)"),
    ],
)
def test_few_blocks_are_said_to_be_few(n_blocks, words):
    """Two of 2^B exchanges are as extreme as the most extreme one, however many are drawn."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=1.0, size=600))
    comparison = uc.compare({"mine": rows}, blocks=np.arange(600) * n_blocks // 600, rng=0)
    assert f"which is {words}" in comparison.findings[1]
    assert ("needs more" in repr(comparison.tests)) == (n_blocks == 4)
    assert "≤" not in repr(comparison.tests)  # all exchanges were looked at: p is no bound
    test = comparison.tests[0]
    assert test.n_units == n_blocks
    assert test.smallest_pvalue_holm == 2.0 ** (1 - n_blocks)
    assert test.smallest_pvalue_at_holm == max(2.0 ** (1 - n_blocks), 1 / 2000)


@pytest.mark.parametrize(("n_blocks", "bound"), [(2, "1"), (3, "0.75"), (5, "0.18")])
def test_no_p_value_is_below_the_bound_that_is_told(n_blocks, bound):
    """Of 2^B exchanges two are as extreme as the most extreme one, times three tests."""
    models = clearly_ordered(2)
    comparison = uc.compare(models, blocks=np.arange(400) * n_blocks // 400, rng=0)
    words = f"with {n_blocks} blocks no p below {bound} is possible after Holm"
    assert words in comparison.summary()
    for test in comparison.tests:
        assert test.smallest_pvalue_holm == min(1, 3 * 2.0 ** (1 - n_blocks))
        assert float(bound) <= test.smallest_pvalue_holm <= min(test.pvalue_holm, test.pvalue_at_holm)


def test_a_handful_of_rows_is_said_to_be_few():
    """Without blocks, rows are what is exchanged."""
    rows = uc.Intervals.from_bands([2.0, -2.6, 0.4, -0.6], np.zeros(4), [1, 1, 2, 3])
    test = uc.compare({"mine": rows}, rng=0).tests[0]
    assert (test.pvalue, test.needs) == (1 / 8, "rows")


@pytest.mark.slow
def test_sorted_areas_draw_fewer_exchanges_by_default(monkeypatch):
    """They take ten times as long; the number of tests still decides."""
    asked = []
    from uccurve.comparison import _pair_tests

    plain = _pair_tests.shared_permutation_tests
    monkeypatch.setattr(
        _pair_tests,
        "shared_permutation_tests",
        lambda *a, **k: asked.append(k["n_resamples"]) or plain(*a, **k | {"n_resamples": 19}),
    )
    models = clearly_ordered(4, n=40)
    for options in ({}, {"x": "excess"}, {"n_resamples": 77}, {"confidence_level": 0.99, "x": "excess"}):
        uc.compare(models, rng=0, **options)
    assert sorted(set(asked)) == [77, 1999, 9999]
    assert asked[-1] == 9999


def test_a_bound_is_rounded_down():
    """0.125 is below 0.13, and possible."""
    shown = {0.125: "0.12", 0.0525: "0.052", 0.05: "0.05", 1.0: "1", 0.995: "0.99", 0.00021: "0.00021"}
    assert {p: bound_text(p) for p in shown} == shown


def test_the_page_says_the_same(tmp_path):
    """In its findings and in its tables."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=120)
    rows = uc.Intervals.from_bands(y, 0 * y, rng.lognormal(sigma=1.0, size=120))
    text = uc.report({"mine": rows}, tmp_path / "page.html", blocks=30, rng=0).read_text()
    assert (
        "which is undecided (with 4 blocks no p below 0.12 is possible after Holm: more blocks are needed)"
        in text
    )
    assert "0.125" in text
    assert "needs more" in text
    assert "not significant" not in text
