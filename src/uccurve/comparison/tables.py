"""Records as tables: as columns and frames, and as people read them, in text and HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from uccurve._base import frames
from uccurve._base.text import cell, percent, printable, short_percent, whole_percent
from uccurve.comparison.records import CoverageEstimate, Estimate
from uccurve.comparison.scoring import ask_curve
from uccurve.comparison.sentences import format_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from dataclasses import Field

    from uccurve.comparison.compare import Comparison
    from uccurve.curve import Curve

Record = TypeVar("Record")

LINE = 100
"""Columns of a screen that printed tables and sentences keep to."""
DOUBTFUL = "? marks intervals that may be too narrow."
STAR = "✱"
"""Marks coverages that differ significantly from that of all rows."""
# Fields that are shown in percent.
_GAINS = {"gain", "gain_at", "ceiling", "deficit_gain", "deficit_ceiling"}
_SHARES = {"coverage", "coverage_at", "saved", *_GAINS}
# Fields that are printed, by the kind of record; frames have all of them.
_PRINTED = {
    "ModelScore": ("model", "coverage", "bandwidth", "gain_at", "area", "gain", "ceiling", "deficit_gain"),
    "SegmentScore": ("segment", "model", "n", "coverage", "coverage_at", "score_at"),
    "PairTest": ("a", "b", "ratio", "pvalue", "pvalue_holm", "clear", "needs", "area", "area_pvalue_holm"),
}
_SMALLEST_P = 1e-4
# Characters that a long name keeps at least, and where a table continues below.
_SHORTEST_NAME, _USUAL_NAME = 16, 28
# Marks of distances that are not clear.
_UNCLEAR = {"*": "Too close to call.", "†": "Not decided."}


class RecordTable(Sequence[Record], Generic[Record]):
    """Records in a fixed order, by their place or as a frame; it cannot be changed.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> scores = uc.compare(make_crossing().models, n_resamples=99, rng=0).scores
    >>> len(scores), scores[0].model, round(scores[0].gain.value, 3)
    (3, 'sharp', -0.03)
    >>> scores.to_frame("pandas").shape
    (3, 32)
    """

    __slots__ = ("_headings", "_left_out", "_library", "_records", "title")

    def __init__(
        self,
        records: Iterable[Record],
        title: str,
        *,
        left_out: Iterable[str] = (),
        headings: Mapping[str, str] | None = None,
        library: str | None = None,
    ) -> None:
        self._records = tuple(records)
        self.title = title
        self._left_out = frozenset(left_out)
        self._headings = dict(headings or {})
        self._library = library

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...

    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        return self._records[place]

    def __len__(self) -> int:
        return len(self._records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the fields of each record by name; records inside records are laid out beside each other."""
        return [{item.name: value for item, value in self._fields(record)} for record in self._records]

    def flat_rows(self) -> list[dict[str, Any]]:
        """Return plain values by column for each record: an estimate takes several columns."""
        return [
            dict(part for item, value in self._fields(record) for part in _flatten(item, value))
            for record in self._records
        ]

    def columns(self) -> dict[str, list[Any]]:
        """Return the same as a dict of columns."""
        rows = self.flat_rows()
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a frame, one row per record.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the rows came from, else one that is installed, in this
            order, else a dict of arrays.
        """
        columns = {name: np.asarray(values) for name, values in self.columns().items()}
        return frames.table(columns, backend or self._library)

    def heading(self, name: str) -> str:
        """Return the heading of a field in words."""
        return self._headings.get(name, name.replace("_", " "))

    def texts(self) -> dict[str, list[str]]:
        """Return the table as it is printed: fewer columns, shares in percent, intervals in brackets."""
        rows = self.rows()
        return {self.heading(name): [format_field(row, name) for row in rows] for name in self._printed()}

    @property
    def keys(self) -> int:
        """How many columns in front name a row."""
        return 1 if self._kind == "ModelScore" else 2

    @property
    def note(self) -> str:
        """What its marks mean, where it has any that its title does not explain."""
        printed = (row[name] for row in self.rows() for name in self._printed())
        found = (value for value in printed if isinstance(value, Estimate))
        return DOUBTFUL if any(one.has_interval and not one.reliable for one in found) else ""

    @property
    def _kind(self) -> str:
        return type(self._records[0]).__name__ if self._records else ""

    def _printed(self) -> list[str]:
        """Return the fields that are printed; what tests need more of only where one of them does."""
        rows = self.rows()
        names = _PRINTED.get(self._kind, rows[0] if rows else ())
        unneeded = set() if any(row.get("needs") for row in rows) else {"needs"}
        return [name for name in names if name not in self._left_out | unneeded]

    def _fields(self, record: Any) -> Iterator[tuple[Field[Any], Any]]:
        for item in fields(record):
            value = getattr(record, item.name)
            if is_dataclass(value) and not isinstance(value, Estimate):
                yield from self._fields(value)
            elif item.name not in self._left_out:
                yield item, value

    def __repr__(self) -> str:
        lines = [self.title, lay_out(self.texts(), self.keys), self.note]
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        return format_html(self.title, self.texts())


def _flatten(item: Field[Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a field: those that it names, or those of any estimate."""
    if not isinstance(value, Estimate):
        yield item.name, value
        return
    usual = {f"{item.name}_{part}": part for part in ("low", "high", "reliable")}
    for name, part in (item.metadata or {item.name: "value", **usual}).items():
        yield name, getattr(value, part)


def format_field(row: Mapping[str, Any], name: str) -> str:
    """Show a field of a row: an estimate with its interval in brackets.

    A p-value that more resamples could make smaller is marked as a bound.
    """
    value = row[name]
    show = percent if name in _SHARES else _format_p if "pvalue" in name else cell
    if not isinstance(value, Estimate):
        bound = "≤ " if name == "pvalue_holm" and row["needs"] == "resamples" else ""
        return bound + show(value)
    text = show(value.value)
    by_definition = value.value == value.low == value.high == 0  # the gain of constant width
    if value.has_interval and not by_definition:
        ends = (show(end).removesuffix("%") for end in (value.low, value.high))
        text += f" [{', '.join(ends)}]{'' if value.reliable else '?'}"
    return f"{text} {STAR}" if isinstance(value, CoverageEstimate) and value.significant else text


def _format_p(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else cell(value)


def format_answer(comparison: Comparison) -> dict[str, list[str]]:
    """Return the table that answers: models, and the best constant width that no model has, best first.

    Headings may have two lines.
    """
    options, standings = comparison.options, comparison.standings
    constants = [one.model for one in comparison.scores if one.model in comparison.constant_bands]
    constant = next((name for name in constants if name in standings.names), None)
    scores = [one for one in comparison.scores if one.model in comparison.models or one.model == constant]
    curves = [comparison.curves[score.model] for score in scores]
    claims = [curve.nominal for curve in curves]
    columns = {
        "model": [printable(score.model) for score in scores],
        "coverage\nas supplied": [percent(score.coverage) for score in scores],
        "claims": ["–" if claim is None else whole_percent(claim) for claim in claims],
        "interval\nscore": [cell(score.score_at) for score in scores],
        f"{comparison.width}\nat {options.point}": [cell(score.bandwidth_at) for score in scores],
        "behind\nthe best": [_format_distance(comparison, score.model) for score in scores],
        _move_heading(curves[0]): [_format_move(curve, options.miss_rate) for curve in curves],
    }
    shown = {"claims": any(claim is not None for claim in claims), "interval\nscore": options.by_score}
    return {name: texts for name, texts in columns.items() if shown.get(name, True)}


def explain_answer(comparison: Comparison) -> str:
    """Explain the brackets and marks of the table that answers, where it has any."""
    texts = format_answer(comparison)["behind\nthe best"]
    brackets = f"In brackets: {comparison.options.confidence} CI."
    words = [brackets] if any("[" in text for text in texts) else []
    words += [f"{mark} {meaning}" for mark, meaning in _UNCLEAR.items() if any(mark in t for t in texts)]
    return " ".join(words)


def _format_distance(comparison: Comparison, name: str) -> str:
    """Say how far a model is behind the best, with its interval; a mark where that is not clear."""
    standings = comparison.standings
    standing = standings.at_place(standings.chosen)
    if name not in standing.order:
        return "–"
    first = standing.order[0]
    if name == first:
        return "best" if standing.best == first else "–"
    lead, test = standings.lead(first, name), standings.test(first, name)
    text = short_percent(lead.value)
    if lead.has_interval:
        text += f" [{format_range(lead.low, lead.high).removesuffix('%')}]"
    if test is None or math.isnan(test.pvalue) or test.clear:
        return text
    return f"{text} {'*' if test.needs is None else '†'}"


def _move_heading(curve: Curve) -> str:
    family = curve.data.family
    if family.nested:
        return "level\nto take"
    return "add to\neach side" if family.in_units_of_y else "scale\nby"


def _format_move(curve: Curve, miss_rate: float) -> str:
    """Show what moves a curve to a miss rate: of quantiles the level to take, or that it is beyond them."""
    point, widest = ask_curve(curve.at, otherwise=None, miss_rate=miss_rate), curve.original.nominal
    if point is None or widest is None or not curve.data.family.nested:
        return cell(None if point is None else point.parameter).replace("-", "−")
    return f"> {whole_percent(widest)}" if point.nominal is None else percent(point.nominal)


def lay_out(columns: Mapping[str, Sequence[str]], keys: int) -> str:
    """Lay columns out in lines of at most 100 characters; where they are more, they continue below.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        Cells by column; headings may have two lines.
    keys : int
        How many columns in front name a row: they are repeated, and share what room is left.
    """
    height = max((name.count("\n") + 1 for name in columns), default=1)
    numbers = list(columns.items())[keys:]
    room = LINE - sum(max(map(len, [*name.split("\n"), *cells])) + 2 for name, cells in numbers)
    longest = room // keys - 2 * (keys - 1)
    longest = longest if longest >= _SHORTEST_NAME else _USUAL_NAME
    aligned = []
    for place, (heading, cells) in enumerate(columns.items()):
        head = heading.split("\n")
        texts = _shorten(cells, longest if place < keys else _USUAL_NAME)
        texts = [*[""] * (height - len(head)), *head, *texts]
        width, words = max(map(len, texts)), all(text[:1].isalpha() for text in cells)
        aligned.append([text.ljust(width) if words else text.rjust(width) for text in texts])
    front, parts = aligned[:keys], [list[list[str]]()]
    for column in aligned[keys:]:
        taken = sum(len(texts[0]) + 2 for texts in [*front, *parts[-1]])
        if parts[-1] and taken + len(column[0]) > LINE:
            parts.append([])
        parts[-1].append(column)
    lines = ("  ".join(row).rstrip() for part in parts for row in zip(*front, *part, strict=True))
    return "\n".join(lines)


def _shorten(names: Sequence[str], longest: int) -> Sequence[str]:
    """Leave out the middle of long names, unless two of them would look alike."""
    end = longest // 2
    short = {n: n if len(n) <= longest else f"{n[: longest - 1 - end]}…{n[-end:]}" for n in names}
    return names if len(set(short.values())) < len(short) else [short[name] for name in names]


def format_html(title: str, columns: Mapping[str, Sequence[str]]) -> str:
    """Format a table as HTML; names that users gave are escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{''.join(rows)}</table>"
