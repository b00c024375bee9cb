"""Columns of text become numbers where nothing is lost: for formats that tell numbers from text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from uccurve.cli import _file_rows

if TYPE_CHECKING:
    from collections.abc import Collection

    from uccurve.cli._input_files import FileTable


def typed(table: FileTable, measured: Collection[str]) -> pl.DataFrame:
    """Return the columns of a CSV file with numbers in place of text.

    Parameters
    ----------
    table : FileTable
        Columns of text, and others, which stay as they are.
    measured : collection of str
        The columns that were read as numbers. Others become numbers only if all their cells are written as
        those numbers are: 007 and 1.50 stay text.
    """
    columns = {name: _typed(table, name, measured=name in measured) for name in table.frame.columns}
    return pl.DataFrame(columns)


def _typed(table: FileTable, name: str, *, measured: bool) -> pl.Series:
    series = table.column(name)
    if series.dtype != pl.String or series.null_count() == len(series):
        return series
    if series.str.contains(_file_rows.WHOLE_NUMBER).all():
        return series.cast(pl.Int64)
    texts = series.str.replace(",", ".", literal=True) if table.decimal == "," else series
    values = texts.cast(pl.Float64, strict=False)
    written = values.cast(pl.String)
    same = (written == texts) | (written == texts + ".0")
    if values.is_finite().all() and values.null_count() == series.null_count() and same.all():
        return values
    if not measured:
        return series
    return pl.Series(_file_rows.numbers(table, name), nan_to_null=True)
