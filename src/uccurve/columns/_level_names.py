"""Levels in the names of columns: Model-lo-90, q05, 0.05, p5, 5%, y_0.9_lower; read, and written again."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_HALF, _ALL = 0.5, 100
_DIGITS = 9
"""Decimals that levels are compared by."""

Kind = Literal["coverage", "flat coverage", "digits", "share", "percent"]


class LevelStyle(NamedTuple):
    """How the columns of one model write their levels: what is the same in all of their names."""

    kind: Kind
    """Coverage in percent (A-lo-90) or as a share (y_0.9_lower), or a quantile: q05, 0.05 or p5."""
    front: str
    """What precedes the level: A, y, q, or nothing."""
    end: str = ""
    """What follows the level: a percent sign; of flat coverages, what is between the parts."""

    @property
    def is_coverage(self) -> bool:
        """Whether names tell a side and a coverage, as A-lo-90 does, and not a quantile."""
        return self.kind in ("coverage", "flat coverage")

    @property
    def model(self) -> str | None:
        """The name of the model, "" where there is none as in q05, None where a name only seems to."""
        if self.is_coverage:
            return self.front
        match = _MODEL.fullmatch(self.front)
        return match["model"] or "" if match else None

    @property
    def is_quantile_loss(self) -> bool:
        """Whether the names are those of NeuralForecast, such as Model_ql0.05."""
        return self.kind == "share" and self.front.endswith("_ql")

    def name(self, share: float) -> str:
        """Return the name for a share of observations below."""
        level = round(_ALL * abs(1 - 2 * share), _DIGITS)
        if self.kind == "coverage":
            return f"{self.front}-{'lo' if share < _HALF else 'hi'}-{level:.9g}"
        if self.kind == "flat coverage":
            side = "lower" if share < _HALF else "upper"
            return f"{self.front}{self.end}{level / _ALL:.9g}{self.end}{side}"
        if self.kind == "percent":
            return f"{self.front}{_ALL * share:.9g}{self.end}"
        digits = f"{share:.9f}".removeprefix("0.").rstrip("0")
        return f"{self.front}{digits.ljust(2, '0') if self.kind == 'digits' else f'0.{digits}'}"


class LevelName(NamedTuple):
    """What a column's name tells: its style, and the share of observations below."""

    style: LevelStyle
    share: float


_FLAGS = re.DOTALL | re.IGNORECASE | re.ASCII
_NIXTLA = re.compile(r"(?P<front>.+)-(?P<side>lo|hi)-(?P<level>\d+(?:\.\d+)?)", re.DOTALL | re.ASCII)
_SKTIME = re.compile(
    r"(?P<front>.*?)(?P<end>__?)(?P<level>0\.\d+)(?P=end)(?P<side>lower|upper)", re.DOTALL | re.ASCII
)
_QUANTILES: dict[Kind, re.Pattern[str]] = {
    "digits": re.compile(r"(?P<front>.*q)(?P<level>\d\d+)", _FLAGS),
    "share": re.compile(r"(?P<front>|.*(?:q|ql|quantiles?)[_ -]?|.+_)(?P<level>0\.\d+)", _FLAGS),
    # p0.5 may be half a percent or a half, and p025 2.5 or 25 percent: neither is guessed.
    "percent": re.compile(
        r"(?P<front>(?:.*[^a-z0-9])?(?:p|percentile)[_ ]?)(?P<level>0[1-9]|[1-9]\d?(?:\.\d+)?)"
        r"|(?P<marked>(?:.*[_ -])?)(?P<number>\d{1,2}(?:\.\d+)?)(?P<end> ?%)",
        _FLAGS,
    ),
}
_WORD = r"(?:q|ql|quantiles?|p|percentile)?[_ -]?"
_MODEL = re.compile(rf"{_WORD}|(?P<model>.+?)[_\-. ]{{1,2}}{_WORD}", re.DOTALL | re.IGNORECASE)
"""What precedes a level: a word for a quantile, or the name of a model and such a word."""


def level_name(column: str) -> LevelName | None:
    """Return what the name of a column tells about its level; None where it tells none."""
    match = _NIXTLA.fullmatch(column) or _SKTIME.fullmatch(column)
    if match:
        flat = "end" in match.groupdict()
        level = float(match["level"]) * (_ALL if flat else 1)
        style = LevelStyle(
            "flat coverage" if flat else "coverage", match["front"], match["end"] if flat else ""
        )
        tail = (_ALL - level) / (2 * _ALL)
        share = tail if match["side"] in ("lo", "lower") else 1 - tail
        return LevelName(style, round(share, 12)) if 0 < level <= _ALL else None
    for kind, pattern in _QUANTILES.items():
        match = pattern.fullmatch(column)
        if match:
            return _quantile(kind, match)
    return None


def _quantile(kind: Kind, match: re.Match[str]) -> LevelName | None:
    if kind == "percent":
        marked = match["end"] is not None
        front, text = (match["marked"], match["number"]) if marked else (match["front"], match["level"])
        style, share = LevelStyle(kind, front, match["end"] or ""), float(text) / _ALL
    else:
        text = match["level"] if kind == "share" else f"0.{match['level']}"
        style, share = LevelStyle(kind, match["front"]), float(text)
    return LevelName(style, round(share, 12)) if 0 < share < 1 else None
