"""Several levels of one model, told by the names of columns: Model-lo-50 and Model-lo-90, or q05 and q25."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uccurve.intervals import _column_names

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_ALL = 100
_HALF = 0.5


class LevelColumns(NamedTuple):
    """A pair of bounds, and the nominal coverage that their names tell."""

    level: float
    """In percent, between 0 and 100."""
    lower: str
    upper: str


def nixtla_pairs(present: Sequence[str]) -> dict[str, dict[float, tuple[str, str]]]:
    """Return the bounds of each model by their level in percent: 90 for Model-lo-90 and Model-hi-90.

    Quantiles that are named by their share, Model_ql0.05 and Model_ql0.95, are bounds as well.
    """
    known = frozenset(present)
    pairs: dict[str, dict[float, tuple[str, str]]] = {}
    for column in present:
        match = _column_names.NIXTLA.fullmatch(column)
        if match and match["side"] == "lo":
            upper = f"{match['name']}-hi-{match['level']}"
            if upper in known:
                pairs.setdefault(match["name"], {})[float(match["level"])] = (column, upper)
    fronts = {_column_names.quantile_front(column): _model_of_quantile(column) for column in present}
    for front, name in fronts.items():
        if front is not None and name is not None:
            for level, bounds in quantile_pairs(present, front).items():
                pairs.setdefault(name, {}).setdefault(level, bounds)
    return pairs


def model_of(column: str) -> str | None:
    """Return the model that a bound or quantile of Nixtla's libraries belongs to; None for other names."""
    match = _column_names.NIXTLA.fullmatch(column)
    return match["name"] if match else _model_of_quantile(column)


def _model_of_quantile(column: str) -> str | None:
    front = _column_names.quantile_front(column) or ""
    end = next((end for end in _column_names.QUANTILE_OF_MODEL if front.endswith(end)), front)
    return front.removesuffix(end) or None


def nixtla_median(present: Collection[str], name: str) -> str | None:
    """Return the column of a model's median: Model-median, Model_ql0.5 or Model-ql0.5."""
    names = (f"{name}-median", *(f"{name}{end}5" for end in _column_names.QUANTILE_OF_MODEL))
    return next((column for column in names if column in present), None)


def quantile_pairs(present: Sequence[str], front: str) -> dict[float, tuple[str, str]]:
    """Return the bounds whose names are a front and a level: 90 for q05 and q95, or for 0.05 and 0.95."""
    shares = _shares(present, front)
    pairs = {}
    for share, lower in shares.items():
        upper = shares.get(round(1 - share, 9))
        if share < _HALF and upper is not None:
            pairs[round(_ALL * (1 - 2 * share), 9)] = (lower, upper)
    return pairs


class LevelNames:
    """The levels that the names of a table's columns tell, read once for all models."""

    def __init__(self, present: Sequence[str]) -> None:
        self._present, self._known = present, frozenset(present)
        self._nixtla = nixtla_pairs(present)

    def nested(self, lower: str, upper: str) -> tuple[LevelColumns, ...]:
        """Return all pairs that are named like the given one, up to its level, the innermost first.

        Empty where the names tell no level.
        """
        widest = _column_names.level_of(lower, upper)
        if widest is None:
            return ()
        nixtla, front = _column_names.NIXTLA.fullmatch(lower), _column_names.quantile_front(lower)
        pairs = self._nixtla[nixtla["name"]] if nixtla else quantile_pairs(self._present, str(front))
        rising = sorted(level for level in pairs if level <= widest and 0 < level < _ALL)
        return tuple(LevelColumns(level, *pairs[level]) for level in rising)

    def median(self, lower: str) -> str | None:
        """Return the column of the median beside a lower bound: Model-median or q50."""
        nixtla, front = _column_names.NIXTLA.fullmatch(lower), _column_names.quantile_front(lower)
        if nixtla:
            return nixtla_median(self._known, nixtla["name"])
        return None if front is None else _shares(self._present, front).get(_HALF)


def _shares(present: Sequence[str], front: str) -> dict[float, str]:
    """Return columns by the share of observations below them that their names tell."""
    alike = (column for column in present if _column_names.quantile_front(column) == front)
    return {share: column for column in alike if (share := _column_names.share_of(column)) is not None}
