"""The file of the page: its size, its sources, and what is refused."""

from __future__ import annotations

import html
import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError, MissingDependencyError, ShapeError
from uccurve.report_page import _page

FOLDER = Path(_page.__file__).parent


@pytest.mark.slow
def test_three_models_and_a_hundred_thousand_rows_fit_into_a_mail(tmp_path):
    """At most 1.6 megabytes, with segments and columns."""
    rng = np.random.default_rng(0)
    n = 100_000
    y, scale = rng.normal(size=n), rng.lognormal(size=n)
    models = {
        f"model {i}": uc.Intervals.from_bands(y, rng.normal(size=n) * 0.1, scale ** (i / 2), scale)
        for i in range(3)
    }
    page = uc.report(
        models, tmp_path / "page.html", by=rng.integers(0, 10, n), against={"y": y}, n_resamples=9, rng=0
    )
    assert page.stat().st_size <= 1.6e6


def test_the_same_seed_writes_the_same_page(case, tmp_path):
    """Byte for byte: no clock and no address in it."""
    pages = [
        uc.report(case.models, tmp_path / f"{i}.html", n_resamples=9, rng=3).read_bytes() for i in range(2)
    ]
    assert pages[0] == pages[1]
    assert str(tmp_path).encode() not in pages[0]


def test_a_comparison_can_be_shown_without_making_it_again(case, tmp_path):
    """Its own tables, segments included."""
    comparison = uc.compare(case.models, by=case.segments, n_resamples=9, rng=1)
    text = uc.report(comparison, tmp_path / "page.html").read_text()
    assert text.count("<tr data-segment=") == 6
    assert comparison.findings[0] in html.unescape(text)


def test_a_comparison_has_its_own_options(case, tmp_path):
    """Others would be ignored."""
    comparison = uc.compare(case.models, n_resamples=9, rng=1)
    with raises(ArgumentError, "by"):
        uc.report(comparison, tmp_path / "page.html", by=case.segments)
    with raises(ArgumentError, "vary"):
        uc.report(comparison, tmp_path / "page.html", vary="shift")


def test_a_page_that_cannot_be_written_leaves_nothing(case, tmp_path):
    """Neither the page nor a part of it; an old page stays."""
    with pytest.raises(FileNotFoundError):
        uc.report(case.models, tmp_path / "absent" / "page.html", n_resamples=9)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        uc.report(case.models, tmp_path / "folder", n_resamples=9)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("options", "error", "argument"),
    [
        ({"against": [1, 2]}, ArgumentError, "against"),
        ({"against": {"x": [1, 2]}}, ShapeError, "against['x']"),
        ({"against": {"x": ["a"] * 700}}, ArgumentError, "against['x']"),
        ({"against": {"x": np.ones(700) * 1j}}, ArgumentError, "against['x']"),
        ({"rows": slice(0, 0)}, ArgumentError, "rows"),
        ({"title": None}, ArgumentError, "title"),
        ({"unit": 5}, ArgumentError, "unit"),
        ({"notes": "one"}, ArgumentError, "notes"),
        ({"about": ["file"]}, ArgumentError, "about"),
        ({"by": [1, 2]}, ShapeError, "by"),
        ({"rows": [800]}, ArgumentError, "rows"),
    ],
)
def test_wrong_arguments_are_named(case, tmp_path, options, error, argument):
    """And no page is written."""
    with raises(error, argument):
        uc.report(case.models, tmp_path / "page.html", n_resamples=9, **options)
    assert list(tmp_path.iterdir()) == []


def test_vendored_scripts_are_what_the_record_says():
    """Name, version, license and hash of each; nothing unrecorded beside them."""
    records = json.loads((FOLDER / "vendor" / "vendor.json").read_text())
    for record in records:
        script = (FOLDER / "vendor" / f"{record['package']}.min.js").read_bytes()
        assert sha256(script).hexdigest() == record["sha256"]
        assert f"v{record['version']} " in script[:200].decode()
        assert record["license"] == "ISC"
        assert (FOLDER / "vendor" / f"{record['package']}.LICENSE").read_text().startswith("Copyright")
    assert {path.name.removesuffix(".min.js") for path in (FOLDER / "vendor").glob("*.js")} == {
        record["package"] for record in records
    }


def test_every_script_and_style_sheet_of_the_page_is_in_it():
    """The order is written down once; a script stands behind what it imports."""
    assert {path.stem for path in (FOLDER / "css").glob("*.css")} == set(_page.STYLES)
    sources = {path.stem: path.read_text() for path in (FOLDER / "js").glob("*.js")}
    assert set(sources) == set(_page.MODULES)
    for place, name in enumerate(_page.MODULES):
        for wanted in re.findall(r'from "\./(\w+)\.js"', sources[name]):
            assert wanted in _page.MODULES[:place]
    with pytest.raises(ValueError, match="not understood"):
        _page._wrapped("odd", 'import * as all from "./data.js";')


def test_without_jinja_the_page_says_what_to_install(case, tmp_path, monkeypatch):
    """The extra that has it."""
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(MissingDependencyError, match=re.escape("pip install 'uccurve[report]'")):
        uc.report(case.models, tmp_path / "page.html", n_resamples=9)
