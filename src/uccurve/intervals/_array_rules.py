"""Rules about rows, applied to arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import block_rows, namespace, widened
from uccurve._base.caller_warnings import warn_caller
from uccurve.exceptions import DroppedRowsWarning, EmptyInputError, InvalidRowsError, broken_rules
from uccurve.intervals._row_rules import (
    FINITE,
    LARGEST,
    MAGNITUDES,
    NO_RULE,
    ROW_RULES,
    SMALLEST,
    quantile_rules,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve._base.type_aliases import Array, Invalid
    from uccurve.intervals._named_arrays import Quantiles
    from uccurve.intervals._row_rules import RowRule

_TABLE = 2


def enforce(
    columns: Mapping[str, Array | None],
    *,
    names: Mapping[str, str] | None = None,
    rules: Sequence[RowRule] = ROW_RULES,
    invalid: Invalid = "raise",
    hints: Mapping[type[InvalidRowsError], str] | None = None,
    quantiles: Quantiles | None = None,
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
    invalid : {"raise", "drop"}
        Whether to raise an error or to drop rows.
    hints : mapping of error to str, optional
        What to do about rows that break a rule, where it is not what the rule itself says.
    quantiles : Quantiles, optional
        Quantiles of the same rows, which have rules of their own.

    Returns
    -------
    array of bool or None
        Which rows to keep; None keeps all of them.
    """
    given = {role: column for role, column in columns.items() if column is not None}
    called = {role: (names or {}).get(role, role) for role in given}
    if quantiles is not None:
        roles = {f"q{place}": name for place, name in enumerate(quantiles.names)}
        shape = next(iter(given.values())).shape
        for role, column in zip(roles, quantiles.columns, strict=True):
            given[role] = namespace(column).reshape(column, shape)
        called |= roles
        taken = [role for role, name in roles.items() if name in quantiles.taken]
        rules = (*rules[: len(FINITE)], *quantile_rules(tuple(roles), taken), *rules[len(FINITE) :])
    dropped, reasons = None, []
    for rule in rules:
        if not rule.applies(given):
            continue
        broken = _broken(rule, given)
        xp = namespace(broken)
        rows = broken if broken.ndim == 1 else xp.any(broken, axis=1)
        if dropped is not None:
            rows = rows & ~dropped
        count = int(xp.count_nonzero(rows))
        if count == 0:
            continue
        if invalid == "raise":
            hint = (hints or {}).get(rule.error, rule.hint)
            raise _error(rule, broken, rows, given, called).replaced(hint=hint)
        reasons.append(_error(rule, broken, rows, given, called))
        dropped = rows if dropped is None else dropped | rows
    if dropped is None:
        return None
    total, count = dropped.shape[0], int(namespace(dropped).count_nonzero(dropped))
    if count == total:
        raise EmptyInputError(f"all {total} rows are invalid: {broken_rules(reasons)}")
    warn_caller(DroppedRowsWarning(count, total, reasons))
    return ~dropped


def are_in_range(columns: Iterable[Array | None]) -> bool:
    """Whether all values of float64 are finite, and 0 or of a legal size; a look at each, without the rules.

    Those of float32 have a legal size, and sums tell whether they are finite.
    """
    return all(
        column is None or column.dtype == namespace(column).float32 or _is_in_range(column)
        for column in columns
    )


def _is_in_range(column: Array) -> bool:
    xp, size = namespace(column), block_rows(column)
    for begin in range(0, column.shape[0], size):
        block = xp.abs(column[begin : min(begin + size, column.shape[0]), ...])
        if not float(xp.max(block)) <= LARGEST:
            return False
        if float(xp.min(block)) < SMALLEST and bool(xp.any((block > 0) & (block < SMALLEST))):
            return False
    return True


def rise(quantiles: Quantiles) -> bool:
    """Whether all quantiles are in order and of a legal size; a look at each, without the rules."""
    xp = namespace(quantiles.columns[0])
    in_order = all(bool(xp.all(low <= high)) for low, high in pairwise(quantiles.columns))
    return in_order and are_in_range(quantiles.columns)


def first_broken(columns: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return the number of the first rule that each row breaks, or `NO_RULE`; None if no row breaks any."""
    rules = [(number, rule) for number, rule in enumerate(ROW_RULES) if rule.applies(columns)]
    if are_in_range(columns.values()):
        rules = [(number, rule) for number, rule in rules if rule not in (*FINITE, *MAGNITUDES)]
    broken = [(number, rows) for number, rule in rules if (rows := _broken(rule, columns)).any()]
    if not broken:
        return None
    first = np.full(next(iter(columns.values())).shape, NO_RULE)
    for number, rows in reversed(broken):
        first[rows] = number
    return first


def _broken(rule: RowRule, given: Mapping[str, Array]) -> Array:
    columns = [widened(given[role]) for role in rule.roles]
    with np.errstate(invalid="ignore"):
        return rule.broken(namespace(columns[0]).isfinite, *columns)


def _error(
    rule: RowRule,
    broken: Array,
    rows: Array,
    given: Mapping[str, Array],
    called: Mapping[str, str],
) -> InvalidRowsError:
    """Return the error about the rows that break a rule, with the values of the first one."""
    error = rows_error(rule.error, rows, argument=called.get(rule.argument, rule.argument))
    index: list[Any] = [error.first]
    values: dict[str, float] = {}
    if broken.ndim == _TABLE:
        output = int(namespace(broken).nonzero(broken[error.first, :])[0][0])
        index, values = [error.first, output], {"output": output}
    roles = rule.roles
    if rule.shown is not None:
        roles = roles[rule.shown([_value(given[role], index) for role in roles])]
    values |= {called[role]: _value(given[role], index) for role in roles}
    return error.replaced(rule=rule.named(called), values=values)


def rows_error(
    error: type[InvalidRowsError], rows: Array, *, argument: str, rule: str = "", hint: str = ""
) -> InvalidRowsError:
    """Return the error about the rows of a mask that break a rule."""
    numbers = namespace(rows).nonzero(rows)[0]
    return error(
        argument=argument,
        rule=rule,
        count=int(numbers.shape[0]),
        total=int(rows.shape[0]),
        first=int(numbers[0]),
        hint=hint,
    )


def _value(column: Array, index: list[Any]) -> float:
    return float(column[tuple(index[: column.ndim])])
