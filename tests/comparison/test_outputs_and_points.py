"""Comparisons of several outputs, and at one coverage."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import uccurve as uc


def outputs(division, seed=0):
    """Bands of two outputs with errors of 1 and 100, by a division of the width among them."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(120, 2)) * [1, 100]
    noise = np.exp(0.3 * np.random.default_rng(seed).normal(size=y.shape))
    return uc.Intervals.from_bands(y, 0 * y, np.array(division) * noise)


def test_each_model_of_several_outputs_has_its_own_constant_band():
    """It follows the model's division among outputs, even around the same predictions."""
    models = {"narrow": outputs([1.0, 10.0]), "wide": outputs([1.0, 100.0], 1)}
    found = uc.compare(models, n_resamples=49, rng=0)
    assert list(found.constant_bands) == ["constant width of narrow", "constant width of wide"]
    assert found.own_constant_band["wide"] == "constant width of wide"
    for score in found.scores:
        if score.model in models:
            assert score.gain.value == uc.UCC(models[score.model]).gain()
        else:
            assert score.gain.value == score.gain_at.value == 0
    scaled = {"a": outputs([1.0, 10.0]), "b": outputs([1.0, 10.0]).scaled(3.0)}  # a factor changes no scaling
    assert list(uc.compare(scaled, n_resamples=9, rng=0).constant_bands) == ["constant width"]
    assert len(uc.compare(scaled, vary="shift", n_resamples=9, rng=0).constant_bands) == 2


def test_the_flat_dict_is_json_and_holds_what_the_tables_hold():
    """One number for each key; what is not defined is left out."""
    y = np.array([1.0, 2.0, 3.0, 4.0])
    stuck = uc.Intervals.from_bands(y, 0 * y, [1.0, 0.0, 1.0, 2.0])  # a row is never captured
    found = uc.compare({"stuck": stuck, "fine": stuck.floored(1.0)}, n_resamples=9, rng=0)
    numbers = found.to_dict()
    assert json.loads(json.dumps(numbers, allow_nan=False)) == numbers
    assert all(math.isfinite(value) for value in numbers.values())
    assert "stuck/area" not in numbers
    assert numbers["fine/area"] == found.curves["fine"].area()
    assert numbers["fine vs constant width/pvalue"] == found.tests[-1].pvalue
    assert numbers["coverage"] == pytest.approx(0.9)
    assert uc.compare({"s": stuck.sketch()}).to_dict()["s/n"] == 4


def test_intervals_that_few_rows_decide_are_marked():
    """In tables and notes; those that many rows carry are not."""
    rng = np.random.default_rng(0)
    y = np.append(rng.normal(size=400), 1e3)
    lone = uc.compare({"m": uc.Intervals.from_std(y, 0 * y, rng.gamma(9, size=401))}, n_resamples=99, rng=0)
    assert not next(score for score in lone.scores if score.model == "m").deficit_gain.reliable
    assert "]?" in repr(lone.scores)
    assert "? marks CIs that may be too narrow" in repr(lone.scores)
