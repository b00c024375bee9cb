"""Pages of any names and numbers: names are only ever text, and the numbers are JSON."""

from __future__ import annotations

import contextlib
import json
import tempfile
import warnings
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from uccurve.exceptions import UccurveError

N = 6
HOSTILE = [
    "</script><script>alert(2)</script>",
    "-->",
    "<!--",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "' onclick='x' \"",
    "]]>",
]
NAME = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=12))
NUMBER = st.one_of(st.integers(-3, 3).map(float), st.floats(1e-90, 1e90), st.floats(-1e90, -1e-90))


def column(values):
    return st.lists(values, min_size=N, max_size=N)


class Elements(HTMLParser):
    """The names of elements and attributes, and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.names, self.scripts, self.inside = set(), [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names |= {tag, *(f"{tag} {name}" for name, _ in attrs)}
        self.inside = tag == "script"
        self.scripts += [""] * self.inside

    def handle_endtag(self, _tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data


def elements_of(models, y, title, labels):
    """Return what the page of some models consists of."""
    rows = {name: uc.Intervals.from_bands(y, [0.0] * N, bands) for name, bands in models.items()}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        options = {"title": title, "unit": title, "against": {title: y}, "n_resamples": 3, "rng": 0}
        page = uc.report(rows, Path(folder) / "page.html", by=np.array(labels, dtype=object), **options)
        return Elements(page.read_text(encoding="utf-8"))


@cache
def plain_names():
    """The elements of pages whose names are harmless; long names are shortened, and zero bands are warned of."""
    y = [1.0, -2.0, 0.0, 3.0, 0.5, -1.0]
    bands = [1.0, 2.0, 1.0, 2.0, 1.0, 3.0]
    choices = [
        {"a": bands, "b": [1.0] * N},
        {"a" * 99: bands, "b" * 99: [1.0] * N},
        {"a": bands},
        {"a": [0.0] * N},
    ]
    return set().union(*(elements_of(models, y, "t", ["u", "v"] * 3).names for models in choices))


def refuse(word):
    raise AssertionError(word)


@given(
    st.dictionaries(NAME, column(NUMBER.map(abs)), min_size=1, max_size=2), column(NUMBER), NAME, column(NAME)
)
@settings(max_examples=15)
def test_names_add_no_elements_and_numbers_are_json(models, y, title, labels):
    """Or the rows are refused."""
    with contextlib.suppress(UccurveError):
        elements = elements_of(models, y, title, labels)
        assert elements.names <= plain_names()
        numbers, code = elements.scripts
        json.loads(numbers, parse_constant=refuse)
        assert "alert(" not in code
