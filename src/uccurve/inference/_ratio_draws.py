r"""What chance makes of the ratio of two curves: a weighted bootstrap, in matrix products.

A draw gives every unit an exponential weight. The share that a curve captures at a parameter is then a
weighted mean, so that one product of weights with a table gives it for all draws and many parameters at
once. Many units are first put into groups at random, which share a weight: sums over random groups of
independent units vary like sums over units. Between the parameters of the table the share is taken as
linear; a short table holds every critical value, and nothing is left to interpolate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._kernels.points import SLACK

if TYPE_CHECKING:
    from uccurve.inference._blocks import Blocks
    from uccurve.inference._plain_rows import PlainRows
    from uccurve.inference._presorted import Presorted

MOST_GROUPS = 1000
MOST_PARAMETERS = 600
_BETWEEN = 4
"""Parameters of a long table for each miss rate that is asked for."""
_BATCH = 256
"""Draws at once."""


@dataclass(frozen=True, eq=False)
class CurveTable:
    """A curve by groups of units: what each group adds at each parameter."""

    parameter: np.ndarray
    captured: np.ndarray
    """Weight that each group has captured at each parameter; (groups, parameters)."""
    width: np.ndarray
    """Sum of half widths of each group: (groups, 1) where parameters multiply it, else at each parameter."""
    weight: np.ndarray
    """Weight of each group."""
    every_value: bool
    """Whether all critical values are in the table."""

    @classmethod
    def of(
        cls, presorted: Presorted, weight: np.ndarray, group: np.ndarray, groups: int, rates: np.ndarray
    ) -> CurveTable:
        """Tabulate presorted rows; ``rates`` are the miss rates that will be asked for."""
        parameter = np.unique(presorted.parameter[np.isfinite(presorted.parameter)])
        every_value = parameter.size <= MOST_PARAMETERS
        if not every_value:
            fine = np.interp(np.arange(_BETWEEN * (rates.size + 1) + 1) / _BETWEEN, *_places(rates))
            parameter = np.unique(presorted.parameter_at(weight, fine))
            parameter = parameter[np.isfinite(parameter)]
        place = np.searchsorted(parameter, presorted.critical)
        size = parameter.size + 1
        counts = np.bincount(group * size + place, weights=weight, minlength=groups * size)
        captured = counts.reshape(groups, size)[:, :-1].cumsum(axis=1)
        if presorted.family.proportional:
            width = _by_group(weight * presorted.half_width, group, groups)[:, None]
        else:
            columns = (_by_group(weight * presorted.half_width_at(at), group, groups) for at in parameter)
            width = np.stack(list(columns), axis=1)
        return cls(parameter, captured, width, _by_group(weight, group, groups), every_value)

    def log_bandwidths(self, weights: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return the logarithm of the bandwidth at miss rates, for weights of the groups; (draws, rates)."""
        total = (weights @ self.weight)[:, None]
        share = weights @ self.captured / total
        width = weights @ self.width / total
        proportional = self.width.shape[1] == 1
        found = np.empty((weights.shape[0], rates.size))
        for draw, (captured, widths) in enumerate(zip(share, width, strict=True)):
            bandwidth = self.parameter * widths if proportional else widths
            found[draw] = self._at(captured, bandwidth, 1 - rates)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(found)
        return np.where(np.isfinite(logs), logs, np.nan)

    def _at(self, captured: np.ndarray, bandwidth: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Return the bandwidth at which shares are captured; NaN where they never are."""
        reached = wanted <= captured[-1] + SLACK
        if self.every_value:
            place = np.searchsorted(captured, wanted - SLACK)
            return np.where(reached, bandwidth[np.minimum(place, bandwidth.size - 1)], np.nan)
        return np.where(reached, np.interp(wanted, captured, bandwidth), np.nan)


def log_ratios(
    pair: tuple[Presorted, Presorted],
    rows: PlainRows,
    rates: np.ndarray,
    n_resamples: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return how far drawn logarithms of ratios are from the observed one; (draws, rates)."""
    group, groups = random_groups(rows.blocks, rng)
    tables = [CurveTable.of(model, rows.weight, group, groups, rates) for model in pair]

    def ratio(weights: np.ndarray) -> np.ndarray:
        first, second = (table.log_bandwidths(weights, rates) for table in tables)
        return np.asarray(first - second)

    observed = ratio(np.ones((1, groups)))
    sizes = [min(_BATCH, n_resamples - begin) for begin in range(0, n_resamples, _BATCH)]
    return np.concatenate([ratio(rng.exponential(size=(size, groups))) - observed for size in sizes])


def random_groups(blocks: Blocks, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Return the group of each element, and how many groups there are: at most `MOST_GROUPS`."""
    if blocks.n_blocks <= MOST_GROUPS:
        return blocks.of_row, blocks.n_blocks
    group = np.arange(blocks.n_blocks) % MOST_GROUPS
    rng.shuffle(group)
    return group[blocks.of_row], MOST_GROUPS


def _places(rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 0, 1, 2 … with the miss rates at these places, and 0 and 1 at the ends."""
    return np.arange(rates.size + 2), np.concatenate([[0.0], rates, [1.0]])


def _by_group(column: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    return np.bincount(group, weights=column, minlength=groups)
