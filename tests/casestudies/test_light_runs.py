"""All studies as programs: light runs from the command line to the page."""

from __future__ import annotations

import numpy as np
import pytest
from casestudies.band_loss.losses import LOSSES
from casestudies.traffic import study as traffic

from casestudies import __main__ as program
from casestudies import pages


@pytest.mark.parametrize("name", pages.STUDIES)
def test_a_light_run_writes_page_figures_and_results(light, name):
    """With everything on the page that the template asks for."""
    assert sorted((light / name).iterdir()) == sorted(
        light / path.relative_to(pages.DOCS) for path in (pages.DOCS / name).iterdir()
    )
    page = (light / f"{name}.md").read_text()
    assert "A light run" in page
    assert not any(mark in page for mark in ("{{", "}}", "{%", "%}", "None", "nan"))


def test_results_hold_every_model_and_every_seed(light):
    """No seed is left out, whoever wins."""
    found = pages.read_results(light)
    models = found["traffic"]["models"]
    assert list(models) == list(traffic.NETWORKS)
    gains = [one["curve"]["gain"]["value"] for one in models[traffic.MAIN]["seeds"]]
    assert len(gains) == len(traffic.LIGHT.seeds)
    assert models[traffic.MAIN]["spread"]["curve"]["gain"]["mean"] == pytest.approx(np.mean(gains), rel=1e-5)
    for by_loss in found["band-loss"]["tasks"].values():
        assert {*by_loss} == {*LOSSES, "true σ"}


@pytest.mark.parametrize("arguments", [["bnn"], ["bnn-gap", "--light"]])
def test_a_wrong_command_line_is_refused_before_any_work(arguments, capsys):
    """A light run must not replace the pages of the documentation."""
    with pytest.raises(SystemExit):
        program.main(arguments)
    assert "error" in capsys.readouterr().err
