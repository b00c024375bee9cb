"""Rows are matched by position: an index that says otherwise is refused."""

from __future__ import annotations

import sys
from itertools import combinations
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import IndexMismatchError

if TYPE_CHECKING:
    from collections.abc import Mapping


def refuse_other_labels(values: Mapping[str, Any]) -> None:
    """Raise an error if two arguments of pandas name their rows differently.

    An index that only counts rows from 0 names nothing, and fits any other, except one that has the same
    numbers in another order. Arrays, and columns of libraries without an index, always fit.

    Parameters
    ----------
    values : mapping of name to value
        Arguments with one row for each observation, as the user gave them.

    Examples
    --------
    >>> import pandas as pd
    >>> y, lower = pd.Series([1.0, 2.0], index=["a", "b"]), pd.Series([0.0, 1.0], index=["b", "a"])
    >>> refuse_other_labels({"y_true": y, "lower": lower})
    Traceback (most recent call last):
        ...
    uccurve.exceptions.IndexMismatchError: `lower` must have the index of `y_true`, but ...
    """
    pandas = sys.modules.get("pandas")
    kinds = (getattr(pandas, "Series", ()), getattr(pandas, "DataFrame", ()))
    labeled = [(name, value.index) for name, value in values.items() if isinstance(value, kinds)]
    for (name, index), (other_name, other) in combinations(labeled, 2):
        if len(index) == len(other) and not index.equals(other):
            _refuse(pandas, name, index, other_name, other)


def _refuse(pandas: Any, name: str, index: Any, other_name: str, other: Any) -> None:
    reordered = (
        index.nlevels == other.nlevels and bool(index.isin(other).all()) and bool(other.isin(index).all())
    )
    if not reordered and (_only_counts(pandas, index) or _only_counts(pandas, other)):
        return
    labels = list(zip(index, other, strict=True))
    differing = [row for row, (one, another) in enumerate(labels) if one != another]
    first = differing[0]
    rule = f"have the index of `{name}`" + (", in the same order" if reordered else "")
    remedy = f"Reorder it, as in `{other_name}.loc[{name}.index]`, or pass" if reordered else "Pass"
    raise IndexMismatchError(
        argument=other_name,
        rule=rule,
        count=len(differing),
        total=len(index),
        first=first,
        values={name: labels[first][0], other_name: labels[first][1]},
        hint=f"{remedy} arrays (`.to_numpy()`) to match rows by position.",
    )


def _only_counts(pandas: Any, index: Any) -> bool:
    """Whether an index is 0, 1, 2, …, as pandas makes it where none is given."""
    return bool(index.nlevels == 1 and index.equals(pandas.RangeIndex(len(index))))
