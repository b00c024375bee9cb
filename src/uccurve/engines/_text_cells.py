"""Cells of text, as in CSV files: which are numbers is decided in one way for all engines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from uccurve._base.text import printable
from uccurve.engines._query_result import columns_of
from uccurve.exceptions import NotNumericError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.engines._assemble import Part

_NUMBER = r"^(?i:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:inf|infinity|nan))$"
_MISSING = ("", "na", "n/a", "null", "none", "<na>")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_SHOWN = 40


def numbers(nw: Any, column: str) -> Any:
    """Return the numbers in a column of text, null where there are none."""
    text = nw.col(column).str.strip_chars()
    return nw.when(text.str.contains(_NUMBER)).then(text).otherwise(nw.lit(None, nw.String)).cast(nw.Float64)


def check(nw: Any, rows: Any, names: Mapping[str, str]) -> None:
    """Refuse text that is neither a number nor missing.

    Parameters
    ----------
    nw : module
        The module narwhals.
    rows : narwhals.DataFrame
        Columns of text.
    names : mapping of str to str
        The columns that must hold numbers, and what to call them in an error.
    """
    found = []
    for column in names:
        text = nw.col(column).str.strip_chars()
        known = text.str.contains(_NUMBER) | text.str.to_lowercase().is_in(_MISSING)
        wrong = nw.when(~known).then(nw.col(column)).otherwise(nw.lit(None, nw.String))
        found += [wrong.count().alias(f"{column}_count"), wrong.max().alias(f"{column}_text")]
    summary = rows.select(*found, nw.len().alias("rows"))
    values = {name: column[0] for name, column in columns_of(summary).items()}
    for column, name in names.items():
        count = int(values[f"{column}_count"])
        if count:
            text = printable(values[f"{column}_text"])
            raise NotNumericError(
                argument=name,
                rule="be numeric",
                count=count,
                total=int(values["rows"]),
                values={name: f"{text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"},
                columns={name: name},
            )


def whole_labels(part: Part) -> Part:
    """Turn labels of text into whole numbers, column by column, where all are such: 10 follows 9."""
    columns = list(zip(*(key[1:] for key in part.states), strict=True))
    whole = [
        all(isinstance(label, str) and _WHOLE.fullmatch(label) for label in column) for column in columns
    ]
    if not any(whole):
        return part
    states = {
        (
            model,
            *(int(label) if is_whole else label for label, is_whole in zip(labels, whole, strict=True)),
        ): state
        for (model, *labels), state in part.states.items()
    }
    return type(part)(states, part.broken, part.examples)
