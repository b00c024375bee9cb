"""Several levels of one model, told by the names of columns: Model-lo-50 and Model-lo-90, or q05 and q25."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uccurve.columns import _column_names
from uccurve.columns._level_names import level_name
from uccurve.exceptions import MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from uccurve.columns._level_names import LevelStyle

_ALL = 100
_HALF = 0.5


class LevelColumns(NamedTuple):
    """A pair of bounds, and the nominal coverage that their names tell."""

    level: float
    """In percent, between 0 and 100."""
    lower: str
    upper: str


class LevelNames:
    """The levels that the names of a table's columns tell, read once for all models."""

    def __init__(self, present: Sequence[str], without: Collection[str] = ()) -> None:
        self._known = frozenset(present)
        self._columns: dict[LevelStyle, dict[float, str]] = {}
        self._repeated: dict[LevelStyle, tuple[str, str]] = {}
        for column in present:
            name = None if column in without else level_name(column)
            if name is not None:
                first = self._columns.setdefault(name.style, {}).setdefault(name.share, column)
                if first != column:
                    self._repeated.setdefault(name.style, (first, column))

    @property
    def styles(self) -> list[LevelStyle]:
        """How levels are written, in the order of the columns."""
        return list(self._columns)

    def columns(self, style: LevelStyle) -> list[str]:
        """Return the columns of one style."""
        return list(self._columns[style].values())

    def pairs(self, style: LevelStyle) -> dict[float, tuple[str, str]]:
        """Return bounds by their level in percent: 90 for q05 and q95.

        Raises
        ------
        MissingColumnError
            If two columns tell the same level, as A-lo-90 and A-lo-90.0 do.
        """
        shares = self._columns.get(style, {})
        pairs = {}
        for share, lower in shares.items():
            upper = shares.get(round(1 - share, 12))
            if share < _HALF and upper is not None:
                pairs[round(_ALL * (1 - 2 * share), 9)] = (lower, upper)
        if pairs and style in self._repeated:
            first, second = self._repeated[style]
            raise MissingColumnError(
                f"the columns {first!r} and {second!r} tell the same level",
                hint="Leave one out, or choose with `lower` and `upper`.",
            )
        return pairs

    def nested(self, lower: str, upper: str) -> tuple[LevelColumns, ...]:
        """Return all pairs that are named like the given one, up to its level, the innermost first.

        Empty where the names tell no level.
        """
        widest, name = _column_names.level_of(lower, upper), level_name(lower)
        if widest is None or name is None:
            return ()
        pairs = self.pairs(name.style)
        rising = sorted(level for level in pairs if level <= widest and 0 < level < _ALL)
        return tuple(LevelColumns(level, *pairs[level]) for level in rising)

    def median(self, lower: str) -> str | None:
        """Return the column of the median beside a lower bound: Model-median or q50."""
        name = level_name(lower)
        return None if name is None else self.median_of(name.style)

    def median_of(self, style: LevelStyle) -> str | None:
        """Return the column of the median in one style."""
        if style.kind == "coverage":
            median = f"{style.front}-median"
            return median if median in self._known else None
        return self._columns.get(style, {}).get(_HALF)
