"""Critical values of calibration rows, by label: of rows themselves, or of sketches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from uccurve._base.arrays import namespace, to_numpy
from uccurve.calibration._levels import levels_of
from uccurve.exceptions import ArgumentError, ArgumentTypeError, EmptyInputError
from uccurve.intervals import Intervals, is_missing
from uccurve.sketch import SketchFile, UCCSketch

if TYPE_CHECKING:
    from collections.abc import Hashable

    from uccurve._base.type_aliases import Array, ArrayLike, Side, Vary

_UNWEIGHTED = "not be weighted: the guarantee holds for exchangeable rows"


class CriticalValues(Protocol):
    """Critical values of which one can be taken by its rank."""

    @property
    def n(self) -> int:
        """How many there are."""

    def at_rank(self, rank: int) -> float:
        """Return the smallest known critical value that at least ``rank`` of them do not exceed."""


@dataclass(frozen=True, slots=True, eq=False)
class RowValues:
    """Critical values of rows, each of them known."""

    critical: Array
    """Shape (n,)."""

    @property
    def n(self) -> int:
        """How many there are."""
        return int(self.critical.shape[0])

    def at_rank(self, rank: int) -> float:
        """Return the critical value of a rank, counted from 1."""
        return float(namespace(self.critical).sort(self.critical, stable=False)[rank - 1])


@dataclass(frozen=True, slots=True, eq=False)
class SketchValues:
    """Critical scales of a sketch: the largest of each bin is known, and how many are in it."""

    sketch: UCCSketch

    @property
    def n(self) -> int:
        """How many there are."""
        return self.sketch.rows

    def at_rank(self, rank: int) -> float:
        """Return the largest critical scale of the bin that holds the rank: that one, or the next known."""
        table = self.sketch.state.scale
        return float(table.largest[np.searchsorted(np.cumsum(table.sums[0]), rank)])


class CalibrationValues(NamedTuple):
    """The critical values of all calibration rows, and of those of each label."""

    pooled: CriticalValues
    by_label: dict[Hashable, CriticalValues] | None
    side: Side
    """Where the calibration rows have bounds."""
    levels: tuple[float, ...] = ()
    """The nominal coverages of their pairs of quantiles, where these are moved; 0 for the median."""


def calibration_values(source: Any, by: ArrayLike | None, vary: Vary) -> CalibrationValues:
    """Take what `ConformalScaler.fit` was given, and check it."""
    if isinstance(source, Intervals):
        return _of_rows(source, by, vary)
    if not isinstance(source, (UCCSketch, SketchFile, Mapping)):
        raise ArgumentTypeError(
            argument="intervals",
            rule="be Intervals, UCCSketch, or a mapping of label to UCCSketch",
            got=type(source).__name__,
        )
    if by is not None:
        raise ArgumentError(
            argument="by", rule="not be passed with sketches", hint="Pass a mapping of label to UCCSketch."
        )
    if vary == "level":
        raise ArgumentError(
            argument="intervals",
            rule="be Intervals where vary='level'",
            got="sketches",
            hint="They know critical scales only.",
        )
    if vary != "scale":
        raise ArgumentError(
            argument="vary", rule="be 'scale' for sketches, which know critical scales", got=repr(vary)
        )
    return _of_sketches(source)


def _of_rows(intervals: Intervals, by: ArrayLike | None, vary: Vary) -> CalibrationValues:
    if (got := intervals.n_outputs) > 1:
        raise _several_outputs(got)
    if intervals.sample_weight is not None:
        raise ArgumentError(argument="intervals", rule=_UNWEIGHTED)
    levels = levels_of(intervals) if vary == "level" else ()
    critical = intervals.critical(vary=vary)
    critical = namespace(critical).reshape(critical, (-1,))
    if by is None:
        return CalibrationValues(RowValues(critical), None, intervals.side, levels)
    values = to_numpy(critical)
    labeled = intervals._rows_by_label(by, "by")
    groups: dict[Hashable, CriticalValues] = {label: RowValues(values[row]) for label, row in labeled.items()}
    return CalibrationValues(RowValues(critical), groups, intervals.side, levels)


def _of_sketches(source: UCCSketch | SketchFile | Mapping[Hashable, Any]) -> CalibrationValues:
    if isinstance(source, SketchFile):
        source = _of_the_only_model(source)
    if isinstance(source, UCCSketch):
        return CalibrationValues(_checked(source, ""), None, source.side)
    if not source:
        raise EmptyInputError(argument="intervals", rule="hold at least one sketch", got="none")
    for label, sketch in source.items():
        if is_missing(label):
            raise ArgumentError(
                argument="intervals", rule="have labels that are not missing", got=repr(label)
            )
        if not isinstance(sketch, UCCSketch):
            advice = "Pass all rows, with their labels as `by`." if isinstance(sketch, Intervals) else ""
            got = f"{type(sketch).__name__} for {label!r}"
            raise ArgumentTypeError(
                argument="intervals", rule="map labels to UCCSketch", got=got, hint=advice
            )
    groups: dict[Hashable, CriticalValues] = {
        label: _checked(sketch, f" of the label {label!r}") for label, sketch in source.items()
    }
    added = UCCSketch.sum(source.values())
    return CalibrationValues(SketchValues(added), groups, added.side)


def _of_the_only_model(file: SketchFile) -> UCCSketch | dict[Hashable, UCCSketch]:
    """Return the sketch of the only model of a file, or its sketches by segment."""
    if len(file.models) > 1:
        names = ", ".join(map(repr, file.models))
        raise ArgumentError(
            argument="intervals",
            rule="hold the sketches of one model",
            got=f"{len(file.models)} ({names})",
            hint="Pass a mapping of label to UCCSketch.",
        )
    segments = {segment: sketch for (_, segment), sketch in file.sketches.items()}
    return segments[None] if file.by is None and None in segments else segments


def _checked(sketch: UCCSketch, whose: str) -> SketchValues:
    """Return the critical scales of a sketch that a guarantee can be based on."""
    totals, weight = sketch.state.totals, float(sketch.state.scale.sums[0].sum())
    if not sketch.rows:
        raise EmptyInputError(
            argument="intervals", rule=f"hold sketches with rows, but the sketch{whose} has none"
        )
    if len(sketch.outputs) > 1:
        raise _several_outputs(len(sketch.outputs))
    if not (totals.lightest == totals.heaviest == 1 and weight == totals.rows):
        raise ArgumentError(argument="intervals", rule=_UNWEIGHTED)
    return SketchValues(sketch)


def _several_outputs(got: int) -> ArgumentError:
    return ArgumentError(
        argument="intervals", rule="have one output", got=got, hint="Fit a scaler to each of outputs()."
    )
