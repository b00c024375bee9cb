"""The search that ``make fuzz`` runs: a few examples of each target, so that it cannot rot."""

from __future__ import annotations

import math
import time

import pytest
from fuzz.search import Target, finding
from fuzz.targets import TARGETS
from hypothesis import strategies as st

EXAMPLES = {"checkpoints": 3, "kills": 1, "pages": 3, "large": 1}


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_few_examples_of_each_target_hold(name):
    """The same ones each time: what fails here was broken by a change."""
    examples = EXAMPLES.get(name, 15)
    assert finding(name, TARGETS[name], number=0, examples=examples, until=math.inf, database=None) is None


def test_what_breaks_is_found_and_shown():
    """The search itself can fail: the smallest example and the way to repeat it are in the text."""
    target = Target(examples=st.integers(), check=lambda number: None if number < 7 else 1 / 0)
    found = finding("planted", target, number=1, examples=200, until=math.inf, database=None)
    assert "ZeroDivisionError" in found
    assert "example=7" in found


def test_a_warning_is_a_finding(tmp_path):
    """And it is kept for the next search, which begins with it."""
    target = Target(
        examples=st.integers(0, 10**9),
        check=lambda number: None if number < 999 else (_ for _ in ()).throw(UserWarning(number)),
    )
    assert "UserWarning" in finding("w", target, number=1, examples=200, until=math.inf, database=tmp_path)
    assert "example=999" in finding("w", target, number=2, examples=1, until=math.inf, database=tmp_path)


def test_no_example_is_checked_once_the_time_is_over():
    """A search takes the time it was given."""
    target = Target(examples=st.integers(), check=lambda _: 1 / 0)
    assert finding("late", target, number=1, examples=9, until=time.monotonic() - 1, database=None) is None
