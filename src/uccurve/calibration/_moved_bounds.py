"""Intervals and bounds, moved by the fitted parameters."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve._base.caller_warnings import warn_caller
from uccurve.calibration._infinite_parameters import infinite_bounds, listed
from uccurve.calibration._levels import check_levels, levels_of
from uccurve.exceptions import ArgumentError, ShapeError, UnseenLabelsWarning
from uccurve.intervals import as_labels, bounded, enforce, load, warn_unpaired, without_infinite_numbers

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve.calibration._fitted_parameters import Fit, GroupFit
    from uccurve.intervals import Intervals, NestedPairs


class RowFits(NamedTuple):
    """The fit that applies to each row, or a single one for all rows."""

    groups: list[GroupFit]
    labels: list[Hashable]
    """The labels that were fitted, None for the fit to all rows."""

    def parameters(self, like: Array) -> Array:
        """Return the parameter of each row, in the shape of an array."""
        xp = namespace(like)
        values = np.array([group.parameter for group in self.groups])
        if values.size == 1:
            return xp.full_like(like, float(values[0]))
        return xp.reshape(from_numpy(values, like), like.shape)


def moved_intervals(fit: Fit, intervals: Intervals, by: ArrayLike | None) -> Intervals:
    """Return intervals with moved bands, which are finite."""
    if (got := intervals.n_outputs) > 1:
        raise ArgumentError(
            argument="intervals", rule="have one output, as the calibration rows had", got=got
        )
    if intervals.side != fit.side:
        raise ArgumentError(
            argument="intervals",
            rule=f"have bounds on the side of the calibration rows, {fit.side!r}",
            got=repr(intervals.side),
        )
    kept = None if intervals.kept is None else to_numpy(intervals.kept)
    fits = fits_of_rows(fit, by, intervals.n, kept)
    for group, label in zip(fits.groups, fits.labels, strict=True):
        if math.isinf(group.parameter):
            raise infinite_bounds(group, fit.coverage, label)
    xp, parameter = namespace(intervals.y_true), fits.parameters(intervals.y_true)
    if fit.family.nested:
        return _at_levels(fit, intervals, parameter)
    bands = intervals.rows.columns.bands
    lower_band, *upper_band = (fit.family.bands(xp, band, parameter) for band in bands)
    return intervals.with_bands(lower_band, *upper_band, nominal=float(fit.coverage))


def _at_levels(fit: Fit, intervals: Intervals, parameter: Array) -> Intervals:
    """Return the intervals of the fitted nominal coverages, around the centers of the quantiles."""
    check_levels("intervals", fit.levels, levels_of(intervals))
    nested = intervals.rows.columns.nested
    assert nested is not None  # noqa: S101 - it has levels
    warn_unpaired(nested)
    lower, upper = nested.bands_at_each(namespace(parameter), parameter)
    return intervals.with_bands(lower, upper, y_pred=nested.center, nominal=float(fit.coverage))


def moved_quantiles(fit: Fit, nested: NestedPairs, by: ArrayLike | None) -> tuple[Array, Array]:
    """Return the bounds of the fitted nominal coverages, infinite where the parameter is."""
    xp, center = namespace(nested.center), nested.center
    parameter = fits_of_rows(fit, by, center.shape[0]).parameters(center)
    unbounded = xp.isinf(parameter)
    lower, upper = nested.bands_at_each(xp, xp.where(unbounded, xp.zeros_like(parameter), parameter))
    infinite = xp.full_like(center, math.inf)
    return xp.where(unbounded, -infinite, center - lower), xp.where(unbounded, infinite, center + upper)


def moved_bounds(
    fit: Fit, bounds: Mapping[str, ArrayLike | None], by: ArrayLike | None
) -> tuple[Array, Array]:
    """Return moved bounds, infinite where the parameter is."""
    if fit.family.nested:
        raise ArgumentError(
            argument="quantiles",
            rule="be passed with `levels`, or `intervals` that hold quantiles",
            hint="This ConformalScaler was fitted with vary='level', which two bounds do not tell.",
        )
    bounds = without_infinite_numbers(bounds)
    needed = ("lower", "upper") if fit.side == "both" else (fit.side, "y_pred")
    if any(bounds[name] is None for name in needed):
        raise ArgumentError(argument="intervals", rule=f"be passed, or `{needed[0]}` and `{needed[1]}`")
    arrays, side = bounded(load(bounds, optional=tuple(bounds)), {role: role for role in bounds})
    if side != fit.side:
        raise ArgumentError(
            argument="lower" if side == "lower" else "upper",
            rule=f"be on the side of the calibration rows, {fit.side!r}",
            got=f"bounds on {side!r}",
        )
    name, given = next((role, array) for role, array in arrays.items() if array is not None)
    if given.ndim > 1 and given.shape[1] > 1:
        shape = tuple(given.shape)
        raise ShapeError(argument=name, rule="have one output, as the calibration rows had", got=shape)
    enforce(arrays)
    xp, infinite = namespace(given), namespace(given).full_like(given, math.inf)
    lower, upper, center = arrays.get("lower", -infinite), arrays.get("upper", infinite), arrays["y_pred"]
    center = lower + (upper - lower) / 2 if center is None else center
    parameter = fits_of_rows(fit, by, given.shape[0]).parameters(given)
    unbounded = xp.isinf(parameter)
    finite = xp.where(unbounded, xp.zeros_like(parameter), parameter)
    bands = fit.family.bands
    with np.errstate(invalid="ignore"):  # of the side without a bound
        new_lower = xp.where(unbounded, -infinite, center - bands(xp, center - lower, finite))
        new_upper = xp.where(unbounded, infinite, center + bands(xp, upper - center, finite))
    return lower if side == "upper" else new_lower, upper if side == "lower" else new_upper


def fits_of_rows(
    fit: Fit, by: ArrayLike | None, n: int, kept: np.ndarray | None = None, name: str = "by"
) -> RowFits:
    """Return the fit to the label of each row, or to all rows where that label was not fitted.

    ``name`` is what the caller calls the labels.
    """
    if fit.by_label is None:
        if by is not None:
            raise ArgumentError(
                argument=name, rule="not be passed", hint="This ConformalScaler was fitted without."
            )
        return RowFits([fit.pooled], [None])
    if by is None:
        raise ArgumentError(argument=name, rule="be passed", hint="This ConformalScaler was fitted with it.")
    labels: list[Hashable] = as_labels(by, n, name, kept).tolist()
    try:
        found = [fit.by_label.get(label) for label in labels]
    except TypeError as error:
        kinds = " and ".join(sorted({type(label).__name__ for label in labels}))
        raise ArgumentError(argument=name, rule="be fitted labels", got=kinds) from error
    unseen = [row for row, group in enumerate(found) if group is None]
    if not unseen:
        return RowFits([group for group in found if group is not None], labels)
    if fit.unseen == "raise":
        raise ArgumentError(
            argument=name,
            rule="be fitted labels",
            count=len(unseen),
            total=n,
            first=unseen[0],
            values={name: labels[unseen[0]]},
            hint="Such rows can take the parameter of all calibration rows.",
            remedy={"unseen": "pooled"},
        )
    _warn_of_unseen([labels[row] for row in unseen], n)
    return RowFits(
        [fit.pooled if group is None else group for group in found],
        [None if group is None else label for label, group in zip(labels, found, strict=True)],
    )


def _warn_of_unseen(labels: list[Hashable], n: int) -> None:
    """Warn, once for all rows, that labels were not fitted."""
    how_many = arguments.rows_that(len(labels), n, "has a label", "have labels")
    counts = listed([f"{label!r} ({count})" for label, count in Counter(labels).items()])
    verb = "takes" if len(labels) == 1 else "take"
    warn_caller(
        f"{how_many} not seen in fit and {verb} the parameter of all calibration rows, which promises "
        f"nothing within a label: {counts}.",
        UnseenLabelsWarning,
    )
