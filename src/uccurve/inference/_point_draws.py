"""Exchanges at one miss rate that several pairs of models share.

`_point_exchange` explains why rows in a window suffice, and sets the window up. Here the sums beyond it come
from outside, as one product for all pairs, and the window is read from the bits of the exchanges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from uccurve.inference import _point_exchange

if TYPE_CHECKING:
    from uccurve.inference._point_numbers import PointEstimator

_NUMBERS = 1 << 20
"""How many rows of a window, over all draws, are looked at together."""


class _NearRows(NamedTuple):
    """The rows of a window, from the largest critical value down; each of shape (rows,)."""

    byte: np.ndarray
    """Which byte of an exchange tells whether the row's unit is exchanged."""
    bit: np.ndarray
    """And which of its bits."""
    of_second: np.ndarray
    """1 where the row is the second model's."""
    weight: np.ndarray | None
    """None where all weigh 1."""
    up_to: np.ndarray
    """Weight from the first row to each."""
    critical: np.ndarray


@dataclass(frozen=True, eq=False)
class PointDraws:
    """The bandwidths that two models need after exchanges, from rows near a miss rate."""

    exchange: _point_exchange.Exchange

    @staticmethod
    def possible(pool: PointEstimator) -> bool:
        """Whether a number can be had this way."""
        return pool.spec.what == "bandwidth_at" and _point_exchange.possible(pool)

    @property
    def columns(self) -> np.ndarray:
        """What exchanged units add to widths and missed weight of the first model; (units, columns)."""
        return self._window._sums[0]

    @property
    def _window(self) -> _point_exchange.Window:
        return self.exchange._own

    @cached_property
    def _near(self) -> _NearRows:
        window, weight = self._window, self.exchange.rows.weight
        elements = window._falling[slice(*window._bounds)]
        row = elements % weight.size
        unit = self.exchange.rows.blocks.of_row[row]
        near = weight[row]
        return _NearRows(
            byte=unit >> 3,
            bit=(unit & 7).astype(np.uint8),
            of_second=(elements >= weight.size).astype(np.uint8),
            weight=None if bool(np.all(near == 1)) else near,
            up_to=np.cumsum(near),
            critical=window.pool.critical[elements],
        )

    def differences(self, draws: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return first minus second model for each draw, given as bytes, with the sums of `columns`."""
        size = max(1, _NUMBERS // self._near.byte.size)
        parts = [slice(begin, begin + size) for begin in range(0, len(draws), size)]
        return np.concatenate([self._differences(draws[part], sums[part]) for part in parts])

    def _differences(self, draws: np.ndarray, sums: np.ndarray) -> np.ndarray:
        near, (start, everything) = self._near, self._window._sums[1]
        swapped = np.take(draws, near.byte, axis=1)
        swapped >>= near.bit
        swapped &= 1
        present = swapped == near.of_second  # among the first model's rows
        if near.weight is None:
            mine = np.cumsum(present, axis=1, dtype=np.float64)
        else:
            mine = np.cumsum(present * near.weight, axis=1)
        first = sums + start
        pair = (self._bandwidths(mine, first), self._bandwidths(near.up_to - mine, everything - first))
        found = np.asarray(pair[0] - pair[1])
        for place in np.flatnonzero(np.isnan(found)):  # outside the window, or out of reach
            units = self.exchange.rows.blocks.n_blocks
            exchanged = np.unpackbits(draws[place], bitorder="little", count=units)
            found[place] = self.exchange._from_all_rows(exchanged)
        return found

    def _bandwidths(self, up_to: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return the bandwidth of each draw, given the weight from the first row near the point to each.

        ``sums`` are those of half widths and of the weight beyond the first row. NaN outside the window.
        """
        window = self._window
        over = up_to > (window._limit - sums[:, -1])[:, None]
        first = np.argmax(over, axis=1)
        inside = over[np.arange(len(over)), first] & (sums[:, -1] <= window._limit)
        parameter = np.where(inside, self._near.critical[first], np.nan)
        with np.errstate(invalid="ignore"):
            bandwidth = window._mean_widths(parameter, sums[:, :-1] / window._total)
        return np.where(np.isinf(bandwidth), np.nan, bandwidth)
