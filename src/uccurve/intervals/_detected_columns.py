"""Columns of a frame that are detected from common names: the arguments of ``Intervals.from_frame``."""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from uccurve._base import frames
from uccurve._base.arguments import complement
from uccurve.columns import GivenColumns, detect_columns, detect_observations, listed
from uccurve.exceptions import ArgumentError, MissingColumnError
from uccurve.intervals.checks import check_claims
from uccurve.intervals.quantiles import MEDIAN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.columns import ColumnChoice, ModelColumns

_BANDS = ("lower", "upper", "std")


def detected_arguments(
    frame: Any,
    names: Mapping[str, Any],
    quantiles: Mapping[float, Any] | None,
    model: str | None,
    nominal: float | None,
) -> dict[str, Any] | None:
    """Return the columns to use, as the arguments of ``Intervals.from_frame``; None if all are named.

    Parameters
    ----------
    frame : frame
        The table.
    names : mapping of role to column or None
        What the user named.
    quantiles : mapping of float to column, optional
        Columns by level, if the user named them.
    model : str, optional
        Which of several models, by the name that its columns tell.
    nominal : float, optional
        The coverage to use of several that names tell, or the claim where they tell none.
    """
    bands = [role for role in _BANDS if names[role] is not None]
    if names["y_true"] is not None and (bands or quantiles is not None):
        if model is not None:
            raise ArgumentError(
                argument="model",
                rule="not be passed where all columns are named: it chooses among detected ones",
            )
        return None
    labels = {_as_text(label): label for label in frames.labels(frame)}
    if len(labels) < len(frames.labels(frame)):
        raise ArgumentError(
            argument="frame", rule="have columns whose names differ as text, such as not 0.1 and '0.1'"
        )
    given = {role: _given_name(role, name, labels) for role, name in names.items() if name is not None}
    if quantiles is not None:
        observations = detect_observations(list(labels), given.values())
        return {"y_true": labels[observations], **_as_given(names), "quantiles": quantiles}
    choice, chosen = _chosen_model(list(labels), given, model, nominal)
    roles = {"y_true": str(choice.y_true), **chosen.arguments}
    if bands or not chosen.nested or chosen.nominal is None:
        return {**{role: labels[column] for role, column in roles.items()}, **_as_given(names)}
    columns = {role: labels[column] for role, column in roles.items() if role not in _BANDS}
    if (
        chosen.y_pred == chosen.median
    ):  # which is the prediction without being named, and sorted with the others
        columns.pop("y_pred", None)
    quantiles = {share: labels[column] for share, column in _quantiles(chosen).items()}
    return {**columns, **_as_given(names), "quantiles": quantiles}


def _chosen_model(
    present: Sequence[str], given: Mapping[str, str], model: str | None, nominal: float | None
) -> tuple[ColumnChoice, ModelColumns]:
    """Choose one model, with all pairs up to the nominal coverage where names tell several."""
    columns = GivenColumns(
        y_true=given.get("y_true"),
        y_pred=given.get("y_pred"),
        lower=given.get("lower"),
        upper=given.get("upper"),
        std=given.get("std"),
        sample_weight=given.get("sample_weight"),
        all_levels=True,
        several="quantiles",
    )
    choice = detect_columns(present, columns)
    if nominal is not None and any(each.level is not None for each in choice.models):
        (claim,) = check_claims(nominal)
        level = round(100 * claim, 9)
        try:
            choice = detect_columns(present, replace(columns, level=level))
        except MissingColumnError as error:
            raise MissingColumnError(
                argument="nominal", rule=f"be a coverage that names tell: {error.demand()}", hint=error.hint
            ) from error
    by_name = {each.name: each for each in choice.models}
    if model is None and len(by_name) > 1:
        first = next(iter(by_name))
        raise MissingColumnError(
            f"several models have intervals: {listed(list(by_name))}",
            argument="model",
            remedy={"model": first},
        )
    if model is not None and model not in by_name:
        raise MissingColumnError(argument="model", rule=f"be one of {listed(list(by_name))}", got=repr(model))
    return choice, by_name[model] if model is not None else choice.models[0]


def _quantiles(model: ModelColumns) -> dict[float, str]:
    """Return the columns of all pairs, and of the median, by level."""
    tails = {round((100 - pair.level) / 200, 12): pair for pair in reversed(model.nested)}
    middle = {} if model.median is None else {MEDIAN: model.median}
    upper = {complement(tail): pair.upper for tail, pair in reversed(tails.items())}
    return {tail: pair.lower for tail, pair in tails.items()} | middle | upper


def _as_text(label: Any) -> str:
    """Return a label as detection reads it: 0.05 as "0.05", ("y", 0.9, "lower") as "y__0.9__lower"."""
    if isinstance(label, tuple):
        return "__".join(_as_text(part) for part in label if part != "")
    is_float = isinstance(label, numbers.Real) and not isinstance(label, numbers.Integral)
    return repr(float(label)) if is_float else str(label)


def _given_name(role: str, name: Any, labels: Mapping[str, Any]) -> str:
    if isinstance(name, list) or (isinstance(name, tuple) and name not in labels.values()):
        raise ArgumentError(
            argument=role,
            rule="name one column where columns are detected",
            got="several",
            hint="Name `y_true` and the bounds too.",
        )
    return next((text for text, label in labels.items() if label == name), _as_text(name))


def _as_given(names: Mapping[str, Any]) -> dict[str, Any]:
    return {role: name for role, name in names.items() if name is not None}
