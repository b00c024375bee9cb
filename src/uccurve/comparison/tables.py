"""Records as tables: as columns and frames, and as people read them, in text and HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from uccurve._base import frames
from uccurve._base.arguments import complement
from uccurve._base.text import (
    align_numbers,
    cell,
    format_parameters,
    format_table,
    percent,
    printable,
    short_percent,
    whole_percent,
)
from uccurve.comparison.records import Estimate, ModelScore
from uccurve.comparison.sentences import format_range
from uccurve.curve import ask_curve
from uccurve.formulas.tolerances import SAME_SHARE

if TYPE_CHECKING:
    from uccurve.comparison.compare import Comparison
    from uccurve.comparison.scoring import Standings

Record = TypeVar("Record")

# Marks coverages that differ significantly from that of all rows.
STAR = "✱"
# Fields that are shown in percent.
_GAINS = {"gain", "gain_at", "ceiling", "deficit_gain", "deficit_ceiling"}
_SHARES = {"coverage", "coverage_at", "saved", "low", "high", *_GAINS}
# Fields in the unit of the observations.
_MEASURES = {"bandwidth", "area", "score_at", "bandwidth_at"}
# Fields that are printed, by the kind of record; frames have all of them.
_PRINTED = {
    "ModelScore": ("model", "coverage", "bandwidth", "gain_at", "area", "gain", "ceiling", "deficit_gain"),
    "SegmentScore": ("segment", "model", "n", "coverage", "coverage_at", "score_at"),
    "PairTest": ("a", "b", "ratio", "pvalue", "pvalue_holm", "clear", "needs"),
    "Regime": ("high", "low", "best", "runner_up", "saved", "clear"),
}
# Miss rates, which are printed as coverages.
_RATES = {"low", "high"}
# What of an estimate has a column beside its value, where that is not "low", "high" and "reliable".
_PARTS = {
    "narrow_coverage": ("significant",),
    "wide_coverage": ("significant",),
    "coverage_at": ("low", "high", "significant"),
    "ratio": ("low", "high"),
}
_SMALLEST_P = 1e-4
_SMALLEST_RATIO = 0.01
# The heading over what moves models to a coverage, by what is varied.
MOVES = {"scale": "scale\nby", "shift": "add to\neach side", "level": "level\nto take"}
# Marks of distances that are not clear.
_UNCLEAR = {"too close to call": "*", "not decided": "†"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecordTable(Sequence[Record], Generic[Record]):
    """Records in a fixed order, by their place or as a frame; it cannot be changed.

    Attributes
    ----------
    records : tuple
        The records.
    title : str
        What they are.
    headings : mapping of str to str
        What fields are called in print, if not by their names.
    left_out : tuple of str
        Fields that say nothing in this comparison, and have no column.
    library : str | None
        The library that the rows came from.
    kind : type | None
        The class of the records, where there may be none: an empty table has its columns, too.

    See Also
    --------
    uccurve.compare : Its result has tables of scores, tests, ranges, crossings and segments.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> scores = uc.compare(make_crossing().models, n_resamples=99, rng=0).scores
    >>> len(scores), scores[0].model, round(scores[0].gain.value, 3)
    (3, 'sharp', -0.03)
    >>> scores.to_frame("pandas").shape
    (3, 28)
    """

    records: tuple[Record, ...]
    title: str
    headings: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    library: str | None = None
    kind: type | None = None

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...

    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        return self.records[place]

    def __len__(self) -> int:
        return len(self.records)

    def rows(self) -> list[dict[str, Any]]:
        """Return the fields of each record by name, those of a score inside a record as well.

        Returns
        -------
        list of dict
            Fields by name, one dict per record.
        """
        rows = map(_fields, self.records)
        return [{name: row[name] for name in row if name not in self.left_out} for row in rows]

    def columns(self) -> dict[str, list[Any]]:
        """Return plain values by column: an estimate takes several columns.

        Returns
        -------
        dict of str to list
            Values by column, one per record.
        """
        columns: dict[str, list[Any]] = {}
        for item in fields(self.kind) if self.kind else ():
            blank = Estimate() if item.type == "Estimate" else None
            columns |= {column: [] for column in _flatten(item.name, blank)}
        for row in self.rows():
            for name, value in row.items():
                for column, part in _flatten(name, value).items():
                    columns.setdefault(column, []).append(part)
        return columns

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a frame, one row per record.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the rows came from, else one that is installed, in this
            order, else a dict of arrays.

        Returns
        -------
        frame
            One row per record.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
        """
        columns = {name: frames.as_column(values) for name, values in self.columns().items()}
        return frames.table(columns, backend or self.library)

    @property
    def printed(self) -> list[str]:
        """The fields that are printed; what tests need more of only where one of them does."""
        rows = self.rows()
        kind = type(self.records[0]).__name__ if rows else ""
        names = _PRINTED.get(kind, rows[0] if rows else ())
        unneeded = () if any(row.get("needs") for row in rows) else ("needs",)
        return [name for name in names if name not in (*self.left_out, *unneeded)]

    @property
    def keys(self) -> int:
        """How many of them, in front, name a row."""
        return 1 if self.printed[:1] == ["model"] else 2

    def heading(self, name: str) -> str:
        """Return the heading of a field in words.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        str
            Such as "half-width" for ``bandwidth``.
        """
        return self.headings.get(name, name.replace("_", " "))

    def texts(self) -> dict[str, list[str]]:
        """Return the table as it is printed: fewer columns, shares in percent, intervals in brackets.

        Returns
        -------
        dict of str to list of str
            Cells by heading.
        """
        rows = self.rows()
        return {self.heading(name): _format_column(rows, name) for name in self.printed}

    @property
    def note(self) -> str:
        """What its marks mean, where it has any that its title does not explain."""
        printed = self.printed
        values = (row[name] for row in self.rows() for name in printed)
        doubtful = any(isinstance(one, Estimate) and one.has_interval and not one.reliable for one in values)
        return "? marks CIs that may be too narrow." if doubtful else ""

    def __repr__(self) -> str:
        table = format_table(self.title, self.texts(), self.keys)
        return "\n".join(filter(None, [table, self.note]))

    def _repr_html_(self) -> str:
        return format_html(self.title, self.texts())


def _fields(record: Any) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        row |= _fields(value) if isinstance(value, ModelScore) else {item.name: value}
    return row


def _flatten(name: str, value: Any) -> dict[str, Any]:
    """Return the columns of a field: several of an estimate."""
    if not isinstance(value, Estimate):
        return {name: value}
    parts = {f"{name}_{part}": getattr(value, part) for part in _PARTS.get(name, ("low", "high", "reliable"))}
    return {name: value.value, **parts}


def _format_column(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """Show a field of all rows; plain numbers are aligned."""
    if name in _MEASURES:
        return align_numbers([row[name] for row in rows])
    return [format_field(row, name) for row in rows]


def format_field(row: Mapping[str, Any], name: str) -> str:
    """Show a field of a row: an estimate with its interval in brackets.

    A p-value that more resamples could make smaller is marked as a bound.
    """
    value = complement(row[name]) if name in _RATES else row[name]
    shows = {"ratio": _format_ratio, "pvalue": _format_p, "pvalue_holm": _format_p}
    show = percent if name in _SHARES else shows.get(name, cell)
    if name == "n":
        return f"{value:,}"
    if not isinstance(value, Estimate):
        bound = "≤ " if name == "pvalue_holm" and row["needs"] == "resamples" else ""
        return bound + show(value)
    by_definition = value.value == value.low == value.high == 0  # the gain of constant width
    text = show(value.value) + ("" if by_definition else _format_ends(value, show))
    return f"{text} {STAR}" if value.significant else text


def _format_ends(estimate: Estimate, show: Callable[[float], str]) -> str:
    """Show an interval in brackets, with a mark where it may be too narrow; nothing where there is none."""
    if not estimate.has_interval:
        return ""
    ends = (show(end).removesuffix("%") for end in (estimate.low, estimate.high))
    return f" [{', '.join(ends)}]{'' if estimate.reliable else '?'}"


def _format_ratio(value: float) -> str:
    """Show a ratio with as many decimals as its neighbors have, if it is of a common size."""
    return f"{value:.3f}" if _SMALLEST_RATIO <= value <= 1 / _SMALLEST_RATIO else cell(value)


def _format_p(value: float) -> str:
    return "< 0.0001" if value < _SMALLEST_P else cell(value) if math.isnan(value) else f"{value:.4f}"


def format_answer(comparison: Comparison) -> tuple[dict[str, list[str]], str]:
    """Return the table that answers, and what its brackets and marks mean.

    It has the models, the best constant width that no model has, and others that the answer names, best
    first. Headings may have two lines.
    """
    options, standings = comparison.options, comparison.standings
    standing = standings.at_place(standings.chosen)
    constants = [name for name in standing.order if name in comparison.constant_bands]
    listed = {*comparison.models, *constants[:1], *standing.order[:2], *standing.close[:3]}
    scores = [one for one in comparison.scores if one.model in listed]
    curves = [comparison.curves[score.model] for score in scores]
    claims = [curve.nominal for curve in curves]
    points = [ask_curve(curve.at, otherwise=None, miss_rate=options.miss_rate) for curve in curves]
    moves = [math.nan if point is None else point.parameter for point in points]
    distances = [format_distance(standings, score.model, standings.chosen) for score in scores]
    columns = {
        "model": [printable(score.model) for score in scores],
        "coverage\nas supplied": [percent(score.coverage) for score in scores],
        "claims": ["–" if claim is None else whole_percent(claim) for claim in claims],
        "interval\nscore": align_numbers([score.score_at for score in scores]),
        f"{comparison.width}\nat {options.point}": align_numbers([score.bandwidth_at for score in scores]),
        "behind\nthe best": distances,
        MOVES[options.vary]: format_parameters(moves, [curve.levels for curve in curves]),
    }
    shown = {"claims": any(claim is not None for claim in claims), "interval\nscore": options.by_score}
    marks = {"[": f"In brackets: {options.confidence} CI."}
    marks |= {mark: f"{mark} {decision.capitalize()}." for decision, mark in _UNCLEAR.items()}
    note = " ".join(text for mark, text in marks.items() if any(mark in cells for cells in distances))
    return {name: texts for name, texts in columns.items() if shown.get(name, True)}, note


def format_distance(standings: Standings, name: str, place: int) -> str:
    """Say how far a model is behind the best, with its interval or band; a mark where that is not clear."""
    standing = standings.at_place(place)
    if name == standing.best:
        return "best"
    if name not in standing.order[1:]:
        return "–"
    first = standing.order[0]
    lead, decision = standings.lead(first, name, place), standings.test(first, name).decision
    if abs(lead.value) < SAME_SHARE:
        return "the same"
    if not standings.is_tested_at(place):
        decision = "too close to call" if lead.has_interval and name in standing.close else ""
    mark = _UNCLEAR.get(decision, "")
    ends = f"[{format_range(lead.low, lead.high).removesuffix('%')}]" if lead.has_interval else ""
    return " ".join(filter(None, [short_percent(lead.value), ends, mark]))


def format_html(title: str, columns: Mapping[str, Sequence[str]]) -> str:
    """Format a table as HTML; names that users gave are escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in zip(*columns.values(), strict=True)
    )
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{''.join(rows)}</table>"
