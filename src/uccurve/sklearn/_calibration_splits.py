"""Which rows calibrate, and which rows the model that predicts them is fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, ShuffleSplit, check_cv

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike

_RULE = (
    "`cv` must be a share of the rows, a number of folds, a splitter, pairs of rows to fit and to calibrate, "
    "or 'prefit'"
)


def calibration_splits(
    cv: Any,
    X: Any,
    y: np.ndarray,
    blocks: ArrayLike | None,
    random_state: Any,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return pairs of rows to fit and rows to calibrate, each row in at most one of the latter."""
    splitter = _splitter(cv, random_state, in_blocks=blocks is not None)
    try:
        splits = [(_numbers(fitted), _numbers(test)) for fitted, test in splitter.split(X, y, blocks)]
    except ValueError as error:
        if blocks is None and "groups" in str(error):
            raise ArgumentError(f"`blocks` must be given where cv={cv!r}: it divides blocks.") from error
        raise
    tests = np.concatenate([test for _, test in splits]) if splits else np.arange(0)
    if not tests.size:
        raise ArgumentError(f"{_RULE}, with at least one row to calibrate, got {cv!r}.")
    if (repeated := tests.size - np.unique(tests).size) > 0:
        raise ArgumentError(
            f"`cv` must calibrate with each row at most once, but {cv!r} has {repeated} rows more than once: "
            "use one split, or folds such as KFold."
        )
    return splits


def _numbers(rows: ArrayLike) -> np.ndarray:
    """Return the numbers of rows that are given as such, or as a mask."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


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
