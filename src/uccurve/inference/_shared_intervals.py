"""Intervals of the differences between many pairs of models, from the same resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from uccurve.inference._bootstrap import resampled_numbers
from uccurve.inference._estimators import estimator
from uccurve.inference._interval_methods import Sample
from uccurve.inference._plain_rows import in_unit_of_rows, plain_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.intervals import Intervals

Key = TypeVar("Key")


@np.errstate(over="ignore", invalid="ignore")  # judged by what comes out
def shared_percentile_intervals(
    pairs: Mapping[Key, tuple[Intervals, Intervals]],
    statistic: str,
    options: Mapping[str, Any],
    *,
    confidence_level: float,
    n_resamples: int,
    blocks: ArrayLike | int | None,
    seed: int,
) -> dict[Key, tuple[float, float]]:
    """Return the ends of percentile intervals of differences, first minus second model of each pair.

    Each interval is what `confidence_interval` returns with ``minus``, ``method="percentile"`` and
    ``rng=seed``. Drawing the rows once for all pairs, and computing the number of each model once, only takes
    less time; each interval covers as often as with resamples of its own.

    Parameters
    ----------
    pairs : mapping to pair of Intervals
        The pairs, all on the same rows.
    statistic, options, confidence_level, n_resamples, blocks
        As in `confidence_interval`.
    seed : int
        The seed of the resamples.
    """
    models = {id(model): model for pair in pairs.values() for model in pair}
    if not models:
        return {}
    named = {f"models[{place}]": model for place, model in enumerate(models.values())}
    rows = plain_rows(named, blocks, nested=options.get("vary") == "level")
    made = [estimator(model, statistic, dict(options), rows.factor, rows.outputs) for model in rows.models]
    numbers = dict(zip(models, (number for number, _ in made), strict=True))
    drawn = resampled_numbers(
        list(numbers.values()), rows.weight, rows.blocks, n_resamples, seed, progress=False
    )
    of_model = dict(zip(models, drawn.T, strict=True))
    ends = {}
    for key, (a, b) in pairs.items():
        sample = Sample(statistic, [numbers[id(a)], numbers[id(b)]], rows.weight, rows.blocks)
        found = sample.quantiles_of(of_model[id(a)] - of_model[id(b)], confidence_level)
        low, high = (in_unit_of_rows(end, rows.factor, made[0][1]) for end in (found.low, found.high))
        ends[key] = low, high
    return ends
