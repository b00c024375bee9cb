"""The difference between two models after exchanges of rows, from sums or from rows in order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from uccurve.inference import _point_exchange
from uccurve.inference._area_spec import AreaSpec
from uccurve.inference._closed_forms import closed_form
from uccurve.inference._plain_rows import stacked
from uccurve.inference._point_numbers import PointEstimator, PointSpec
from uccurve.inference._presorted import Presorted
from uccurve.inference._row_scores import ScoreSpec
from uccurve.inference._sorted_areas import SortedArea

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from uccurve.inference._closed_forms import ClosedForm
    from uccurve.inference._exchanges import Draw
    from uccurve.inference._plain_rows import PlainRows

Spec = AreaSpec | PointSpec | ScoreSpec


@dataclass(frozen=True, eq=False)
class SumDifference:
    """A difference that follows from sums over the rows that are exchanged."""

    observed: float
    scale: float
    """The size of what is subtracted, for its rounding."""
    columns: np.ndarray
    """What each unit adds to the sums; (units, columns)."""
    of_sums: Callable[[np.ndarray], np.ndarray]
    """Returns the difference after each exchange, given sums over the exchanged units: (draws, columns)."""
    of_models: tuple[np.ndarray, np.ndarray] | None = None
    """What each unit has in the first and in the second model, where the columns are second minus first."""


@dataclass(frozen=True, eq=False)
class OrderDifference:
    """A difference that needs the rows of both models in order."""

    observed: float
    scale: float
    """The size of what is subtracted, for its rounding."""
    pool: PointEstimator | SortedArea
    rows: PlainRows

    def resampled(self, chunks: Iterable[np.ndarray]) -> np.ndarray:
        """Return the difference after each exchange, given as bytes of eight units each."""
        if isinstance(self.pool, PointEstimator) and _point_exchange.possible(self.pool):
            return _point_exchange.differences(self.pool, self.rows, chunks)
        weight, drawn = self.rows.weight, self.rows.blocks
        n, mine = weight.size, np.concatenate([weight, weight])
        difference, found = self.pool.difference(mine.copy()), []
        for chunk in chunks:
            for bits in chunk:
                exchanged = np.unpackbits(bits, bitorder="little", count=drawn.n_blocks)
                if drawn.n_blocks != n:
                    exchanged = exchanged[drawn.of_row]
                np.multiply(weight, exchanged, out=mine[n:])
                np.subtract(weight, mine[n:], out=mine[:n])
                found.append(difference(mine))
        return np.array(found)


Difference = SumDifference | OrderDifference


def difference_of(spec: Spec, rows: PlainRows) -> Difference:
    """Return the difference between two models, ready for exchanges."""
    if isinstance(spec, ScoreSpec):
        return _of_scores(spec, rows)
    if isinstance(spec, AreaSpec) and spec.closed:
        return _of_closed_forms(spec, rows)
    return _of_rows_in_order(spec, rows)


def resampled(differences: Sequence[Difference], draw: Draw) -> list[np.ndarray]:
    """Return each difference after each exchange; all have the same units, and share the exchanges."""
    summed = [one for one in differences if isinstance(one, SumDifference)]
    if len(summed) == len(differences):
        parts = _sums_of_models(summed, draw) or _sums_of_pairs(summed, draw)
        return [one.of_sums(part) for one, part in zip(summed, parts, strict=True)]
    ordered = [one for one in differences if isinstance(one, OrderDifference)]
    chunks = draw.subsets(ordered[0].rows.blocks.n_blocks)
    if len(ordered) == 1:
        return [ordered[0].resampled(chunks)]
    found: list[list[np.ndarray]] = [[] for _ in ordered]
    for chunk in chunks:
        for parts, one in zip(found, ordered, strict=True):
            parts.append(one.resampled([chunk]))
    return [np.concatenate(parts) for parts in found]


def _sums_of_pairs(differences: Sequence[SumDifference], draw: Draw) -> list[np.ndarray]:
    """Add up the columns of each pair over the exchanged units."""
    sums = draw.sums(np.concatenate([one.columns for one in differences], axis=1))
    ends = np.cumsum([one.columns.shape[1] for one in differences])
    return np.split(sums, ends[:-1], axis=1)


def _sums_of_models(differences: Sequence[SumDifference], draw: Draw) -> list[np.ndarray]:
    """Add up the same from the columns of models, which are fewer than pairs; nothing if they are not."""
    places: dict[bytes, int] = {}
    columns: list[np.ndarray] = []
    wanted: list[list[list[int]]] = []
    for one in differences:
        if one.of_models is None:
            return []
        wanted.append([])
        for model in one.of_models:
            keys = [column.tobytes() for column in model.T]
            for key, column in zip(keys, model.T, strict=True):
                if key not in places:
                    places[key] = len(columns)
                    columns.append(column)
            wanted[-1].append([places[key] for key in keys])
    if len(columns) >= sum(one.columns.shape[1] for one in differences):
        return []
    sums = draw.sums(np.stack(columns, axis=1))
    return [sums[:, second] - sums[:, first] for first, second in wanted]


def _of_scores(spec: ScoreSpec, rows: PlainRows) -> SumDifference:
    """Exchange the scores of rows, whose mean is compared: a row that is exchanged changes its sign."""
    first, second = (spec.of_rows(model) for model in rows.models)
    total = float(rows.weight.sum())
    columns = rows.blocks.sums((rows.weight * (first - second))[:, None])
    observed = float(columns.sum()) / total
    scale = max(float(np.average(column, weights=rows.weight)) for column in (first, second))
    return SumDifference(observed, scale, columns, lambda sums: observed - 2 * sums[:, 0] / total)


def _of_closed_forms(spec: AreaSpec, rows: PlainRows) -> SumDifference:
    """Exchange sums: the part of each column that the exchanged blocks take along."""
    weight, drawn = rows.weight[:: rows.outputs, None], rows.blocks.of_rows(rows.outputs)
    forms = [closed_form(Presorted(model, spec.family, rows.outputs), spec.y) for model in rows.models]
    columns = [form.columns * weight for form in forms]
    totals = [column.sum(axis=0) for column in columns]
    exchanged = drawn.sums(columns[1] - columns[0])
    first, second = (drawn.sums(column) for column in columns)
    moving = np.flatnonzero(np.any(exchanged != 0, axis=0))  # what both models share stays as it is
    if spec.what == "area":
        moving = moving[moving < forms[0].of_area]
    own = [float(forms[0].value(spec, total)) for total in totals]
    after = partial(_after_exchange, forms[0], spec, totals, moving)
    of_models = first[:, moving], second[:, moving]
    return SumDifference(own[0] - own[1], _scale(spec, own), exchanged[:, moving], after, of_models)


def _after_exchange(
    form: ClosedForm, spec: AreaSpec, totals: list[np.ndarray], moving: np.ndarray, sums: np.ndarray
) -> np.ndarray:
    """Return the difference of closed forms, given what the first model takes over in its moving columns."""
    taken = np.zeros((sums.shape[0], totals[0].size))
    taken[:, moving] = sums
    return np.asarray(form.value(spec, totals[0] + taken) - form.value(spec, totals[1] - taken))


def _of_rows_in_order(spec: AreaSpec | PointSpec, rows: PlainRows) -> OrderDifference:
    """Exchange rows of one sorted pool of both models' rows."""
    presorted = Presorted(stacked(*rows.models), spec.family, rows.outputs)
    pool = PointEstimator(spec, presorted) if isinstance(spec, PointSpec) else SortedArea(spec, presorted)
    everything = np.concatenate([rows.weight, rows.weight])
    mine = everything.copy()
    mine[rows.weight.size :] = 0
    own = [pool.value(mine), pool.value(everything - mine)]
    return OrderDifference(pool.difference(everything)(mine), _scale(spec, own), pool, rows)


def _scale(spec: AreaSpec | PointSpec, own: list[float]) -> float:
    """Return the size of what is subtracted, for its rounding; a gain is a difference from 1 itself."""
    return max(own) if spec.what == "area" else max(1.0, *map(abs, own))
