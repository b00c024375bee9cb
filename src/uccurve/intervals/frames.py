"""From the columns of a frame to the arguments of `Intervals`: those that are named, or detected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve.columns import ColumnChoice, ModelColumns, choose_model, detect_columns
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    PredictionOutsideError,
)
from uccurve.intervals.checks import NamedColumns, check_nominal
from uccurve.intervals.quantiles import CROSSED, MEDIAN, quantile_columns, sort_quantiles, warn_sorted
from uccurve.intervals.rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Crossed

    Names = Mapping[str, str | Sequence[str] | None]
    Quantiles = Mapping[float, str | Sequence[str]]

_BANDS = (*BOUNDS, "std")


def columns_of_frame(
    frame: Any,
    names: Names,
    quantiles: Quantiles | None,
    model: str | None,
    nominal: float | None,
    crossed: Crossed,
) -> tuple[NamedColumns, dict[str, Any]]:
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
    bands = [role for role in _BANDS if role in named]
    if quantiles is not None and (bands or nominal is not None):
        raise ArgumentError(argument="quantiles", rule="not be passed beside bounds, `std` or `nominal`")
    detected: dict[str, Any] = {}
    if "y_true" not in named or (not bands and quantiles is None):
        detected = _detect_arguments(frame, named, quantiles, model, nominal)
        names, quantiles = {role: detected.get(role) for role in names}, detected.get("quantiles")
    elif model is not None:
        raise ArgumentError(argument="model", rule="not be passed where no columns are detected")
    if quantiles is None:
        return _band_columns(frame, names, nominal, crossed), detected
    columns = _quantile_columns(frame, names, quantiles, crossed)
    if "y_pred" in detected and "y_pred" not in named:
        columns.hints[PredictionOutsideError] = "Name `y_true` and `quantiles` to leave `y_pred` out."
    return columns, detected


def _detect_arguments(
    frame: Any, named: Names, quantiles: Quantiles | None, model: str | None, nominal: float | None
) -> dict[str, Any]:
    """Return the columns to use, named and detected, as the arguments of `Intervals.from_frame`.

    Without named bounds all pairs are used, up to the nominal coverage if there is one.
    """
    every = list(frames.wrap(frame).columns)
    present = [name_as_text(label) for label in every]
    labels = dict(zip(present, every, strict=True))
    given: dict[str, Any] = {}
    for role, name in named.items():
        if isinstance(name, list) or (isinstance(name, tuple) and name_as_text(name) not in labels):
            raise ArgumentError(argument=role, rule="name one column where others are detected", got=name)
        given[role] = name_as_text(name)
    shared = {role: given.pop(role, None) for role in ("y_true", "sample_weight")}
    # Of a model with a name nothing is detected.
    told = ModelColumns(name="" if quantiles is None else "quantiles", **given)
    choice = ColumnChoice(**shared, models=(told,))
    choice = detect_columns(present, choice, nominal=check_nominal(nominal), several="quantiles")
    if given.keys().isdisjoint(_BANDS):
        choice = choice.with_levels(present)
    chosen = choose_model(choice.models, model)
    columns = {role: labels[column] for role, column in (choice.shared | chosen.arguments).items()}
    if chosen.quantiles:
        quantiles = {level: labels[column] for level, column in chosen.quantiles.items()}
        # A median is the prediction without being named, and is sorted with the others.
        is_median = "y_pred" not in named and chosen.y_pred == chosen.quantiles.get(MEDIAN)
        for role in (*_BANDS, "y_pred") if is_median else _BANDS:
            columns.pop(role, None)
    return columns if quantiles is None else {**columns, "quantiles": quantiles}


def name_as_text(label: Any) -> str:
    """Return a label as detection reads it: 0.05 as "0.05", ("y", 0.9, "lower") as "y__0.9__lower"."""
    if isinstance(label, tuple):
        return "__".join(name_as_text(part) for part in label if part != "")
    return repr(float(label)) if isinstance(label, (float, np.floating)) else str(label)


def _quantile_columns(frame: Any, names: Names, quantiles: Quantiles, crossed: Crossed) -> NamedColumns:
    """Return the columns of an eager frame by role, where quantiles are named by their levels."""
    if not isinstance(quantiles, Mapping) or not quantiles:
        rule = "map levels to columns, as in {0.05: 'q05', 0.5: 'q50', 0.95: 'q95'}"
        raise ArgumentTypeError(argument="quantiles", rule=rule, got=repr(quantiles))
    levels = [arguments.number("quantiles", level, 0, 1, open_=True) for level in quantiles]
    by_level = dict(zip((f"quantiles[{level!r}]" for level in levels), quantiles.values(), strict=True))
    columns = frames.columns(frame, {**names, **by_level})
    for called, column in by_level.items():
        if columns[called] is None or columns[called].shape != columns["y_true"].shape:
            raise ArgumentError(argument=called, rule="name as many columns as `y_true`", got=repr(column))
    table = np.stack([columns[called] for called in by_level], axis=-1)
    made = quantile_columns(columns["y_true"], table, levels, columns["y_pred"], crossed)
    return made._replace(values={**made.values, "sample_weight": columns["sample_weight"]})


def _band_columns(frame: Any, names: Names, nominal: float | None, crossed: Crossed) -> NamedColumns:
    """Return the columns of an eager frame by role: bounds, or a prediction with its standard deviation."""
    bands = tuple(role for role in _BANDS if names[role] is not None)
    if bands != BOUNDS and (len(bands) > 1 or names["y_pred"] is None):
        rule = "be passed with `upper`, or `y_pred` with one of `lower`, `upper` and `std`"
        raise ArgumentError(argument="lower", rule=rule, got=", ".join(bands))
    arguments.option("crossed", crossed, CROSSED)
    roles = ("y_true", "y_pred", *(bands if bands == ("std",) else BOUNDS), "sample_weight")
    columns = frames.columns(frame, {role: names[role] for role in roles})
    if crossed == "sort" and bands == BOUNDS and columns["lower"].shape == columns["upper"].shape:
        ordered, crossed_rows = sort_quantiles(np.stack([columns[role] for role in BOUNDS], axis=-1))
        columns |= {"lower": ordered[..., 0], "upper": ordered[..., 1]}
        warn_sorted(crossed_rows, "bounds, which were swapped")
    claim = check_nominal(nominal, std=bands == ("std",))
    return NamedColumns(columns, {}, claim, {CrossedBoundsError: 'Pass `crossed="sort"` to swap the two.'})
