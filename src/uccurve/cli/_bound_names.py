"""Names and levels of calibrated bounds: which columns they are written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.cli._errors import UsageError
from uccurve.cli._target_coverage import DEFAULT_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from uccurve.cli._input_files import FileTable
    from uccurve.columns import ModelColumns

_ALL = 100


def rate_of(model: ModelColumns) -> float:
    """Return the miss rate that the names of a model's bounds tell, 0.2 of Model-lo-80, or the default."""
    if model.level is None or not 0 < model.level < _ALL:
        return DEFAULT_RATE
    return round((_ALL - model.level) / _ALL, 11)


def own_bounds(model: ModelColumns, rate: float) -> tuple[str, str] | None:
    """Return the names of a model's bounds for a miss rate, if its bounds' names tell a level."""
    return model.bounds_at(round(_ALL * (1 - rate), 9))


def bound_columns(
    table: FileTable, models: Sequence[ModelColumns], rates: Sequence[float], suffix: str
) -> list[tuple[str, ...]]:
    """Return the columns of the new bounds of each model, of a limit one; refuse to write over others."""
    several = len(models) > 1
    pairs = [_pair(model, rate, suffix, several=several) for model, rate in zip(models, rates, strict=True)]
    names = [name for pair in pairs for name in pair]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise UsageError(
            f"two bounds would be written to the column {doubled!r}: calibrate one model at a time."
        )
    for model, pair in zip(models, pairs, strict=True):
        old = (model.lower, model.upper) if len(pair) > 1 else (model.lower or model.upper,)
        taken = [
            name for name, own in zip(pair, old, strict=True) if name != own and name in table.frame.columns
        ]
        if taken:
            raise UsageError(
                f"{table.name}: there is a column {taken[0]!r} already: choose another --suffix"
                f"{', or another --level to start from' if model.level is not None else ''}."
            )
    return pairs


def copied_predictions(table: FileTable, model: ModelColumns, pair: tuple[str, ...]) -> list[pl.Series]:
    """Repeat predictions as NAME_pred beside NAME_lower and NAME_upper, if commands would not detect them."""
    copy = f"{model.name}_pred"
    if model.std is None or pair[0] != f"{model.name}_lower" or model.y_pred in (None, copy):
        return []
    present = table.frame.columns
    if copy in present or (model.name in present and model.y_pred == model.name):
        return []
    return [table.column(str(model.y_pred)).alias(copy)]


def _pair(model: ModelColumns, rate: float, suffix: str, *, several: bool) -> tuple[str, ...]:
    limit = model.lower or model.upper
    if limit is not None and None in (model.lower, model.upper):
        return (limit + suffix,)
    if model.lower is not None and model.upper is not None:
        lower, upper = own_bounds(model, rate) or (model.lower, model.upper)
    else:
        front = f"{model.name}_" if several else ""
        lower, upper = f"{front}lower", f"{front}upper"
    return lower + suffix, upper + suffix
