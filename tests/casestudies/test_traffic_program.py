"""The traffic study as a program: a light run from a made file to the page."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from casestudies.traffic import __main__ as traffic
from casestudies.traffic import study


def results_in(output):
    return json.loads((output / "traffic" / "results.json").read_text())


@pytest.fixture(scope="module")
def settings(file):
    return replace(study.LIGHT, data=str(file), n_resamples=9, n_exchanges=19)


@pytest.fixture(scope="module")
def light(settings, tmp_path_factory):
    output = tmp_path_factory.mktemp("cases")
    traffic.run(output, settings, 1, light=True)
    return output


def test_a_light_run_writes_page_figures_results_and_report(light):
    """The whole path from the file to the page, in seconds."""
    assert sorted(path.name for path in (light / "traffic").iterdir()) == [
        "cross-over.png", "needs.png", "report.html", "results.json", "week.png",
    ]  # fmt: skip
    page = (light / "traffic.md").read_text()
    assert "A light run" in page
    assert "{{" not in page
    assert "{%" not in page
    assert "nan" not in page
    for name in study.MODELS:
        assert f"| {name} |" in page


def test_results_hold_every_model_and_every_seed(light):
    """No seed is left out."""
    results = results_in(light)
    assert list(results["models"]) == list(study.MODELS)
    assert all(len(one["seeds"]) == len(study.LIGHT.seeds) for one in results["models"].values())
    assert len(results["tests"]["seeds"]) == len(study.LIGHT.seeds)
    gains = [one["curve"]["gain"]["value"] for one in results["models"][study.MAIN]["seeds"]]
    assert results["models"][study.MAIN]["spread"]["curve"]["gain"]["mean"] == pytest.approx(
        np.mean(gains), rel=1e-5
    )
