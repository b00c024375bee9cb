"""Parameters for a coverage, by the conformal rank; and intervals, bounds and quantiles moved by them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve.curve import areas
from uccurve.exceptions import ArgumentError, EmptyInputError, ShapeError, UccurveError, UnseenLabelsWarning
from uccurve.intervals import (
    Intervals,
    Levels,
    RowArrays,
    checks,
    group_rows,
    is_missing,
    quantile_columns,
    rules,
)
from uccurve.sketch import SketchedUCC, SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Side
    from uccurve.formulas.bands import Scale as Family
    from uccurve.intervals import NestedPairs

# What happens to rows whose label was not fitted: an error, or the parameter of all calibration rows.
Unseen: TypeAlias = Literal["raise", "pooled"]
# Labels that are listed in words.
MOST_LABELS = 6


# -- the conformal rank ---------------------------------------------------------------------------


def conformal_rank(n: int, coverage: Fraction) -> int:
    """Return the rank of the critical value to take among n: the ceiling of (n + 1) times the coverage."""
    return math.ceil((n + 1) * coverage)


def to_fraction(share: float) -> Fraction:
    """Return the decimal that a share prints as, so that 0.55 of 100 is exactly 55."""
    return Fraction(repr(float(share)))


def target_coverage(coverage: float | None, miss_rate: float | None) -> Fraction:
    """Return the coverage that is passed by itself or as a miss rate; 90% by default."""
    rate = arguments.miss_rate_of(coverage, miss_rate, default=0.1)
    return 1 - to_fraction(rate) if coverage is None else to_fraction(coverage)


# -- what a fit finds -----------------------------------------------------------------------------


class Fit(NamedTuple):
    """What `ConformalScaler.fit` finds and `ConformalScaler.transform` needs.

    Attributes
    ----------
    family : Family
        What the parameter moves.
    coverage : Fraction
        The coverage that was fitted.
    pooled : float
        The parameter for all rows, infinite where no finite one will do.
    by_label : dict of label to float, or None
        The parameter for the rows of each label; None where rows have no labels.
    counts : dict of label to int
        How many calibration rows each label has; all of them under None.
    unseen : {"raise", "pooled"}
        What happens to rows with another label.
    side : {"both", "upper", "lower"}
        Where the calibration rows have bounds.
    levels : tuple of float
        The nominal coverages of their pairs of quantiles, where these are moved; 0 for the median.
    claim : float or None
        The coverage that the calibration rows claim; None where they claim none.
    symmetric : bool
        Whether their predictions are the midpoints of their bounds, within 1% of the mean band.
    """

    family: Family
    coverage: Fraction
    pooled: float
    by_label: dict[Hashable, float] | None
    counts: dict[Hashable | None, int]
    unseen: Unseen
    side: Side
    levels: tuple[float, ...] = ()
    claim: float | None = None
    symmetric: bool = True

    def parameter(self, label: Hashable | None) -> float:
        """Return the parameter for the rows of a label, or for all rows if it is None."""
        return self.pooled if self.by_label is None or label is None else self.by_label[label]

    def nominal(self, parameter: float) -> float | None:
        """Return the nominal coverage at a parameter; None where no pair of quantiles has it."""
        return parameter * self.levels[-1] if self.levels and parameter <= 1 else None

    def group_new_rows(
        self,
        by: ArrayLike | None,
        n: int,
        kept: np.ndarray | None = None,
        *,
        name: str = "by",
        remedy: str = "unseen",
    ) -> dict[Hashable | None, np.ndarray]:
        """Map each label to the numbers of its rows, and None to those that take the fit to all rows.

        ``kept`` are the rows that were not dropped; the caller calls the labels ``name``, and ``remedy`` what
        happens to other labels.
        """
        if (by is None) != (self.by_label is None):
            rule = "be passed, as to `fit`" if by is None else "not be passed: `fit` had no labels"
            raise ArgumentError(argument=name, rule=rule)
        if by is None or self.by_label is None:
            return {None: np.arange(n)}
        groups: dict[Hashable | None, np.ndarray] = dict(group_rows(by, n, name, kept))
        unseen = {label: groups.pop(label) for label in list(groups) if label not in self.by_label}
        if not unseen:
            return groups
        groups[None] = rows = np.sort(np.concatenate(list(unseen.values())))
        example = next(label for label in unseen if rows[0] in unseen[label])
        if self.unseen == "raise":
            raise ArgumentError(
                argument=name,
                rule="be fitted labels",
                count=rows.size,
                total=n,
                first=int(rows[0]),
                values={name: example},
                hint="Such rows can take the parameter of all calibration rows.",
                remedy={remedy: "pooled"},
            )
        arguments.warn_caller(
            f"the parameter of all calibration rows is used for {rows.size} of {n} rows, whose labels have "
            f"none of their own, such as {example!r}. It promises nothing within a label.",
            UnseenLabelsWarning,
        )
        return groups

    def parameters(self, groups: Mapping[Hashable | None, np.ndarray], like: Array) -> Array:
        """Return the parameter of each row, in the shape of an array of all rows."""
        values = np.empty(like.shape[0])
        for label, rows in groups.items():
            values[rows] = self.parameter(label)
        return namespace(like).reshape(from_numpy(values, like), like.shape)

    def explain_infinite(self, labels: Iterable[Hashable | None]) -> str:
        """Say which of these labels have an infinite parameter, and why; nothing where all are finite."""
        infinite = [label for label in labels if math.isinf(self.parameter(label))]
        if not infinite:
            return ""
        named = ", ".join(repr(label) for label in infinite[:MOST_LABELS] if label is not None)
        needed = math.ceil(self.coverage / (1 - self.coverage))  # the smallest n whose conformal rank is <= n
        few = [str(self.counts[label]) for label in infinite if self.counts[label] < needed]
        reasons = []
        if few:
            rule = f"a coverage of {float(self.coverage):g} needs at least {needed} calibration rows"
            reasons.append(f"{rule}, got {', '.join(few[:MOST_LABELS])}")
        if len(few) < len(infinite):
            reasons.append("too many rows have a band of zero, which no scale widens")
        return f"new bounds{named and f' of {named}'} are infinite: {'; '.join(reasons)}"


def fit_to_rows(
    intervals: Intervals, by: ArrayLike | None, family: Family, coverage: Fraction, unseen: Unseen
) -> Fit:
    """Choose among the critical values of rows."""
    _check_exchangeable(intervals.n_outputs, weighted=intervals.sample_weight is not None)
    critical = to_numpy(intervals.critical(vary=family.name)).reshape(-1)

    def take(values: np.ndarray) -> float:
        return _at_rank(np.sort(values), np.arange(1, values.size + 1), coverage)

    groups = {} if by is None else intervals.rows_by_label(by, "by")
    by_label = None if by is None else {label: take(critical[rows]) for label, rows in groups.items()}
    counts = {None: critical.size} | {label: rows.size for label, rows in groups.items()}
    levels = _quantile_levels(intervals.rows.columns.nested if family.nested else None)
    about = (intervals.side, levels, intervals.nominal, intervals.symmetric)
    return Fit(family, coverage, take(critical), by_label, counts, unseen, *about)


def fit_to_sketches(source: Any, family: Family, coverage: Fraction, unseen: Unseen) -> Fit:
    """Choose among the largest critical scales of bins: never below that of the rows, and hardly above."""
    if isinstance(source, SketchFile):
        if len(source.models) > 1:
            names, hint = ", ".join(map(repr, source.models)), "Pass a mapping of label to UCCSketch."
            raise ArgumentError(argument="intervals", rule="contain one model", got=names, hint=hint)
        segments = {segment: sketch for (_, segment), sketch in source.sketches.items()}
        source = segments if source.by is not None else segments.get(None, segments)
    if not isinstance(source, UCCSketch):
        arguments.instance("intervals", source, Mapping, "Intervals, UCCSketch, or UCCSketch by label")
    if not family.proportional:
        rule = f"be {SketchedUCC.vary!r} for sketches, which know critical scales"
        raise ArgumentError(argument="vary", rule=rule, got=repr(family.name))

    def take(sketch: UCCSketch) -> float:
        if not sketch.rows:
            raise EmptyInputError(argument="intervals", rule="contain sketches that all have rows")
        scales, totals = sketch.state.scale, sketch.state.totals
        counted = totals.lightest == totals.heaviest == 1 and scales.sums[0].sum() == sketch.rows
        _check_exchangeable(len(sketch.outputs), weighted=not counted)
        return _at_rank(scales.largest, np.cumsum(scales.sums[0]), coverage)

    whole, by_label, counts = source, None, {}
    if not isinstance(source, UCCSketch):
        for label, sketch in source.items():
            arguments.instance("intervals", sketch, UCCSketch, "Intervals with `by`, or UCCSketch by label")
            if is_missing(label):
                raise ArgumentError(argument="intervals", rule="have no missing label", got=repr(label))
        by_label = {label: take(sketch) for label, sketch in source.items()}
        counts = {label: sketch.rows for label, sketch in source.items()}
        whole = UCCSketch.sum(source.values())
    pooled, counts = take(whole), {None: whole.rows} | counts
    about = (whole.side, (), whole.nominal, whole.curve().symmetric)
    return Fit(family, coverage, pooled, by_label, counts, unseen, *about)


def _at_rank(critical: np.ndarray, captured: np.ndarray, coverage: Fraction) -> float:
    """Choose the first of rising critical values that captures as many rows as the conformal rank."""
    place = int(np.searchsorted(captured, conformal_rank(int(captured[-1]), coverage)))
    return float(critical[place]) if place < critical.size else math.inf


def _check_exchangeable(outputs: int, *, weighted: bool) -> None:
    """Refuse calibration rows that no guarantee can be based on."""
    _check_one_output("intervals", outputs)
    if weighted:
        rule = "not be weighted: the guarantee is for exchangeable rows"
        raise ArgumentError(argument="intervals", rule=rule)


def _check_one_output(name: str, outputs: int, error: type[UccurveError] = ArgumentError) -> None:
    if outputs > 1:
        hint = "Fit a scaler to each of outputs()."
        raise error(argument=name, rule="have one output", got=outputs, hint=hint)


# -- new rows ---------------------------------------------------------------------------------------


def move_intervals(fit: Fit, intervals: Intervals, by: ArrayLike | None) -> Intervals:
    """Return intervals with moved bands, which are finite."""
    _check_one_output("intervals", intervals.n_outputs)
    areas.check_side("intervals", fit.side, intervals.side)
    groups = fit.group_new_rows(by, intervals.n, None if intervals.kept is None else to_numpy(intervals.kept))
    if reason := fit.explain_infinite(groups):
        raise ArgumentError(reason, hint="Pass `lower` and `upper` instead: bounds may be infinite.")
    columns = intervals.rows.columns
    if fit.family.nested:
        _check_levels("intervals", columns.nested, fit.levels).warn_unpaired()
    elif intervals.nominal != fit.claim and None not in (intervals.nominal, fit.claim):
        rule = f"claim the nominal coverage of the calibration rows, {fit.claim:g}"
        raise ArgumentError(argument="intervals", rule=rule, got=intervals.nominal)
    center, lower, upper = _move_bands(fit.family, columns, fit.parameters(groups, intervals.y_true))
    return intervals.with_bands(lower, upper, y_pred=center, nominal=float(fit.coverage))


def move_bounds(fit: Fit, bounds: Mapping[str, Any], by: ArrayLike | None) -> tuple[Array, Array]:
    """Return moved bounds of rows without observations, infinite where the parameter is."""
    if fit.family.nested:
        rule = f"be passed with `levels` for vary={fit.family.name!r}, or `intervals` with quantiles"
        raise ArgumentError(argument="quantiles", rule=rule)
    if not fit.symmetric and bounds["y_pred"] is None:
        rule = "be passed, as the calibration rows have predictions off the midpoints of their bounds"
        raise ArgumentError(argument="y_pred", rule=rule)
    arrays, side = checks.bounded(checks.load(bounds, optional=tuple(bounds)))
    name = "upper" if side == "upper" else "lower"
    areas.check_side(name, fit.side, side)
    _check_one_output(name, math.prod(arrays[name].shape[1:]), ShapeError)
    rules.enforce(arrays)
    columns = RowArrays.of({"y_true": None, "sample_weight": None, **arrays}, side)
    return _move_bounds(fit, columns, by)


def move_quantiles(
    fit: Fit, quantiles: ArrayLike, levels: Any, crossed: Crossed, by: ArrayLike | None
) -> tuple[Array, Array]:
    """Return the bounds of the fitted nominal coverages, infinite where the parameter is."""
    if not fit.family.nested:
        rule = f"not be passed: this ConformalScaler was fitted with vary={fit.family.name!r}"
        raise ArgumentError(argument="quantiles", rule=rule)
    if not Levels.check(levels).pairs:
        _check_levels("levels", None, fit.levels)
    columns = quantile_columns(None, quantiles, levels, None, crossed)
    nested = _check_levels("levels", columns.nested, fit.levels)
    _check_one_output("quantiles", math.prod(nested.center.shape[1:]), ShapeError)
    rules.enforce(columns.values, names=columns.names, hints=columns.hints, quantiles=columns.quantiles)
    nested.warn_unpaired()
    return _move_bounds(fit, RowArrays(None, nested.center, None, None, None, nested=nested), by)


def _move_bounds(fit: Fit, columns: RowArrays, by: ArrayLike | None) -> tuple[Array, Array]:
    """Return moved bounds, infinite where the parameter is, and on a side without a bound."""
    xp, n = namespace(columns.y_pred), columns.y_pred.shape[0]
    parameter = fit.parameters(fit.group_new_rows(by, n), columns.y_pred)
    unbounded, infinite = xp.isinf(parameter), xp.full_like(columns.y_pred, math.inf)
    finite = xp.where(unbounded, xp.zeros_like(parameter), parameter)
    center, lower, upper = _move_bands(fit.family, columns, finite)
    return (
        xp.where(unbounded | (columns.side == "upper"), -infinite, center - lower),
        xp.where(
            unbounded | (columns.side == "lower"), infinite, center + (lower if upper is None else upper)
        ),
    )


def _move_bands(family: Family, columns: RowArrays, parameter: Array) -> tuple[Array, Array, Array | None]:
    """Return centers and bands around them at finite parameters; an upper band of None is the lower one."""
    xp, nested = namespace(columns.y_pred), columns.nested
    if family.nested and nested is not None:
        return nested.center, *nested.bands_at_each(xp, parameter)
    bands = (columns.lower_band, columns.upper_band)
    lower, upper = (None if band is None else family.bands(xp, band, parameter) for band in bands)
    return columns.y_pred, lower, upper


def _quantile_levels(nested: NestedPairs | None) -> tuple[float, ...]:
    """Return the nominal coverages of pairs of quantiles, and 0 for the median."""
    if nested is None:
        return ()
    return (0.0, *nested.levels) if nested.with_median else nested.levels


def _check_levels(name: str, nested: NestedPairs | None, fitted: tuple[float, ...]) -> NestedPairs:
    """Refuse quantiles at other levels: a share of the largest one would be another interval."""
    got = _quantile_levels(nested)
    if nested is None or got != fitted:
        raise ArgumentError(
            argument=name,
            rule=f"have the quantile levels of the calibration rows, {_list_levels(fitted)}",
            got=_list_levels(got) or "none in pairs",
        )
    return nested


def _list_levels(coverages: tuple[float, ...]) -> str:
    lower = [(1 - coverage) / 2 for coverage in reversed(coverages)]
    upper = [(1 + coverage) / 2 for coverage in coverages if coverage > 0]
    return ", ".join(f"{level:g}" for level in (*lower, *upper))
