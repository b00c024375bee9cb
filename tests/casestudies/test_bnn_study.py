"""One data set of the study of a network with a data gap, all of them together, and the figures."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from casestudies.bnn_gap import figures, hmc, study, summary
from casestudies.bnn_gap.network import Network
from casestudies.shared import measures

import uccurve as uc

SMALL = study.Settings(
    n_train=6, n_test=30, hidden=2, noise=0.3, gap=(-1.0, 0.5), chains=3, draws=5, grid=5, n_resamples=19
)


@pytest.fixture
def drawn():
    """Weights that differ more from draw to draw than from chain to chain, and the other way round."""
    rng = np.random.default_rng(19)
    return rng.normal(size=(5, 3, 7)) + 0.7 * rng.normal(size=(5, 1, 7)) + 0.4 * rng.normal(size=(1, 3, 7))


@pytest.fixture
def outcome(monkeypatch, drawn):
    """What the study makes of given draws."""
    run = hmc.Draws(positions=drawn, acceptance=0.9, divergences=0, step=0.1, gradients=50)
    monkeypatch.setattr(hmc, "sample", lambda *_, **__: run)
    return study.sampled("main", 3, SMALL)


def gains(y, mean, band):
    curve = uc.Intervals.from_bands(y, np.asarray(mean), np.asarray(band)).ucc()
    ratio = {
        rate: curve.at(miss_rate=rate).bandwidth / curve.reference.at(miss_rate=rate).bandwidth
        for rate in (0.2, 0.7, 0.5)
    }
    return {
        "gain": curve.gain(),
        "strip_gain": curve.gain(partial="strip", miss_rate=(0, 0.5)),
        "mean_gain": curve.gain(partial="mean", miss_rate=(0, 0.5)),
        "deficit_gain": curve.gain(y="deficit"),
        **{str(rate): value for rate, value in ratio.items()},
    }


def predicted(positions, x):
    """Mean and spread of the function over given draws, one input at a time."""
    network = Network(hidden=2, prior=2.0, noise=0.3)
    values = [network.predictions(positions, np.array([one]))[:, 0].tolist() for one in x]
    return [statistics.fmean(one) for one in values], [statistics.pstdev(one) for one in values]


def test_the_band_is_the_spread_of_all_draws_and_the_noise(outcome, drawn):
    """Of all chains and all draws, and what an observation adds."""
    mean, spread = predicted(drawn.reshape(15, 7), outcome.data.x)
    np.testing.assert_allclose(outcome.mean, mean)
    np.testing.assert_allclose(outcome.epistemic, spread)
    np.testing.assert_allclose(outcome.intervals.y_pred, mean)
    np.testing.assert_allclose(outcome.intervals.y_true, outcome.data.y_true)
    for band in (outcome.intervals.lower_band, outcome.intervals.upper_band):
        np.testing.assert_allclose(band, [math.hypot(one, 0.3) for one in spread])


def test_each_chain_is_measured_on_its_own_and_the_error_is_that_of_their_mean(outcome, drawn):
    """A sign within two of these errors could be another one with longer chains."""
    y, x = outcome.data.y_true, outcome.data.x
    by_hand = []
    for chain in range(3):
        mean, spread = predicted(drawn[:, chain], x)
        by_hand.append(gains(y, mean, [math.hypot(one, 0.3) for one in spread]))
    found = outcome.record["monte_carlo"]
    assert found.keys() == by_hand[0].keys()
    for name, one in found.items():
        values = [chain[name] for chain in by_hand]
        np.testing.assert_allclose(one["chains"], values)
        assert one["se"] == pytest.approx(statistics.stdev(values) / math.sqrt(3))
        assert one["se"] > 0


def test_errors_and_bands_are_taken_apart_by_where_they_are(outcome):
    """Inside the gap and outside, root mean squares of the right rows."""
    rows = list(
        zip(
            outcome.data.x,
            outcome.data.y_true - outcome.mean,
            np.asarray(outcome.intervals.upper_band),
            strict=True,
        )
    )
    for name, part in (
        ("inside", [row for row in rows if -1 < row[0] < 0.5]),
        ("outside", [row for row in rows if not -1 < row[0] < 0.5]),
    ):
        assert part
        for what, place in (("error", 1), ("band", 2)):
            by_hand = math.sqrt(statistics.fmean(row[place] ** 2 for row in part))
            assert outcome.record["where"][f"{what}_{name}"] == pytest.approx(by_hand)


def test_the_true_scale_is_what_the_prediction_is_off_by_and_the_noise(outcome):
    """The other bands are around the same predictions."""
    found = study.variants(outcome)
    off = np.cos(2 * outcome.data.x) - outcome.mean
    np.testing.assert_allclose(found["true error scale"].upper_band, np.hypot(off, 0.3))
    np.testing.assert_allclose(found["network without noise"].upper_band, outcome.epistemic)
    for one in found.values():
        np.testing.assert_allclose(one.y_pred, outcome.mean)


def test_errors_in_units_of_the_truth_are_taken_apart_as_well(outcome):
    """They say why the true scale gains what it gains."""
    scale = np.hypot(np.cos(2 * outcome.data.x) - outcome.mean, 0.3)
    unit = np.abs(outcome.data.y_true - outcome.mean) / scale
    inside = [u for u, x in zip(unit, outcome.data.x, strict=True) if -1 < x < 0.5]
    outside = [u for u, x in zip(unit, outcome.data.x, strict=True) if not -1 < x < 0.5]
    found = summary.in_units_of_the_truth(outcome, SMALL.gap)
    assert found == {
        "inside": pytest.approx(statistics.fmean(inside)),
        "outside": pytest.approx(statistics.fmean(outside)),
    }


def record(seed, **given):
    """One data set as it would be with a cross-over, but for what is given."""
    one = {
        "gain": 0.1,
        "strip": 0.5,
        "mean": 0.2,
        "low": 0.8,
        "high": 1.5,
        "clear": True,
        "at": 0.25,
        "error": 1.0,
    }
    one |= given

    def number(value):
        return {"value": value, "low": value - 0.1, "high": value + 0.1}

    return {
        "seed": seed,
        "measures": {
            "gain": number(one["gain"]),
            "strip_gain": number(one["strip"]),
            "mean_gain": number(one["mean"]),
            "deficit_gain": number(0.3),
            "ratios": {"0.2": number(one["low"]), "0.7": number(one["high"])},
            "crossover": number(one["at"]),
            "clear": one["clear"],
        },
        "monte_carlo": {
            name: {"se": 0.02} for name in ("gain", "strip_gain", "mean_gain", "deficit_gain", "0.2", "0.7")
        },
        "where": {"error_inside": one["error"], "band_inside": 2.0},
    }


def test_what_holds_is_said_of_the_right_seeds():
    """The page counts them, and says which ones."""
    records = [
        record(0),
        record(1, low=1.05, clear=False, at=0.07, gain=-0.03, error=0.3),
        record(2, high=0.95, mean=-0.1, gain=0.2, error=2.0),
        record(3, low=1.2, high=0.8, gain=-0.2, clear=False, error=0.2),
        record(4, low=0.97, high=1.03, gain=0.3, at=0.35, error=3.0),
    ]
    found = summary.holds(records, (0.2, 0.7))
    assert found["narrower"] == [0, 2, 4]
    assert found["wider"] == [0, 1, 4]
    assert found["both"] == [0, 4]
    assert found["not_both"] == [1, 2, 3]
    assert found["clearly"] == [0]
    assert found["negative_gain"] == [1, 3]
    assert found["signs_differ"] == [2]
    assert found["crosses"] == [0, 2, 4]
    assert found["crossover"] == measures.spread([0.25, 0.25, 0.35])
    assert found["unsure"] == {
        "gain": [1],
        "strip_gain": [],
        "mean_gain": [],
        "deficit_gain": [],
        "0.2": [4],
        "0.7": [4],
    }
    assert found["gain_follows_error"] == pytest.approx(1)
    unclear = [record(0, clear=False), record(1, clear=False, gain=0.2, error=2.0)]
    assert summary.holds(unclear, (0.2, 0.7))["crossover"] is None


def test_the_ceilings_of_gaussian_errors_are_the_known_ones():
    """15.3% for the gain; 1 - 2/π for the gain on the deficit."""
    found = summary.gaussian_ceilings()
    assert found["ceiling"] == pytest.approx(0.153, abs=5e-4)
    assert found["deficit_ceiling"] == pytest.approx(1 - 2 / math.pi)


def test_the_cited_function_is_drawn_with_its_own_noise_and_range(monkeypatch, drawn):
    """Everything but function, noise, range and prior is the study's."""
    run = hmc.Draws(positions=drawn, acceptance=0.9, divergences=0, step=0.1, gradients=50)
    monkeypatch.setattr(hmc, "sample", lambda *_, **__: run)
    settings = SMALL.with_cited_data(4.0)
    data = study.sampled("cited", 3, settings).data
    np.testing.assert_allclose(data.y_mean, 0.1 * data.x**3)
    np.testing.assert_allclose(data.std, 0.25)
    assert data.x.min() < -3.5
    assert data.x.max() > 3.5
    assert (settings.prior, settings.gap, settings.n_train) == (4.0, SMALL.gap, SMALL.n_train)


def test_the_cited_function_has_all_seeds_with_the_studys_prior():
    """A selection of seeds could hide what came out."""
    full = study.FULL
    assert full.prior in full.cited.priors
    assert full.cited_seeds(full.prior) == tuple(range(20))
    assert all(full.cited_seeds(prior) == full.seeds for prior in full.cited.priors if prior != full.prior)


@pytest.mark.parametrize("clear", [True, False])
def test_only_a_clear_cross_over_is_marked(outcome, clear):
    """A dot is a claim."""
    outcome.record["measures"] |= {"clear": clear, "crossover": {"value": 0.25}}
    parts = {part: [outcome] for part in ("main", "control", "more")}
    ax = figures.ratios(parts, {"main": "main", "control": "control"}, SMALL).axes[0]
    dots = [line.get_xydata().tolist() for line in ax.get_lines() if line.get_marker() == "o"]
    assert dots == [[[0.25, 1]]] * clear + [[]]
    texts = [text.get_text() for text in figures.three_panels(outcome, SMALL).axes[1].texts]
    assert any("cross-over" in text for text in texts) is clear
