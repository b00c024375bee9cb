"""Numbers of all units but one group, for every group: how much each of them moves a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels import points
from uccurve.inference._point_numbers import PointEstimator

if TYPE_CHECKING:
    from uccurve.inference._blocks import Blocks
    from uccurve.inference._estimators import Estimator
    from uccurve.inference._presorted import Presorted

MOST_GROUPS = 200
"""Most groups of blocks that are left out, one at a time."""


def left_out(numbers: list[Estimator], weight: np.ndarray, blocks: Blocks) -> np.ndarray:
    """Return the influence of groups of blocks, by leaving each of them out."""
    groups = min(blocks.n_blocks, MOST_GROUPS)
    group = (np.arange(blocks.n_blocks) % groups)[blocks.of_row].astype(np.int16)
    found = [_without_each(number, weight, group, groups) for number in numbers]
    values = found[0] if len(found) == 1 else found[0] - found[1]
    return np.asarray(values.mean() - values)


def _without_each(number: Estimator, weight: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    """Return the number of the rows that are not in a group, for each group."""
    others = (weight * (group != left) for left in range(groups))
    if (
        not isinstance(number, PointEstimator)
        or number.presorted.outputs > 1
        or number.spec.what == "score_at"
    ):
        return np.array([number.value(some) for some in others])
    models = [number.presorted]
    if number.spec.what == "gain_at":
        models.append(number.presorted.unit_band)
    rate = number.spec.miss_rate
    found = np.stack([parameters_without(model, weight, rate, group, groups) for model in models], axis=1)
    values = []
    for some, parameters in zip(others, found, strict=True):
        bandwidths = [
            float(model.bandwidths_of(some, parameters[[place]])[0]) for place, model in enumerate(models)
        ]
        values.append(number.of_bandwidths(*bandwidths))
    return np.array(values)


def parameters_without(
    presorted: Presorted, weight: np.ndarray, rate: float, group: np.ndarray, groups: int
) -> np.ndarray:
    """Return the smallest parameter that misses at most a rate of the rows outside each group.

    A group's own weight is taken off what all rows miss, and all groups are searched at once: that takes
    as long as a few weights of the rows, not as one for each group.
    """
    ordered, size = weight[presorted.order], weight.size + 1
    missed = points.missed_by_rank(np, presorted.parameter, ordered)
    in_order = group[presorted.order]
    by_group = np.argsort(in_order, kind="stable")
    keys = in_order[by_group].astype(np.int64) * size + by_group
    added = np.concatenate([[0.0], np.cumsum(ordered[by_group])])
    first_key = np.arange(groups, dtype=np.int64) * size
    end = added[np.searchsorted(keys, first_key + size)]

    def missed_by_others(rank: np.ndarray) -> np.ndarray:
        return np.asarray(missed[rank] - (end - added[np.searchsorted(keys, first_key + rank)]))

    low, high = np.zeros(groups, dtype=np.int64), np.full(groups, size - 1, dtype=np.int64)
    most = (rate + points.SLACK) * missed_by_others(low)
    while (low < high).any():
        middle = (low + high) // 2
        enough = missed_by_others(middle) <= most
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return np.asarray(presorted.parameter[high])
