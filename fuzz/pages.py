"""Report pages of hostile names and extreme numbers: everything is text, and the numbers are JSON."""

from __future__ import annotations

import contextlib
import json
import tempfile
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from uccurve.exceptions import UccurveError

_HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "-->",
    "<!--",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "' onclick='x' \"",
    "=1+1",
    "&lt;b&gt;",
    "\u2028\u202e",
    "]]>",
)
_name = st.one_of(st.sampled_from(_HOSTILE), st.text(min_size=1, max_size=12))
_size = st.floats(1e-100, 1e100)
_number = st.one_of(st.integers(-3, 3).map(float), _size, _size.map(lambda size: -size))
_N = 6


class Example(NamedTuple):
    """What a page is made of."""

    models: dict[str, list[float]]
    y: list[float]
    title: str
    unit: str
    labels: list[str]
    against: dict[str, list[float]]


def _column(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=_N, max_size=_N)


_examples = st.builds(
    Example,
    st.dictionaries(_name, _column(_number.map(abs)), min_size=1, max_size=2),
    _column(_number),
    _name,
    _name,
    _column(_name),
    st.dictionaries(_name, _column(_number), max_size=2),
)


class _Elements(HTMLParser):
    """The names of elements and attributes, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.scripts: list[str] = []
        self._inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(f"{tag} {name}" for name, _ in attrs)}
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, _tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


def _page(example: Example) -> str:
    models = {
        name: uc.Intervals.from_bands(example.y, [0.0] * _N, bands) for name, bands in example.models.items()
    }
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = uc.report(
            models,
            Path(folder) / "page.html",
            title=example.title,
            unit=example.unit,
            by=np.array(example.labels, dtype=object),
            against=example.against,
            n_resamples=3,
            rng=0,
        )
        return path.read_text(encoding="utf-8")


def _plain_names() -> set[str]:
    """Return the elements of pages whose names are harmless; long names are shortened."""
    y = [1.0, -2.0, 0.0, 3.0, 0.5, -1.0]
    pages = []
    for names in (("a", "b"), ("a" * 99, "b" * 99), ("a",)):
        models = dict(zip(names, ([1.0, 2.0, 1.0, 2.0, 1.0, 3.0], [1.0] * _N), strict=False))
        pages.append(_page(Example(models, y, "t", "kW", ["u", "v"] * 3, {"c": y})))
    return set().union(*(_Elements(page).names for page in pages))


_KNOWN: set[str] = set()


def _check(example: Example) -> None:
    _KNOWN.update(_KNOWN or _plain_names())
    with contextlib.suppress(UccurveError):
        elements = _Elements(_page(example))
        assert elements.names <= _KNOWN, elements.names - _KNOWN
        numbers, code = elements.scripts
        json.loads(numbers, parse_constant=_refused)
        assert "alert(" not in code


def _refused(word: str) -> None:
    raise AssertionError(word)


TARGET = Target(examples=_examples, check=_check, per_round=20)
