"""Columns in, tables out, through narwhals, which is imported only when a frame appears.

Rows are matched by position: two indexes of pandas that say otherwise are refused.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import fields
from datetime import date, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    IndexMismatchError,
    MissingColumnError,
    NotNumericError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLE = 2
_LIBRARIES = ("pandas", "polars", "pyarrow")
_FRAME_MODULES = frozenset({*_LIBRARIES, "narwhals", "modin", "cudf"})


def is_column(value: object) -> bool:
    """Whether the value comes from a frame library; imports none of them."""
    return type(value).__module__.partition(".")[0] in _FRAME_MODULES


def is_text(column: Any) -> bool:
    """Whether a column of narwhals, or the type of one, is text."""
    return str(getattr(column, "dtype", column)).partition("(")[0] in ("String", "Categorical", "Enum")


def to_numpy(name: str, value: Any) -> np.ndarray:
    """Copy a column, or a frame of numeric columns, to NumPy; missing values become NaN."""
    import narwhals as nw  # noqa: PLC0415

    if getattr(value, "ndim", 1) == _TABLE and hasattr(value, "iloc"):  # pandas: any names, also duplicates
        return _stacked(name, [value.iloc[:, number] for number in range(value.shape[1])], len(value))
    native = nw.from_native(_as_series(value), allow_series=True, pass_through=True)
    if isinstance(native, nw.DataFrame):
        return _stacked(name, list(native.iter_columns()), len(native))
    if not isinstance(native, nw.Series) or native.dtype in (nw.Object, nw.Unknown):
        return np.asarray(value)  # checked value by value, like a list
    if not native.dtype.is_numeric():
        is_coded = native.dtype in (nw.Categorical, nw.Enum)
        got = "categories" if is_coded else "text" if is_text(native) else native.dtype
        raise NotNumericError(argument=name, rule="contain numbers", got=got)
    if native.dtype.is_decimal():  # Arrow by itself rounds decimals twice
        native = native.cast(nw.String()).cast(nw.Float64())
    elif native.dtype in (nw.Int128, nw.UInt128):  # which NumPy does not know
        native = native.cast(nw.Float64())
    return np.asarray(native.to_numpy(), dtype=np.float64)


def _stacked(name: str, columns: list[Any], n: int) -> np.ndarray:
    arrays = [to_numpy(name, column) for column in columns]
    return np.stack(arrays, axis=1) if arrays else np.empty((n, 0))


def _as_series(value: Any) -> Any:
    """Wrap the arrays of a frame library in its columns; dictionaries of Arrow become what they encode."""
    if type(value).__module__.startswith("narwhals."):
        value = value.to_native()
    root, kind = type(value).__module__.partition(".")[0], type(value).__name__
    if root == "pandas" and kind not in ("Series", "DataFrame", "Index"):
        value = sys.modules["pandas"].Series(value)
    in_pandas = str(getattr(value, "dtype", "")).startswith("dictionary<")
    if not in_pandas and (root != "pyarrow" or not hasattr(value, "to_pylist") or kind == "Table"):
        return value
    arrow = sys.modules["pyarrow"]
    if kind != "ChunkedArray":
        value = arrow.chunked_array([value.array if in_pandas else value])
    return value.cast(value.type.value_type) if arrow.types.is_dictionary(value.type) else value


def columns(frame: Any, names: Mapping[str, str | Sequence[str] | None]) -> dict[str, Any]:
    """Read the named columns of an eager frame as arrays, keyed by the argument they fill."""
    native = wrap(frame)
    return {argument: _column(native, argument, name) for argument, name in names.items()}


def wrap(frame: Any, *, lazy: bool = False) -> Any:
    """Return an eager frame of any library, or with ``lazy`` any frame, as one of narwhals."""
    import narwhals as nw  # noqa: PLC0415

    try:
        return nw.from_native(frame, eager_only=not lazy)
    except nw.exceptions.DuplicateError as error:
        raise ArgumentError(argument="frame", rule=f"have distinct column names: {error}") from error
    except TypeError as error:
        rule = f"be {'a' if lazy else 'an eager'} frame (pandas, Polars, PyArrow, …)"
        raise ArgumentTypeError(argument="frame", rule=rule, got=type(frame).__name__) from error


def _column(frame: Any, argument: str, name: Any) -> np.ndarray | None:
    if name is None:
        return None
    known = list(frame.columns)
    single = not isinstance(name, (list, tuple)) or name in known  # a tuple may be a name itself
    names = [name] if single else list(name)
    if not names or is_column(name) or isinstance(name, np.ndarray):
        raise ArgumentError(argument=argument, rule="name a column, or several", got=type(name).__name__)
    for column in names:
        if column not in known:
            present = ", ".join(repr(c) for c in known[:20])
            raise MissingColumnError(
                argument=argument, rule=f"name a column of the frame, which has {present}", got=repr(column)
            )
    arrays = [to_numpy(str(column), frame.get_column(column)) for column in names]
    return arrays[0] if single else np.stack(arrays, axis=1)


def table(data: Mapping[str, np.ndarray], backend: str | None = None) -> Any:
    """Build a frame of the given library.

    Without ``backend``: pandas, Polars or PyArrow, the first that is installed, whatever happens to be
    imported; a plain dict of arrays when none is.
    """
    backend = backend or next(filter(importlib.util.find_spec, _LIBRARIES), None)
    if backend is None:
        return dict(data)
    if backend not in _LIBRARIES:
        raise ArgumentError(argument="backend", rule=f"be one of {', '.join(_LIBRARIES)}", got=repr(backend))
    import narwhals as nw  # noqa: PLC0415

    return nw.from_dict(dict(data), backend=cast("Any", backend)).to_native()


def table_of_records(records: Sequence[Any], backend: str | None = None) -> Any:
    """Build a frame of dataclasses of one kind, a row for each; None becomes NaN."""
    columns = {}
    for name in [field.name for field in fields(records[0])]:
        values = [getattr(record, name) for record in records]
        columns[name] = as_column([np.nan if value is None else value for value in values])
    return table(columns, backend)


def as_column(values: Sequence[Any]) -> np.ndarray:
    """Return values as a column; labels that only some libraries know, such as tuples, become text."""
    known = (str, int, float, np.generic, date, timedelta, type(None))
    return np.asarray([value if isinstance(value, known) else str(value) for value in values])


def library(*values: object) -> str | None:
    """Name the frame library of the first value that comes from one."""
    roots = (type(value).__module__.partition(".")[0] for value in values)
    return next((root for root in roots if root in _LIBRARIES), None)


def check_same_index(values: Mapping[str, Any]) -> None:
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
    >>> check_same_index({"y_true": y, "lower": lower})
    Traceback (most recent call last):
        ...
    uccurve.exceptions.IndexMismatchError: `lower` must have the index of `y_true`, but ...
    """
    pandas = sys.modules.get("pandas")
    kinds = (getattr(pandas, "Series", ()), getattr(pandas, "DataFrame", ()))
    labeled = [(name, value.index) for name, value in values.items() if isinstance(value, kinds)]
    for (name, index), (other_name, other) in combinations(labeled, 2):
        if len(index) != len(other) or index.equals(other):
            continue
        counts = sys.modules["pandas"].RangeIndex(len(index))
        reordered = index.nlevels == other.nlevels and index.isin(other).all() and other.isin(index).all()
        if not reordered and (index.equals(counts) or other.equals(counts)):
            continue
        pairs = list(zip(index, other, strict=True))
        differing = [row for row, (label, other_label) in enumerate(pairs) if label != other_label]
        raise IndexMismatchError(
            argument=other_name,
            rule=f"have the index of `{name}`",
            count=len(differing),
            total=len(index),
            first=differing[0],
            values=dict(zip((name, other_name), pairs[differing[0]], strict=True)),
            hint="Put both in one order, or pass arrays (`.to_numpy()`) to match rows by position.",
        )
