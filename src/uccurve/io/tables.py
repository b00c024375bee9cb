"""A table, and where its rows stand in their file: cells become numbers, labels and times in one way."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arrays, frames
from uccurve._base.text import printable
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, NotNumericError, UccurveError
from uccurve.intervals import as_labels, name_as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NUMBER = r"^(?i:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|infinity|nan))$"
MISSING = ("", "na", "n/a", "nan", "null", "none", "<na>")
# Whole numbers that fit 64 bits, written as numbers are.
WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
# What may be a number with marks between thousands, or with the other decimal mark.
_MARKED = re.compile(r"[-+]?\d*[.,][\d.,]*")
_SHOWN = 40
# What to do about a file that has to be read in another way, where there are no arguments for it.
AS_THEY_ARE = "Scans read files as they are: convert the file, or read it into memory, without a scan."


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Table:
    """The rows of a file or a frame, in their own order.

    Attributes
    ----------
    frame : narwhals.DataFrame or narwhals.LazyFrame
        The columns; those of a CSV file are text, to be written back as they are.
    name : str
        The file, as it is shown; empty for a frame.
    format : str
        "csv", "parquet", "arrow", "jsonl", or "frame".
    separator, decimal, encoding : str
        How a CSV file is written.
    rows : array of int, shape (n,), or None
        The number of each row in the file, from 1; None for a frame.
    lines : array of int, shape (n,), or None
        The line of the file that it begins at, where there are lines.
    notes : tuple of str
        What a reader of the results should know about the file.
    is_piece : bool
        Whether these are some of the rows of a file, which a scan reads without options.
    """

    frame: Any
    name: str = ""
    format: str = "frame"
    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    rows: np.ndarray | None = None
    lines: np.ndarray | None = None
    notes: tuple[str, ...] = field(default=())
    is_piece: bool = False

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.frame.collect_schema().names())

    @property
    def is_text(self) -> bool:
        """Whether cells are text, which may stand for numbers."""
        return self.format == "csv"

    def column(self, name: str) -> Any:
        """Return a column under another name: Polars would take some names for patterns."""
        return self.frame.get_column(name).alias("cells")

    def place(self, row: int) -> str | None:
        """Say where a row is, for someone who looks it up: "row 17 (line 18)"; None in a frame."""
        if self.rows is None:
            return None
        line = "" if self.lines is None else f" (line {self.lines[row]})"
        return f"row {self.rows[row]}{line}"

    def about(self, error: UccurveError, **facts: Any) -> UccurveError:
        """Return the error with this file, and the place of the first row in it."""
        place = None if error.first is None else self.place(error.first)
        where = ": ".join(filter(None, (self.name, facts.pop("model", None)))) or None
        return error.replaced(where=where, place=place, **facts)

    def keep(self, rows: np.ndarray) -> Table:
        """Return the rows that a mask or their numbers name."""
        numbers = np.arange(len(self))[rows]
        lines = None if self.lines is None else self.lines[numbers]
        kept = None if self.rows is None else self.rows[numbers]
        return replace(self, frame=self.frame[numbers], rows=kept, lines=lines)

    def measured(self, columns: Sequence[str]) -> Any:
        """Return the frame with some columns as floats, where text or a library would have it otherwise."""
        import narwhals as nw  # noqa: PLC0415

        backend = self.frame.implementation
        if not self.is_text and (isinstance(self.frame, nw.LazyFrame) or backend.is_polars()):
            return self.frame
        numbers = {name: self.numbers(name) for name in dict.fromkeys(columns)}
        new = [nw.new_series(name, array, nw.Float64, backend=backend) for name, array in numbers.items()]
        return self.frame.with_columns(*new)

    def holds_text(self, column: str) -> bool:
        """Whether a column holds text that is not all numbers."""
        if not frames.is_text(self.frame.collect_schema()[column]):
            return False
        return not self.is_text or not self.column(column).str.strip_chars().str.contains(_NUMBER).all()

    def numbers(self, column: str) -> np.ndarray:
        """Return a column as numbers, NaN where there is no value; text that is no number is refused."""
        series = self.column(column)
        try:
            if self.is_text and frames.is_text(series):
                return self._parse(column, series.to_native())
            numbers, filled = np.full(len(series), np.nan), ~series.is_null()
            if filled.any():
                numbers[filled.to_numpy()] = arrays.as_arrays(_=series.filter(filled).to_native())["_"]
        except NotNumericError as error:
            raise self.about(error, argument=column, columns={column: column}) from error
        return numbers

    def _parse(self, column: str, cells: Any) -> np.ndarray:
        """Return the numbers in a series of Polars with text."""
        import polars as pl  # noqa: PLC0415

        texts = cells.str.strip_chars()
        if self.decimal == ",":  # a point would separate thousands, or be a mistake: neither is guessed
            texts = texts.str.replace_many([",", "."], [".", ","])
        is_number = texts.str.contains(_NUMBER)
        if not is_number.all():
            known = is_number | texts.is_null() | texts.str.to_lowercase().is_in(MISSING)
            if not known.all():
                wrong = np.flatnonzero(~known.to_numpy())
                text = printable(str(cells[int(wrong[0])]))
                hint = 'Remove commas between thousands; for decimal commas pass `decimal=","`.'
                if self.decimal == ",":
                    hint = 'With `decimal=","` a number has no point.'
                if self.is_piece:
                    hint = f"Numbers have a decimal point, and no commas. {AS_THEY_ARE}"
                raise NotNumericError(
                    argument=column,
                    rule="contain numbers",
                    count=int(wrong.size),
                    total=len(cells),
                    first=int(wrong[0]),
                    values={column: f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text},
                    hint=hint if _MARKED.fullmatch(text.strip()) else "",
                )
        numbers = texts.cast(pl.Float64, strict=False).fill_null(np.nan)
        return np.array(numbers.to_numpy(), dtype=np.float64)

    def check_labels(self, column: str) -> None:
        """Refuse labels that have no name and no order, or that an engine cannot return."""
        import narwhals as nw  # noqa: PLC0415

        kind = self.frame.collect_schema()[column]
        # SQL has intervals of months and days in the place of durations; NumPy has at most 64 bits.
        is_sql = isinstance(self.frame, nw.LazyFrame) and not self.frame.implementation.is_polars()
        if kind.is_nested() or kind in ((nw.Duration,) if is_sql else (nw.Int128, nw.UInt128)):
            rule, hint = "contain text, numbers or dates as labels", "Convert them first, such as to text."
            error = ArgumentError(argument=column, rule=rule, got=kind, columns={column: column}, hint=hint)
            raise self.about(error)

    def labels(self, column: str) -> np.ndarray:
        """Return the label of each row; whole numbers in text become numbers, so that 10 follows 9.

        None may be missing: NaN and, in a file of text, blanks are no labels.
        """
        self.check_labels(column)
        series = self.column(column)
        is_text = frames.is_text(series)
        missing = series.is_null()
        if series.dtype.is_float():
            missing = missing | series.is_nan()
        elif self.is_text and is_text:
            missing = missing | (series.str.strip_chars() == "")
        self._check_complete(column, missing.to_numpy(), "have a label in each row")
        if not is_text:
            return as_labels(series.to_numpy(), len(series), column)
        is_whole = self.is_text and series.str.contains(WHOLE).all()
        return np.array(series.to_list(), dtype=np.int64 if is_whole else object)

    def times(self, column: str) -> np.ndarray:
        """Return a column of dates, of numbers, or of text that is one of them, none of them missing.

        Times with a zone are in UTC.
        """
        series = self.column(column)
        if series.dtype.is_temporal():
            values = np.asarray(series.to_numpy()).astype("datetime64[us]")
        else:
            try:
                values = replace(self, format="csv").numbers(column)
            except NotNumericError:
                if not frames.is_text(series):
                    raise
                texts = series.to_list()
                parsed = {text: read_time(text) for text in set(texts)}
                values = np.array([parsed[text] for text in texts])
        missing = np.isnat(values) if values.dtype.kind == "M" else ~np.isfinite(values)
        self._check_complete(column, missing, "have times or numbers, such as 2024-01-31 or 2024-01-31T12:00")
        return values

    def _check_complete(self, column: str, missing: np.ndarray, rule: str) -> None:
        """Refuse rows without a value."""
        if missing.any():
            error = ArgumentError(
                argument=column,
                rule=rule,
                count=int(np.count_nonzero(missing)),
                total=missing.size,
                first=int(np.argmax(missing)),
                columns={column: column},
            )
            raise self.about(error)


def check_distinct(names: Iterable[str]) -> None:
    """Refuse columns of the same name: which one is meant is not guessed."""
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise ArgumentError(f"column names must be unique, but these are not: {list_names(repeated)}")


def read_time(text: str | None) -> np.datetime64:
    """Return the time that a text writes as in ISO 8601, in UTC if it has a zone; NaT if it writes none."""
    try:
        time = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return np.datetime64("NaT", "us")
    return np.datetime64(time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None), "us")


def as_table(frame: Any, *, lazy: bool = False) -> Table:
    """Return an eager frame of any library, or with ``lazy`` any frame, as a table with text as names."""
    if isinstance(frame, Table):
        return frame
    if hasattr(frame, "set_axis"):  # pandas, whose labels may be numbers or tuples
        frame = frame.set_axis([name_as_text(label) for label in frame.columns], axis=1)
    if type(frame).__name__ == "RecordBatch":
        frame = sys.modules["pyarrow"].Table.from_batches([frame])
    table = Table(frame=frames.wrap(frame, lazy=lazy))
    own = table.frame.implementation  # those whose schemas tell each name once
    check_distinct(frame.columns if own.is_duckdb() or own.is_pyspark() else table.columns)
    return table
