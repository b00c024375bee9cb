"""Quantiles of calibration rows and of new rows: the same levels, moved to the fitted nominal coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Levels, enforce, quantile_columns, warn_unpaired

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed
    from uccurve.intervals import Intervals, NestedPairs


def levels_of(intervals: Intervals) -> tuple[float, ...]:
    """Return the nominal coverages of the pairs of quantiles that intervals hold, and 0 for the median."""
    if intervals.side != "both":
        raise ArgumentError(
            argument="intervals",
            rule="have bounds on both sides where vary='level'",
            got=f"bounds on {intervals.side!r}",
            hint="Use vary='scale'.",
        )
    nested = intervals.rows.columns.nested
    if nested is None:
        raise ArgumentError(
            argument="intervals",
            rule="hold pairs of quantiles where vary='level', such as those of 0.05 and 0.95",
            hint="Make them by from_quantiles.",
        )
    return _coverages(nested)


def _coverages(nested: NestedPairs | None) -> tuple[float, ...]:
    if nested is None:
        return ()
    return (0.0, *nested.levels) if nested.with_median else nested.levels


def new_quantiles(
    fitted: tuple[float, ...], quantiles: ArrayLike, levels: Sequence[float] | None, crossed: Crossed
) -> NestedPairs:
    """Return the quantiles of new rows as nested pairs, at the levels of the calibration rows."""
    if levels is None:
        raise ArgumentError(argument="levels", rule="be passed with `quantiles`")
    if len(Levels.check(levels).given) == 1:
        check_levels("levels", fitted, ())
    columns = quantile_columns(None, quantiles, levels, None, crossed)
    nested = columns.nested
    check_levels("levels", fitted, _coverages(nested))
    assert nested is not None  # noqa: S101 - otherwise its levels are others
    if nested.center.ndim > 1 and nested.center.shape[1] > 1:
        outputs = nested.center.shape[1]
        raise ShapeError(
            argument="quantiles", rule="have one output, as the calibration rows had", got=outputs
        )
    enforce(columns.values, names=columns.names, hints=columns.hints, quantiles=columns.quantiles)
    warn_unpaired(nested)
    return nested


def check_levels(name: str, fitted: tuple[float, ...], got: tuple[float, ...]) -> None:
    """Refuse quantiles at other levels: a share of the largest one would be another interval."""
    if got != fitted:
        raise ArgumentError(
            argument=name,
            rule=f"have the quantile levels of the calibration rows, {_listed(fitted)}",
            got=_listed(got) or "none in pairs",
        )


def _listed(coverages: tuple[float, ...]) -> str:
    lower = [(1 - coverage) / 2 for coverage in reversed(coverages)]
    upper = [(1 + coverage) / 2 for coverage in coverages if coverage > 0]
    return ", ".join(f"{level:g}" for level in (*lower, *upper))
