"""Which rows calibrate, and which rows the model that predicts them is fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, ShuffleSplit, check_cv

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike

Split: TypeAlias = tuple[np.ndarray, np.ndarray]
"""The numbers of the rows to fit, and of the rows to calibrate."""
_RULE = (
    "`cv` must be a share of the rows, a number of folds, a splitter, pairs of rows to fit and to calibrate, "
    "or 'prefit'"
)


def calibration_splits(
    cv: Any,
    X: Any,
    y: np.ndarray,
    blocks: np.ndarray | None,
    random_state: Any,
) -> list[Split]:
    """Return pairs of rows to fit and rows to calibrate, each row in at most one of the latter."""
    splitter = _splitter(cv, random_state, in_blocks=blocks is not None)
    try:
        found = list(splitter.split(X, y, blocks))
    except ValueError as error:
        if blocks is None and "groups" in str(error):
            raise ArgumentError(f"`blocks` must be given where cv={cv!r}: it divides blocks.") from error
        raise
    splits = [
        (_numbers(fitted, len(y), split), _numbers(test, len(y), split))
        for split, (fitted, test) in enumerate(found)
    ]
    tests = np.concatenate([test for _, test in splits]) if splits else np.arange(0)
    if not tests.size:
        raise ArgumentError(f"{_RULE}, with at least one row to calibrate, got {cv!r}.")
    if (repeated := tests.size - np.unique(tests).size) > 0:
        raise ArgumentError(
            f"`cv` must calibrate with each row at most once, but {cv!r} has {repeated} rows more than once: "
            "use one split, or folds such as KFold."
        )
    for split, (fitted, test) in enumerate(splits):
        _refuse_fitted(test, np.isin(test, fitted), split)
    return splits


def _numbers(rows: ArrayLike, n: int, split: int) -> np.ndarray:
    """Return the numbers of rows that are given as such, or as a mask."""
    rows = np.asarray(rows)
    if rows.dtype == bool:
        if rows.shape != (n,):
            raise ArgumentError(f"`cv` must give split {split} a mask of {n} rows, got {rows.size}.")
        return np.flatnonzero(rows)
    rows = rows.astype(np.int64) if rows.size == 0 else rows
    rule = f"`cv` must have row numbers from 0 to {n - 1}, but in split {split}"
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        raise ArgumentError(f"{rule} they are {rows.dtype} of shape {rows.shape}.")
    other = (rows < 0) | (rows >= n)
    if other.any():
        how_many = arguments.rows_that(int(np.count_nonzero(other)), rows.size, "is another", "are others")
        raise ArgumentError(f"{rule} {how_many}; first: {rows[np.argmax(other)]}.")
    return rows


def _refuse_fitted(test: np.ndarray, fitted: np.ndarray, split: int) -> None:
    """Refuse rows that calibrate the model that was fitted to them: its errors there are too small."""
    if fitted.any():
        how_many = arguments.rows_that(int(np.count_nonzero(fitted)), test.size, "is", "are")
        raise ArgumentError(
            f"`cv` must not calibrate with rows that it fits, but in split {split} {how_many}; "
            f"first at row {test[np.argmax(fitted)]}. Leave them out of one part."
        )


def _splitter(cv: Any, random_state: Any, *, in_blocks: bool) -> Any:
    if isinstance(cv, (str, bool)):
        raise ArgumentError(f"{_RULE}, got {cv!r}.")
    if isinstance(cv, (float, np.floating)):
        share = arguments.number("cv", cv, 0, 1, open_=True)
        kind = GroupShuffleSplit if in_blocks else ShuffleSplit
        return kind(n_splits=1, test_size=share, random_state=random_state)
    if isinstance(cv, (int, np.integer)) and in_blocks:
        return GroupKFold(n_splits=int(cv))
    try:
        return check_cv(cv)
    except ValueError as error:
        raise ArgumentError(f"{_RULE}, got {cv!r}.") from error
