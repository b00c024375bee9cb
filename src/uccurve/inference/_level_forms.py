r"""Full areas and gains on the bandwidth axis of nested quantiles, from weighted sums of columns.

Bandwidths are linear between the knots of pairs. With :math:`S_k` the slope of the mean half width in a
segment, and :math:`M_k` the mean of the integral of a row's misses (or of its deficit) over the segment,
the area is :math:`\sum_k S_k M_k`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve.curve import ranges
from uccurve.formulas import bands
from uccurve.inference._reweighted import ReweightedData

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Y
    from uccurve.inference._area_spec import AreaSpec
    from uccurve.inference._presorted import Presorted


@dataclass(frozen=True, eq=False)
class LevelForm:
    """Columns of rows whose sums give area and gain: (rows, 2 outputs + 2 pairs + 1).

    Half widths of the inner pairs, over all outputs; those of the outermost pair, for each output;
    integrals over the segments; what the areas of the constant bands are means of; and ones.
    """

    columns: np.ndarray
    steps: np.ndarray
    """Lengths of the segments up to the outermost pair."""
    outputs: int

    @classmethod
    def of(cls, presorted: Presorted, y: Y) -> LevelForm:
        """Compute the columns."""
        error = presorted.rows.abs_error
        if presorted.never_captured.size:
            raise ranges.below_floor(ReweightedData(presorted, np.ones(error.size)), 0)
        knots = presorted.knots
        outputs = presorted.outputs
        inner, outermost = presorted.half_widths[:, :-1], presorted.half_width.reshape(-1, outputs)
        over_segments = (_time_missed if y == "miss_rate" else _deficit_over_time)(presorted)
        constant = (error if y == "miss_rate" else error * error).reshape(-1, outputs)
        pooled = [
            column.reshape(outermost.shape[0], outputs, -1).sum(axis=1) for column in (inner, over_segments)
        ]
        ones = np.ones((outermost.shape[0], 1))
        columns = np.concatenate([pooled[0], outermost, pooled[1], constant, ones], axis=1)
        return cls(columns, np.diff(knots, prepend=0.0), outputs)

    @property
    def of_area(self) -> int:
        """How many columns in front an area needs."""
        return 2 * self.steps.size + self.outputs

    def value(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return area or gain from sums of the columns along the last axis."""
        slopes, means, *_ = self._parts(sums)
        area = (slopes * means).sum(axis=-1)
        if spec.what == "area":
            return np.asarray(area)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1 - area / self._constant_area(spec, sums))

    def gradient(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return how area or gain changes with each of the sums along the last axis; NaN where undefined."""
        slopes, means, elements, widths, constant = self._parts(sums)
        rows = sums[..., -1:]
        area = (slopes * means).sum(axis=-1, keepdims=True)
        by_step = means[..., :-1] / self.steps
        by_width = by_step - np.append(by_step[..., 1:], -means[..., -1:], axis=-1)
        by_outermost = np.broadcast_to(by_width[..., -1:], widths.shape)
        parts = [by_width[..., :-1] / elements, by_outermost / elements, slopes / elements]
        own = np.concatenate([*parts, np.zeros_like(constant), -2 * area / rows], axis=-1)
        if spec.what == "area":
            return own
        with np.errstate(invalid="ignore", divide="ignore"):
            relative = constant / widths
            factor = self._half(spec) / self.outputs**2 / rows
            total = widths.sum(axis=-1, keepdims=True)
            reference = factor * total * relative.sum(axis=-1, keepdims=True)
            by_width = factor * (relative.sum(axis=-1, keepdims=True) - total * relative / widths)
            by_constant = factor * total / widths
            inner, segments = (np.zeros_like(part) for part in (parts[0], parts[2]))
            theirs = np.concatenate([inner, by_width, segments, by_constant, -reference / rows], axis=-1)
            found = -own / reference + area / reference**2 * theirs
        return np.where(reference > 0, found, np.nan)

    def _parts(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return slopes and means of the segments, the weight, and the last sums of the outputs."""
        pairs, outputs = self.steps.size, self.outputs
        elements = sums[..., -1:] * outputs
        widths = sums[..., pairs - 1 : pairs - 1 + outputs]
        outermost = widths.sum(axis=-1, keepdims=True)
        rising = np.concatenate([np.zeros_like(elements), sums[..., : pairs - 1], outermost], axis=-1)
        slopes = np.concatenate([np.diff(rising, axis=-1) / self.steps, outermost], axis=-1) / elements
        begin = pairs - 1 + outputs
        means = sums[..., begin : begin + pairs + 1] / elements
        return slopes, means, elements, widths, sums[..., begin + pairs + 1 : -1]

    def _constant_area(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        *_, widths, constant = self._parts(sums)
        relative = np.divide(constant, widths, out=np.zeros_like(constant), where=constant != 0)
        factor = self._half(spec) / self.outputs**2 / sums[..., -1]
        return np.asarray(factor * widths.sum(axis=-1) * relative.sum(axis=-1))

    @staticmethod
    def _half(spec: AreaSpec) -> float:
        return 0.5 if spec.y == "deficit" else 1.0


def _time_missed(presorted: Presorted) -> np.ndarray:
    """Return the length of each segment along which a row is missed: (rows, pairs + 1)."""
    begin = np.append(0.0, presorted.knots)
    length = np.append(np.diff(begin), np.inf)
    return np.asarray(np.clip(presorted.critical[:, None] - begin, 0.0, length))


def _deficit_over_time(presorted: Presorted) -> np.ndarray:
    """Return the integral of a row's deficit over each segment: (rows, pairs + 1)."""
    error, missed = presorted.rows.abs_error, _time_missed(presorted)
    ladder = presorted.rows.ladder
    active = (presorted.rows.active,) if ladder is None else ladder.active
    knots = tuple(presorted.knots.tolist())
    found = []
    for number, (begin, _, slope) in enumerate(bands.segments(knots, active, tails=True)):
        at_begin = error - (bands.band_at(np, knots, active, begin, tails=True) if begin > 0 else 0.0)
        time = missed[:, number]
        found.append(time * (at_begin - slope * time / 2))
    return np.stack(found, axis=1)
