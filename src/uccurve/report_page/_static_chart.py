"""The main chart as a drawing that needs no script: for previews in mails and on build servers.

Only numbers are computed here; page.html draws them, and escapes every name.
"""

from __future__ import annotations

import math
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.text import printable
from uccurve.report_page._short_names import without_middle

if TYPE_CHECKING:
    from uccurve.report_page._ratio_bands import RatioLines

WIDTH, HEIGHT = 900, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 108, 150, 14, 46
LOWEST_COVERAGE = 0.5
"""The chart begins here, unless a lower coverage was chosen."""
_COVERAGES = (0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1)
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
_MOST_TICKS = 6
_LABEL_HEIGHT = 16
_LONGEST = 18
"""Letters of a name beside its line."""
_DASHES = ("", "7 3", "9 2 2 2", "3 2", "12 3", "2 3")
"""As in js/palette.js."""
_COLORS = 6
_HIGHEST = 3.0
"""Ratios above it leave the chart."""
_TAIL = 0.01
"""Miss rates below it, where few rows decide, may leave the chart."""
_ROOM, _LEAST_ROOM = 0.06, 0.1


def static_chart(lines: RatioLines, miss_rate: float) -> dict[str, Any] | None:
    """Lay the chart out; None where no ratio is known."""
    lowest = LOWEST_COVERAGE if 1 - miss_rate > LOWEST_COVERAGE else 0.0
    rates = lines.rates
    low, high = _ratio_ends(lines, lowest)
    if not low < high:
        return None
    left, right = math.sqrt(1 - lowest), 0.0

    def across(rate: Any) -> Any:
        return _LEFT + (left - np.sqrt(rate)) / (left - right) * (WIDTH - _LEFT - _RIGHT)

    def up(ratio: Any) -> Any:
        return _TOP + (high - np.clip(ratio, low - 1, high + 1)) / (high - low) * (HEIGHT - _TOP - _BOTTOM)

    shown = (rates <= 1 - lowest) & (rates > 0)
    xs = across(rates[shown])
    drawn = []
    for place, name in enumerate(lines.ratio):
        ratio, margin = lines.ratio[name][shown], lines.log_margin[name][shown]
        ends = [up(end) for end in _band(ratio, margin)]
        drawn.append(
            {
                "name": without_middle(printable(name), _LONGEST),
                "color": f"curve-{place % _COLORS}",
                "hex": light_color(f"curve-{place % _COLORS}"),
                "dashes": _DASHES[(place + place // _COLORS) % len(_DASHES)],
                "path": _path(xs, up(ratio)),
                "leaves": _leaving(xs, up(ratio)),
                "band": _ring(xs, *ends),
                "end": float(up(ratio[np.isfinite(ratio)][0])) if np.isfinite(ratio).any() else None,
            }
        )
    _spread([one for one in drawn if one["end"] is not None])
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": _LEFT,
        "right": WIDTH - _RIGHT,
        "top": _TOP,
        "bottom": HEIGHT - _BOTTOM,
        "lines": drawn,
        "zero": _rounded(up(1.0)),
        "chosen": _rounded(across(miss_rate)),
        "across": [
            {"at": _rounded(across(1 - coverage)), "text": f"{100 * coverage:g}%"}
            for coverage in _COVERAGES
            if coverage >= lowest
        ],
        "up": [
            {"at": _rounded(up(1 + tick)), "text": _in_words(tick, lines.better)}
            for tick in _ticks(low - 1, high - 1)
        ],
        "ink": light_color("ink"),
        "soft": light_color("soft"),
        "faint": light_color("faint"),
        "constant": light_color("constant"),
    }


def _ratio_ends(lines: RatioLines, lowest: float) -> tuple[float, float]:
    """Return the ratios between which the chart lies: those at higher coverages, their bands, and 1."""
    seen = (lines.rates <= 1 - lowest) & (lines.rates >= _TAIL)
    found = [1.0]
    for name, ratio in lines.ratio.items():
        margin = np.nan_to_num(lines.log_margin[name][seen])
        ends = np.concatenate(_band(ratio[seen], margin))
        found += ends[np.isfinite(ends)].tolist()
    low, high = max(min(found), 0.0), min(max(found), _HIGHEST)
    room = _ROOM * (high - low) or _LEAST_ROOM
    return low - room, high + room


def _band(ratio: np.ndarray, log_margin: np.ndarray) -> list[np.ndarray]:
    """Return the ends of the band; from few draws it may be of any width."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return [ratio * np.exp(sign * log_margin) for sign in (-1, 1)]


def light_color(name: str) -> str:
    """Return a color of the palette as it is in light, for readers that know no style sheet."""
    palette = (resources.files("uccurve.report_page") / "css" / "palette.css").read_text("utf-8")
    found = re.search(rf"--{name}: var\(--light, (#\w+)\)", palette)
    if found is None:
        raise ValueError(f"palette.css has no color --{name}")
    return found[1]


def _path(xs: np.ndarray, ys: np.ndarray) -> str:
    """Draw a line through the points that exist."""
    known = np.isfinite(ys)
    pen = np.where(np.concatenate([[False], known[:-1]]), "L", "M")
    return "".join(
        f"{mark}{x:.1f},{y:.1f}" for mark, x, y in zip(pen[known], xs[known], ys[known], strict=True)
    )


def _leaving(xs: np.ndarray, ys: np.ndarray) -> str:
    """Draw a triangle at the edge of the plot where a line leaves it towards high coverage; else nothing."""
    rising = slice(None, None, -1)  # coverages
    known = np.isfinite(ys)
    xs, ys = xs[known][rising], ys[known][rising]
    outside = (ys < _TOP) | (ys > HEIGHT - _BOTTOM)
    if not outside.size or not outside[-1]:
        return ""
    begin = int(np.flatnonzero(~outside)[-1]) + 1 if not outside.all() else 0
    edge, inwards = (_TOP, 9) if ys[begin] < _TOP else (HEIGHT - _BOTTOM, -9)
    before = max(begin - 1, 0)
    share = (edge - ys[before]) / (ys[begin] - ys[before]) if before < begin else 1.0
    x = xs[before] + share * (xs[begin] - xs[before])
    return f"M{x:.1f},{edge}l-5,{inwards}h10Z"


def _ring(xs: np.ndarray, low: np.ndarray, high: np.ndarray) -> str:
    """Draw the outline of an area."""
    known = np.isfinite(low) & np.isfinite(high)
    if not known.any():
        return ""
    there, back = _path(xs[known], low[known]), _path(xs[known][::-1], high[known][::-1])
    return f"{there}L{back[1:]}Z"


def _spread(labels: list[dict[str, Any]]) -> None:
    """Move labels apart, from the top down and back up at the bottom."""
    labels.sort(key=lambda one: one["end"])
    above = -math.inf
    for one in labels:
        one["label"] = above = max(one["end"], above + _LABEL_HEIGHT, float(_TOP))
    below = float(HEIGHT - _BOTTOM)
    for one in reversed(labels):
        one["label"] = below = min(one["label"], below)
        below -= _LABEL_HEIGHT


def _ticks(low: float, high: float) -> list[float]:
    step = next((step for step in _STEPS if (high - low) / step <= _MOST_TICKS), _STEPS[-1])
    return [step * place for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _in_words(share: float, words: tuple[str, str, str]) -> str:
    percent = round(100 * share)
    less, more, same = words
    return f"{abs(percent)}% {more if percent > 0 else less}" if percent else same


def _rounded(place: Any) -> float:
    return round(float(place), 1)
