"""Labels of rows: which there are, and which rows carry each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from uccurve import _door, _frames
from uccurve._namespace import to_numpy
from uccurve.exceptions import ArgumentError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._typing import ArrayLike


def as_labels(name: str, labels: ArrayLike, n: int) -> np.ndarray:
    """Convert labels to a NumPy array of n values, none of them missing."""
    plain = isinstance(labels, (np.ndarray, list, tuple)) or _frames.is_column(labels)
    values = np.asarray(labels) if plain else to_numpy(labels)
    if values.shape != (n,):
        raise ShapeError(f"`{name}` must have the shape ({n},), one label a row, got {values.shape}.")
    missing = _frames.missing(labels) if _frames.is_column(labels) else np.zeros(n, dtype=bool)
    if values.dtype.kind in "fcmM":
        missing |= np.isnan(values) if values.dtype.kind in "fc" else np.isnat(values)
    elif values.dtype == object:
        missing |= np.array(
            [value is None or (isinstance(value, float) and math.isnan(value)) for value in values]
        )
    if missing.any():
        count, first = int(np.count_nonzero(missing)), int(np.argmax(missing))
        told = _door.rows_that(count, n, "is", "are")
        raise ArgumentError(f"`{name}` must not be missing, but {told}; first at row {first}.")
    return values


def grouped(labels: ArrayLike, n: int, name: str = "labels") -> dict[Hashable, np.ndarray]:
    """Map each label, in sorted order, to its rows; one sort serves all labels."""
    values = as_labels(name, labels, n)
    try:
        found, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise ArgumentError(f"`{name}` must be of one kind that can be sorted: {error}.") from error
    rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    return dict(zip(cast("list[Hashable]", found.tolist()), rows, strict=True))
