"""Checks of single arguments; what the caller is told of optional libraries and by warnings.

Errors name the argument, the rule and the value.
"""

from __future__ import annotations

import math
import sys
import warnings
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    EmptyInputError,
    MagnitudeError,
    MissingDependencyError,
    ShapeError,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

# This package, and whose decorators and cached properties stand between it and the caller.
_BETWEEN = {__name__.partition(".")[0], "numpy", "functools", "contextlib"}
_PERCENT = 100


def rows_that(count: int, total: int, does: str, do: str) -> str:
    """Count the rows that do something in words: "3 of 500 rows do"."""
    return f"{count} of {total} {'row' if total == 1 else 'rows'} {does if count == 1 else do}"


def option(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Check a choice among a few texts, and None if it is allowed."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise ArgumentError(argument=name, rule=f"be {' or '.join(map(repr, allowed))}", got=repr(value))


def number(
    name: str, value: Any, low: float = -math.inf, high: float = math.inf, *, open_: bool = False
) -> float:
    """Check a finite number in [low, high], or in (low, high) if ``open_``, and return it as a float."""
    try:
        result = as_float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentTypeError(argument=name, rule="be a number", got=repr(value)) from error
    if math.isfinite(result) and (low < result < high if open_ else low <= result <= high):
        return result
    less = "<" if open_ else "<="
    rule = f"satisfy {low:g} {less} {name} {less if high < math.inf else '<'} {high:g}"
    unlimited = low == -math.inf and high == math.inf
    is_percentage = (low, high) == (0, 1) and 1 < result < _PERCENT
    hint = f"Write {result / _PERCENT:g} for {result:g}%." if is_percentage else ""
    raise ArgumentError(argument=name, rule="be finite" if unlimited else rule, got=repr(value), hint=hint)


def sequence(name: str, value: Any, of: str = "numbers") -> list[Any]:
    """Check that several values are given, and return them as a list; each is checked where it is used."""
    if not isinstance(value, (str, bytes)):
        try:
            return list(value)
        except TypeError:
            pass
    raise ArgumentTypeError(argument=name, rule=f"be a sequence of {of}", got=repr(value))


def complement(share: float) -> float:
    """Return 1 minus a share as it is written: 0.1 for 0.9, not 0.09999999999999998."""
    return float(1 - Decimal(repr(float(share))))


def miss_rate_of(coverage: Any, miss_rate: Any, default: float | None = None, *, open_: bool = True) -> float:
    """Return the miss rate that is given by itself or as a coverage; by default one that may be required.

    With ``open_`` neither may be 0 or 1.
    """
    if coverage is not None and miss_rate is not None:
        raise ArgumentError(argument="coverage", rule="not be passed beside `miss_rate`: pass one of them")
    if coverage is not None:
        return complement(number("coverage", coverage, 0, 1, open_=open_))
    if miss_rate is not None:
        return number("miss_rate", miss_rate, 0, 1, open_=open_)
    if default is None:
        raise ArgumentError(argument="coverage", rule="be passed, or `miss_rate`")
    return default


def overflow() -> MagnitudeError:
    """Return the error for values and weights that are too far apart for their products."""
    return MagnitudeError(
        "products of residuals, bands and weights must stay within float64", hint="Rescale some of them."
    )


def as_float(value: Any) -> float:
    """Convert a number, but no text and no complex number, to a float."""
    if isinstance(value, (str, bytes, complex, np.complexfloating)):
        raise TypeError
    return float(value)


def instance(name: str, value: Any, kind: type, called: str | None = None) -> None:
    """Check the class of an argument; ``called`` is the name that users know it by."""
    if not isinstance(value, kind):
        raise ArgumentTypeError(argument=name, rule=f"be {called or kind.__name__}", got=type(value).__name__)


def row_shapes(columns: Mapping[str, Any], names: Mapping[str, str] | None = None) -> None:
    """Check that arrays have the shape (n,) or (n, outputs) of the first one, and weights the shape (n,).

    ``names`` are what the user calls the columns, where it is not the role.
    """
    called = {role: (names or {}).get(role, role) for role in columns}
    lead, first = next(iter(columns.items()))
    shape = tuple(first.shape)
    if len(shape) not in (1, 2):
        raise ShapeError(argument=called[lead], rule="have the shape (n,) or (n, outputs)", got=shape)
    for role, column in columns.items():
        expected = shape[:1] if role == "sample_weight" else shape
        if tuple(column.shape) != expected:
            raise ShapeError(
                argument=called[role],
                rule=f"have the shape {expected}, as `{called[lead]}` implies",
                got=tuple(column.shape),
            )
    if 0 in shape:
        raise EmptyInputError(argument=called[lead], rule="have at least one row and one output", got=shape)


def distinct(models: Mapping[Any, Any]) -> None:
    """Check that models have names, which differ as text."""
    names = {str(name) for name in models}
    if len(names) < len(models) or "" in names:
        raise ArgumentError(argument="models", rule="have names that are not empty, and differ as text")


def whole(name: str, value: Any, low: int, high: int = 2**53) -> int:
    """Check a whole number from ``low`` to ``high``; floats hold those up to 2^53 exactly."""
    result = number(name, value, low, high)
    if result != int(result):
        raise ArgumentError(argument=name, rule="be a whole number", got=repr(value))
    return int(result)


def generator(rng: Any) -> np.random.Generator:
    """Return the source of randomness that ``rng`` is, or that it seeds."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ArgumentError(argument="rng", rule="be a Generator, a seed or None", got=repr(rng)) from error


@contextmanager
def needed(library: str, extra: str) -> Iterator[None]:
    """Turn a failed import into an error that names the pip command.

    Examples
    --------
    >>> with needed("polars", extra="polars"):
    ...     import polars
    """
    try:
        yield
    except ImportError as error:
        raise MissingDependencyError(library, extra) from error


def warn_caller(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn, and name the line outside of this package that led here."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
