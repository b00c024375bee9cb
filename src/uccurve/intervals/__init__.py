"""Prediction intervals: rows that were checked once.

`checks` turns arguments into checked rows and claims, `rules` is the table of rules about rows.
"""

from uccurve.intervals import checks, rules
from uccurve.intervals.frames import name_as_text
from uccurve.intervals.intervals import Intervals
from uccurve.intervals.labels import as_labels, group_rows, is_missing
from uccurve.intervals.quantiles import (
    DEFAULT_LEVELS,
    MEDIAN,
    Levels,
    NestedPairs,
    quantile_columns,
    quantile_name,
    sort_bounds,
    sort_quantiles,
)
from uccurve.intervals.rows import RowArrays, Summary
from uccurve.intervals.samples import draws_first

__all__ = [
    "DEFAULT_LEVELS",
    "MEDIAN",
    "Intervals",
    "Levels",
    "NestedPairs",
    "RowArrays",
    "Summary",
    "as_labels",
    "checks",
    "draws_first",
    "group_rows",
    "is_missing",
    "name_as_text",
    "quantile_columns",
    "quantile_name",
    "rules",
    "sort_bounds",
    "sort_quantiles",
]
