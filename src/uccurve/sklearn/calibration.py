r"""Which rows calibrate, what is kept of them, and the bounds of new rows that they lead to.

Each calibration row is predicted by a model that was not fitted to it. With one split, the intervals of new
rows are moved by one parameter, as `uccurve.ConformalScaler` does. With several folds, calibration row i has
the critical value :math:`k_i` under the model that was fitted without it. Among the bounds of these models at
:math:`k_i`, the CV+ interval of a new row reaches from the :math:`(n + 1 - r)`-th smallest lower bound to the
r-th smallest upper one, with :math:`r = \lceil (n + 1) c \rceil`.

References
----------
R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+", Annals of
Statistics 49 (2021), :doi:`10.1214/20-AOS1965`. For nested intervals of any kind: C. Gupta,
A. K. Kuchibhotla, A. Ramdas, "Nested conformal prediction and quantile out-of-bag ensemble methods", Pattern
Recognition 127 (2022), :doi:`10.1016/j.patcog.2021.108496`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, ShuffleSplit, check_cv

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.calibration import ConformalScaler, conformal_rank
from uccurve.exceptions import ArgumentError, InfiniteParameterWarning
from uccurve.intervals import group_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.formulas.bands import Scale as Family
    from uccurve.intervals import Intervals

# The numbers of the rows to fit, and of the rows to calibrate.
Split: TypeAlias = tuple[np.ndarray, np.ndarray]

# What groups with too few calibration rows take: their own rows, or all.
SmallGroups: TypeAlias = Literal["separate", "pooled"]

_RULE = (
    "be a share of the rows, a number of folds, a splitter, pairs of rows to fit and calibrate, or 'prefit'"
)

# How many bounds are held in memory at once.
_ENTRIES = 1 << 22


# -- which rows calibrate -------------------------------------------------------------------------


def split_rows(
    cv: Any, X: Any, y: np.ndarray, blocks: np.ndarray | None, random_state: np.random.RandomState
) -> list[Split]:
    """Return pairs of rows to fit and rows to calibrate, each row in at most one of the latter."""
    rows = np.arange(len(y))
    if isinstance(cv, str) and cv == "prefit":
        splits = [(rows[:0], rows)]
    else:
        splits = _split_by(_splitter(cv, random_state, in_blocks=blocks is not None), X, y, blocks)
    tests = np.concatenate([rows[:0], *(test for _, test in splits)])
    if not tests.size:
        raise ArgumentError(argument="cv", rule=f"{_RULE}, with at least one row to calibrate", got=repr(cv))
    if (repeated := tests.size - np.unique(tests).size) > 0:
        raise ArgumentError(
            argument="cv",
            rule=f"calibrate with each row at most once, but {cv!r} has {repeated} rows more than once",
            hint="Use one split, or folds such as KFold.",
        )
    _check_apart(splits, rows, "not calibrate with rows that it fits", "Leave them out of one part.")
    if blocks is None:
        return splits
    codes = np.empty_like(rows)
    for code, members in enumerate(group_rows(blocks, len(y), "blocks").values()):
        codes[members] = code
    _check_apart(
        splits,
        codes,
        "not divide `blocks` into rows that it fits and rows that calibrate",
        "Keep each block in one part: pass a share of the rows, a number of folds, or GroupKFold.",
    )
    order = random_state.permutation(tests)
    _, first = np.unique(codes[order], return_index=True)  # ranks hold for rows that share no errors
    drawn = [(fitted, test[np.isin(test, order[first])]) for fitted, test in splits]
    return [(fitted, test) for fitted, test in drawn if test.size]


def _splitter(cv: Any, random_state: Any, *, in_blocks: bool) -> Any:
    if isinstance(cv, (str, bool)):
        raise ArgumentError(argument="cv", rule=_RULE, got=repr(cv))
    if isinstance(cv, (float, np.floating)):
        share = arguments.number("cv", cv, 0, 1, open_=True)
        kind = GroupShuffleSplit if in_blocks else ShuffleSplit
        return kind(n_splits=1, test_size=share, random_state=random_state)
    if isinstance(cv, (int, np.integer)) and in_blocks:
        return GroupKFold(n_splits=int(cv))
    try:
        return check_cv(cv)
    except ValueError as error:
        raise ArgumentError(argument="cv", rule=_RULE, got=repr(cv)) from error


def _split_by(splitter: Any, X: Any, y: np.ndarray, blocks: np.ndarray | None) -> list[Split]:
    try:
        with warnings.catch_warnings():  # that it ignores blocks: whether it divides any is checked
            warnings.filterwarnings("ignore", "The groups parameter is ignored", UserWarning)
            found = list(splitter.split(X, y, blocks))
    except ValueError as error:
        if blocks is None and "groups" in str(error):
            rule, hint = f"be passed where cv={splitter!r}", "It divides blocks."
            raise ArgumentError(argument="blocks", rule=rule, hint=hint) from error
        raise
    rows = np.arange(len(y))
    try:  # numbers or masks
        return [(rows[np.asarray(fitted)], rows[np.asarray(test)]) for fitted, test in found]
    except IndexError as error:
        rule = f"give row numbers from 0 to {len(y) - 1}, or masks of {len(y)} rows"
        raise ArgumentError(argument="cv", rule=rule, got=str(error)) from error


def _check_apart(splits: list[Split], codes: np.ndarray, rule: str, hint: str) -> None:
    """Refuse rows that calibrate a model that knows them, or their block: its errors are too small."""
    for split, (fitted, test) in enumerate(splits):
        known = np.isin(codes[test], codes[fitted])
        if known.any():
            raise ArgumentError(
                argument="cv",
                rule=rule,
                count=int(np.count_nonzero(known)),
                total=test.size,
                first=int(test[np.argmax(known)]),
                values={"split": split},
                hint=hint,
            )


# -- the bounds of new rows -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CalibrationRows:
    """What is kept of the calibration rows.

    Attributes
    ----------
    intervals : Intervals
        Observations and intervals of n rows.
    labels : array of shape (n,), or None
        Their groups.
    fold : array of shape (n,)
        The number of the model that predicted each row.
    vary : str
        What moves the intervals.
    small_groups : {"separate", "pooled"}
        Whether groups with too few of these rows take all of them.
    """

    intervals: Intervals
    labels: np.ndarray | None
    fold: np.ndarray
    vary: Vary
    small_groups: SmallGroups

    def fit_scaler(self, coverage: float) -> ConformalScaler:
        """Return a scaler with the parameters for a coverage."""
        if self.small_groups == "separate" or self.labels is None:
            return ConformalScaler(coverage=coverage, vary=self.vary).fit(self.intervals, by=self.labels)
        scaler = ConformalScaler(coverage=coverage, vary=self.vary, unseen="pooled")
        with warnings.catch_warnings():  # of small groups, which take all rows
            warnings.simplefilter("ignore", InfiniteParameterWarning)
            scaler.fit(self.intervals, by=self.labels)
        if reason := scaler.fitted_.explain_infinite([None]):
            arguments.warn_caller(f"{reason}.", InfiniteParameterWarning)
        return scaler

    def bounds(
        self, scaler: ConformalScaler, rows_by_model: Sequence[Intervals], groups: ArrayLike | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds of new rows, as one model predicts them or as those of all folds do."""
        fit, rows = scaler.fitted_, rows_by_model[0]
        if self.small_groups == "pooled" and fit.by_label is not None:
            large = {label: parameter for label, parameter in fit.by_label.items() if np.isfinite(parameter)}
            fit = fit._replace(by_label=large)
        new_rows = fit.group_new_rows(groups, rows.n, name="groups", remedy="small_groups")
        if len(rows_by_model) == 1:
            lower, upper = bounds_at(fit.family, rows, fit.parameters(new_rows, rows.y_pred)[:, None])
            return lower[:, 0], upper[:, 0]
        critical = to_numpy(self.intervals.critical(vary=self.vary))
        members = {} if self.labels is None else group_rows(self.labels, critical.size, "groups")
        lower, upper = np.empty(rows.n), np.empty(rows.n)
        for label, new in new_rows.items():  # None for rows that take all calibration rows
            mine = np.arange(critical.size) if label is None else members[label]
            by_fold = [critical[mine[self.fold[mine] == fold]] for fold in range(len(rows_by_model))]
            lower[new], upper[new] = cross_bounds(
                fit.family, [each[new] for each in rows_by_model], by_fold, fit.coverage
            )
        return lower, upper


def bounds_at(family: Family, rows: Intervals, parameter: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds of each row at parameters that broadcast with a column of the rows.

    Bounds are infinite where the parameter is, and on a side without bounds.
    """
    columns, nested = rows.rows.columns, rows.rows.columns.nested
    unbounded = np.isinf(parameter)
    finite = np.where(unbounded, 0.0, parameter)
    if family.nested and nested is not None:
        pairs = nested.map(lambda column: column[:, None])
        center = pairs.center
        lower_band, upper_band = pairs.bands_at_each(np, finite)
    else:
        center, given = columns.y_pred[:, None], columns.lower_band[:, None]
        other = given if columns.upper_band is None else columns.upper_band[:, None]
        lower_band, upper_band = (family.bands(np, band, finite) for band in (given, other))
    lower = center - np.where(unbounded | (rows.side == "upper"), np.inf, lower_band)
    upper = center + np.where(unbounded | (rows.side == "lower"), np.inf, upper_band)
    return lower, upper


def cross_bounds(
    family: Family,
    rows_by_fold: Sequence[Intervals],
    critical_by_fold: Sequence[np.ndarray],
    coverage: Fraction,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the CV+ bounds of new rows, as the model of each fold predicts them."""
    m, n = rows_by_fold[0].n, sum(critical.size for critical in critical_by_fold)
    rank = conformal_rank(n, coverage)
    lower, upper = np.full(m, -np.inf), np.full(m, np.inf)
    if rank > n:
        return lower, upper
    step = max(1, _ENTRIES // n)
    for begin in range(0, m, step):
        part = slice(begin, begin + step)
        bounds = [
            bounds_at(family, rows[part], critical[None, :])
            for rows, critical in zip(rows_by_fold, critical_by_fold, strict=True)
        ]
        lower[part], upper[part] = (
            np.partition(np.concatenate(side, axis=1), place, axis=1)[:, place]
            for side, place in zip(zip(*bounds, strict=True), (n - rank, rank - 1), strict=True)
        )
    return lower, upper
