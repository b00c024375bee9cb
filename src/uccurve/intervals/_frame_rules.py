"""Rules about rows as narwhals expressions, on columns named by role; narwhals is handed in as ``nw``."""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

from uccurve.intervals._row_rules import NO_RULE, ROW_RULES

if TYPE_CHECKING:
    from collections.abc import Collection

    from uccurve.intervals._row_rules import RowRule


def valid_expression(nw: Any, roles: Collection[str]) -> Any:
    """Return whether a row breaks no rule."""
    rules = (rule for rule in ROW_RULES if rule.applies(roles))
    broken = (_broken(nw, rule, operator.methodcaller("is_finite")) for rule in rules)
    return ~reduce(operator.or_, broken).fill_null(value=True)


def first_broken_expression(nw: Any, roles: Collection[str]) -> Any:
    """Return the number in `ROW_RULES` of the first rule that a row breaks, or `NO_RULE`."""
    numbers = [number for number, rule in enumerate(ROW_RULES) if rule.applies(roles)]
    first = nw.lit(numbers.pop())  # a row that is not valid and breaks no other rule breaks the last
    for number in reversed(numbers):
        first = nw.when(_broken(nw, ROW_RULES[number], _is_finite)).then(nw.lit(number)).otherwise(first)
    return nw.when(valid_expression(nw, roles)).then(nw.lit(NO_RULE)).otherwise(first)


def _broken(nw: Any, rule: RowRule, is_finite: Any) -> Any:
    return rule.broken(is_finite, *(nw.col(role) for role in rule.roles))


def _is_finite(column: Any) -> Any:
    """Whether a value is finite, which a missing one is not."""
    return column.is_finite().fill_null(value=False)
