"""Prediction intervals: rows that were checked once.

`checks` turns arguments into checked rows and claims, `rules` is the table of rules about rows.
"""

from uccurve.intervals import checks, rules
from uccurve.intervals.frames import name_as_text
from uccurve.intervals.intervals import Intervals
from uccurve.intervals.labels import as_labels, choose_rows, group_rows, is_missing, match_rows
from uccurve.intervals.quantiles import (
    DEFAULT_LEVELS,
    MEDIAN,
    Levels,
    NestedPairs,
    quantile_columns,
    quantile_name,
    sort_quantiles,
)
from uccurve.intervals.rows import RowArrays, Summary, are_in_range
from uccurve.intervals.samples import draws_first

__all__ = [
    "DEFAULT_LEVELS",
    "MEDIAN",
    "Intervals",
    "Levels",
    "NestedPairs",
    "RowArrays",
    "Summary",
    "are_in_range",
    "as_labels",
    "checks",
    "choose_rows",
    "draws_first",
    "group_rows",
    "is_missing",
    "match_rows",
    "name_as_text",
    "quantile_columns",
    "quantile_name",
    "rules",
    "sort_quantiles",
]
