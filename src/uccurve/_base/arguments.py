"""The door: input is checked here, once. Errors name argument, rule, count and first offender."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base.arrays import as_arrays, namespace
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    DroppedRowsWarning,
    EmptyInputError,
    InvalidRowsError,
    NegativeBandError,
    NegativeWeightError,
    NonFiniteError,
    PredictionOutsideError,
    ShapeError,
    UnitOverflowError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike

SHOWN_ROWS = 100
"""Broken rows that an error carries."""
EXACT = 2**53
"""Below it, a float is the whole number that was written."""

_TINY, _HUGE = 2.0**-100, 2.0**100
_IS_NOT = ("is not", "are not")
_DOES = ("does", "do")
_DOES_NOT = ("does not", "do not")


def rows_that(count: int, total: int, does: str, do: str) -> str:
    """Say how many of all rows do something: "3 of 500 rows do"."""
    return f"{count} of {total} {'row' if total == 1 else 'rows'} {does if count == 1 else do}"


def option(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Check a choice among a few values."""
    if not (isinstance(value, str) and value in allowed):
        raise ArgumentError(f"`{name}` must be {' or '.join(map(repr, allowed))}, got {value!r}.")


def number(
    name: str, value: Any, low: float = -float("inf"), high: float = float("inf"), *, open_: bool = False
) -> float:
    """Check a finite number in [low, high], or in (low, high) when ``open_``, and return it as a float."""
    try:
        result = as_float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"`{name}` must be a number, got {value!r}.") from error
    finite = abs(result) < float("inf")
    inside = low < result < high if open_ else low <= result <= high
    if finite and inside:
        return result
    rules = [] if finite or high < float("inf") else ["be finite"]
    if (low, high) != (-float("inf"), float("inf")):
        less = "<" if open_ else "<="
        rules.append(f"fulfil {low:g} {less} {name}" + (f" {less} {high:g}" if high < float("inf") else ""))
    raise ArgumentError(f"`{name}` must {' and '.join(rules)}, got {value!r}.")


def overflow() -> UnitOverflowError:
    """Say that finite values add up to more than float64 holds."""
    message = "sums of residuals, bands or weights must stay within float64: rescale the units."
    return UnitOverflowError(message, argument="y_true", rows=(), count=0)


def as_float(value: Any) -> float:
    """Convert a number, but no text, to a float."""
    if isinstance(value, (str, bytes)):
        raise TypeError
    return float(value)


def instance(name: str, value: Any, kind: type, called: str | None = None) -> None:
    """Check that an argument is an object of this library, by the name that users know."""
    if not isinstance(value, kind):
        raise ArgumentError(f"`{name}` must be {called or kind.__name__}, got {type(value).__name__}.")


def distinct(models: Mapping[Any, Any]) -> None:
    """Check that models can be told apart by their names."""
    if len({str(name) for name in models}) < len(models):
        raise ArgumentError("`models` must have names that differ as text.")


def whole(name: str, value: Any, low: int) -> int:
    """Check a whole number of at least ``low``, and at most 2^53: up to there a float counts them all."""
    result = number(name, value, low)
    if result != int(result):
        raise ArgumentError(f"`{name}` must be a whole number, got {value!r}.")
    if result > EXACT:
        raise ArgumentError(f"`{name}` must be at most 2**53, got {value!r}.")
    return int(result)


def load(
    *, scalars: Collection[str] = (), optional: Collection[str] = (), **values: ArrayLike | None
) -> dict[str, Any]:
    """Convert named arguments to arrays and check their shapes against the first one's.

    That is (n,) or (n, outputs). Those named in ``scalars`` may be single numbers, those named in
    ``optional`` None. ``sample_weight`` is optional and has one value a row.
    """
    for name, value in values.items():
        if value is None and name not in ("sample_weight", *optional):
            raise ArgumentError(f"`{name}` must be given, got None.")
    arrays = as_arrays(**values)
    lead, first = next((name, array) for name, array in arrays.items() if array is not None)
    if first.ndim not in (1, 2):
        raise ShapeError(f"`{lead}` must have the shape (n,) or (n, outputs), got {tuple(first.shape)}.")
    given = {name: array for name, array in arrays.items() if array is not None}
    for name, array in given.items():
        wanted = tuple(first.shape[:1] if name == "sample_weight" else first.shape)
        if name in scalars and array.ndim == 0:
            arrays[name] = namespace(array).broadcast_to(array, wanted)
        elif tuple(array.shape) != wanted:
            got = tuple(array.shape)
            raise ShapeError(f"`{name}` must have the shape {wanted}, as `{lead}` implies, got {got}.")
    if 0 in first.shape:
        raise EmptyInputError(
            f"`{lead}` must have at least one row and one output, got {tuple(first.shape)}."
        )
    if "sample_weight" in given:
        arrays["sample_weight"] = _in_range(given["sample_weight"])
    return arrays


def _in_range(weight: Array) -> Array:
    """Scale weights by a power of two where their products could leave float64: only ratios matter."""
    largest = float(namespace(weight).max(weight))
    if largest <= 0 or _TINY <= largest <= _HUGE or not largest < float("inf"):
        return weight
    half = 2.0 ** (-math.frexp(largest)[1] // 2)
    return weight * half * half


class Rule(NamedTuple):
    """One rule about rows, and how to say that it is broken."""

    argument: str
    text: str
    verbs: tuple[str, str]
    error: type[InvalidRowsError]
    shown: tuple[str, ...]
    broken: Callable[[], Array]


@dataclass(frozen=True)
class Checker:
    """Rules for the arguments of one constructor, in the order they are reported."""

    arrays: Mapping[str, Array | None]

    def _array(self, name: str) -> Array:
        return self.arrays[name]

    def finite(self, name: str, *, infinite: bool = False) -> Rule:
        """Build the rule that values are neither NaN nor, unless allowed, infinite."""
        x = self._array(name)
        xp = namespace(x)
        if infinite:
            text = f"`{name}` must be a number"
            return Rule(name, text, _IS_NOT, NonFiniteError, (name,), lambda: xp.isnan(x))
        text = f"`{name}` must be finite"
        return Rule(name, text, _IS_NOT, NonFiniteError, (name,), lambda: ~xp.isfinite(x))

    def not_negative(self, name: str, error: type[InvalidRowsError] = NegativeBandError) -> Rule:
        """Build the rule that values are 0 or more."""
        x = self._array(name)
        return Rule(name, f"`{name}` must be >= 0", _IS_NOT, error, (name,), lambda: x < 0)

    def ordered(self, lower: str, upper: str) -> Rule:
        """Build the rule that lower bounds do not lie above upper bounds."""
        low, high = self._array(lower), self._array(upper)
        text = f"`{lower}` must not exceed `{upper}`"
        return Rule(lower, text, _DOES, CrossedBoundsError, (lower, upper), lambda: low > high)

    def inside(self, name: str, lower: str, upper: str) -> Rule:
        """Build the rule that the prediction lies between its bounds."""
        x, low, high = self._array(name), self._array(lower), self._array(upper)
        return Rule(
            name,
            f"`{name}` must lie inside [`{lower}`, `{upper}`]",
            _DOES_NOT,
            PredictionOutsideError,
            (lower, name, upper),
            lambda: (x < low) | (x > high),
        )

    def in_range(self, difference: str, a: str, b: str) -> Rule:
        """Build the rule that a difference of two finite columns stays within float64."""
        x, y = self._array(a), self._array(b)
        xp = namespace(x)
        text = f"{difference} must stay within float64: rescale the units"

        def overflows() -> Array:
            return xp.isfinite(x) & xp.isfinite(y) & ~xp.isfinite(x - y)

        return Rule(a, text, _DOES_NOT, UnitOverflowError, (a, b), overflows)

    def weights(self) -> list[Rule]:
        """Build the rules for the sample weights, when there are any."""
        if self.arrays.get("sample_weight") is None:
            return []
        return [self.finite("sample_weight"), self.not_negative("sample_weight", NegativeWeightError)]

    def enforce(self, rules: list[Rule], invalid: str) -> Array | None:
        """Raise for the first broken rule, or return which rows to keep; None keeps them all."""
        bad, reasons = None, []
        for rule in rules:
            with np.errstate(over="ignore", invalid="ignore"):
                broken = rule.broken()
            xp = namespace(broken)
            rows = broken if broken.ndim == 1 else xp.any(broken, axis=1)
            count = int(xp.count_nonzero(rows))
            if count == 0:
                continue
            if invalid == "raise":
                raise self._error(rule, broken, rows, count)
            reasons.append(f"{rule.text} ({count})")
            bad = rows if bad is None else bad | rows
        if bad is None:
            return None
        xp = namespace(bad)
        total, dropped = bad.shape[0], int(xp.count_nonzero(bad))
        if dropped == total:
            raise EmptyInputError(f"all {total} rows are invalid: {'; '.join(reasons)}.")
        message = f"dropped {dropped} of {total} rows: {'; '.join(reasons)}."
        warnings.warn(message, DroppedRowsWarning, stacklevel=5)
        return ~bad

    def _error(self, rule: Rule, broken: Array, rows: Array, count: int) -> InvalidRowsError:
        xp = namespace(rows)
        where = xp.nonzero(rows)[0][:SHOWN_ROWS]
        first = int(where[0])
        place = f"row {first}"
        index: tuple[int, ...] = (first,)
        if broken.ndim == 2:  # noqa: PLR2004
            output = int(xp.nonzero(broken[first, :])[0][0])
            place, index = f"row {first}, output {output}", (first, output)
        shown = ", ".join(f"{name}={_show(self._array(name), index)}" for name in rule.shown)
        message = (
            f"{rule.text}, but {rows_that(count, rows.shape[0], *rule.verbs)}; first at {place}: {shown}."
        )
        listed = tuple(int(row) for row in where)
        return rule.error(message, argument=rule.argument, rows=listed, count=count)


def _show(array: Array, index: tuple[int, ...]) -> str:
    value = array[index if array.ndim > 1 else index[0]]
    return f"{float(value):.12g}"
