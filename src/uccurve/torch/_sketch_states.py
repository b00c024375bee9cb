"""A sketch as tensors of fixed size that add: what a metric keeps in place of rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor

from uccurve._base import arguments
from uccurve._base.arrays import namespace
from uccurve._cuda import bin_tables, state_sums
from uccurve._kernels import bins
from uccurve.curve.families import SCALE
from uccurve.intervals._checked_rows import with_bands
from uccurve.sketch import UCCSketch
from uccurve.sketch._state import OUTPUT_NAMES, SCALE_OCTAVES, TABLES, Output, State, Totals, combined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._kernels.bins import BinTable
    from uccurve._kernels.rows import Rows
    from uccurve.torch._batches import Batch

OCTAVES = {"scale": SCALE_OCTAVES, "switch": SCALE_OCTAVES, "error": 128}
"""How far the bins of each table reach. Residuals beyond 2^±128, the range of float32, share a bin."""
_SUMS = ("rows", "weight_squares", "width", "root", "square", "moment", "touching")
_LARGEST = ("widest", "heaviest", "asymmetry")
_SMALLEST = ("narrowest", "lightest")
"""Kept as their negatives, so that the largest counts."""


class SketchTensor(NamedTuple):
    """One state of a metric: what it begins with, and how those of processes become one."""

    default: Tensor
    reduction: str


def tensors(outputs: int) -> dict[str, SketchTensor]:
    """Return the states of no rows: for each output, sums by bin, and sums and extremes over all rows."""
    states = {}
    for name, columns in TABLES.items():
        size = outputs * bin_tables.length(OCTAVES[name])
        states[f"{name}_sums"] = SketchTensor(_zeros(len(columns), size), "sum")
        states[f"{name}_largest"] = SketchTensor(_zeros(size) - torch.inf, "max")
    extremes = _zeros(len(_LARGEST) + len(_SMALLEST), outputs) - torch.inf
    return states | {
        "totals": SketchTensor(_zeros(len(_SUMS), outputs), "sum"),
        "extremes": SketchTensor(extremes, "max"),
    }


def _zeros(*shape: int) -> Tensor:
    return torch.zeros(shape, dtype=torch.float64)


def add(states: Mapping[str, Tensor], batch: Batch) -> None:
    """Add rows to the states, in place and on their device."""
    if state_sums.usable(batch.y_true):
        state_sums.add(states, *batch, OCTAVES)
        return
    arrays = with_bands(batch._asdict(), "both")
    n, outputs = arrays.y_true.shape
    weight = batch.sample_weight
    if weight is not None:
        weight = weight[:, None].expand(n, outputs)
    columns = arrays._replace(weight=weight).map(lambda column: column.reshape(-1))
    rows = columns.as_kernel_rows(namespace(columns.y_true))
    critical = SCALE.critical(namespace(rows.abs_error), rows)
    known = critical.masked_fill(critical == torch.inf, 0.0)
    ones = torch.ones_like(known)
    _count(states, "scale", outputs, critical, rows.weight, (ones, rows.active, rows.abs_error, known))
    _count(states, "error", outputs, rows.abs_error, rows.weight, (ones, rows.abs_error))
    if rows.passive is not None:
        _add_switches(states, outputs, rows, ones)
    _add_totals(states, outputs, rows, known, ones)


def _weighted(column: Tensor, weight: Tensor | None) -> Tensor:
    return column if weight is None else column * weight


def _counted(values: Tensor, weight: Tensor | None) -> Tensor:
    """Return numbers of which the largest is sought: those of rows without weight do not count."""
    return values if weight is None else values.masked_fill(weight <= 0, -torch.inf)


def _count(
    states: Mapping[str, Tensor],
    name: str,
    outputs: int,
    values: Tensor,
    weight: Tensor | None,
    columns: tuple[Tensor, ...],
) -> None:
    """Add columns, weighted where there are weights, to the bins of values."""
    place = bin_tables.places(values, OCTAVES[name])
    if outputs > 1:
        number = torch.arange(outputs, device=place.device).repeat(place.shape[0] // outputs)
        place = place + number * bin_tables.length(OCTAVES[name])
    sums = _weighted(torch.stack(columns), weight)
    states[f"{name}_sums"].scatter_add_(1, place.expand_as(sums), sums)
    states[f"{name}_largest"].scatter_reduce_(0, place, _counted(values, weight), "amax")


def _add_switches(states: Mapping[str, Tensor], outputs: int, rows: Rows, ones: Tensor) -> None:
    """Add the scales 2|e| / (a - p) from which on the other bound is nearer, up to the last bin."""
    drop = rows.active - rows.passive
    switch = 2 * rows.abs_error / drop
    far = (drop <= 0) | (switch >= 2.0**SCALE_OCTAVES)
    near = ones if rows.weight is None else rows.weight
    switch, drop, weight = (column.masked_fill(far, 0.0) for column in (switch, drop, near))
    _count(states, "switch", outputs, switch, weight, (drop, 2 * rows.abs_error))


def _add_totals(states: Mapping[str, Tensor], outputs: int, rows: Rows, known: Tensor, ones: Tensor) -> None:
    """Add to the sums over all rows, and widen their extremes."""
    error, active, weight = rows.abs_error, rows.active, rows.weight
    passive = active if rows.passive is None else rows.passive
    own = ones if weight is None else weight
    share = _weighted(error, weight)
    sums = (
        ones,
        _weighted(own, weight),
        _weighted(active / 2 + passive / 2, weight),
        _weighted(error.sqrt(), weight),
        share * error,
        share * known,
        own * (known == 1),
    )
    states["totals"].add_(torch.stack(sums).reshape(len(sums), -1, outputs).sum(dim=1))
    narrowest = torch.minimum(active, passive)
    extremes = (torch.maximum(active, passive), own, (active - passive).abs(), -narrowest, -own)
    counted = _counted(torch.stack(extremes), weight)
    latest = counted.reshape(len(extremes), -1, outputs).amax(dim=1)
    states["extremes"].copy_(torch.maximum(states["extremes"], latest))


def sketches(states: Mapping[str, Tensor], outputs: int) -> list[UCCSketch]:
    """Return the sketch of each output, from states that have rows with weight."""
    return [UCCSketch(_state(states, number, outputs)) for number in range(outputs)]


def pooled(states: Mapping[str, Tensor], outputs: int) -> UCCSketch:
    """Return one sketch of all outputs, in which each keeps its own constant band."""
    parts = [_state(states, number, outputs) for number in range(outputs)]
    if outputs == 1:
        return UCCSketch(parts[0])
    scale, switch, error = (bins.merged([getattr(part, name) for part in parts]) for name in TABLES)
    of_rows = parts[0].totals  # outputs share the rows and their weights
    totals = replace(
        combined(part.totals for part in parts), rows=of_rows.rows, weight_squares=of_rows.weight_squares
    )
    each = (Output(part.error, *(getattr(part.totals, name) for name in OUTPUT_NAMES)) for part in parts)
    return UCCSketch(State(scale, switch, error, totals, tuple(each)))


def _state(states: Mapping[str, Tensor], number: int, outputs: int) -> State:
    """Return the state of one output."""

    def part(name: str) -> Tensor:
        return states[name].reshape(*states[name].shape[:-1], outputs, -1)[..., number, :]

    def table(name: str) -> BinTable:
        largest = part(f"{name}_largest")
        return bin_tables.filled_bins(largest > -torch.inf, part(f"{name}_sums"), largest, OCTAVES[name])

    scale, switch, error = map(table, TABLES)
    sums = dict(zip(_SUMS, part("totals")[:, 0].tolist(), strict=True))
    extremes = dict(zip((*_LARGEST, *_SMALLEST), part("extremes")[:, 0].tolist(), strict=True))
    extremes |= {name: -extremes[name] for name in _SMALLEST}
    if not all(np.isfinite(part).all() for part in (scale.sums[:3], switch.sums, error.sums, sums["width"])):
        raise arguments.overflow()
    return State(scale, switch, error, Totals(**sums, **extremes))
