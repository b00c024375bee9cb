"""Full areas and gains on the bandwidth axis from weighted sums of columns, where that is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from uccurve.curve import ranges
from uccurve.formulas import areas
from uccurve.inference._level_forms import LevelForm
from uccurve.inference._reweighted import ReweightedData

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Y
    from uccurve.inference._area_spec import AreaSpec
    from uccurve.inference._presorted import Presorted


class ClosedForm(Protocol):
    """An area or gain as a function of weighted sums of columns."""

    @property
    def columns(self) -> np.ndarray:
        """One line for each row."""

    @property
    def of_area(self) -> int:
        """How many columns in front an area needs; a gain needs the constant bands', too."""

    def value(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return area or gain from sums of the columns along the last axis."""

    def gradient(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return how area or gain changes with each of the sums along the last axis; NaN where undefined."""


@dataclass(frozen=True, eq=False)
class ScaleForm:
    """The columns of a proportional family."""

    columns: np.ndarray

    @property
    def of_area(self) -> int:
        """How many columns in front an area needs."""
        return int(self.columns.shape[-1]) // 2

    def value(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return area or gain."""
        return _value(spec, sums)

    def gradient(self, spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
        """Return how it changes with the sums."""
        return _gradient(spec, sums)


def closed_form(presorted: Presorted, y: Y) -> ClosedForm:
    """Return the columns of presorted rows, whose sums suffice for full areas and gains."""
    return LevelForm.of(presorted, y) if presorted.family.nested else ScaleForm(_columns(presorted, y))


def _columns(presorted: Presorted, y: Y) -> np.ndarray:
    """Return what the sums of each row are made of: shape (rows, 2 outputs + 2).

    Half widths of the outputs; what the area is a mean of; what the areas of the constant bands of the
    outputs are means of; and ones.
    """
    error, k = presorted.rows.abs_error, presorted.critical
    if presorted.never_captured.size:
        raise ranges.below_floor(ReweightedData(presorted, np.ones(error.size)), 0)
    own, constant = (k, error) if y == "miss_rate" else (error * k, error * error)
    half_width, own, constant = (
        column.reshape(-1, presorted.outputs) for column in (presorted.half_width, own, constant)
    )
    ones = np.ones((half_width.shape[0], 1))
    return np.concatenate([half_width, own.sum(axis=1, keepdims=True), constant, ones], axis=1)


def _value(spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
    """Return area or gain from sums of the columns along the last axis."""
    width, own, constant, rows = _parts(sums)
    outputs = width.shape[-1]
    if spec.what == "gain":
        with np.errstate(invalid="ignore", divide="ignore"):
            if outputs == 1:
                return np.asarray(1 - width[..., 0] * own / (rows * constant[..., 0]))
            return np.asarray(1 - own / (rows * _relative(constant, width).sum(axis=-1)))
    elements = rows * outputs
    width = width.sum(axis=-1)
    return np.asarray(areas.closed_area(width / elements, own / elements, deficit=spec.y == "deficit"))


def _gradient(spec: AreaSpec, sums: np.ndarray) -> np.ndarray:
    """Return how area or gain changes with each of the sums along the last axis; NaN where undefined."""
    width, own, constant, rows = _parts(sums)
    own, rows = own[..., None], rows[..., None]
    if spec.what == "gain":
        inverse = np.divide(1, width, out=np.zeros_like(width), where=width > 0)
        relative = constant * inverse
        total = relative.sum(axis=-1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = own / (rows * total)  # 1 - gain
            slope = share / total
            slopes = (-slope * relative * inverse, -1 / (rows * total), slope * inverse, share / rows)
        return np.where(total > 0, np.concatenate(slopes, axis=-1), np.nan)
    elements = rows * width.shape[-1]
    half = 1.0 if spec.y == "miss_rate" else 0.5
    by_own = half * width.sum(axis=-1, keepdims=True) / elements**2
    by_width = np.broadcast_to(half * own / elements**2, width.shape)
    return np.concatenate([by_width, by_own, np.zeros_like(width), -2 * by_own * own / rows], axis=-1)


def _parts(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    outputs = sums.shape[-1] // 2 - 1
    return sums[..., :outputs], sums[..., outputs], sums[..., outputs + 1 : -1], sums[..., -1]


def _relative(column: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Divide by widths; 0 where there is nothing to divide."""
    return np.asarray(np.divide(column, width, out=np.zeros_like(column), where=column != 0))
