"""The rules about rows, in one table: `Intervals` applies it to arrays, `scan` to frames.

A rule is about roles, such as ``y_true`` or ``lower``. `_array_rules` and `_frame_rules` evaluate the rules;
both count a row for the first rule that it breaks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import (
    CrossedBoundsError,
    InvalidRowsError,
    MagnitudeError,
    NegativeBandError,
    NegativeWeightError,
    NonFiniteError,
    PredictionOutsideError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    IsFinite = Callable[[Any], Any]

BOUNDS = ("lower", "upper")
BANDS = ("std", "lower_band", "upper_band")
ROLES = ("y_true", "y_pred", *BOUNDS, *BANDS, "sample_weight")

SMALLEST, LARGEST = 1e-100, 1e100
"""The sizes that values and weights have, unless they are 0: products and ratios stay within float64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRule:
    """One rule about rows, and the error for rows that break it."""

    roles: tuple[str, ...]
    """What the condition takes and a message shows, in this order."""
    argument: str
    """The role that is wrong where the rule is broken."""
    text: str
    """What the argument must do or be, with a placeholder for the name of each other role."""
    error: type[InvalidRowsError]
    broken: Callable[..., Any]
    """The condition: takes a test for finite values and a column for each role, arrays or expressions."""
    without: str | None = None
    """A role whose presence makes the rule void."""
    hint: str = ""
    """A sentence that says what to do, where nothing better is known."""
    shown: Callable[[Sequence[float]], slice] | None = None
    """Which of the values of a row to show, where not all."""

    def applies(self, given: Collection[str]) -> bool:
        """Whether the rule is about given roles."""
        return set(self.roles) <= set(given) and self.without not in given

    def named(self, names: Mapping[str, str]) -> str:
        """Return the text with the names of the roles, in backticks."""
        return self.text.format_map({role: f"`{name}`" for role, name in names.items()})


def _not_finite(is_finite: IsFinite, column: Any) -> Any:
    return ~is_finite(column)


def _not_a_number(_: IsFinite, column: Any) -> Any:
    return column != column  # noqa: PLR0124 - only NaN is not itself


def _negative(_: IsFinite, column: Any) -> Any:
    return column < 0


def _crossed(_: IsFinite, lower: Any, upper: Any) -> Any:
    return lower > upper


def _outside(_: IsFinite, lower: Any, y_pred: Any, upper: Any) -> Any:
    return (y_pred < lower) | (y_pred > upper)


def _out_of_range(is_finite: IsFinite, column: Any) -> Any:
    large = (column > LARGEST) | (column < -LARGEST)
    small = (column > -SMALLEST) & (column < SMALLEST) & (column != 0)
    return is_finite(column) & (large | small)


def falls(_: IsFinite | None, *rising: Any) -> Any:
    """Whether any two neighbors are not in order; not so where a value is NaN, which has no order."""
    falling, known = rising[0] > rising[1], rising[0] == rising[0]
    for low, high in pairwise(rising):
        falling, known = falling | (low > high), known & (high == high)  # noqa: PLR0124
    return falling & known


def _first_fall(values: Sequence[float]) -> slice:
    """Return the places of the first two neighbors that are not in order."""
    first = next((place for place, (low, high) in enumerate(pairwise(values)) if low > high), 0)
    return slice(first, first + 2)


def _single(role: str, must: str, error: type[InvalidRowsError], broken: Callable[..., Any]) -> RowRule:
    return RowRule(roles=(role,), argument=role, text=must, error=error, broken=broken)


def _finite(role: str) -> RowRule:
    return _single(role, "be finite", NonFiniteError, _not_finite)


def _number(role: str) -> RowRule:
    return _single(role, "be a number", NonFiniteError, _not_a_number)


def _at_least_zero(role: str, error: type[InvalidRowsError]) -> RowRule:
    return _single(role, "be >= 0", error, _negative)


def _magnitude(role: str) -> RowRule:
    rule = _single(
        role, f"be 0 or between {SMALLEST:g} and {LARGEST:g} in size", MagnitudeError, _out_of_range
    )
    return replace(rule, hint=_OTHER_WEIGHTS if role == "sample_weight" else _OTHER_UNIT)


_OTHER_UNIT = "Use another unit: divide all values by one number of about their size."
_OTHER_WEIGHTS = "Divide all weights by the largest one: only their ratios matter."

FINITE = tuple(map(_finite, ROLES))
"""All values are finite."""

FINITE_BUT_BOUNDS = tuple(_number(role) if role in BOUNDS else _finite(role) for role in ROLES)
"""All values are finite, except that bounds may be infinite."""

MAGNITUDES = tuple(map(_magnitude, ROLES))
"""Finite values are 0 or neither tiny nor huge."""

ORDER = (
    RowRule(
        roles=("lower", "upper"),
        argument="lower",
        text="not exceed {upper}",
        error=CrossedBoundsError,
        broken=_crossed,
        hint='Swap the two, or pass quantiles to `Intervals.from_quantiles` with `crossed="sort"`.',
    ),
    RowRule(
        roles=("lower", "y_pred", "upper"),
        argument="y_pred",
        text="lie inside [{lower}, {upper}]",
        error=PredictionOutsideError,
        broken=_outside,
        hint="Pass `y_pred=None` to use the midpoints.",
    ),
    *(_at_least_zero(role, NegativeBandError) for role in BANDS),
    _at_least_zero("sample_weight", NegativeWeightError),
)
"""Bounds in order around the prediction; bands and weights 0 or more."""

ONE_SIDED = (
    RowRule(
        roles=("y_pred", "upper"),
        argument="y_pred",
        text="not exceed {upper}",
        error=PredictionOutsideError,
        broken=_crossed,
        without="lower",
    ),
    RowRule(
        roles=("lower", "y_pred"),
        argument="y_pred",
        text="not lie below {lower}",
        error=PredictionOutsideError,
        broken=_crossed,
        without="upper",
    ),
)
"""A one-sided limit on its side of the prediction."""


def quantile_rules(roles: Sequence[str], taken: Collection[str]) -> tuple[RowRule, ...]:
    """Return the rules about quantiles, given by rising level: those taken are finite and legal, all rise.

    One of two neighbors that cross is not known to be wrong: the error is about `quantiles`.
    """
    rising = RowRule(
        roles=tuple(roles),
        argument="quantiles",
        text="rise with their levels",
        error=CrossedBoundsError,
        broken=falls,
        shown=_first_fall,
    )
    return (*map(_finite, taken), *map(_magnitude, taken), rising)


ROW_RULES = (*FINITE, *MAGNITUDES, *ORDER, *ONE_SIDED)
"""What every row of `Intervals` fulfills."""

NO_RULE = -1
"""In place of a rule's number, for rows that break none."""
