r"""Leads of models over each other on ranges of miss rates, and how large chance makes them.

Bring two models to a mean half width of 1. A row is then captured at the bandwidth :math:`\kappa_i`, its
critical value, and its half width is :math:`h_i`. Let q(r) be the bandwidth that the rows of both models
together need for a miss rate r, and I its integral over a cell of miss rates from :math:`r_0` to :math:`r_1`.
To first order around the curve of both, the second model's integral exceeds the first one's by the sum over
the rows of

.. math:: d_i = s_i \bigl(\bar\kappa_i^b - \bar\kappa_i^a + (h_i^b - h_i^a)\, I\bigr),

where :math:`\bar\kappa_i` is cut to :math:`[q(r_1), q(r_0)]` and :math:`s_i` is the share of the weight. On a
cell this has the sign of the difference of the two bandwidths. Exchanging the two models in a unit of rows (a
row, a block, or a group of them) only turns the sign of the unit's sum :math:`d_u`, as q and I do not change.
So, on any range of cells,

.. math:: t = \frac{\sum_u d_u}{\sqrt{\sum_u d_u^2}}

is held against the *largest* such t over all ranges, with random signs, or with all :math:`2^U` of them if
units are few. The p-value then allows for the range having been chosen on the same rows, and is never below
:math:`2 / 2^U`. A model is best on a range if its lead over each of the others is significant.
"""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import namespace
from uccurve._kernels import ladders
from uccurve._kernels.points import SLACK
from uccurve.inference._plain_rows import plain_rows
from uccurve.inference._presorted import Presorted

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.curve.families._family import Family
    from uccurve.inference._plain_rows import PlainRows
    from uccurve.intervals import Intervals

FEWEST_ROWS = 20
"""Rows that a range must hold to be tested."""
ALL = range(sys.maxsize)
"""Any model may lead."""
_MOST_UNITS = 1024
"""More blocks are put together to this many: signs of more of them tell no more."""
_NOISE = 1e-12
"""Differences, and squares of them, that are this small beside the largest are rounding."""
_ROUNDING = 1e-9
_DRAWS_AT_ONCE = 256
"""Their sums over cells fit a CPU cache."""


@dataclass(frozen=True, eq=False)
class RangeTests:
    """The leads of models over each other on all ranges of cells, and how likely they are by chance."""

    fewest: int
    """Cells that a range must hold to be tested."""
    pvalues: dict[tuple[int, int], np.ndarray]
    """By the places of two models: p-value of the first one's lead on the cells i to j - 1, at [i, j].

    1 where it does not lead; 0 where the other one never captures enough rows, which needs no test."""
    smallest_pvalue: float
    """What no p-value of a test can fall below."""

    def best(self, model: int, others: Sequence[int]) -> np.ndarray:
        """Return the p-values of a model's lead over all others, on all ranges; NaN where none was tested."""
        largest = np.max([self.pvalues[model, other] for other in others], axis=0)
        return np.where(largest > 0, largest, np.nan)


def range_tests(
    models: Sequence[Intervals],
    family: Family,
    edges: np.ndarray,
    blocks: ArrayLike | int | None,
    n_draws: int,
    rng: np.random.Generator,
    leaders: Container[int] = ALL,
) -> RangeTests:
    """Test models on all ranges of cells between rising miss rates ``edges``: all pairs with a leader.

    Memory, for N rows: 4 arrays of N per model and 8 for a pair at a time; for E edges, 2 E² numbers per pair
    and about (1024 + 4 ``n_draws``) E for a pair at a time.
    """
    named = {f"models[{place}]": model for place, model in enumerate(models)}
    rows = plain_rows(named, blocks, nested=family.nested)
    count = rows.effective_rows
    fewest = max(1, math.ceil(FEWEST_ROWS / count / (edges[1] - edges[0]) - _ROUNDING))
    units = _Units.of(rows)
    signs, exact = _signs(units.count, n_draws, rng)
    levelled = [_levelled(Presorted(model, family), rows.weight) for model in rows.models]
    smallest = max(2.0 ** (1 - units.count), 0.0 if exact else 1 / (1 + n_draws))
    pvalues = {}
    for (a, one), (b, two) in itertools.combinations(enumerate(levelled), 2):
        if a not in leaders and b not in leaders:
            continue
        difference = _differences(one, two, units, edges)
        spread = _spread(difference)
        lead = _standardized(difference.sum(axis=0), spread)
        largest = _largest(signs @ difference, spread, fewest)
        p = np.maximum(_share_as_large(largest, np.abs(lead), exact=exact), smallest)
        pvalues[a, b], pvalues[b, a] = np.where(lead > 0, p, 1.0), np.where(lead < 0, p, 1.0)
        behind = two.never_captured - one.never_captured
        if behind:
            both = (one.never_captured + two.never_captured) / 2
            out_of_reach = int(np.searchsorted(edges, both - SLACK)) + 1
            pvalues[(a, b) if behind > 0 else (b, a)][:out_of_reach, :out_of_reach] = 0.0
    return RangeTests(fewest, pvalues, smallest)


@dataclass(frozen=True, eq=False)
class _Units:
    """What is exchanged together."""

    of_row: np.ndarray
    count: int
    share: np.ndarray
    """Share of the weight of each row."""

    @classmethod
    def of(cls, rows: PlainRows) -> _Units:
        """Put blocks together where they are many."""
        count = min(rows.blocks.n_blocks, _MOST_UNITS)
        return cls(rows.blocks.of_row % _MOST_UNITS, count, rows.weight / float(rows.weight.sum()))

    def sums(self, values: np.ndarray, bins: np.ndarray | None = None, n_bins: int = 1) -> np.ndarray:
        """Add values up within each unit and bin; (units, bins)."""
        place = self.of_row if bins is None else self.of_row * n_bins + bins
        return np.bincount(place, weights=values, minlength=self.count * n_bins).reshape(self.count, n_bins)


@dataclass(frozen=True, eq=False)
class _Levelled:
    """A model with its own mean half width as the parameter."""

    captured_at: np.ndarray
    """The bandwidth at which each row is captured."""
    bandwidths: np.ndarray
    """Those of the pairs as given, rising."""
    half_widths: np.ndarray
    """Half widths of the rows there; (rows, pairs)."""
    never_captured: float
    """Share of the weight."""

    def sums_of_widths(self, units: _Units, integral: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Add up over each unit its half widths along each cell; (units, cells).

        ``integral`` is that of the bandwidth over a cell, and ``lengths`` are those of the cells.
        """
        if self.bandwidths.size == 1:
            width = self.bandwidths[0] or 1.0  # bands of zero are as wide as any
            return np.asarray(units.sums(units.share * (self.half_widths[:, 0] / width)) * integral)
        knots, bands = tuple(self.bandwidths), tuple(self.half_widths.T)
        columns = [
            units.sums(units.share * ladders.band_at(np, knots, bands, bandwidth, tails=True))[:, 0] * length
            for bandwidth, length in zip(integral / lengths, lengths, strict=True)
        ]
        return np.stack(columns, axis=1)


def _levelled(presorted: Presorted, weight: np.ndarray) -> _Levelled:
    never = float(weight[presorted.never_captured].sum() / weight.sum())
    if presorted.family.nested:
        summary = presorted.summary(weight)
        captured_at = presorted.family.bandwidth(namespace(weight), presorted.critical, summary)
        bandwidths = np.array([width for _, width in summary.ladder] or [summary.width])
        return _Levelled(np.asarray(captured_at), bandwidths, presorted.half_widths, never)
    width = presorted.width(weight) or 1.0  # bands of zero are as wide as any number of them
    return _Levelled(presorted.critical * width, np.array([width]), presorted.half_width[:, None], never)


def _signs(n_units: int, n_draws: int, rng: np.random.Generator) -> tuple[np.ndarray, bool]:
    """Return random signs of the units, or all patterns up to a common sign if they are no more."""
    exact = 2 ** (n_units - 1) <= n_draws
    if exact:
        bits = np.arange(2 ** (n_units - 1))[:, None] >> np.arange(n_units) & 1
    else:
        bits = rng.integers(0, 2, size=(n_draws, n_units), dtype=np.int8)
    return 1.0 - 2.0 * bits, exact


def _differences(a: _Levelled, b: _Levelled, units: _Units, edges: np.ndarray) -> np.ndarray:
    """Return the sums d of each unit on each cell; (units, cells). 0 where the curve of both is infinite.

    They are in a unit of their own, a power of two near the largest: t has none, and squares stay in float64.
    """
    needed = _needed_by_both(a, b, units.share, edges)
    cut = [_cut_sums(model, units, needed) for model in (a, b)]
    mean_cut = (cut[0] + cut[1]).sum(axis=0) / 2
    with np.errstate(invalid="ignore"):
        integral = edges[1:] * needed[1:] - edges[:-1] * needed[:-1] + mean_cut - needed[1:]
        lengths = np.diff(edges)
        theirs, own = (model.sums_of_widths(units, integral, lengths) for model in (b, a))
        difference = cut[1] - cut[0] + (theirs - own)
        differs = np.abs(difference) > _NOISE * (cut[0] + cut[1] + units.sums(units.share) * integral)
    difference = np.where(differs & np.isfinite(needed[:-1]), difference, 0.0)
    largest = float(np.abs(difference).max())
    return np.ldexp(difference, -math.frexp(largest)[1]) if math.isfinite(largest) else difference


def _needed_by_both(a: _Levelled, b: _Levelled, share: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the bandwidth that the rows of both models together need for each miss rate."""
    captured_at = np.concatenate([a.captured_at, b.captured_at])
    order = np.argsort(captured_at)
    captured = np.cumsum(np.concatenate([share, share])[order]) / 2
    place = np.searchsorted(captured, 1 - edges - SLACK)
    needed = captured_at[order[np.minimum(place, order.size - 1)]]
    return np.where(edges < 1, needed, 0.0)


def _cut_sums(model: _Levelled, units: _Units, needed: np.ndarray) -> np.ndarray:
    """Add up over each unit the bandwidths that capture its rows, cut to each cell; (units, cells)."""
    rising = needed[::-1]
    n_bins = rising.size + 1  # those between edges, with one below and one above them
    bins = np.searchsorted(rising, model.captured_at, side="right")
    weight = units.sums(units.share, bins, n_bins)
    inside = units.sums(units.share * np.where(bins < rising.size, model.captured_at, 0.0), bins, n_bins)
    up_to = np.cumsum(weight, axis=1)
    below, above = up_to[:, :-2], up_to[:, -1:] - up_to[:, 1:-1]
    with np.errstate(invalid="ignore"):
        cut = below * rising[:-1] + inside[:, 1:-1] + above * rising[1:]
    return np.asarray(cut[:, ::-1])


def _before_edges(cells: np.ndarray) -> np.ndarray:
    """Return the sums over the cells before each edge."""
    sums = np.zeros((*cells.shape[:-1], cells.shape[-1] + 1))
    np.cumsum(cells, axis=-1, out=sums[..., 1:])
    return sums


def _spread(difference: np.ndarray) -> np.ndarray:
    """Return the root of the summed squares of the units on the cells i to j - 1, at [i, j]."""
    corner = np.zeros((difference.shape[1] + 1,) * 2)
    corner[1:, 1:] = (difference.T @ difference).cumsum(axis=0).cumsum(axis=1)
    diagonal = np.diag(corner)
    # The square of the sum over a range of cells, from the corners of the summed table.
    square = diagonal[None, :] + diagonal[:, None] - corner - corner.T
    return np.sqrt(np.where(square > square.max() * _NOISE, square, 0.0))


def _standardized(cells: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return t on the cells i to j - 1, at [i, j]; 0 where nothing differs."""
    total = _before_edges(cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (total[None, :] - total[:, None]) / spread
    return np.where(spread > 0, t, 0.0)


def _largest(cells: np.ndarray, spread: np.ndarray, fewest: int) -> np.ndarray:
    """Return the largest absolute t of each draw on any range that is long enough."""
    largest = np.zeros(len(cells))
    with np.errstate(divide="ignore"):
        inverse = np.where(spread > 0, 1 / spread, 0.0)
    for begin in range(0, len(cells), _DRAWS_AT_ONCE):
        sums = np.ascontiguousarray(_before_edges(cells[begin : begin + _DRAWS_AT_ONCE]).T)
        part = largest[begin : begin + _DRAWS_AT_ONCE]
        for length in range(fewest, len(sums)):
            t = sums[length:] - sums[:-length]
            t *= np.diag(inverse, k=length)[:, None]
            np.maximum(part, np.abs(t, out=t).max(axis=0), out=part)
    return largest


def _share_as_large(drawn: np.ndarray, observed: np.ndarray, *, exact: bool) -> np.ndarray:
    """Return the share of the draws that are as large; what was observed is one of them."""
    count = drawn.size - np.searchsorted(np.sort(drawn), observed * (1 - _ROUNDING))
    return count / drawn.size if exact else (1 + count) / (1 + drawn.size)
