"""The atlas: a light run from fits to pages, and pages whose numbers and words are those of the results."""

from __future__ import annotations

import json

import numpy as np
import pytest
from casestudies.atlas import __main__ as program
from casestudies.atlas import answers, cells, pages, tables
from casestudies.atlas.methods import CONSTANT, METHODS

import uccurve as uc
from casestudies import pages as shared
from uccurve.sketch import SketchFile


@pytest.fixture(scope="session")
def light(tmp_path_factory):
    """Run the program on small parts of two data sets, twice: the second time nothing is left to fit."""
    folder = tmp_path_factory.mktemp("atlas")
    arguments = ["--light", "--output", f"{folder}/atlas", "--cells", f"{folder}/cells", "--workers", "1"]
    program.main(arguments)
    kept = {path: path.stat().st_mtime_ns for path in (folder / "cells").rglob("*")}
    program.main(arguments)
    assert kept == {path: path.stat().st_mtime_ns for path in (folder / "cells").rglob("*")}
    return folder


@pytest.fixture(scope="session")
def results():
    """The results in the documentation."""
    return json.loads((pages.DOCS / "results.json").read_text("utf-8"))


def test_a_light_run_writes_every_cell_and_all_pages(light):
    """With the files that the documentation has."""
    records = [json.loads(path.read_text()) for path in light.glob("cells/*/*-[01].json")]
    assert len(records) == 2 * 2 * len(METHODS)
    assert {record["method"] for record in records} == set(METHODS)
    assert all(0 < record["supplied"]["coverage"] <= 1 for record in records)
    assert {path.name for path in (light / "atlas").iterdir()} == {path.name for path in pages.DOCS.iterdir()}
    assert not any(mark in (light / "atlas.md").read_text() for mark in ("{{", "{%", "nan", "None"))


def test_sketches_of_folds_add_up_to_those_of_all_rows(light):
    """Coarse sketches keep what is exact, and answer at any coverage."""
    found = [cells.Cell(data="houses", method="CQR", fold=fold, folder=light / "cells") for fold in range(2)]
    target = tables.read("houses", most_rows=cells.LIGHT_ROWS).target
    curve = answers.pool(found, target).ucc()
    atlas = SketchFile.read(light / "atlas" / pages.SKETCHES)
    sketched = atlas.sketches["CQR", "houses"].curve()
    assert sketched.gain(y="deficit") == pytest.approx(curve.gain(y="deficit"), rel=1e-12)
    assert sketched.score_at(coverage=0.9) == pytest.approx(curve.score_at(coverage=0.9), rel=0.05)


def test_each_row_is_predicted_once_and_by_others():
    """Folds are the same for all methods; what is calibrated on is neither learned from nor predicted."""
    parts = [cells.split(1234, fold) for fold in range(cells.FOLDS)]
    assert sorted(np.concatenate([test for _, _, test in parts])) == list(range(1234))
    for training, calibration, test in parts:
        assert np.unique(np.concatenate([training, calibration, test])).size == 1234


def test_the_page_says_what_the_results_say(results):
    """No number is typed; at most 800 words beside tables and code."""
    page = (pages.DOCS.parent / "atlas.md").read_text("utf-8")
    template = pages.HERE / "page.md.jinja"
    assert page == shared.render(template, pages.fill(results))
    prose = [line for line in page.split("```")[0].splitlines() if not line.startswith(("|", "!"))]
    assert len(" ".join(prose).split()) <= 800
    assert (pages.DOCS / pages.EXPLORER).read_text("utf-8") == pages.render_explorer(results)


def test_results_are_those_of_a_full_run(results):
    """Of all data sets and methods, whoever wins."""
    assert results["light"] is False
    assert len(results["data"]) >= 16
    assert all(set(found["methods"]) == set(METHODS) for found in results["data"].values())
    assert all(1_000 <= found["rows"] <= 60_000 for found in results["data"].values())
    readme = (pages.DOCS.parents[1] / "README.md").read_text("utf-8")
    assert f"[{len(METHODS)} methods on {len(results['data'])} data sets](docs/atlas.md)" in readme
    assert set(results["answers"]["score"]["0.9"]) == set(METHODS)


def test_words_of_the_page_are_true_of_the_results(results):
    """Words cannot be filled in: a new run that changes them must change the page."""
    found = results["answers"]
    assert max(one["best"] for one in found["winner"]["0.9"].values()) < len(results["data"]) / 2
    assert found["agree"]["gain and interval score"]["high"] < 0
    assert found["agree"]["deficit gain and interval score"]["low"] > 0.5
    assert found["stable"]["correlation"]["low"] > 0.5
    assert min(one["crossed"] / one["pairs"] for one in found["crossings"].values()) > 0.2
    assert next(iter(found["half_width"]["0.8"])) == CONSTANT[0]
    for name in ("boosting, constant", "normalized", "Mondrian", "locally weighted", "CQR"):
        assert abs(found["covered"][name]["mean"] - 0.9) < 0.01


def test_a_mean_over_data_sets_has_the_interval_of_student():
    """Ratios are averaged as logarithms; what is not known is left out."""
    found = answers.geometric([0.5, 2.0, float("nan")])
    assert found["value"] == pytest.approx(1.0)
    assert found["low"] * found["high"] == pytest.approx(1.0)
    assert answers.spread([1.0, 2.0, 3.0])["high"] == pytest.approx(2 + 4.302652729911275 / 3**0.5)


def test_a_table_is_known_by_a_checksum():
    """A new version of a package that changes rows changes the fingerprint in the results."""
    table = tables.read("concrete")
    known = json.loads((pages.DOCS / "results.json").read_text("utf-8"))["data"]["concrete"]
    assert table.fingerprint == known["fingerprint"]
    assert uc.coverage(table.target, table.target, table.target) == 1.0
