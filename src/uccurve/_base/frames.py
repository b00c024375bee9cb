"""Columns in, tables out, through narwhals, which is imported only when a frame appears."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from uccurve.exceptions import ArgumentError, MissingColumnError, NotNumericError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLE = 2
_LIBRARIES = ("pandas", "polars", "pyarrow")
_FRAME_MODULES = frozenset({*_LIBRARIES, "narwhals", "modin", "cudf"})


def is_column(value: object) -> bool:
    """Whether the value comes from a frame library; imports none of them."""
    return type(value).__module__.partition(".")[0] in _FRAME_MODULES


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
        raise NotNumericError(argument=name, rule="be numeric", got=native.dtype)
    return _floats(nw, native)


def _floats(nw: Any, series: Any) -> np.ndarray:
    """Return the nearest floats; Arrow by itself refuses large whole numbers, and rounds decimals twice."""
    native = series.to_native()
    if series.dtype.is_decimal():
        series = series.cast(nw.String())
    elif series.dtype.is_integer() and (
        series.implementation.is_pyarrow() or hasattr(native.dtype, "pyarrow_dtype")
    ):
        pa = sys.modules["pyarrow"]
        array = native if series.implementation.is_pyarrow() else pa.chunked_array([native.array])
        return np.asarray(array.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    return np.asarray(series.cast(nw.Float64()).to_numpy(), dtype=np.float64)


def _stacked(name: str, columns: list[Any], n: int) -> np.ndarray:
    arrays = [to_numpy(name, column) for column in columns]
    return np.stack(arrays, axis=1) if arrays else np.empty((n, 0))


def _as_series(value: Any) -> Any:
    """Wrap the arrays of a frame library in its columns."""
    if type(value).__module__.startswith("narwhals."):
        value = value.to_native()
    root, kind = type(value).__module__.partition(".")[0], type(value).__name__
    if root == "pyarrow" and hasattr(value, "to_pylist") and kind != "Table":
        return _decoded(value if kind == "ChunkedArray" else sys.modules["pyarrow"].chunked_array([value]))
    if root == "pandas" and kind not in ("Series", "DataFrame", "Index"):
        value = sys.modules["pandas"].Series(value)
    if "dictionary" in str(getattr(value, "dtype", "")) and hasattr(value.dtype, "pyarrow_dtype"):
        return _decoded(sys.modules["pyarrow"].chunked_array([value.array]))
    return value


def _decoded(array: Any) -> Any:
    """Return numbers of Arrow that a dictionary encodes as numbers; other values in one are labels."""
    types = sys.modules["pyarrow"].types
    if not types.is_dictionary(array.type):
        return array
    kind = array.type.value_type
    is_number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return array.cast(kind) if is_number else array


def columns(frame: Any, names: Mapping[str, str | Sequence[str] | None]) -> dict[str, Any]:
    """Read the named columns of an eager frame as arrays, keyed by the argument they fill."""
    native, known = _eager(frame)
    return {argument: _column(native, known, argument, name) for argument, name in names.items()}


def labels(frame: Any) -> list[Any]:
    """Return the labels of an eager frame's columns: text or, in pandas, any value."""
    return _eager(frame)[1]


def _eager(frame: Any) -> tuple[Any, list[Any]]:
    import narwhals as nw  # noqa: PLC0415

    try:
        native = nw.from_native(frame)
        known = [] if isinstance(native, nw.LazyFrame) else list(native.columns)
    except nw.exceptions.DuplicateError as error:
        raise ArgumentError(argument="frame", rule=f"have distinct column names: {error}") from error
    except TypeError as error:
        raise ArgumentError(
            argument="frame", rule="be an eager frame (pandas, Polars, PyArrow, …)", got=type(frame).__name__
        ) from error
    if isinstance(native, nw.LazyFrame):
        raise ArgumentError(argument="frame", rule="be eager", got="a lazy frame", hint="Collect it first.")
    return native, known


def _column(frame: Any, known: list[Any], argument: str, name: Any) -> np.ndarray | None:
    if name is None:
        return None
    if is_column(name) or isinstance(name, np.ndarray):
        raise ArgumentError(argument=argument, rule="be the name of a column", got=type(name).__name__)
    single = not isinstance(name, (list, tuple)) or name in known  # a tuple may be a name itself
    names = [name] if single else list(name)
    if not names:
        raise ArgumentError(argument=argument, rule="name a column", got=repr(name))
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
    backend = backend or default_backend()
    if backend is None:
        return dict(data)
    if backend not in _LIBRARIES:
        raise ArgumentError(argument="backend", rule=f"be one of {', '.join(_LIBRARIES)}", got=repr(backend))
    import narwhals as nw  # noqa: PLC0415

    return nw.from_dict(dict(data), backend=cast("Any", backend)).to_native()


def default_backend() -> str | None:
    """Name the frame library to use: pandas, Polars or PyArrow, the first that is installed; else None."""
    return next((library for library in _LIBRARIES if importlib.util.find_spec(library)), None)


def library(*values: object) -> str | None:
    """Name the frame library of the first value that comes from one."""
    roots = (type(value).__module__.partition(".")[0] for value in values)
    return next((root for root in roots if root in _LIBRARIES), None)


def missing(column: Any) -> np.ndarray:
    """Return which values of a column are null."""
    import narwhals as nw  # noqa: PLC0415

    series = nw.from_native(_as_series(column), allow_series=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return np.zeros(len(column), dtype=bool)
    # Without its name: Polars takes some names for patterns.
    return np.array(series.alias("").is_null().to_numpy(), dtype=bool)
