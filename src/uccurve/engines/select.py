"""The columns that a scan uses, under names that no engine takes for anything else, and queries as arrays.

Engines differ in what a name may mean: Polars takes ``^a.*$`` for a pattern, DuckDB takes ``*`` for all
columns and ``A`` for ``a``. Columns are therefore selected by place. Numbers are called ``column0``,
``column1``, … and labels ``group0``, ``group1``, ….
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arrays
from uccurve._base.frames import is_text
from uccurve.columns import absent_column
from uccurve.exceptions import ArgumentError, NotNumericError
from uccurve.intervals import checks
from uccurve.io import check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import Side
    from uccurve.io import Table

# Rows that are summarized at once.
_ROWS = 1 << 21


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """The columns of one model, by name.

    Attributes
    ----------
    y_true : str
        Observations.
    y_pred : str | None
        Predictions; the midpoints of the bounds if not given. A one-sided limit needs them.
    lower : str | None
        Lower bounds. Without them, ``upper`` is an upper limit.
    upper : str | None
        Upper bounds. Without them, ``lower`` is a lower limit.
    std : str | None
        Standard deviations, in place of bounds.
    sample_weight : str | None
        Weights, 0 or more.
    nominal : float | None
        The coverage that the bounds claim, such as 0.9. A standard deviation claims 0.6827.
    """

    y_true: str
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    sample_weight: str | None = None
    nominal: float | None = None

    def __post_init__(self) -> None:
        bounds = (self.lower is not None, self.upper is not None)
        if self.std is not None and (any(bounds) or self.y_pred is None):
            rule = "be passed with `y_pred`, and with neither `lower` nor `upper`"
            raise ArgumentError(argument="std", rule=rule)
        if self.std is None and not any(bounds):
            raise ArgumentError(argument="lower", rule="be passed, or `upper`, or `std` in their place")
        if self.side != "both" and self.y_pred is None:
            missing = "lower" if self.side == "upper" else "upper"
            rule = f"be passed, or `y_pred` beside `{self.side}` for a one-sided limit"
            raise ArgumentError(argument=missing, rule=rule)
        checks.claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def claim(self) -> float | None:
        """The coverage that the intervals claim, from ``nominal`` or from ``std``."""
        return checks.claim_of_columns(self.nominal, std=self.std is not None)

    @property
    def symmetric(self) -> bool:
        """Whether bands are symmetric by construction; a one-sided limit has one band."""
        return self.std is not None or self.y_pred is None or self.side != "both"

    @property
    def side(self) -> Side:
        """Where there are bounds."""
        if self.std is not None or (self.lower is not None and self.upper is not None):
            return "both"
        return "lower" if self.upper is None else "upper"

    def roles(self) -> dict[str, str]:
        """Return the given names by role."""
        roles = ("y_true", "y_pred", "lower", "upper", "std", "sample_weight")
        names = {role: getattr(self, role) for role in roles}
        return {role: name for role, name in names.items() if name is not None}

    def rename(self, names: Mapping[str, str]) -> Columns:
        """Return the same model with other names of columns."""
        given: dict[str, Any] = {role: names[name] for role, name in self.roles().items()}
        return replace(self, **given)


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Rows to scan, and what their frame does not tell.

    Attributes
    ----------
    frame : narwhals.DataFrame or narwhals.LazyFrame
        The rows.
    table : Table | None
        The same rows as `uccurve.io` read them, whose text may stand for numbers.
    is_file : bool
        Whether it is a file that Polars reads, of which any rows can be read on their own.
    """

    frame: Any
    table: Table | None = None
    is_file: bool = False

    @property
    def is_text(self) -> bool:
        """Whether all cells are text."""
        return self.table is not None and self.table.is_text


def holds_text(source: Source, column: str) -> bool:
    """Whether a column holds text that is not all numbers."""
    if source.table is not None and column in source.table.columns:
        return source.table.holds_text(column)
    return is_text(source.frame.collect_schema()[column])


def wrap_frame(source: Any) -> Any:
    """Return a frame, lazy or eager, or a record batch as a frame of narwhals; None for anything else.

    Names of columns must be distinct: which one is meant is not guessed.
    """
    import narwhals as nw  # noqa: PLC0415

    kind, names = type(source), []
    if kind.__name__ == "RecordBatch" and kind.__module__.partition(".")[0] == "pyarrow":
        source = sys.modules["pyarrow"].Table.from_batches([source])
    try:
        frame = nw.from_native(source, pass_through=True)
        if not isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
            return None
        names = frame.collect_schema().names()
    except nw.exceptions.DuplicateError as error:
        problem = f"each column must have its own name: {' '.join(str(error).split())}"
        raise ArgumentError(problem) from error
    if frame.implementation.is_duckdb() or frame.implementation.is_pyspark():  # their schemas tell names once
        names = list(frame.to_native().columns)
    check_distinct(names)
    return frame


def select_columns(source: Source, models: Sequence[Columns], by: Sequence[str]) -> tuple[Any, list[Columns]]:
    """Select the columns of models as float64 and those of labels; return the models with their new names."""
    import narwhals as nw  # noqa: PLC0415

    kinds = source.frame.collect_schema()
    for columns in models:
        for role, name in columns.roles().items():
            _check_column(name, role, kinds)
    for name in by:
        _check_column(name, "by", kinds)
        if kinds[name].is_nested():
            rule = "hold text, numbers or dates as labels"
            raise ArgumentError(argument=name, rule=rule, got=kinds[name], columns={name: name})

    names = kinds.names()
    numbers = list(dict.fromkeys(name for columns in models for name in columns.roles().values()))
    plain = {name: f"column{place}" for place, name in enumerate(numbers)}
    groups = {f"group{place}": name for place, name in enumerate(by)}
    places = {plain[name]: names.index(name) for name in numbers}
    places |= {group: names.index(name) for group, name in groups.items()}
    rows = _select_places(source.frame, places)
    if source.table is not None:
        read = [name for name in numbers if name in source.table.columns]  # not those of folders
        measured = source.table.measured(read)
        for name in read:
            rows = rows.with_columns(measured.get_column(name).alias(plain[name]))
    # Categories become text: engines lose missing ones.
    categories = [group for group, name in groups.items() if kinds[name] in (nw.Categorical, nw.Enum)]
    rows = rows.with_columns(
        *(_convert_to_floats(rows, column, name) for name, column in plain.items()),
        *(nw.col(group).cast(nw.String) for group in categories),
    )
    return rows, [columns.rename(plain) for columns in models]


def _check_column(name: str, role: str, present: Mapping[str, Any]) -> None:
    if name not in present:
        raise absent_column(name, list(present)).replaced(argument=role)


def _select_places(frame: Any, places: Mapping[str, int]) -> Any:
    """Select columns by place, under other names."""
    import narwhals as nw  # noqa: PLC0415

    if frame.implementation.is_duckdb():  # a name stands for all columns that differ only in case
        cells = ", ".join(f"#{place + 1} AS {name}" for name, place in places.items())
        return nw.from_native(frame.to_native().project(cells))
    return frame.select(*(nw.nth(place).alias(name) for name, place in places.items()))


def _convert_to_floats(rows: Any, column: str, name: str) -> Any:
    """Return a column as the nearest floats, in every engine; ``name`` is what the source calls it."""
    import narwhals as nw  # noqa: PLC0415

    kind, backend = rows.collect_schema()[column], rows.implementation
    got = "text" if is_text(kind) else kind
    facts: dict[str, Any] = {"argument": name, "rule": "hold numbers", "got": got, "columns": {name: name}}
    if isinstance(rows, nw.DataFrame) and not backend.is_polars():
        # as `Intervals.from_frame` does: their casts refuse large whole numbers, and round decimals twice
        try:
            values = arrays.as_arrays(values=rows.get_column(column).to_native())["values"]
        except NotNumericError as error:
            raise NotNumericError(**facts) from error
        return nw.new_series(column, values, nw.Float64, backend=backend)
    if not kind.is_numeric():
        raise NotNumericError(**facts)
    exact = nw.col(column).cast(nw.String) if kind.is_decimal() else nw.col(column)
    return exact.cast(nw.Float64)


def slice_rows(rows: Any, *, is_file: bool) -> Iterator[Any]:
    """Yield rows in memory, and those of a file that Polars reads, some at a time to save memory."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(rows, nw.DataFrame):
        some = _ROWS if rows.implementation.is_polars() else _ROWS // 2  # others keep more columns in between
        for begin in range(0, max(len(rows), 1), some):
            yield rows[begin : begin + some]
    elif is_file:
        count = int(collect_arrays(rows.select(nw.len()))["len"][0])
        for begin in range(0, max(count, 1), _ROWS):
            yield nw.from_native(rows.to_native().slice(begin, _ROWS).collect(engine="streaming"))
    else:
        yield rows


def collect_arrays(frame: Any) -> dict[str, np.ndarray]:
    """Run a query, and return its columns as arrays; values that are no numbers or times as objects."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, nw.LazyFrame):
        is_polars = frame.implementation is nw.Implementation.POLARS
        frame = frame.collect(engine="streaming") if is_polars else frame.collect()
    return {name: _as_array(frame.get_column(name)) for name in frame.columns}


def _as_array(column: Any) -> np.ndarray:
    import narwhals as nw  # noqa: PLC0415

    kind = column.dtype
    if kind.is_numeric() or kind.is_temporal() or kind == nw.Boolean:
        return np.asarray(column.to_numpy())
    return np.array([*column.to_list(), None], dtype=object)[:-1]  # a list of lists stays one of them
