"""What a row must fulfil, as expressions on any engine: the rules of `Intervals`, by the names of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from uccurve.exceptions import (
    CrossedBoundsError,
    InvalidRowsError,
    NegativeBandError,
    NegativeWeightError,
    NonFiniteError,
    PredictionOutsideError,
    UnitOverflowError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve.engines._model_columns import Columns

_IS_NOT, _DOES, _DOES_NOT = ("is not", "are not"), ("does", "do"), ("does not", "do not")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about columns: the roles it needs, its words, when a row breaks it, and which error says so."""

    roles: tuple[str, ...]
    text: str
    verbs: tuple[str, str]
    broken: Callable[..., Any]
    error: type[InvalidRowsError]
    without: str | None = None
    """A role whose presence makes the rule idle."""

    def applies(self, columns: Columns) -> bool:
        """Whether a model has the columns that the rule is about."""
        given = set(columns.roles())
        return set(self.roles) <= given and self.without not in given


def _not_finite(x: Any) -> Any:
    return ~x.is_finite().fill_null(value=False)


def _finite(role: str) -> Rule:
    return Rule((role,), f"{{{role}}} must be finite", _IS_NOT, _not_finite, NonFiniteError)


RULES = (
    *map(_finite, ("y_true", "y_pred", "lower", "upper", "std", "sample_weight")),
    Rule(
        ("lower", "upper"),
        "{lower} must not exceed {upper}",
        _DOES,
        lambda low, high: low > high,
        CrossedBoundsError,
    ),
    Rule(
        ("lower", "y_pred", "upper"),
        "{y_pred} must lie inside [{lower}, {upper}]",
        _DOES_NOT,
        lambda low, x, high: (x < low) | (x > high),
        PredictionOutsideError,
    ),
    Rule(("std",), "{std} must be >= 0", _IS_NOT, lambda x: x < 0, NegativeBandError),
    Rule(("sample_weight",), "{sample_weight} must be >= 0", _IS_NOT, lambda x: x < 0, NegativeWeightError),
    Rule(
        ("y_true", "y_pred"),
        "{y_true} - {y_pred} must stay within float64: rescale the units",
        _DOES_NOT,
        lambda y, x: _not_finite(y - x),
        UnitOverflowError,
    ),
    Rule(
        ("y_true", "lower"),
        "{y_true} - {lower} must stay within float64: rescale the units",
        _DOES_NOT,
        lambda y, x: _not_finite(y - x),
        UnitOverflowError,
        without="y_pred",
    ),
    Rule(
        ("lower", "upper"),
        "{upper} - {lower} must stay within float64: rescale the units",
        _DOES_NOT,
        lambda low, high: _not_finite(high - low),
        UnitOverflowError,
    ),
)
"""In the order in which they are looked at: a row counts for the first one that it breaks."""


def first_broken(nw: Any, columns: Columns) -> Any:
    """Return the number of the first rule that a row breaks, or -1."""
    return nw.when(fine(nw, columns)).then(nw.lit(-1)).otherwise(_chain(nw, columns))


def fine(nw: Any, columns: Columns) -> Any:
    """Return whether a row breaks no rule, in few steps: a difference is finite only if both numbers are."""
    col, roles = nw.col, columns.roles()
    centre = col("y_pred") if "y_pred" in roles else col("lower")
    good = (col("y_true") - centre).is_finite()
    if "std" in roles:
        good = good & col("std").is_finite() & (col("std") >= 0)
    else:
        ordered = (col("lower") <= centre) & (centre <= col("upper"))
        good = good & (col("upper") - col("lower")).is_finite() & ordered
    if "sample_weight" in roles:
        good = good & col("sample_weight").is_finite() & (col("sample_weight") >= 0)
    return good.fill_null(value=False)


def _chain(nw: Any, columns: Columns) -> Any:
    """Look at the rules one by one, for rows that break some; the last is for those that break no other."""
    applicable = [(number, rule) for number, rule in enumerate(RULES) if rule.applies(columns)]
    first = nw.lit(applicable[-1][0])
    for number, rule in reversed(applicable):
        broken = rule.broken(*(nw.col(role) for role in rule.roles))
        first = nw.when(broken).then(nw.lit(number)).otherwise(first)
    return first
