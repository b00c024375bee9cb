"""The pages of the case studies: every number on them comes from their results."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest
from casestudies.band_loss import losses

from casestudies import pages


def test_a_page_in_the_documentation_is_what_its_results_say():
    """No number is typed, and a change of the words or of the results comes with the page."""
    rendered = pages.render_pages(pages.DOCS)
    assert set(rendered) == {"bnn-gap.md", "traffic.md", "band-loss.md", "README.md"}
    for name, text in rendered.items():
        assert (pages.DOCS / name).read_text() == text, name


def test_results_in_the_documentation_are_those_of_full_runs():
    """A light run takes seconds, and its numbers mean nothing; a selection of seeds could hide what came out."""
    for name, results in pages.read_results(pages.DOCS).items():
        assert results["light"] is False, name
        assert results["settings"]["seeds"] == [0, 1, 2, 3, 4]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", results["date"])
    priors = pages.read_results(pages.DOCS)["bnn-gap"]["cited"]["priors"]
    assert {prior: len(found["seeds"]) for prior, found in priors.items()} == {"1": 5, "2": 20, "4": 5}


def test_the_page_on_the_paper_says_of_the_cited_function_what_came_out():
    """That page has no numbers of the study, but it has this claim."""
    found = pages.read_results(pages.DOCS)["bnn-gap"]["cited"]["priors"].values()
    none_clear = not any(part["holds"]["crosses"] for part in found)
    page = (pages.DOCS.parent / "paper.md").read_text(encoding="utf-8")
    assert ("[no clear cross-over on any of them]" in page) is none_clear


def test_what_the_page_of_losses_says_in_words_is_what_the_results_say():
    """Words cannot be filled in by a template: a new run that changes them must change the page."""
    found = pages.read_results(pages.DOCS)["band-loss"]
    ranked = found["ranked"]
    for noise in ("Gaussian", "Laplace"):
        behind = ranked[noise]["deficit_gain"]["behind"]
        assert max(gap for name, gap in behind.items() if name != losses.MISS_RATE) < 0.0075
    assert ranked["t3"]["deficit_gain"]["order"][:3] == [losses.LAPLACE, losses.META, losses.LOG]
    assert all(by_number["gain"]["order"][0] == losses.MISS_RATE for by_number in ranked.values())
    assert all(one[losses.MISS_RATE]["last_fifth"]["mean"] < 0.85 for one in found["by_noise"].values())


def test_a_number_that_is_missing_is_an_error_and_no_hole(tmp_path):
    """A page with a gap in a sentence would go unnoticed."""
    template = tmp_path / "page.md.jinja"
    template.write_text("The gain is {{ gain | percent }}.")
    assert pages.render(template, {"gain": 0.061}) == "The gain is 6.1%."
    with pytest.raises(jinja2.UndefinedError, match="gain"):
        pages.render(template, {"loss": 0.061})


def test_numbers_are_written_the_way_they_are_read():
    """Signs, zeros, thousands, and what does not exist."""
    write = pages.FILTERS
    assert write["interval"]({"value": -0.0612, "low": -0.1, "high": 0.00001}) == "−6.1% [−10.0, 0.0]"
    assert write["spread"]({"mean": 1234.5, "sd": 0.04}, share=False) == "1,234.5 ± 0.0"
    assert write["range"]({"low": -0.5, "high": 0.25}, 0) == "−50 to 25%"
    assert [write["interval"](None), write["number"](None)] == ["–", "–"]


def test_results_hold_plain_numbers_and_nothing_that_json_does_not_know(tmp_path):
    """NaN in a JSON file breaks every reader but Python's."""
    given = {"a": (1, float("nan")), "b": {"c": 0.123456789}, "d": True, "e": None, "f": "text"}
    pages.write_study(tmp_path / "traffic", given, {})
    assert pages.read_results(tmp_path)["traffic"] == given | {"a": [1, None], "b": {"c": 0.123457}}


def test_a_study_imports_public_names_only():
    """Private modules may move at any time, and examples get copied."""
    for path in Path(pages.HERE).rglob("*.py"):
        assert not re.search(r"(from|import) uccurve\.?\w*\.?_|from uccurve\.\w+\.", path.read_text()), path
