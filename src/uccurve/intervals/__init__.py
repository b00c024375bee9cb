"""Prediction intervals: rows that were checked once."""

from uccurve.intervals._array_rules import are_in_range, enforce, first_broken, rows_error
from uccurve.intervals._checked_rows import ALMOST_SYMMETRIC, Summary, check_columns, check_rows, with_bands
from uccurve.intervals._crossed import sort_bounds, sort_quantiles
from uccurve.intervals._distributions import DEFAULT_LEVELS
from uccurve.intervals._draws import draws_first
from uccurve.intervals._frame_rules import first_broken_expression, valid_expression
from uccurve.intervals._intervals import Intervals
from uccurve.intervals._labels import as_labels, grouped, is_missing
from uccurve.intervals._level_pairs import MEDIAN, SAME, as_level, matched
from uccurve.intervals._named_arrays import NamedColumns, load
from uccurve.intervals._nested_pairs import NestedPairs, name_left_out
from uccurve.intervals._nominal_coverage import (
    ONE_DEVIATION,
    check_claims,
    checked_nominal,
    claim_between,
    claim_of_columns,
    claims_of,
    share,
)
from uccurve.intervals._paired_levels import paired
from uccurve.intervals._quantiles import quantile_columns, quantile_name, ranked_levels
from uccurve.intervals._row_arrays import RowArrays
from uccurve.intervals._row_rules import (
    BOUNDS,
    FINITE,
    FINITE_BUT_BOUNDS,
    LARGEST,
    MAGNITUDES,
    NO_RULE,
    ORDER,
    ROW_RULES,
    SMALLEST,
    RowRule,
)
from uccurve.intervals._sides import bounded, without_infinite_numbers

__all__ = [
    "ALMOST_SYMMETRIC",
    "BOUNDS",
    "DEFAULT_LEVELS",
    "FINITE",
    "FINITE_BUT_BOUNDS",
    "LARGEST",
    "MAGNITUDES",
    "MEDIAN",
    "NO_RULE",
    "ONE_DEVIATION",
    "ORDER",
    "ROW_RULES",
    "SAME",
    "SMALLEST",
    "Intervals",
    "NamedColumns",
    "NestedPairs",
    "RowArrays",
    "RowRule",
    "Summary",
    "are_in_range",
    "as_labels",
    "as_level",
    "bounded",
    "check_claims",
    "check_columns",
    "check_rows",
    "checked_nominal",
    "claim_between",
    "claim_of_columns",
    "claims_of",
    "draws_first",
    "enforce",
    "first_broken",
    "first_broken_expression",
    "grouped",
    "is_missing",
    "load",
    "matched",
    "name_left_out",
    "paired",
    "quantile_columns",
    "quantile_name",
    "ranked_levels",
    "rows_error",
    "share",
    "sort_bounds",
    "sort_quantiles",
    "valid_expression",
    "with_bands",
    "without_infinite_numbers",
]
