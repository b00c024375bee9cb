"""Names of columns: the role and the level that they tell, and the one that may have been meant."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from uccurve.columns._level_names import level_name
from uccurve.exceptions import MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMON = {
    "y_true": "y_true y actual actuals target observed observation truth ground_truth label y_test y_obs",
    "y_pred": "y_pred yhat y_hat pred prediction predicted forecast mean median y_mean point_forecast",
    "lower": "lower lo low lower_bound yhat_lower y_lower pred_lower lower_pi pi_lower q05 q025 q10 "
    "obs_ci_lower",
    "upper": "upper hi high upper_bound yhat_upper y_upper pred_upper upper_pi pi_upper q95 q975 q90 "
    "obs_ci_upper",
    "std": "std sigma y_std stddev std_dev standard_deviation pred_std y_sigma yhat_std",
}
"""Common names of the columns of each role, in lower case."""

_BOUND_WORDS = {"lo", "low", "lower", "lwr", "lb", "hi", "high", "upper", "upr", "ub", "bound"}
_DEVIATION_WORDS = {"std", "sd", "sigma", "stddev", "stdev", "dev", "deviation", "scale", "se"}
_SAME_LEVEL = 1e-6


def is_common(column: str, role: str) -> bool:
    """Whether a name is a common one for a role."""
    return column.lower() in COMMON[role].split()


def looks_like_bound(column: str) -> bool:
    """Whether a name has a word for a bound in it, and none for a deviation."""
    words = set(re.split(r"[\W_]+", column.lower()))
    quantile = any(re.fullmatch(r"[qp]\d+", word) for word in words)
    return bool(quantile or words & _BOUND_WORDS) and not words & _DEVIATION_WORDS


def looks_like_interval(column: str, present: Sequence[str]) -> bool:
    """Whether a column looks like a part of some model's intervals, used or not."""
    common = any(is_common(column, role) for role in ("y_pred", "lower", "upper", "std"))
    name = level_name(column)
    unnamed = name is not None and (name.style.model == "" or name.style.is_coverage)
    part = column.endswith(("_lower", "_upper", "_pred", "_std")) or unnamed
    has_bounds = {f"{column}_lower", f"{column}_upper"} & set(present)
    begins = [other for other in present if other.startswith(f"{column}-")]
    has_levels = any(level_name(other) is not None for other in begins)
    return bool(common or part or has_bounds or has_levels)


def level_of(lower: str, upper: str) -> float | None:
    """Return the level in two names, in percent: 90 of Model-lo-90 and Model-hi-90, or of q05 and q95."""
    low, high = level_name(lower), level_name(upper)
    if low is None or high is None or low.style != high.style:
        return None
    central = abs(low.share + high.share - 1) < _SAME_LEVEL and low.share < high.share
    return round(100 * (high.share - low.share), 9) if central else None


def bounds_at(lower: str, upper: str, level: float) -> tuple[str, str] | None:
    """Return the names of the bounds for another level; None if the given names tell no level."""
    present, name = level_of(lower, upper), level_name(lower)
    if present is None or name is None:
        return None
    if abs(present - level) < _SAME_LEVEL:
        return lower, upper
    tail = (100 - level) / 200
    return name.style.name(tail), name.style.name(1 - tail)


def absent_column(column: str, present: Sequence[str]) -> MissingColumnError:
    """Return an error that names an absent column, and the one that may have been meant."""
    close = nearest(column, present)
    hint = f"Did you mean {close!r}?" if close is not None else ""
    return MissingColumnError(f"there is no column {column!r} among {listed(present)}", hint=hint)


def nearest(word: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most like a word, whatever the case, if any is like it."""
    folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[close[0]] if close else None


def listed(names: Sequence[str], most: int = 20) -> str:
    """List quoted names, not too many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
