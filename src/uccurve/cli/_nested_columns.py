"""All quantiles of a model in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base.arguments import rows_that
from uccurve.cli._errors import DataError
from uccurve.columns import list_names
from uccurve.intervals import sort_quantiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.cli._input_files import FileTable
    from uccurve.columns import ColumnChoice, ModelColumns


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
    names = tuple(model.quantiles.values())
    ordered, crossed = sort_quantiles(values := np.stack([read(name) for name in names], axis=1))
    return NestedColumns(names, values if table.crossed == "raise" else ordered, crossed)


def sorted_note(
    table: FileTable, model: ModelColumns, quantiles: NestedColumns, *, several: bool
) -> str | None:
    """Say how many rows were sorted; None if there are none."""
    if table.crossed == "raise" or not quantiles.crossed.any():
        return None
    rows = rows_that(int(np.count_nonzero(quantiles.crossed)), quantiles.crossed.size, "had", "had")
    front = f"{model.name}: " if several else ""
    return (
        f"{front}{rows} crossed quantiles, which were sorted; "
        f"first at {table.position(int(np.argmax(quantiles.crossed)))}."
    )


def refuse_without_levels(choice: ColumnChoice, file: str) -> None:
    """Refuse --vary level for models whose columns tell no level."""
    for model in choice.models:
        if not model.quantiles:
            raise DataError(
                f"{file}: {model.name}: --vary level needs bounds whose names tell their levels, such as "
                "Model-lo-50, Model-hi-50, Model-lo-90 and Model-hi-90, or q05, q25, q75 and q95; "
                f"it has {list_names(list(model.arguments.values()))}."
            )
