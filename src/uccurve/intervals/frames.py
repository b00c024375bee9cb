"""From the columns of a frame to the arguments of `Intervals`: those that are named, or detected."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve.columns import ColumnChoice, ModelColumns, detect_columns, list_names
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    MissingColumnError,
    PredictionOutsideError,
)
from uccurve.intervals.checks import NamedColumns, check_nominal, claim_of_columns
from uccurve.intervals.quantiles import CROSSED, MEDIAN, quantile_columns, sort_bounds, warn_sorted
from uccurve.intervals.rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Crossed

    Names = Mapping[str, str | Sequence[str] | None]
    Quantiles = Mapping[float, str | Sequence[str]]

_BANDS = (*BOUNDS, "std")
_COMPLETE = {("lower", "upper"), ("std",), ("lower",), ("upper",)}
_BANDS_RULE = (
    "be passed with `upper`, or `y_pred` and `std`, or `y_pred` and one bound for a one-sided limit, or "
    "`quantiles`"
)
_NAMED = "Name `y_true` and `quantiles`, and no `y_pred`, to use the median or the midpoints."
_REMEDY = 'Pass `crossed="sort"` to swap the two.'


def columns_of_frame(
    frame: Any,
    names: Names,
    quantiles: Quantiles | None,
    model: str | None,
    nominal: float | None,
    crossed: Crossed,
) -> tuple[NamedColumns, dict[str, Any] | None]:
    """Return the columns of an eager frame by role, and the arguments that were detected, if any.

    Parameters
    ----------
    frame : frame
        The table.
    names : mapping of role to column or None
        What the user named.
    quantiles : mapping of float to column, optional
        Columns by level, if the user named them.
    model : str, optional
        Which of several detected models, by the name that its columns tell.
    nominal : float, optional
        The coverage to use of several that names tell, or the claim where they tell none.
    crossed : {"raise", "sort"}
        What to do about crossed bounds and quantiles.
    """
    named = {role: name for role, name in names.items() if name is not None}
    is_complete = "y_true" in named and (quantiles is not None or not named.keys().isdisjoint(_BANDS))
    if is_complete and model is not None:
        rule = "not be passed where all columns are named: it chooses among detected ones"
        raise ArgumentError(argument="model", rule=rule)
    detected = None if is_complete else _detect_arguments(frame, named, quantiles, model, nominal)
    if detected is not None:
        quantiles = detected.get("quantiles")
        names = {role: detected.get(role) for role in names}
        nominal = nominal if quantiles is None else None
    if quantiles is None:
        return _band_columns(frame, names, nominal, crossed), detected
    columns = _quantile_columns(frame, names, quantiles, nominal, crossed)
    if detected is not None and "y_pred" in detected and "y_pred" not in named:
        columns.hints[PredictionOutsideError] = _NAMED
    return columns, detected


def _detect_arguments(
    frame: Any,
    named: Mapping[str, Any],
    quantiles: Quantiles | None,
    model: str | None,
    nominal: float | None,
) -> dict[str, Any]:
    """Return the columns to use, named and detected, as the arguments of `Intervals.from_frame`."""
    every = frames.labels(frame)
    labels = {_as_text(label): label for label in every}
    if len(labels) < len(every):
        rule = "have columns whose names differ as text, such as not 0.1 and '0.1'"
        raise ArgumentError(argument="frame", rule=rule)
    for role, name in named.items():
        if isinstance(name, list) or (isinstance(name, tuple) and name not in every):
            hint = "Name `y_true` and the bounds too."
            rule = "name one column where columns are detected"
            raise ArgumentError(argument=role, rule=rule, got="several", hint=hint)
    given: dict[str, Any] = {role: _as_text(name) for role, name in named.items()}
    shared: dict[str, Any] = {role: given.pop(role, None) for role in ("y_true", "sample_weight")}
    given["name"] = "" if quantiles is None else "quantiles"  # of a model with a name nothing is detected
    choice = _detect_columns(list(labels), ColumnChoice(**shared, models=(ModelColumns(**given),)), nominal)
    chosen = _choose_model(choice, model)
    roles = {"y_true": str(choice.y_true), **chosen.arguments}
    if chosen.quantiles:
        # A median is the prediction without being named, and is sorted with the others.
        is_median = chosen.y_pred == chosen.quantiles.get(MEDIAN)
        left_out = (*_BANDS, "y_pred") if is_median else _BANDS
        roles = {role: column for role, column in roles.items() if role not in left_out}
    columns = {**{role: labels[column] for role, column in roles.items()}, **named}
    if quantiles is None:
        quantiles = {level: labels[column] for level, column in chosen.quantiles.items()} or None
    return columns if quantiles is None else {**columns, "quantiles": quantiles}


def _detect_columns(present: Sequence[str], given: ColumnChoice, nominal: float | None) -> ColumnChoice:
    """Detect columns; without named bands with all pairs up to the nominal coverage that names tell."""
    level = None if nominal is None else round(100 * check_nominal(nominal), 9)
    all_levels = given.models[0].arguments.keys().isdisjoint(_BANDS)
    try:
        return detect_columns(present, given, level=level, all_levels=all_levels, several="quantiles")
    except MissingColumnError as error:
        if error.argument != "level":
            raise
        rule = f"be a coverage that names tell: {error.demand()}"
        raise MissingColumnError(argument="nominal", rule=rule, hint=error.hint) from error


def _choose_model(choice: ColumnChoice, model: str | None) -> ModelColumns:
    by_name = {each.name: each for each in choice.models}
    known = list_names(list(by_name))
    if model is None and len(by_name) > 1:
        remedy = {"model": next(iter(by_name))}
        raise MissingColumnError(f"several models have intervals: {known}", argument="model", remedy=remedy)
    if model is not None and model not in by_name:
        raise MissingColumnError(argument="model", rule=f"be one of {known}", got=repr(model))
    return choice.models[0] if model is None else by_name[model]


def _as_text(label: Any) -> str:
    """Return a label as detection reads it: 0.05 as "0.05", ("y", 0.9, "lower") as "y__0.9__lower"."""
    if isinstance(label, tuple):
        return "__".join(_as_text(part) for part in label if part != "")
    is_float = isinstance(label, numbers.Real) and not isinstance(label, numbers.Integral)
    return repr(float(label)) if is_float else str(label)


def _quantile_columns(
    frame: Any, names: Names, quantiles: Quantiles, nominal: float | None, crossed: Crossed
) -> NamedColumns:
    """Return the columns of an eager frame by role, where quantiles are named by their levels."""
    if not isinstance(quantiles, Mapping) or not quantiles:
        rule = "map levels to columns, as in {0.05: 'q05', 0.5: 'q50', 0.95: 'q95'}"
        raise ArgumentTypeError(argument="quantiles", rule=rule, got=repr(quantiles))
    for role, value in {**names, "nominal": nominal}.items():
        if role in (*_BANDS, "nominal") and value is not None:
            rule = f"not be passed beside `{role}`: levels say what is claimed"
            raise ArgumentError(argument="quantiles", rule=rule)
    levels = [arguments.number("quantiles", level, 0, 1, open_=True) for level in quantiles]
    by_level = dict(zip((f"quantiles[{level!r}]" for level in levels), quantiles.values(), strict=True))
    columns = frames.columns(frame, {**names, **by_level})
    for called, column in by_level.items():
        if columns[called] is None or columns[called].shape != columns["y_true"].shape:
            rule = "name one column per output, as `y_true` does"
            raise ArgumentError(argument=called, rule=rule, got=repr(column))
    table = np.stack([columns[called] for called in by_level], axis=-1)
    made = quantile_columns(columns["y_true"], table, levels, columns["y_pred"], crossed)
    return made._replace(values={**made.values, "sample_weight": columns["sample_weight"]})


def _band_columns(frame: Any, names: Names, nominal: float | None, crossed: Crossed) -> NamedColumns:
    """Return the columns of an eager frame by role: bounds, or a prediction with its standard deviation."""
    bands = tuple(role for role in _BANDS if names[role] is not None)
    if bands not in _COMPLETE or (len(bands) == 1 and names["y_pred"] is None):
        got = ", ".join(f"`{role}`" for role in bands) or "none of them"
        raise ArgumentError(argument="lower", rule=_BANDS_RULE, got=got)
    arguments.option("crossed", crossed, CROSSED)
    roles = ("y_true", "y_pred", *bands, "sample_weight")
    columns = frames.columns(frame, {role: names[role] for role in roles})
    if bands in (("lower",), ("upper",)):
        columns = {**dict.fromkeys(BOUNDS), **columns}
    elif crossed == "sort" and "lower" in columns and columns["lower"].shape == columns["upper"].shape:
        columns["lower"], columns["upper"], crossed_rows = sort_bounds(columns["lower"], columns["upper"])
        warn_sorted(crossed_rows, "bounds, which were swapped")
    claim = claim_of_columns(nominal, std=names["std"] is not None)
    return NamedColumns(columns, {}, claim, {CrossedBoundsError: _REMEDY})
