"""The figures of regimes and of reliability."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_figure import labelled, labels, marks, some_intervals, xy

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve._base.text import short_percent
from uccurve.comparison import RecordTable, Regime
from uccurve.plotting import plot_regimes, plot_reliability

I = uc.Intervals


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    scale = rng.lognormal(sigma=0.8, size=600)
    y = scale * rng.normal(size=600)
    bands = {"sharp": scale, "$damped$": scale**0.25}
    models = {name: I.from_bands(y, 0 * y, band) for name, band in bands.items()}
    return uc.compare(models, n_resamples=99, rng=0)


def test_the_bars_are_the_regimes(comparison):
    """Each over its coverages, in the lane of its model; over the others nobody is clearly the best."""
    ax = plot_regimes(comparison)
    regimes = list(comparison.regimes)
    assert len(ax.patches) == len(regimes) > 2
    lanes = [text.get_text() for text in ax.get_yticklabels()]
    assert lanes == ["sharp", r"\$damped\$", "constant width"]
    left = 1 - regimes[0].low
    for regime, bar in zip(regimes, ax.patches, strict=True):  # from high to low coverage, without gaps
        begin, end = bar.get_x(), bar.get_x() + bar.get_width()
        assert begin - 1e-9 <= 1 - regime.high <= 1 - regime.low <= end + 1e-9
        assert end == pytest.approx(left)
        left = begin
        if regime.best is None:
            assert bar.get_height() == 1  # of the axes
            continue
        lane = round(bar.get_y() + bar.get_height() / 2)
        assert lanes[lane].replace("\\", "") == regime.best
        assert bar.get_fill()
    wide = [regime for regime in regimes if regime.best is not None and regime.high - regime.low >= 0.15]
    assert {text.get_text() for text in ax.texts} == {f"≥ {short_percent(regime.saved)}" for regime in wide}
    assert plot_regimes(comparison, ax, legend=False) is ax
    with raises(ex.ArgumentError, "comparison"):
        plot_regimes({})


def test_ranges_that_are_too_close_to_call_have_a_ground_of_their_own(comparison):
    """Nobody's bar lies there."""
    unknown = Regime(low=0.0, high=0.4, best=None, runner_up=None, saved=np.nan, clear=False)
    sure = Regime(low=0.4, high=1.0, best="sharp", runner_up="$damped$", saved=0.1, clear=True)
    ax = plot_regimes(replace(comparison, regimes=RecordTable((unknown, sure), "regimes")))
    ground, bar = ax.patches
    assert (ground.get_x(), ground.get_width(), ground.get_height()) == pytest.approx((0.6, 0.4, 1))
    assert (bar.get_x(), bar.get_width()) == pytest.approx((0.0, 0.6))


def test_the_legend_explains_what_is_there_and_nothing_else(comparison):
    """Full and empty bars, and the ground, each only if there is one."""
    kinds = {"clear": ("sharp", True), "not tested": ("sharp", False), "too close to call": (None, False)}
    for words, (best, clear) in kinds.items():
        regime = Regime(low=0.0, high=1.0, best=best, runner_up=None, saved=np.nan, clear=clear)
        ax = plot_regimes(replace(comparison, regimes=RecordTable((regime,), "regimes")))
        assert labels(ax) == [words]


def test_gaussian_errors_with_their_true_scale_are_reliable():
    """At any coverage, whatever the intervals as given claim."""
    rng = np.random.default_rng(0)
    std = rng.lognormal(size=20_000)
    y = std * rng.normal(size=20_000)
    for nominal, factor in ((0.6827, 1.0), (0.9, 1.6448536), (0.95, 1.9599640)):
        found = I.from_std(y, 0 * y, factor * std).ucc().reliability(nominal)
        assert np.abs(found.coverage - found.nominal).max() < 0.012
        assert found.observed == pytest.approx(nominal, abs=0.012)
        assert found.as_given == nominal
    narrow = I.from_std(y, 0 * y, std / 2).ucc().reliability()
    assert narrow.as_given == 0.6827
    assert narrow.coverage[90] == pytest.approx(0.589, abs=0.012)  # 2 Φ(1.645 / 2) - 1


def test_reliability_is_read_off_the_curve():
    """Coverage at the scale that goes with the claim, weights included; an infinite one never."""
    for intervals in (some_intervals(weighted=True), I.from_bands([1, 2, 3], [0, 0, 0], [1, 0, 1])):
        curve = intervals.ucc()
        found = curve.reliability(0.8)
        assert found.nominal.tolist() == [p / 100 for p in range(100)]
        assert found.parameter[80] == 1
        wanted = [curve.at(parameter=scale).coverage for scale in found.parameter]
        assert found.coverage == pytest.approx(wanted, rel=1e-12)
        assert found.observed == curve.original.coverage


def test_reliability_needs_a_scale_and_a_claim():
    """A shift goes with no claimed coverage."""
    with pytest.raises(ex.ArgumentError):
        some_intervals().ucc(vary="shift").reliability()
    for nominal in (0, 1, "all"):
        with raises(ex.ArgumentError, "nominal"):
            some_intervals().ucc().reliability(nominal)
    for ask in (some_intervals().ucc().reliability, lambda: plot_reliability(some_intervals())):
        with raises(ex.ArgumentError, "nominal"):
            ask()


def test_the_reliability_figure_draws_the_result_beside_the_diagonal():
    """One model without a name, several with theirs."""
    curves = {"one": some_intervals().ucc(), "two": some_intervals(seed=1).ucc()}
    ax = plot_reliability(curves, nominal=0.8)
    assert labels(ax) == ["one", "two", "as supplied", "reliable"]
    assert xy(labelled(ax, "reliable")) == [[0, 0], [1, 1]]
    for name, curve in curves.items():
        found = curve.reliability(0.8)
        assert xy(labelled(ax, name)) == np.column_stack([found.nominal, found.coverage]).tolist()
        assert [0.8, curve.original.coverage] in marks(ax, "o")
    assert labels(plot_reliability(curves["one"], nominal=0.8))[0] == "observed"


def test_a_limit_is_drawn_from_its_least_claim_on():
    """A perfect 95% limit lies on the diagonal, from a claim of one half, the limit at the prediction."""
    y = np.random.default_rng(0).normal(size=20_000)
    limit = I.from_bounds(y, upper=0 * y + 1.6448536, y_pred=0 * y, nominal=0.95)
    line = np.array(xy(labelled(plot_reliability(limit), "observed")))
    assert line[0, 0] == 0.5
    assert np.abs(line[:, 0] - line[:, 1]).max() < 0.012


def test_each_model_is_drawn_with_its_own_claim():
    """Bounds of 90% beside a standard deviation."""
    y = np.random.default_rng(0).normal(size=99)
    wide = I.from_bounds(y, 0 * y - 2, 0 * y + 2, nominal=0.9)
    ax = plot_reliability({"std": I.from_std(y, 0 * y, 1), "wide": wide})
    assert [claim for claim, _ in marks(ax, "o")] == [0.6827, 0.9]
