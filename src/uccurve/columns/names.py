"""Which names mean what: whole names, ends of names, and levels in names. A new naming is an entry here."""

from __future__ import annotations

import difflib
import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from uccurve.exceptions import MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence


# What columns can be for. Weights and segments are not in this table: the user names them.
ROLES = {
    "y_true": "observations",
    "y_pred": "predictions",
    "lower": "lower bounds",
    "upper": "upper bounds",
    "std": "standard deviations",
}

# Whole names that mean a role, in lower case, with underscores for spaces, points and hyphens.
NAMES = {
    "y_true": "y y_true y_test y_obs actual actuals observed observation target truth ground_truth label",
    "y_pred": "yhat y_hat y_pred y_mean pred prediction predicted forecast point_forecast fit mu mean median",
    "lower": "lower lo low lwr lb lower_bound lower_pi pi_lower pi_lo pi_low yhat_lower y_lower pred_lower "
    "obs_ci_lower",
    "upper": "upper hi high upr ub upper_bound upper_pi pi_upper pi_hi pi_high yhat_upper y_upper pred_upper "
    "obs_ci_upper",
    "std": "std sd sigma stddev std_dev standard_deviation se_pred y_std y_sigma yhat_std pred_std",
}
# Those that are not sure: a day has a low and a high as well, and a model with bounds may have a deviation.
_DOUBTFUL = ("low", "high", "y_std", "y_sigma", "yhat_std", "pred_std")
_ROLE_OF = {name: role for role, every in NAMES.items() for name in every.split()}

# Names of the two sides of an interval, with a level and as ends of names; alone they stand in NAMES as well.
SIDES = {"lower": "upper", "lo": "hi", "low": "high", "lwr": "upr"}
_LOWER_OF = {upper: lower for lower, upper in SIDES.items()}
# Ends of names for a standard deviation and for predictions, beside those of bounds. Some, such as the low of
# a day, end the names of other quantities as well.
_DEVIATIONS = ("std", "sd", "sigma")
_PREDICTIONS = ("pred", "prediction", "forecast")
# What joins a model's name and such an end, which is written as lower, Lower or LOWER.
_JOINTS = "_ .-"
_CASES = (str.lower, str.title, str.upper)
_END = re.compile(rf"(?sia)(?P<front>.+[{_JOINTS}])(?P<word>[a-z]+)")

# Patterns of names with a level, and how each writes it; the first that fits is taken.
_SIDE = rf"(?P<side>{'|'.join([*SIDES, *_LOWER_OF])})"
_MODEL = r"(?:(?P<model>.+?)[-_. ]{1,2})??"  # only where there is no other way: q_0.05 is of no model q
_LEVELS = {
    # Coverage in percent: A-lo-90 (Nixtla), A_lower_90, A_lo90, lower_95, Lo 95 (forecast of R), Lower 95%
    rf"(?:(?P<model>.+)[-_. ])?{_SIDE}[-_. ]?(?P<level>[1-9]\d*(?:\.\d+)?)(?: ?%)?": "percent",
    # Coverage as a share, behind the observed variable: y_0.9_lower, y__0.9__lower (sktime, flattened)
    rf"(?:.*?__?)?(?P<level>0\.\d+)__?{_SIDE}": "share",
    # The same in percent: pi90_lower, A_pi_90_lower
    rf"(?:(?P<model>.+)[-_. ])?pi_?(?P<level>[1-9]\d*(?:\.\d+)?)_{_SIDE}": "percent",
    # Quantiles: q05, q_05, A_q05
    rf"{_MODEL}q_?(?P<level>\d\d+)": "digits",
    # 0.05, q0.05, quantile_0.05, A_0.05, A_ql0.05 (NeuralForecast), A_q0.050 (Darts)
    rf"{_MODEL}(?:(?:q|ql|quantiles?)[-_ ]?)?(?P<level>0\.\d+)": "share",
    # p5, quantile_5. p0.5 may be half a percent or a half, and p025 2.5 or 25 percent: neither is guessed.
    rf"{_MODEL}(?:p|percentile|quantile)[_ ]?(?P<level>0[1-9]|[1-9]\d?(?:\.\d+)?)": "percent",
    # 5%, A_5 %
    rf"{_MODEL}(?P<level>\d{{1,2}}(?:\.\d+)?) ?%": "percent",
}
# In any case, with line breaks, and with the digits 0 to 9.
_PATTERNS = {re.compile(f"(?isa){pattern}"): writing for pattern, writing in _LEVELS.items()}
# What stands in the place of a model's name without being one, as the names of observations do.
_NO_MODELS = ("coverage", "quantiles", "pi")
_MOST_LIKELY, _MOST_OTHERS = 12, 8


class LevelName(NamedTuple):
    """What the name of a column tells about its level.

    Attributes
    ----------
    column : str
        The name itself.
    share : float
        The share of observations below: 0.05 of A-lo-90 and of q05.
    is_coverage : bool
        Whether the name tells a side and a coverage, as A-lo-90 does, and not a quantile.
    model : str
        The model that the name tells, "" if none.
    style : str
        What is the same in the names of all levels and of both sides of one model.
    front, writing, end : str
        What precedes the level, how it is written (90 as "percent", 0.9 as "share", the 05 of q05 as
        "digits"), and what follows it.
    """

    column: str
    share: float
    is_coverage: bool
    model: str
    style: str
    front: str
    writing: str
    end: str

    @property
    def is_nixtla(self) -> bool:
        """Whether the name is one of Nixtla's libraries: A-lo-90, A_ql0.05 or A-ql0.05."""
        return self.style.endswith(("-lo-<percent>", "_ql<share>", "-ql<share>"))

    def at(self, share: float) -> str:
        """Return the name for another share below, on the same side."""
        if share == self.share:
            return self.column
        fraction = abs(1 - 2 * share) if self.is_coverage else share
        text = f"{100 * fraction:.9g}" if self.writing == "percent" else f"{fraction:.9f}".rstrip("0")
        if self.writing == "digits":
            text = text.removeprefix("0.").ljust(2, "0")
        return f"{self.front}{text}{self.end}"


def read_level(column: str) -> LevelName | None:
    """Return what the name of a column tells about its level; None where it tells none.

    Examples
    --------
    >>> read_level("net-lo-90").share, read_level("net_q05").share, read_level("Upper 95%").share
    (0.05, 0.05, 0.975)
    """
    for pattern, writing in _PATTERNS.items():
        if match := pattern.fullmatch(column):
            return _level_name(column, match, writing)
    return None


def _level_name(column: str, match: re.Match[str], writing: str) -> LevelName | None:
    groups = match.groupdict(default="")
    text, side, model = groups["level"], groups.get("side", "").lower(), groups.get("model", "")
    share = float(f"0.{text}") if writing == "digits" else float(text) / (100 if writing == "percent" else 1)
    if not 0 < share < 1 and not (side and share == 1):
        return None
    start, stop = match.span("level")
    parts = {(start, stop): f"<{writing}>"}
    if side:
        parts[match.span("side")] = _LOWER_OF.get(side, side)
        share = (1 + share) / 2 if side in _LOWER_OF else (1 - share) / 2
    style = column
    for (first, last), part in sorted(parts.items(), reverse=True):
        style = f"{style[:first]}{part}{style[last:]}"
    share, front, end = round(share, 12), column[:start], column[stop:]
    name = LevelName(column, share, bool(side), model, style, front, writing, end)
    is_none = (model.lower() in _NO_MODELS and not name.is_nixtla) or read_role(model) == "y_true"
    return name._replace(model="") if is_none else name


def read_pair(lower: str | None, upper: str | None) -> tuple[LevelName, LevelName] | None:
    """Return what two bounds tell, if it is one level: 90% by A-lo-90 and A-hi-90, or by q05 and q95."""
    low, high = read_level(lower or ""), read_level(upper or "")
    if low is None or high is None or low.style != high.style or low.share >= high.share:
        return None
    return (low, high) if high.share == opposite(low.share) else None


def opposite(share: float) -> float:
    """Return the share below the other bound of a central interval: 0.95 for 0.05."""
    return round(1 - share, 12)


def read_role(column: str) -> str | None:
    """Return what a whole name means, in any case; None where it means nothing."""
    return _ROLE_OF.get(re.sub(r"[\s.-]+", "_", column.lower()))


def read_end(column: str) -> tuple[str, dict[str, str]]:
    """Return the model that the end of a name tells, and its columns by role; none where it tells none.

    Examples
    --------
    >>> read_end("net_lower"), read_end("My net SD")
    (('net', {'lower': 'net_lower', 'upper': 'net_upper'}), ('My net', {'std': 'My net SD'}))
    """
    match = _END.fullmatch(column)
    front, word = match.groups() if match else ("", "")
    case = next((case for case in _CASES if case(word) == word), None)
    if case and word.lower() in SIDES:
        return front[:-1], {"lower": column, "upper": f"{front}{case(SIDES[word.lower()])}"}
    return (front[:-1], {"std": column}) if case and word.lower() in _DEVIATIONS else ("", {})


def prediction_names(model: str) -> list[str]:
    """Return the names that the predictions of a model may have: NAME_pred, NAME.Forecast, NAME."""
    ends = product(_PREDICTIONS, _JOINTS, _CASES)
    return [*(f"{model}{joint}{case(word)}" for word, joint, case in ends), model]


def _last_word(column: str) -> str:
    match = _END.fullmatch(column)
    return match["word"].lower() if match else ""


def is_sure(column: str) -> bool:
    """Return whether a name of bounds or of a deviation is hardly one of a feature: p5 and temp_lo may be."""
    level = read_level(column)
    if level is None:
        is_whole = read_role(column) is not None and column.lower() not in _DOUBTFUL
        return is_whole or _last_word(column) in ("lower", "upper")
    return level.is_coverage or level.is_nixtla or (level.writing == "digits" and not level.model)


def is_like_forecast(column: str) -> bool:
    """Return whether a name could be that of predictions, bounds or a deviation."""
    has_end = _last_word(column) in (*SIDES, *_LOWER_OF, *_DEVIATIONS, *_PREDICTIONS)
    return has_end or read_level(column) is not None or read_role(column) not in (None, "y_true")


def suggest_roles(column: str) -> set[str | None]:
    """Return what a name may mean by the words in it, and by a level in it."""
    roles = {read_role(word) for word in re.findall(r"[^\W\d_]+", column)}
    if "std" in roles:
        return {"std"}
    return roles if read_level(column) is None else {*roles, "lower", "upper"}


def suggest_columns(present: Sequence[str], roles: Sequence[str]) -> str:
    """List the columns to choose from, as the end of a sentence: first those whose names suggest a role."""
    likely = [column for column in present if not suggest_roles(column).isdisjoint(roles)][:_MOST_LIKELY]
    others = list_names([column for column in present if column not in likely], _MOST_OTHERS)
    return f"; likeliest: {list_names(likely)}; others: {others}" if likely else f" among {others}"


def absent_column(column: str, present: Sequence[str]) -> MissingColumnError:
    """Return an error that names an absent column, and the one that may have been meant."""
    close = nearest_name(column, present)
    hint = f"Did you mean {close!r}?" if close is not None else ""
    return MissingColumnError(f"there is no column {column!r} among {list_names(present)}", hint=hint)


def nearest_name(word: str, known: Sequence[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most like a word, whatever the case, if any is like it."""
    folded = {name.casefold(): name for name in reversed(known)}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[close[0]] if close else None


def list_names(names: Sequence[str], most: int = 20) -> str:
    """List quoted names, not too many, or say that there are none."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(map(repr, names[:most])) or "none") + more
