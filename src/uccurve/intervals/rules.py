"""The rules about rows, in one table, and what applies them: to arrays for `Intervals`, to frames for `scan`.

A rule is about roles, such as ``y_true`` or ``lower``. A row counts for the first rule that it breaks.

`Intervals` consults the rules only where `uccurve.intervals.rows.summarize`, which reads all values anyway,
returns None: what breaks a new rule must do so there as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arguments import warn_caller
from uccurve._base.arrays import namespace, widened
from uccurve.exceptions import (
    CrossedBoundsError,
    DroppedRowsWarning,
    EmptyInputError,
    InvalidRowsError,
    MagnitudeError,
    NegativeBandError,
    NegativeWeightError,
    NonFiniteError,
    PredictionOutsideError,
    broken_rules,
)
from uccurve.formulas.tolerances import LARGEST, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import Array, Invalid

BOUNDS = ("lower", "upper")
BANDS = ("std", "lower_band", "upper_band")
ROLES = ("y_true", "y_pred", *BOUNDS, *BANDS, "sample_weight")

# What to do about rows of `Intervals`, whatever rule they break.
LEAVE_OUT = '`invalid="drop"` leaves such rows out.'
# In place of a rule's number, for rows that break none.
NO_RULE = -1
_TABLE = 2


@dataclass(frozen=True, slots=True)
class RowRule:
    """One rule about rows, and the error for rows that break it.

    Attributes
    ----------
    roles : tuple of str
        What the condition takes and a message shows, in this order.
    text : str
        What the argument must do or be, with a placeholder for the name of each other role.
    error : type of InvalidRowsError
        The error that rows raise.
    broken : callable
        The condition: takes a test for finite values and a column for each role, arrays or expressions.
    hint : str
        A sentence that says what to do, where nothing better is known.
    about : str, optional
        What is wrong where the rule is broken, if it is not the first role.
    shown : callable, optional
        Which of the values of a row to show, where not all.
    """

    roles: tuple[str, ...]
    text: str
    error: type[InvalidRowsError]
    broken: Callable[..., Any]
    hint: str = ""
    about: str | None = None
    shown: Callable[[Sequence[float]], slice] | None = None

    @property
    def argument(self) -> str:
        """What is wrong where the rule is broken."""
        return self.about or self.roles[0]

    def applies(self, given: Collection[str]) -> bool:
        """Whether the rule is about given roles."""
        return set(self.roles) <= set(given)

    def named(self, names: Mapping[str, str]) -> str:
        """Return the text with the names of the roles, in backticks."""
        return self.text.format_map({role: f"`{name}`" for role, name in names.items()})


def _finite(role: str) -> RowRule:
    hint = "A bound that is infinite in every row means a one-sided limit." if role in BOUNDS else ""
    return RowRule((role,), "be finite", NonFiniteError, lambda is_finite, column: ~is_finite(column), hint)


def _number(role: str) -> RowRule:
    return RowRule((role,), "be a number", NonFiniteError, lambda _, column: column != column)  # noqa: PLR0124


def _magnitude(role: str) -> RowRule:
    values = "weights" if role == "sample_weight" else "values"
    hint = f"Use another unit: divide all {values} by one number of about their size."
    text = f"be 0 or between {SMALLEST:g} and {LARGEST:g} in magnitude"
    return RowRule((role,), text, MagnitudeError, _is_out_of_range, hint)


def _is_out_of_range(is_finite: Callable[[Any], Any], column: Any) -> Any:
    large = (column > LARGEST) | (column < -LARGEST)
    small = (column > -SMALLEST) & (column < SMALLEST) & (column != 0)
    return is_finite(column) & (large | small)


def _at_least_zero(role: str, error: type[InvalidRowsError]) -> RowRule:
    return RowRule((role,), "be >= 0", error, lambda _, column: column < 0)


# All values are finite.
FINITE = tuple(map(_finite, ROLES))

# Finite values are 0 or neither tiny nor huge.
MAGNITUDES = tuple(map(_magnitude, ROLES))

# Bounds in order around the prediction; bands and weights 0 or more.
ORDER = (
    RowRule(
        ("lower", "upper"),
        "not exceed {upper}",
        CrossedBoundsError,
        lambda _, lower, upper: lower > upper,
        'Swap the two, or pass quantiles to `Intervals.from_quantiles` with `crossed="sort"`.',
    ),
    RowRule(
        ("y_pred", "lower", "upper"),
        "lie inside [{lower}, {upper}]",
        PredictionOutsideError,
        lambda _, y_pred, lower, upper: (y_pred < lower) | (y_pred > upper),
        "Pass `y_pred=None` to use the median, or else the midpoints.",
    ),
    *(_at_least_zero(role, NegativeBandError) for role in BANDS),
    _at_least_zero("sample_weight", NegativeWeightError),
)

# A one-sided limit on its side of the prediction. Rows with both bounds break the rule of the two before.
ONE_SIDED = (
    RowRule(
        ("y_pred", "upper"),
        "not exceed {upper}",
        PredictionOutsideError,
        lambda _, y_pred, upper: y_pred > upper,
    ),
    RowRule(
        ("y_pred", "lower"),
        "not lie below {lower}",
        PredictionOutsideError,
        lambda _, y_pred, lower: y_pred < lower,
    ),
)

# What every row of `Intervals` fulfills.
ROW_RULES = (*FINITE, *MAGNITUDES, *ORDER, *ONE_SIDED)

# The same, where bounds may be infinite.
RULES_FOR_ANY_BOUNDS = (
    *(_number(role) if role in BOUNDS else _finite(role) for role in ROLES),
    *MAGNITUDES,
    *ORDER,
)


def quantile_rules(names: Iterable[str]) -> tuple[RowRule, ...]:
    """Return the rules about quantiles, which are named by rising level.

    One of two neighbors that cross is not known to be wrong: the error is about `quantiles`.
    """
    rising = RowRule(
        tuple(names),
        "rise with their levels",
        CrossedBoundsError,
        lambda _, *columns: has_fall(*columns),
        about="quantiles",
        shown=_first_fall,
    )
    return (*map(_finite, rising.roles), *map(_magnitude, rising.roles), rising)


def has_fall(*rising: Any) -> Any:
    """Whether any two neighbors are not in order; not so where a value is NaN, which has no order."""
    falling, known = rising[0] > rising[-1], rising[0] == rising[0]
    for low, high in pairwise(rising):
        falling, known = falling | (low > high), known & (high == high)  # noqa: PLR0124
    return falling & known


def _first_fall(values: Sequence[float]) -> slice:
    """Return the places of the first two neighbors that are not in order."""
    first = next((place for place, (low, high) in enumerate(pairwise(values)) if low > high), 0)
    return slice(first, first + 2)


def enforce(
    columns: Mapping[str, Array | None],
    *,
    names: Mapping[str, str] | None = None,
    rules: Sequence[RowRule] = ROW_RULES,
    invalid: Invalid | None = None,
    hints: Mapping[type[InvalidRowsError], str] | None = None,
    quantiles: Mapping[str, Array] | None = None,
) -> Array | None:
    """Raise an error for the first rule that rows break, or warn that such rows are dropped.

    Parameters
    ----------
    columns : mapping of role to array
        Arrays of shape (n,) or (n, outputs); None where a role has no column.
    names : mapping of role to str, optional
        What the user calls the columns, where it is not the role.
    rules : sequence of RowRule
        The rules, in the order in which they are looked at.
    invalid : {"raise", "drop"}, optional
        Whether to raise an error or to drop rows; None raises an error where the user has no such choice.
    hints : mapping of error to str, optional
        What to do about rows that break a rule, where it is not what the rule itself says.
    quantiles : mapping of str to array, optional
        Quantiles of the same rows by rising level, under their names in errors.

    Returns
    -------
    array of bool or None
        Which rows to keep; None keeps all of them.
    """
    given = {role: column for role, column in columns.items() if column is not None}
    if quantiles:
        shape = next(iter(given.values())).shape
        given |= {name: namespace(column).reshape(column, shape) for name, column in quantiles.items()}
        rules = (*rules[: len(FINITE)], *quantile_rules(quantiles), *rules[len(FINITE) :])
    called = {role: (names or {}).get(role, role) for role in given}
    dropped, reasons = None, []
    for rule, broken in _find_broken(given, rules):
        xp = namespace(broken)
        rows = broken if broken.ndim == 1 else xp.any(broken, axis=1)
        if invalid != "drop":
            error = _error(rule, broken, rows, given, called)
            hint, is_missing = rule.hint, any(value != value for value in error.values.values())  # noqa: PLR0124
            if rule.error is NonFiniteError and (is_missing or error.count == error.total):
                hint = ""  # a value is missing, or no row has the bound
            hint = (hints or {}).get(rule.error, hint)
            if invalid == "raise" and error.count != error.total:
                hint = f"{hint} {LEAVE_OUT}".strip()
            raise error.replaced(hint=hint)
        new = rows if dropped is None else rows & ~dropped
        if bool(xp.any(new)):
            reasons.append(_error(rule, broken, new, given, called))
        dropped = rows if dropped is None else dropped | rows
    if dropped is None:
        return None
    total, count = dropped.shape[0], int(namespace(dropped).count_nonzero(dropped))
    if count == total:
        hint = f"They break rules: {broken_rules(reasons)}."
        raise EmptyInputError(f"all {total} rows are invalid", hint=hint)
    warn_caller(DroppedRowsWarning(count, total, reasons))
    return ~dropped


def _find_broken(given: Mapping[str, Array], rules: Sequence[RowRule]) -> Iterator[tuple[RowRule, Array]]:
    """Yield each rule that some row breaks, and where it is broken."""
    for rule in rules:
        if rule.applies(given):
            columns = [widened(given[role]) for role in rule.roles]
            xp = namespace(columns[0])
            with np.errstate(invalid="ignore"):
                broken = rule.broken(xp.isfinite, *columns)
            if bool(xp.any(broken)):
                yield rule, broken


def _error(
    rule: RowRule, broken: Array, rows: Array, given: Mapping[str, Array], called: Mapping[str, str]
) -> InvalidRowsError:
    """Return the error about the rows that break a rule, with the values of the first one."""
    error = rows_error(rule.error, rows, argument=called.get(rule.argument, rule.argument))
    index: tuple[Any, ...] = (error.first,)
    values: dict[str, float] = {}
    if broken.ndim == _TABLE:
        output = int(namespace(broken).nonzero(broken[error.first, :])[0][0])
        index, values = (error.first, output), {"output": output}
    row = {role: float(given[role][index[: given[role].ndim]]) for role in rule.roles}
    roles = rule.roles if rule.shown is None else rule.roles[rule.shown(list(row.values()))]
    values |= {called[role]: row[role] for role in roles}
    return error.replaced(rule=rule.named(called), values=values)


def rows_error(error: type[InvalidRowsError], rows: Array, **facts: Any) -> InvalidRowsError:
    """Return the error about the rows of a mask that break a rule, with other facts about it."""
    numbers = namespace(rows).nonzero(rows)[0]
    return error(count=int(numbers.shape[0]), total=int(rows.shape[0]), first=int(numbers[0]), **facts)


def first_broken_expression(nw: Any, roles: Collection[str]) -> Any:
    """Return the number in `ROW_RULES` of the first rule that a row breaks, or `NO_RULE`.

    This is a narwhals expression on columns that are named by role. The folder does not know narwhals: it is
    handed in as ``nw``.
    """

    def is_finite(column: Any) -> Any:
        return column.is_finite().fill_null(value=False)  # a missing value is not

    first = nw.lit(NO_RULE)
    for number, rule in reversed(list(enumerate(ROW_RULES))):
        if rule.applies(roles):
            broken = rule.broken(is_finite, *map(nw.col, rule.roles))
            first = nw.when(broken).then(nw.lit(number)).otherwise(first)
    return first
