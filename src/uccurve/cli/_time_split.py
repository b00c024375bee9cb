"""Rows split by time: the earlier ones to fit on, the later ones to judge by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from uccurve._base.arguments import rows_that
from uccurve._base.text import printable
from uccurve.cli import _file_rows
from uccurve.cli._errors import DataError, UsageError
from uccurve.columns import absent_column

if TYPE_CHECKING:
    from uccurve.cli._input_files import FileTable

_SHOWN = 40
_WRITTEN = "write times as 2024-01-31 or 2024-01-31T12:00"


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeSplit:
    """Which rows are the earlier ones: those before a time, or the first share of them."""

    column: str
    before: str | None = None
    """The time, or number, that the later rows begin with."""
    share: float | None = None

    def earlier(self, table: FileTable, observed: np.ndarray) -> tuple[np.ndarray, str]:
        """Return which observed rows are fitted on, and a sentence about them.

        Rows of one time are on one side. A share is kept as well as such rows allow.
        """
        if self.column not in table.frame.columns:
            raise DataError(f"{table.name}: {absent_column(self.column, table.frame.columns)}")
        times = _Times.read(table.keep(observed), self.column)
        is_early = (
            self._share_of(table, times.values)
            if self.before is None
            else times.values < times.cut(self.before)
        )
        early, late = times.values[is_early], times.values[~is_early]
        if not early.size:
            raise DataError(
                f"{table.name}: no observed row is before --fit-before {self.before}: "
                f"column {self.column!r} begins at {times.shown(times.values.min())}."
            )
        fitted = np.zeros_like(observed)
        fitted[np.flatnonzero(observed)[is_early]] = True
        told = f"fitted on the {early.size} observed rows with {self.column} up to {times.shown(early.max())}"
        if not late.size:
            return fitted, f"{told}; no later row is observed, so that coverage is not measured."
        return fitted, f"{told}, judged by the {late.size} from {times.shown(late.min())} on."

    def _share_of(self, table: FileTable, values: np.ndarray) -> np.ndarray:
        """Return the rows up to the time that comes nearest to the share, and leave some rows."""
        distinct, counts = np.unique(values, return_counts=True)
        if distinct.size < 2:  # noqa: PLR2004
            raise DataError(
                f"{table.name}: column {self.column!r} has one time in all observed rows: nothing is later."
            )
        reached = np.cumsum(counts)[:-1]
        last = int(np.argmin(np.abs(reached - float(self.share or 0) * values.size)))
        return np.asarray(values <= distinct[last])


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Times:
    """The times of rows, as numbers or as dates."""

    values: np.ndarray
    """Floats, or datetime64 in UTC where there are zones."""
    zoned: bool = False
    """Whether the times have zones."""

    @classmethod
    def read(cls, table: FileTable, column: str) -> _Times:
        """Read a column of dates, of numbers, or of text that is all one of them."""
        series = table.column(column)
        _file_rows.refuse_missing(table, column, _file_rows.missing_labels(series))
        if series.dtype in (pl.Date, pl.Datetime):
            zoned = getattr(series.dtype, "time_zone", None) is not None
            return cls(values=np.asarray(series.cast(pl.Datetime("us")).to_numpy()), zoned=zoned)
        if series.dtype.is_numeric():
            return cls(values=_finite(table, column, _file_rows.numbers(table, column)))
        if series.dtype != pl.String:
            raise DataError(
                f"{table.name}: column {column!r} must hold times or numbers, but holds {series.dtype}."
            )
        try:
            return cls(values=_finite(table, column, _file_rows.numbers(table, column)))
        except DataError:
            return cls._of_text(table, column, series.to_list())

    @classmethod
    def _of_text(cls, table: FileTable, column: str, texts: list[str]) -> _Times:
        known = {text: _parsed(text) for text in set(texts)}
        wrong = np.array([known[text] is None for text in texts])
        if wrong.any():
            row = int(np.argmax(wrong))
            count = rows_that(int(np.count_nonzero(wrong)), wrong.size, "does not", "do not")
            shown = printable(texts[row])
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            raise DataError(
                f"{table.name}: column {column!r} must hold times or numbers, but {count}; first at "
                f"{table.position(row)}: {shown!r}; {_WRITTEN}."
            )
        times = [time for text in texts if (time := known[text]) is not None]
        zones = {time.tzinfo is not None for time in times}
        if len(zones) > 1:
            raise DataError(f"{table.name}: column {column!r} has times with and without a zone.")
        return cls(values=_in_utc(times), zoned=zones == {True})

    def cut(self, text: str) -> np.datetime64 | float:
        """Return the time that --fit-before names, of the kind of these."""
        if self.values.dtype.kind != "M":
            try:
                return float(text)
            except ValueError as error:
                raise UsageError(f"--fit-before {text}: must be a number, as the times are.") from error
        time = _parsed(text)
        if time is None:
            raise UsageError(f"--fit-before {text}: {_WRITTEN}.")
        if (time.tzinfo is not None) != self.zoned:
            hint = "add a zone, as in 2024-01-31T12:00+00:00" if self.zoned else "the times have none"
            raise UsageError(f"--fit-before {text}: {'has no' if self.zoned else 'has a'} zone; {hint}.")
        return np.datetime64(_in_utc([time])[0])

    def shown(self, value: Any) -> str:
        """Show one of the times, without a time of day where none has one."""
        if self.values.dtype.kind != "M":
            return f"{value:.12g}"
        whole_days = not self.zoned and bool((self.values.astype("datetime64[D]") == self.values).all())
        text = str(value.astype("datetime64[D]" if whole_days else "datetime64[us]")).removesuffix(".000000")
        return f"{text}Z" if self.zoned else text


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _in_utc(times: list[datetime]) -> np.ndarray:
    """Return times as NumPy has them; in UTC, if they have zones."""
    plain = [time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None) for time in times]
    return np.array(plain, dtype="datetime64[us]")


def _finite(table: FileTable, column: str, values: np.ndarray) -> np.ndarray:
    _file_rows.refuse_missing(table, column, ~np.isfinite(values))
    return values
