"""The drop-in beside the numbers that UQ360 0.2 gave: recorded by `make compare-uq360`."""

from __future__ import annotations

import inspect
import json
import warnings
from functools import cache
from pathlib import Path

import pytest
from uq360_agreement import ALWAYS_REFUSED, TOLERANCE, disagreements, miscounted, unexpected
from uq360_differences import shown_differences
from uq360_page import page
from uq360_questions import agree, answers, cases

from uccurve.compat import uq360
from uccurve.exceptions import RepairedInputWarning

RECORDED = json.loads(Path(__file__).with_name("uq360_numbers.json").read_text())
PAGE = Path(__file__).parents[2] / "docs" / "uq360.md"
pytestmark = pytest.mark.filterwarnings("ignore::uccurve.exceptions.RepairedInputWarning")


@cache
def examples(**options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairedInputWarning)
        return shown_differences(uq360, **options)


def recorded_answers(name):
    questions = answers(uq360, RECORDED["cases"][name], as_published=True)
    return dict(zip(questions, RECORDED["answers"][name], strict=True))


@pytest.mark.parametrize("name", RECORDED["cases"])
def test_as_published_gives_the_numbers_of_uq360(name):
    """All axes, both families, every method and argument, to 1e-9, its miscounted rows included."""
    assert disagreements(recorded_answers(name), RECORDED["cases"][name]) == []


@pytest.mark.parametrize("name", RECORDED["cases"])
def test_exact_numbers_differ_only_where_the_table_says(name):
    """Points that were given, coverage and width are the same; least costs are no higher."""
    assert unexpected(recorded_answers(name), RECORDED["cases"][name], name) == []


def test_a_wrong_number_would_be_noticed():
    """One answer among hundreds, off by 1e-8."""
    answer = recorded_answers("asymmetric")
    key = "raw excess-deficit bias area"
    answer[key] = [answer[key][0] * (1 + 1e-8)]
    assert disagreements(answer, RECORDED["cases"]["asymmetric"]) == [key]
    answer["raw bandwidth-deficit moved"][0] += 1e-8
    assert unexpected(answer, RECORDED["cases"]["asymmetric"], "asymmetric") == [
        "raw bandwidth-deficit moved"
    ]


def test_uq360_miscounts_rows_in_the_recorded_cases():
    """Else the agreement would say nothing about its rounding."""
    counts = {
        name: miscounted(recorded_answers(name), case)
        for name, case in RECORDED["cases"].items()
        if name != "zero bands"
    }
    assert counts == {name: count for name, *_, count in RECORDED["agreement"] if name in counts}
    assert counts["symmetric"] > 0
    assert counts["asymmetric"] > 0


def test_the_recorded_cases_are_those_of_the_command():
    """A changed question needs a new record."""
    assert list(cases()) == list(RECORDED["cases"])
    assert all(len(RECORDED["cases"][name]["gt"]) == len(case["gt"]) for name, case in cases().items())


@pytest.mark.parametrize("name", RECORDED["differences"])
def test_examples_of_the_table_give_the_number_of_uq360_as_published(name):
    """Four of them are refused in either way."""
    found = examples(as_published=True)[name]
    theirs = None if name in ALWAYS_REFUSED else RECORDED["differences"][name]
    assert agree(found, theirs, TOLERANCE)
    assert not agree(examples()[name], RECORDED["differences"][name], TOLERANCE)


def test_the_page_shows_today_s_numbers():
    """Its exact column is computed here, its column of UQ360 was recorded."""
    assert PAGE.read_text() == page(RECORDED, examples())


@pytest.mark.parametrize("name", RECORDED["signatures"])
def test_arguments_have_the_names_order_and_defaults_of_uq360(name):
    """More of them follow by keyword only, so that old calls mean what they meant."""
    thing = uq360
    for part in name.split("."):
        thing = getattr(thing, part)
    ours = list(inspect.signature(thing).parameters.values())
    given = [
        [one.name, "" if one.default is one.empty else repr(one.default)]
        for one in ours
        if one.kind is not one.KEYWORD_ONLY
    ]
    assert given == RECORDED["signatures"][name]
    assert {one.name for one in ours if one.kind is one.KEYWORD_ONLY} <= {"as_published"}
