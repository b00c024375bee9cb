"""Parameters for a coverage, by the conformal rank; and intervals, bounds and quantiles moved by them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    EmptyInputError,
    InfiniteParameterWarning,
    ShapeError,
    UnseenLabelsWarning,
)
from uccurve.intervals import Intervals, Levels, as_labels, checks, is_missing, quantile_columns, rules
from uccurve.sketch import SketchedUCC, SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Side
    from uccurve.formulas.bands import Scale as Family
    from uccurve.intervals import NestedPairs

Unseen: TypeAlias = Literal["raise", "pooled"]
"""What happens to rows whose label was not fitted: an error, or the parameter of all calibration rows."""
MOST_LABELS = 6
"""Labels that are listed in words."""


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


class GroupFit(NamedTuple):
    """The parameter for some calibration rows, infinite where no finite one will do, and their number."""

    parameter: float
    rows: int


class Fit(NamedTuple):
    """What `ConformalScaler.fit` finds and `ConformalScaler.transform` needs.

    Attributes
    ----------
    family : Family
        What the parameter moves.
    coverage : Fraction
        The coverage that was fitted.
    pooled : GroupFit
        The fit to all rows.
    by_label : dict of label to GroupFit, or None
        The fit to the rows of each label; None where rows have no labels.
    unseen : {"raise", "pooled"}
        What happens to rows with another label.
    side : {"both", "upper", "lower"}
        Where the calibration rows have bounds.
    levels : tuple of float
        The nominal coverages of their pairs of quantiles, where these are moved; 0 for the median.
    """

    family: Family
    coverage: Fraction
    pooled: GroupFit
    by_label: dict[Hashable, GroupFit] | None
    unseen: Unseen
    side: Side
    levels: tuple[float, ...] = ()

    def group(self, label: Hashable | None) -> GroupFit:
        """Return the fit to the rows of a label, or to all rows for None."""
        return self.pooled if self.by_label is None or label is None else self.by_label[label]

    def nominal(self, group: GroupFit) -> float | None:
        """Return the nominal coverage at a parameter; None where no pair of quantiles has it."""
        return group.parameter * self.levels[-1] if self.levels and group.parameter <= 1 else None

    def match_labels(
        self, by: ArrayLike | None, n: int, kept: np.ndarray | None = None, name: str = "by"
    ) -> list[Hashable | None]:
        """Return the label of each of n rows, or None where the fit to all rows applies.

        ``kept`` are the rows that were not dropped, ``name`` is what the caller calls the labels.
        """
        if (by is None) != (self.by_label is None):
            rule = "be passed, as to `fit`" if by is None else "not be passed: `fit` had no labels"
            raise ArgumentError(argument=name, rule=rule)
        if self.by_label is None:
            return [None] * n
        labels: list[Hashable] = as_labels(by, n, name, kept).tolist()
        try:
            unseen = [row for row, label in enumerate(labels) if label not in self.by_label]
        except TypeError as error:
            raise ArgumentError(argument=name, rule="be fitted labels", got=repr(labels[0])) from error
        if unseen and self.unseen == "raise":
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
        if unseen:
            counts = Counter(labels[row] for row in unseen)
            warn_caller(
                f"{arguments.rows_that(len(unseen), n, 'has a label', 'have labels')} not seen in fit. The "
                "parameter of all calibration rows is used, which promises nothing within a label: "
                f"{_list([f'{label!r} ({count})' for label, count in counts.items()])}.",
                UnseenLabelsWarning,
            )
        return [label if label in self.by_label else None for label in labels]

    def parameters(self, labels: Sequence[Hashable | None], like: Array) -> Array:
        """Return the parameter of each row, in the shape of an array with a row for each label."""
        xp = namespace(like)
        if self.by_label is None:
            return xp.full_like(like, self.pooled.parameter)
        values = np.array([self.group(label).parameter for label in labels])
        return xp.reshape(from_numpy(values, like), like.shape)


def fit_to_rows(
    intervals: Intervals, by: ArrayLike | None, family: Family, coverage: Fraction, unseen: Unseen
) -> Fit:
    """Choose among the critical values of rows."""
    _check_exchangeable(intervals.n_outputs, weighted=intervals.sample_weight is not None)
    nested = intervals.rows.columns.nested if family.nested else None
    if family.nested and nested is None:
        raise ArgumentError(
            argument="intervals",
            rule=f"hold pairs of quantiles where vary={family.name!r}, such as those of 0.05 and 0.95",
            hint="Make them by from_quantiles.",
        )
    critical = to_numpy(intervals.critical(vary=family.name)).reshape(-1)

    def take(values: np.ndarray) -> GroupFit:
        return _at_rank(np.sort(values), np.arange(1, values.size + 1), coverage)

    by_label = None
    if by is not None:
        by_label = {label: take(critical[rows]) for label, rows in intervals.rows_by_label(by, "by").items()}
    return Fit(family, coverage, take(critical), by_label, unseen, intervals.side, _quantile_levels(nested))


def fit_to_sketches(source: Any, family: Family, coverage: Fraction, unseen: Unseen) -> Fit:
    """Choose among the largest critical scales of bins: never below that of the rows, and hardly above."""
    if isinstance(source, SketchFile):
        source = _sketches_of_model(source)
    if not isinstance(source, UCCSketch):
        kinds = "Intervals, UCCSketch, or a mapping of label to UCCSketch"
        arguments.instance("intervals", source, Mapping, kinds)
    if family.name != SketchedUCC.vary:
        rule = f"be {SketchedUCC.vary!r} for sketches, which know critical scales"
        raise ArgumentError(argument="vary", rule=rule, got=repr(family.name))

    def take(sketch: UCCSketch) -> GroupFit:
        if not sketch.rows:
            raise EmptyInputError(argument="intervals", rule="hold sketches that all have rows")
        scales, totals = sketch.state.scale, sketch.state.totals
        counted = totals.lightest == totals.heaviest == 1 and scales.sums[0].sum() == sketch.rows
        _check_exchangeable(len(sketch.outputs), weighted=not counted)
        return _at_rank(scales.largest, np.cumsum(scales.sums[0]), coverage)

    if isinstance(source, UCCSketch):
        return Fit(family, coverage, take(source), None, unseen, source.side)
    for label, sketch in source.items():
        if is_missing(label) or not isinstance(sketch, UCCSketch):
            raise ArgumentTypeError(
                argument="intervals",
                rule="map labels that are not missing to UCCSketch",
                got=f"{label!r}: {type(sketch).__name__}",
                hint="Rows are passed as Intervals, with their labels as `by`.",
            )
    by_label = {label: take(sketch) for label, sketch in source.items()}
    whole = UCCSketch.sum(source.values())
    return Fit(family, coverage, take(whole), by_label, unseen, whole.side)


def _at_rank(critical: np.ndarray, captured: np.ndarray, coverage: Fraction) -> GroupFit:
    """Choose the first of rising critical values that captures as many rows as the conformal rank."""
    n = int(captured[-1])
    place = int(np.searchsorted(captured, conformal_rank(n, coverage)))
    return GroupFit(float(critical[place]) if place < critical.size else math.inf, n)


def _sketches_of_model(file: SketchFile) -> UCCSketch | dict[Any, UCCSketch]:
    """Return the sketch of the only model of a file, or its sketches by segment."""
    if len(file.models) > 1:
        names, hint = ", ".join(map(repr, file.models)), "Pass a mapping of label to UCCSketch."
        raise ArgumentError(argument="intervals", rule="hold one model", got=names, hint=hint)
    segments = {segment: sketch for (_, segment), sketch in file.sketches.items()}
    return segments[None] if file.by is None and None in segments else segments


def _check_exchangeable(outputs: int, *, weighted: bool) -> None:
    """Refuse calibration rows that no guarantee can be based on."""
    _check_one_output("intervals", outputs)
    if weighted:
        raise ArgumentError(
            argument="intervals", rule="not be weighted: the guarantee holds for exchangeable rows"
        )


def _check_one_output(
    name: str, outputs: int, error: type[ArgumentError | ShapeError] = ArgumentError
) -> None:
    if outputs > 1:
        raise error(
            argument=name, rule="have one output", got=outputs, hint="Fit a scaler to each of outputs()."
        )


# -- new rows ---------------------------------------------------------------------------------------


def move_intervals(fit: Fit, intervals: Intervals, by: ArrayLike | None) -> Intervals:
    """Return intervals with moved bands, which are finite."""
    _check_one_output("intervals", intervals.n_outputs)
    _check_side("intervals", intervals.side, fit.side)
    labels = fit.match_labels(by, intervals.n, None if intervals.kept is None else to_numpy(intervals.kept))
    for label in dict.fromkeys(labels):
        if math.isinf(fit.group(label).parameter):
            reason = _why_infinite({label: fit.group(label)}, fit.coverage)
            raise ArgumentError(f"the new bounds would be infinite: {reason}")
    columns, center = intervals.rows.columns, intervals.y_pred
    xp, parameter = namespace(center), fit.parameters(labels, intervals.y_true)
    if fit.family.nested:
        nested = _check_levels("intervals", columns.nested, fit.levels)
        nested.warn_unpaired()
        center, (lower, upper) = nested.center, nested.bands_at_each(xp, parameter)
    else:
        lower, upper = (
            None if band is None else fit.family.bands(xp, band, parameter)
            for band in (columns.lower_band, columns.upper_band)
        )
    return intervals.with_bands(lower, upper, y_pred=center, nominal=float(fit.coverage))


def move_bounds(
    fit: Fit, bounds: Mapping[str, ArrayLike | None], by: ArrayLike | None
) -> tuple[Array, Array]:
    """Return moved bounds of rows without observations, infinite where the parameter is."""
    if fit.family.nested:
        rule = f"be passed with `levels` for vary={fit.family.name!r}, or `intervals` that hold quantiles"
        raise ArgumentError(argument="quantiles", rule=rule)
    bounds = checks.without_infinite_numbers(bounds)
    needed = ("lower", "upper") if fit.side == "both" else (fit.side, "y_pred")
    if any(bounds[name] is None for name in needed):
        raise ArgumentError(argument="intervals", rule=f"be passed, or `{needed[0]}` and `{needed[1]}`")
    arrays, side = checks.bounded(checks.load(bounds, optional=tuple(bounds)))
    _check_side("lower" if side == "lower" else "upper", side, fit.side)
    name, given = next((role, array) for role, array in arrays.items() if array is not None)
    _check_one_output(name, math.prod(given.shape[1:]), ShapeError)
    rules.enforce(arrays)
    center = arrays["y_pred"]
    if center is None:
        center = arrays["lower"] + (arrays["upper"] - arrays["lower"]) / 2
    bands = (center - arrays.get("lower", center), arrays.get("upper", center) - center)
    lower, upper = _bounds_around(
        fit, by, center, lambda finite: [fit.family.bands(namespace(center), band, finite) for band in bands]
    )
    infinite = namespace(center).full_like(center, math.inf)
    return -infinite if side == "upper" else lower, infinite if side == "lower" else upper


def move_quantiles(
    fit: Fit, quantiles: ArrayLike, levels: Sequence[float] | None, crossed: Crossed, by: ArrayLike | None
) -> tuple[Array, Array]:
    """Return the bounds of the fitted nominal coverages, infinite where the parameter is."""
    if not fit.family.nested:
        rule = f"not be passed: this ConformalScaler was fitted with vary={fit.family.name!r}"
        raise ArgumentError(argument="quantiles", rule=rule)
    if levels is None:
        raise ArgumentError(argument="levels", rule="be passed with `quantiles`")
    if len(Levels.check(levels).given) == 1:
        _check_levels("levels", None, fit.levels)
    columns = quantile_columns(None, quantiles, levels, None, crossed)
    nested = _check_levels("levels", columns.nested, fit.levels)
    center = nested.center
    _check_one_output("quantiles", math.prod(center.shape[1:]), ShapeError)
    rules.enforce(columns.values, names=columns.names, hints=columns.hints, quantiles=columns.quantiles)
    nested.warn_unpaired()
    return _bounds_around(fit, by, center, lambda finite: nested.bands_at_each(namespace(center), finite))


def _bounds_around(
    fit: Fit, by: ArrayLike | None, center: Array, bands: Callable[[Array], Sequence[Array]]
) -> tuple[Array, Array]:
    """Return bounds around centers, from a function of finite parameters that returns the bands."""
    xp = namespace(center)
    parameter = fit.parameters(fit.match_labels(by, center.shape[0]), center)
    unbounded, infinite = xp.isinf(parameter), xp.full_like(center, math.inf)
    lower, upper = bands(xp.where(unbounded, xp.zeros_like(parameter), parameter))
    return xp.where(unbounded, -infinite, center - lower), xp.where(unbounded, infinite, center + upper)


def _check_side(name: str, side: Side, fitted: Side) -> None:
    if side != fitted:
        raise ArgumentError(
            argument=name, rule=f"have the side of the calibration rows, {fitted!r}", got=repr(side)
        )


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


# -- infinite parameters ----------------------------------------------------------------------------


def warn_of_infinite(fit: Fit) -> None:
    """Warn, once for a fit, of parameters that are infinite, with what it would take."""
    groups = {None: fit.pooled} if fit.by_label is None else fit.by_label
    infinite = {label: group for label, group in groups.items() if math.isinf(group.parameter)}
    if infinite:
        whose = "the" if fit.by_label is None else "their"
        reason = _why_infinite(infinite, fit.coverage)
        warn_caller(f"{reason}: {whose} new bounds will be infinite.", InfiniteParameterWarning)


def _why_infinite(groups: Mapping[Any, GroupFit], coverage: Fraction) -> str:
    """Say why no finite parameter will do: too few rows, or too many bands of zero."""
    needed = math.ceil(coverage / (1 - coverage))  # the smallest n whose conformal rank is at most n
    few = {label: group.rows for label, group in groups.items() if group.rows < needed}
    zero = [label for label in groups if label not in few]
    reasons = []
    if few:
        got = _list([f"{rows}" if label is None else f"{rows} for {label!r}" for label, rows in few.items()])
        reasons.append(
            f"a coverage of {float(coverage):g} needs at least {needed} calibration rows, got {got}"
        )
    if zero:
        whose = "" if zero == [None] else f" of {_list(list(map(repr, zero)))}"
        reasons.append(f"too many calibration rows{whose} have a band of zero, which no scale widens")
    return "; ".join(reasons)


def _list(items: Sequence[str]) -> str:
    """List items; of many only the first ones."""
    shown = ", ".join(items[:MOST_LABELS])
    return f"{shown} and {len(items) - MOST_LABELS} more" if len(items) > MOST_LABELS else shown
