"""Names of columns: the role and the level that they tell, and the one that may have been meant."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from uccurve.exceptions import MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMON = {
    "y_true": "y_true y actual actuals target observed observation truth ground_truth label y_test y_obs",
    "y_pred": "y_pred yhat y_hat pred prediction predicted forecast mean median y_mean point_forecast",
    "lower": "lower lo low lower_bound yhat_lower y_lower pred_lower lower_pi pi_lower q05 q025 q10",
    "upper": "upper hi high upper_bound yhat_upper y_upper pred_upper upper_pi pi_upper q95 q975 q90",
    "std": "std sigma y_std stddev std_dev standard_deviation pred_std y_sigma yhat_std",
}
"""Common names of the columns of each role, in lower case."""

NIXTLA = re.compile(r"(?P<name>.+)-(?P<side>lo|hi)-(?P<level>\d+(?:\.\d+)?)", re.DOTALL)
"""Bounds as Nixtla's libraries name them: Model-lo-90, Model-hi-90."""

_QUANTILE = re.compile(
    r"(?P<name>.*q(?=\d\d)|(?:.*q[l_]?)?0\.)(?P<digits>\d+)", re.DOTALL | re.IGNORECASE | re.ASCII
)
"""Quantiles by the share of observations below them: q05, model_q05, 0.05, q_0.05, x_q0.05, Model_ql0.05."""
QUANTILE_OF_MODEL = ("_ql0.", "-ql0.")
"""What stands in front of the digits where Nixtla's libraries name quantiles: Model_ql0.05, Model-ql0.05."""
DECIMAL = "0."
"""How the names of columns begin that are levels themselves: 0.05, 0.5, 0.95."""
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
    part = column.endswith(("_lower", "_upper", "_pred", "_std")) or NIXTLA.fullmatch(column)
    has_bounds = {f"{column}_lower", f"{column}_upper"} & set(present)
    has_levels = any(NIXTLA.fullmatch(other) and other.startswith(f"{column}-") for other in present)
    return bool(common or part or has_bounds or has_levels)


def level_of(lower: str, upper: str) -> float | None:
    """Return the level in two names, in percent: 90 of Model-lo-90 and Model-hi-90, or of q05 and q95."""
    low, high = NIXTLA.fullmatch(lower), NIXTLA.fullmatch(upper)
    if low and high:
        same = (low["name"], low["level"]) == (high["name"], high["level"])
        return float(low["level"]) if same and (low["side"], high["side"]) == ("lo", "hi") else None
    low, high = _QUANTILE.fullmatch(lower), _QUANTILE.fullmatch(upper)
    if not (low and high and low["name"] == high["name"]):
        return None
    below, above = float(f"0.{low['digits']}"), float(f"0.{high['digits']}")
    central = abs(below + above - 1) < _SAME_LEVEL and below < above
    return round(100 * (above - below), 9) if central else None


def quantile_front(column: str) -> str | None:
    """Return what precedes the digits in the name of a quantile, as q in q05; None for other names."""
    match = _QUANTILE.fullmatch(column)
    return match["name"] if match else None


def share_of(column: str) -> float | None:
    """Return the share of observations below a quantile that its name tells, if any: 0.05 of q05."""
    match = _QUANTILE.fullmatch(column)
    return float(f"0.{match['digits']}") if match else None


def bounds_at(lower: str, upper: str, level: float) -> tuple[str, str] | None:
    """Return the names of the bounds for another level; None if the given names tell no level."""
    present = level_of(lower, upper)
    if present is None:
        return None
    if abs(present - level) < _SAME_LEVEL:
        return lower, upper
    tail = (100 - level) / 200
    return _renamed(lower, level, tail), _renamed(upper, level, 1 - tail)


def _renamed(bound: str, level: float, share: float) -> str:
    """Return a bound's name with another level, or share of observations below, in it."""
    nixtla, quantile = NIXTLA.fullmatch(bound), _QUANTILE.fullmatch(bound)
    if nixtla:
        return f"{nixtla['name']}-{nixtla['side']}-{level:.9g}"
    digits = f"{share:.9f}".removeprefix("0.").rstrip("0")
    front = quantile["name"] if quantile else bound
    return f"{front}{digits if front.endswith(DECIMAL) else digits.ljust(2, '0')}"


def absent_column(column: str, present: Sequence[str]) -> MissingColumnError:
    """Return an error that names an absent column, and the one that may have been meant."""
    close = nearest(column, present)
    hint = f"; did you mean {close!r}?" if close is not None else "."
    return MissingColumnError(f"there is no column {column!r} among {listed(present)}{hint}")


def nearest(word: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most like a word, whatever the case, if any is like it."""
    folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[close[0]] if close else None


def listed(names: Sequence[str], most: int = 20) -> str:
    """List quoted names, not too many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
