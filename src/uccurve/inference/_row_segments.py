"""Rows divided into segments: by their label, or by bins of a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import number
from uccurve.exceptions import ArgumentError
from uccurve.intervals import as_labels

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.inference._judged_rows import JudgedRows
    from uccurve.intervals import Intervals

DEFAULT_BINS = 10
_FEWEST_DIGITS, _MOST_DIGITS = 3, 17
_PLAIN_DIGITS = 4
"""Up to here numbers are written without exponents."""


class RowSegments(NamedTuple):
    """The segment of each judged row, numbered from 0, and what the segments are called."""

    segment: np.ndarray
    labels: list[Hashable]
    lowest: Sequence[float | None]
    """The smallest value of each bin, None where rows have labels."""
    highest: Sequence[float | None]
    name: str
    """What tells the segments apart."""


def row_segments(
    intervals: Intervals, rows: JudgedRows, by: ArrayLike | str, bins: int | None, name: str | None
) -> RowSegments:
    """Divide rows by half width, by prediction, by labels, or by bins of other numbers."""
    if bins is not None:
        bins = arguments.whole("bins", bins, 1)
    if isinstance(by, str):
        if by == "width":
            called = "half width" if intervals.side == "both" else "distance to the limit"
            return _binned(rows.half_width, rows, bins or DEFAULT_BINS, name or called, rows.rounding)
        if by == "prediction":
            return _binned(rows.y_pred, rows, bins or DEFAULT_BINS, name or "prediction")
        raise ArgumentError(
            argument="by", rule="be 'width', 'prediction', or an array of one label per row", got=repr(by)
        )
    name = name or _name_of(by)
    if bins is None:
        return _labeled(intervals, rows, by, name)
    return _binned(_numbers(intervals, by)[rows.row], rows, bins, name)


def _labeled(intervals: Intervals, rows: JudgedRows, by: ArrayLike, name: str) -> RowSegments:
    of_label = intervals.rows_by_label(by, "by")
    code = np.empty(intervals.n, dtype=np.int64)
    for place, members in enumerate(of_label.values()):
        code[members] = place
    segment, labels = code[rows.row], list(of_label)
    weightless = np.flatnonzero(np.bincount(segment, minlength=len(labels)) == 0)
    if weightless.size:
        label = labels[int(weightless[0])]
        raise ArgumentError(argument="sample_weight", rule=f"be positive for some row of the label {label!r}")
    none = [None] * len(labels)
    return RowSegments(segment, labels, none, none, name)


def _binned(
    values: np.ndarray, rows: JudgedRows, bins: int, name: str, rounding: np.ndarray | float = 0.0
) -> RowSegments:
    segment = quantile_bins(values, rows.weight, bins, rounding)
    n_segments = int(segment.max()) + 1
    lowest, highest = np.full(n_segments, np.inf), np.full(n_segments, -np.inf)
    np.minimum.at(lowest, segment, values)
    np.maximum.at(highest, segment, values)
    ends = lowest.tolist(), highest.tolist()
    return RowSegments(segment, list(range_texts(*ends)), *ends, name)


def _numbers(intervals: Intervals, by: ArrayLike) -> np.ndarray:
    """Return one number per row."""
    kept = None if intervals.kept is None else to_numpy(intervals.kept)
    values = as_labels(by, intervals.n, "by", kept)
    if values.dtype.kind not in "iuf":
        kind = type(values.tolist()[0]).__name__
        raise ArgumentError(
            argument="by",
            rule="hold numbers to be put into bins",
            got=kind,
            hint="Leave `bins` out to judge each label.",
        )
    return values.astype(float)


def _name_of(by: Any) -> str:
    """Return the name of a column, or a word for labels without one."""
    name = getattr(by, "name", None)
    return name if isinstance(name, str) and name else "label"


def range_texts(lowest: Sequence[float], highest: Sequence[float]) -> list[str]:
    """Name ranges by their ends, with as few digits as tell the ranges apart."""
    ends = list(zip(lowest, highest, strict=True))
    texts: list[str] = []
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS + 1):
        shown = [(_text(low, digits), _text(high, digits)) for low, high in ends]
        texts = [low if low == high else f"{low} to {high}" for low, high in shown]
        if len(set(texts)) == len(texts):
            break
    return texts


def _text(value: float, digits: int) -> str:
    rounded = f"{value:.{digits}g}"
    return number(float(rounded)) if digits <= _PLAIN_DIGITS else rounded


def quantile_bins(values: np.ndarray, weight: np.ndarray, bins: int, rounding: Any = 0.0) -> np.ndarray:
    r"""Return the bin of each value, numbered from 0 by rising values without gaps; shape (m,).

    A run of equal values with the weight :math:`w`, after the weight :math:`c` of all smaller ones, goes
    into the bin :math:`\lfloor b\,(c + w/2) / W \rfloor` of b. Bins that stay empty are left out.

    Parameters
    ----------
    values, weight : numpy.ndarray
        What is put into bins, and the weights, above 0.
    bins : int
        The most bins.
    rounding : float or numpy.ndarray
        Neighbors that differ by no more than this are equal.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    slack = np.broadcast_to(rounding, values.shape)[order]
    with np.errstate(invalid="ignore", over="ignore"):  # infinite neighbors are equal
        rises = np.diff(ordered) > np.maximum(slack[1:], slack[:-1])
    run = np.concatenate([[0], np.cumsum(rises)])
    of_run = np.bincount(run, weights=weight[order])
    up_to = np.cumsum(of_run)
    bin_of_run = np.floor(bins * (up_to - of_run / 2) / up_to[-1])
    _, without_gaps = np.unique(bin_of_run, return_inverse=True)
    codes = np.empty(values.size, dtype=np.int64)
    codes[order] = without_gaps[run]
    return codes
