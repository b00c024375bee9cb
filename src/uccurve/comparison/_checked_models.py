"""The models of a comparison, checked: of one kind, on the same rows, and told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError, PairError
from uccurve.inference import check_pair
from uccurve.intervals import Intervals, checks
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    from uccurve.comparison._compare_options import CompareOptions

_MOST_NAMED = 6
"""Models that an example of code names one by one."""


def checked_models(models: Any, options: CompareOptions) -> dict[str, Intervals | UCCSketch]:
    """Check that models can be compared with these options, and return them by their names as text."""
    if not isinstance(models, Mapping) or not models:
        raise ArgumentError(
            argument="models", rule="be a mapping of names to Intervals, with at least one model"
        )
    if any(isinstance(rows, UCCSketch) for rows in models.values()):
        _check_sketches(models, options)
    else:
        _check_intervals(models)
    return {str(name): rows for name, rows in models.items()}


def _check_sketches(models: Mapping[Any, Any], options: CompareOptions) -> None:
    """Check that all models are sketches of as many rows, and that nothing is asked for that needs rows."""
    first_name, first = next(iter(models.items()))
    for name, sketch in models.items():
        arguments.instance(f"models[{name!r}]", sketch, UCCSketch)
        if sketch.rows != first.rows:
            raise ArgumentError(
                argument="models",
                rule=(
                    f"be on the same rows, but {first_name!r} has {first.rows} and {name!r} has {sketch.rows}"
                ),
                hint=_one_segment(models, first_name),
            )
        if sketch.side != first.side:
            raise ArgumentError(
                argument="models",
                rule="have bounds on the same side",
                got=f"{first.side!r} and {sketch.side!r}",
            )
    arguments.distinct(models)
    needed = {
        "vary": options.vary != "scale",
        "blocks": options.blocks is not None,
        "by": options.by is not None,
    }
    for name, needs_rows in needed.items():
        if needs_rows:
            raise ArgumentError(argument=name, rule="not be passed for sketches", hint="It needs the rows.")


def _one_segment(models: Mapping[Any, Any], first: Any) -> str:
    """Say how to choose one segment, or all of them, where keys are a model and a segment, as of `scan`."""
    if not all(isinstance(key, tuple) and len(key) > 1 for key in models):
        return ""
    names = tuple(dict.fromkeys(key[0] for key in models))
    each = f"for model in {names if len(names) <= _MOST_NAMED else 'names'}"
    labels = ", ".join(map(repr, first[1:]))
    return (
        f"Choose one segment, {{model: sketches[model, {labels}] {each}}}, or add up those of each model, "
        f"{{model: sum(s for key, s in sketches.items() if key[0] == model) {each}}}."
    )


def _check_intervals(models: Mapping[Any, Any]) -> None:
    """Check that models have different names, and are on the same rows."""
    arguments.distinct(models)
    first_name, first = next(iter(models.items()))
    for name, intervals in models.items():
        arguments.instance(f"models[{name!r}]", intervals, Intervals)
        if type(intervals.y_true) is not type(first.y_true):
            raise ArgumentError(argument="models", rule="all hold arrays of one kind")
        try:
            check_pair(first, intervals)
        except PairError as error:
            raise error.replaced(where=f"`models[{first_name!r}]` and `models[{name!r}]`") from None
    if first.n < 2:  # noqa: PLR2004
        raise ArgumentError(argument="models", rule="have two rows or more to be compared", got="1")


def claimed_miss_rate(models: Any) -> float | None:
    """Return the miss rate that all models claim, if they claim the same; else None.

    One standard deviation claims 68.27% without anybody having chosen that: it is no target.
    """
    claims = (
        {getattr(model, "nominal", None) for model in models.values()}
        if isinstance(models, Mapping)
        else {None}
    )
    claim = claims.pop() if len(claims) == 1 else None
    return None if claim is None or claim == checks.ONE_DEVIATION else arguments.complement(claim)
