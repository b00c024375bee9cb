"""What ``uccurve calibrate`` fits on: rows of a file, or the sketches of a sketch file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from uccurve.cli import _file_rows, _sketch_input
from uccurve.cli._errors import DataError, UsageError, as_option
from uccurve.columns import ModelColumns, list_names
from uccurve.exceptions import UccurveError
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import uccurve
    from uccurve._base.type_aliases import Vary
    from uccurve.cli._input_files import FileTable
    from uccurve.columns import ColumnChoice
    from uccurve.sketch import SketchFile

_UNNAMED = "model"
"""The name of the model of a file whose columns, or bytes, tell none."""


class FittingSource(Protocol):
    """Observed rows of models, or what is left of them."""

    @property
    def name(self) -> str:
        """The file, as it is shown."""

    def fit(self, scaler: uccurve.ConformalScaler, model: ModelColumns, target: FileTable) -> int:
        """Fit a scaler to the rows of the model of this name; return how many there were."""


@dataclass(frozen=True, slots=True, eq=False)
class FittedRows:
    """Rows of a file, with the columns of their models."""

    table: FileTable
    choice: ColumnChoice

    @property
    def name(self) -> str:
        """The file, as it is shown."""
        return self.table.name

    def fit(self, scaler: uccurve.ConformalScaler, model: ModelColumns, target: FileTable) -> int:
        """Fit to the observed rows, each segment on its own where there are segments."""
        other = self._same_model(model, target)
        intervals = _file_rows.build(self.table, self.choice, other)
        scaler.fit(intervals, by=None if self.choice.by is None else text_labels(self.table, self.choice.by))
        return self.table.frame.height

    def are_rows_of(self, target: FileTable, choice: ColumnChoice, observed: np.ndarray) -> bool:
        """Whether these are the observed rows of a table: the same file, or the same numbers in order."""
        if (y_true := choice.y_true) is None or self.choice.y_true is None:
            return False
        with suppress(OSError):  # standard input has no path
            if Path(self.name).samefile(target.name):
                return True
        pairs = [(y_true, self.choice.y_true)]
        models = {model.name: model.arguments for model in self.choice.models}
        for model in choice.models:
            own = models.get(model.name, {})
            pairs += [(column, own[role]) for role, column in model.arguments.items() if role in own]
        return all(
            np.array_equal(
                _file_rows.numbers(target, column)[observed], _file_rows.numbers(self.table, other)
            )
            for column, other in pairs
        )

    def _same_model(self, model: ModelColumns, target: FileTable) -> ModelColumns:
        """Return the model among those to fit on."""
        models = {other.name: other for other in self.choice.models}
        other = models.get(model.name)
        if other is None:
            raise _absent(self.name, model, target, list(models))
        if None not in (model.level, other.level) and model.level != other.level:
            raise _other_level(self.name, model, target, (str(other.lower), str(other.upper)))
        return other


@dataclass(frozen=True, slots=True, eq=False)
class FittedSketches:
    """The sketches of a file, which know critical scales only."""

    name: str
    content: SketchFile
    by: str | None
    """The column of segments that are fitted on their own; None to add segments up."""
    only: bool
    """Whether a single model is to be calibrated."""

    def fit(self, scaler: uccurve.ConformalScaler, model: ModelColumns, target: FileTable) -> int:
        """Fit to the sketch of all rows, or to those of the segments."""
        known = self.content.models
        unnamed = self.only and known == [_UNNAMED]
        name = _UNNAMED if unnamed else model.name
        if name not in known:
            raise _absent(self.name, model, target, known)
        self._refuse_other_level(name, model, target)
        whole = self.content.whole()[name]
        try:
            scaler.fit(whole if self.by is None else self._segments(name))
        except UccurveError as error:
            raise DataError(f"{self.name}: {name}: {error.sentence(naming=as_option)}") from error
        return whole.rows

    def _segments(self, name: str) -> dict[str, UCCSketch]:
        """Return the sketches by their labels as text, which means the same in every format."""
        found: dict[str, list[UCCSketch]] = {}
        for (model, label), sketch in self.content.sketches.items():
            if model == name:
                found.setdefault(_as_text(label, self.name, self.by), []).append(sketch)
        return {label: UCCSketch.sum(sketches) for label, sketches in found.items()}

    def _refuse_other_level(self, name: str, model: ModelColumns, target: FileTable) -> None:
        """Refuse bounds for another level than those that the sketch was made from."""
        columns = self.content.columns.get(name, {})
        bounds = columns.get("lower", ""), columns.get("upper", "")
        level = ModelColumns(lower=bounds[0], upper=bounds[1]).level
        if None not in (level, model.level) and level != model.level:
            raise _other_level(self.name, model, target, bounds)


def sketched_source(file: str, by: str | None, vary: Vary, models: int) -> FittedSketches:
    """Read a sketch file to fit so many models on; ``by`` is the column of segments to expect."""
    if vary != "scale":
        raise UsageError(
            f"--vary {vary} needs the rows, but a sketch keeps only what --vary scale needs: "
            "give --calibration a data file."
        )
    return FittedSketches(file, _sketch_input.read([file], by).content, by, only=models == 1)


def text_labels(table: FileTable, column: str) -> np.ndarray:
    """Return labels as text, which means the same in every format."""
    series = table.column(column)
    _file_rows.refuse_missing(table, column, _file_rows.missing_labels(series))
    return np.asarray(series.cast(pl.String).to_numpy())


def _as_text(label: Any, file: str, by: str | None) -> str:
    text = pl.Series([label]).cast(pl.String).item()
    if text is None:
        raise DataError(f"{file}: some rows have no {by}: leave them out of the sketch.")
    return str(text)


def _absent(file: str, model: ModelColumns, target: FileTable, known: list[str]) -> DataError:
    return DataError(
        f"{file}: there is no model {model.name!r}, as in {target.name}; its models are {list_names(known)}."
    )


def _other_level(file: str, model: ModelColumns, target: FileTable, bounds: tuple[str, str]) -> DataError:
    return DataError(
        f"{file}: {model.name} would be fitted on {bounds[0]!r} and {bounds[1]!r}, but "
        f"{target.name} has {model.lower!r} and {model.upper!r}: choose one level with --level."
    )
