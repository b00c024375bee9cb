"""The pages of the case studies: every number on them comes from their results."""

from __future__ import annotations

import json

import jinja2
import pytest
from casestudies.__main__ import DOCS, read_results, rendered
from casestudies.shared import pages


@pytest.mark.parametrize("name", ["bnn-gap.md", "traffic.md", "band-loss.md", "README.md"])
def test_a_page_in_the_documentation_is_what_its_results_say(name):
    """No number is typed, and a change of the words or of the results comes with the page."""
    assert (DOCS / name).read_text() == rendered()[name]


@pytest.mark.parametrize("name", ["bnn-gap", "traffic", "band-loss"])
def test_results_in_the_documentation_are_those_of_a_full_run_with_five_seeds(name):
    """A light run takes seconds, and its numbers mean nothing."""
    results = read_results(name)
    assert results["light"] is False
    assert results["settings"]["seeds"] == [0, 1, 2, 3, 4]


def test_the_cited_function_is_run_on_every_seed():
    """It shows no such effect, which is no reason to leave it out."""
    results = read_results("bnn-gap")
    assert list(results["cited"]["priors"]) == ["1", "2", "4"]
    for prior, found in results["cited"]["priors"].items():
        seeds = [one["seed"] for one in found["seeds"]]
        assert seeds == list(range(20 if float(prior) == results["settings"]["prior"] else 5))


def test_the_page_on_the_paper_says_of_the_cited_function_what_came_out():
    """That page has no numbers of the study, but it has this claim."""
    found = read_results("bnn-gap")["cited"]["priors"].values()
    none_clear = not any(part["holds"]["crosses"] for part in found)
    page = (DOCS.parent / "paper.md").read_text(encoding="utf-8")
    assert ("[no clear cross-over on any of them]" in page) is none_clear


def test_a_gain_by_one_denominator_is_the_gain_by_the_other_and_back():
    """Areas 1 and 4: 75% of the reference's area, 300% of the model's own."""
    assert pages.over_own_area(0.75) == 3
    assert pages.over_reference(3.0) == 0.75


def test_a_number_that_is_missing_is_an_error_and_no_hole(tmp_path):
    """A page with a gap in a sentence would go unnoticed."""
    template = tmp_path / "page.md.jinja"
    template.write_text("The gain is {{ gain | percent }}.")
    assert pages.rendered(template, {"gain": 0.061}) == "The gain is 6.1%."
    with pytest.raises(jinja2.UndefinedError, match="gain"):
        pages.rendered(template, {"loss": 0.061})


def test_numbers_are_written_the_way_they_are_read():
    """Signs, zeros, thousands, and what does not exist."""
    assert pages.interval({"value": -0.0612, "low": -0.1, "high": 0.00001}) == "−6.1% [−10.0, 0.0]"
    assert [pages.interval(None), pages.spread(None), pages.range_(None)] == ["–"] * 3
    assert pages.spread({"mean": 1234.5, "sd": 0.04}, 1, share=False) == "1\N{NO-BREAK SPACE}234.5 ± 0.0"
    assert pages.range_({"low": -0.5, "high": 0.25}, 0) == "−50 to 25%"
    assert pages.number(-0.004) == "0.00"
    assert pages.number(None) == "–"


def test_results_hold_plain_numbers_and_nothing_that_json_does_not_know(tmp_path):
    """NaN in a JSON file breaks every reader but Python's."""
    given = {"a": (1, float("nan")), "b": {"c": 0.123456789}, "d": True, "e": None, 5: "text"}
    read = pages.write_results(given, tmp_path / "results.json")
    assert read == {"a": [1, None], "b": {"c": 0.123457}, "d": True, "e": None, "5": "text"}
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


@pytest.mark.parametrize("name", ["bnn-gap", "traffic", "band-loss"])
def test_results_in_the_documentation_are_written_that_way(name):
    """By the same writer as those of a new run, so that a comparison shows what changed."""
    text = (DOCS / name / "results.json").read_text(encoding="utf-8")
    assert text == pages.one_line_per_record(json.loads(text)) + "\n"


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_beside_it(tmp_path):
    """A page or a picture is whole, or as it was."""

    class Torn:
        def savefig(self, file, **_):
            file.write(b"half a picture")
            raise OSError("no space left")

    old = tmp_path / "bands.png"
    old.write_bytes(b"old")
    with pytest.raises(OSError, match="no space left"):
        pages.write_figure(Torn(), old)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        pages.write("text", tmp_path / "folder")
    assert old.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bands.png", "folder"]
