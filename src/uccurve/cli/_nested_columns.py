"""All pairs of bounds of a model in a file, for --vary level; errors name columns and rows."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arguments import complement, rows_that
from uccurve.cli._errors import DataError
from uccurve.intervals._column_names import listed
from uccurve.intervals._crossed import sort_quantiles
from uccurve.intervals._level_pairs import MEDIAN
from uccurve.intervals._paired_levels import nested_quantiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.cli._input_files import FileTable
    from uccurve.intervals._column_detection import ColumnChoice, ModelColumns
    from uccurve.intervals._nested_pairs import NestedPairs

_REMEDY = "Add --crossed sort to sort the quantiles of each row, or --invalid drop to leave such rows out."


class NestedColumns(NamedTuple):
    """The quantiles of one model, by rising level."""

    names: tuple[str, ...]
    """The columns; that of the median in the middle, if there is one."""
    values: np.ndarray
    """Shape (n, columns); sorted, if the user asked for it."""
    crossed: np.ndarray
    """Which rows were not in order in the file, shape (n,); False where a value is missing."""


def read_nested(table: FileTable, model: ModelColumns, read: Callable[[str], np.ndarray]) -> NestedColumns:
    """Read the columns of all pairs and of the median."""
    middle = () if model.median is None else (model.median,)
    lower, upper = ([pair[side] for pair in model.nested] for side in (1, 2))
    names = (*reversed(lower), *middle, *upper)
    ordered, crossed = sort_quantiles(values := np.stack([read(name) for name in names], axis=1))
    return NestedColumns(names, values if table.crossed == "raise" else ordered, crossed)


def as_pairs(model: ModelColumns, quantiles: NestedColumns) -> NestedPairs:
    """Return the pairs with their nominal coverages, around the median or the innermost midpoints."""
    columns = np.ascontiguousarray(quantiles.values.T)
    nested = nested_quantiles(dict(zip(quantile_levels(model), columns, strict=True)))
    assert nested is not None  # noqa: S101 - levels are pairs
    return nested


def quantile_levels(model: ModelColumns) -> tuple[float, ...]:
    """Return the levels of a model's quantiles, rising, as `read_nested` orders its columns."""
    tails = [round((100 - pair.level) / 200, 12) for pair in reversed(model.nested)]
    middle = () if model.median is None else (MEDIAN,)
    return (*tails, *middle, *(complement(tail) for tail in reversed(tails)))


def refuse_crossed(table: FileTable, quantiles: NestedColumns, model: str) -> None:
    """Raise where quantiles are not in order, unless they were sorted."""
    if table.crossed != "raise" or not quantiles.crossed.any():
        return
    row = int(np.argmax(quantiles.crossed))
    (low, high), values = next(
        (names, values)
        for names, values in zip(pairwise(quantiles.names), pairwise(quantiles.values[row]), strict=True)
        if values[0] > values[1]
    )
    rows = rows_that(int(np.count_nonzero(quantiles.crossed)), quantiles.crossed.size, "has", "have")
    raise DataError(
        f"{table.name}: {model}quantiles must rise with their levels for --vary level, but {rows} crossed "
        f"ones; first at {table.position(row)}: {low}={values[0]:g}, {high}={values[1]:g}. {_REMEDY}"
    )


def broken_rows(
    table: FileTable, model: ModelColumns, quantiles: NestedColumns
) -> tuple[np.ndarray, list[str]]:
    """Return the rows whose quantiles are missing or not in order, and the rules that they break."""
    missing = np.isnan(quantiles.values)
    reasons = [
        f"column {name!r} must be finite ({count})"
        for name, count in zip(quantiles.names, np.count_nonzero(missing, axis=0).tolist(), strict=True)
        if count
    ]
    crossed = quantiles.crossed if table.crossed == "raise" else np.zeros_like(quantiles.crossed)
    if crossed.any():
        reasons.append(f"quantiles of {model.name} must rise with their levels ({np.count_nonzero(crossed)})")
    return missing.any(axis=1) | crossed, reasons


def sorted_note(table: FileTable, model: ModelColumns, quantiles: NestedColumns) -> str | None:
    """Say how many rows were sorted; None if there are none."""
    if table.crossed == "raise" or not quantiles.crossed.any():
        return None
    rows = rows_that(int(np.count_nonzero(quantiles.crossed)), quantiles.crossed.size, "had", "had")
    return (
        f"{model.name}: {rows} crossed quantiles, which were sorted; "
        f"first at {table.position(int(np.argmax(quantiles.crossed)))}."
    )


def refuse_without_levels(choice: ColumnChoice, file: str) -> None:
    """Refuse --vary level for models whose columns tell no level."""
    for model in choice.models:
        if not model.nested:
            raise DataError(
                f"{file}: {model.name}: --vary level needs bounds whose names tell their levels, such as "
                "Model-lo-50, Model-hi-50, Model-lo-90 and Model-hi-90, or q05, q25, q75 and q95; "
                f"it has {listed(list(model.arguments.values()))}."
            )
