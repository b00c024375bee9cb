"""Which rows calibrate, and which rows the model that predicts them is fitted to."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, ShuffleSplit, check_cv

from uccurve._base import arguments
from uccurve.exceptions import ArgumentError
from uccurve.intervals import group_rows

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike

Split: TypeAlias = tuple[np.ndarray, np.ndarray]
"""The numbers of the rows to fit, and of the rows to calibrate."""
_RULE = (
    "be a share of the rows, a number of folds, a splitter, pairs of rows to fit and to calibrate, "
    "or 'prefit'"
)
_FITTED_ROWS = (
    "not calibrate with rows that it fits",
    "Leave them out of one part.",
)
_DIVIDED_BLOCKS = (
    "not divide `blocks` into rows that it fits and rows that calibrate",
    "Keep each block in one part: pass a share of the rows, a number of folds, or GroupKFold.",
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
        with warnings.catch_warnings():  # that it ignores blocks: whether it divides any is checked below
            warnings.filterwarnings("ignore", "The groups parameter is ignored", UserWarning)
            found = list(splitter.split(X, y, blocks))
    except ValueError as error:
        if blocks is None and "groups" in str(error):
            raise ArgumentError(
                argument="blocks", rule=f"be passed where cv={cv!r}", hint="It divides blocks."
            ) from error
        raise
    splits = [
        (_numbers(fitted, len(y), split), _numbers(test, len(y), split))
        for split, (fitted, test) in enumerate(found)
    ]
    tests = np.concatenate([test for _, test in splits]) if splits else np.arange(0)
    if not tests.size:
        raise ArgumentError(argument="cv", rule=f"{_RULE}, with at least one row to calibrate", got=repr(cv))
    if (repeated := tests.size - np.unique(tests).size) > 0:
        raise ArgumentError(
            argument="cv",
            rule=f"calibrate with each row at most once, but {cv!r} has {repeated} rows more than once",
            hint="Use one split, or folds such as KFold.",
        )
    codes = None if blocks is None else _block_codes(blocks)
    for split, (fitted, test) in enumerate(splits):
        _refuse_fitted(test, np.isin(test, fitted), split, _FITTED_ROWS)
        if codes is not None:
            _refuse_fitted(test, np.isin(codes[test], codes[fitted]), split, _DIVIDED_BLOCKS)
    return splits


def one_row_per_block(
    splits: list[Split], blocks: np.ndarray, random_state: np.random.RandomState
) -> list[Split]:
    """Leave one row of each block to calibrate, drawn at random: ranks hold for rows that share no errors."""
    tests = np.concatenate([test for _, test in splits])
    order = random_state.permutation(tests)
    _, first = np.unique(_block_codes(blocks)[order], return_index=True)
    drawn = [(fitted, test[np.isin(test, order[first])]) for fitted, test in splits]
    return [(fitted, test) for fitted, test in drawn if test.size]


def _block_codes(blocks: np.ndarray) -> np.ndarray:
    """Return a number for the block of each row."""
    codes = np.empty(len(blocks), dtype=np.int64)
    for code, rows in enumerate(group_rows(blocks, len(blocks), "blocks").values()):
        codes[rows] = code
    return codes


def _numbers(rows: ArrayLike, n: int, split: int) -> np.ndarray:
    """Return the numbers of rows that are given as such, or as a mask."""
    numbers: np.ndarray = np.asarray(rows)
    if numbers.dtype == bool:
        if numbers.shape != (n,):
            raise ArgumentError(
                argument="cv", rule=f"give split {split} a mask of {n} rows", got=numbers.size
            )
        return np.flatnonzero(numbers)
    numbers = numbers.astype(np.int64) if numbers.size == 0 else numbers
    rule = f"have row numbers from 0 to {n - 1} in split {split}"
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ArgumentError(argument="cv", rule=rule, got=f"{numbers.dtype} of shape {numbers.shape}")
    other = (numbers < 0) | (numbers >= n)
    if other.any():
        raise ArgumentError(
            argument="cv",
            rule=rule,
            count=int(np.count_nonzero(other)),
            total=numbers.size,
            values={"row": int(numbers[np.argmax(other)])},
        )
    return numbers


def _refuse_fitted(test: np.ndarray, fitted: np.ndarray, split: int, words: tuple[str, str]) -> None:
    """Refuse rows that calibrate a model that knows them, or rows of their block: its errors are too small.

    ``words`` are the rule, and what to do.
    """
    if fitted.any():
        rule, hint = words
        raise ArgumentError(
            argument="cv",
            rule=rule,
            count=int(np.count_nonzero(fitted)),
            total=test.size,
            first=int(test[np.argmax(fitted)]),
            values={"split": split},
            hint=hint,
        )


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
