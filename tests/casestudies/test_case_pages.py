"""The pages of the case studies: every number on them comes from their results."""

from __future__ import annotations

import jinja2
import pytest
from casestudies.__main__ import DOCS, rendered, results
from casestudies.shared import pages


@pytest.mark.parametrize("name", ["bnn-gap.md", "traffic.md", "README.md"])
def test_a_page_in_the_documentation_is_what_its_results_say(name):
    """No number is typed, and a change of the words or of the results comes with the page."""
    assert (DOCS / name).read_text() == rendered()[name]


@pytest.mark.parametrize("name", ["bnn-gap", "traffic"])
def test_results_in_the_documentation_are_those_of_a_full_run_with_five_seeds(name):
    """A light run takes seconds, and its numbers mean nothing."""
    found = results(name)
    assert found["light"] is False
    assert found["settings"]["seeds"] == [0, 1, 2, 3, 4]


def test_a_number_that_is_missing_is_an_error_and_no_hole(tmp_path):
    """A page with a gap in a sentence would go unnoticed."""
    template = tmp_path / "page.md.jinja"
    template.write_text("The gain is {{ gain | percent }}.")
    assert pages.rendered(template, {"gain": 0.061}) == "The gain is 6.1 %."
    with pytest.raises(jinja2.UndefinedError, match="gain"):
        pages.rendered(template, {"loss": 0.061})


def test_numbers_are_written_the_way_they_are_read():
    """Signs, zeros, thousands, and what does not exist."""
    found = {"value": -0.0612, "low": -0.1, "high": 0.00001}
    assert pages.interval(found) == "−6.1 % [−10.0, 0.0]"
    assert pages.spread({"mean": 1234.5, "sd": 0.04}, 1, share=False) == "1\N{NO-BREAK SPACE}234.5 ± 0.0"
    assert pages.range_({"low": -0.5, "high": 0.25}, 0) == "−50 to 25 %"
    assert pages.number(-0.004) == "0.00"
    assert pages.number(None) == "–"


def test_results_hold_plain_numbers_and_nothing_that_json_does_not_know(tmp_path):
    """NaN in a JSON file breaks every reader but Python's."""
    given = {"a": (1, float("nan")), "b": {"c": 0.123456789}, "d": True, "e": None, 5: "text"}
    read = pages.write_results(given, tmp_path / "results.json")
    assert read == {"a": [1, None], "b": {"c": 0.123457}, "d": True, "e": None, "5": "text"}
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]
