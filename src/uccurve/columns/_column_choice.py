"""Columns of models: what the user said about them, and which ones are used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from uccurve.columns import _column_names

if TYPE_CHECKING:
    from uccurve.columns._column_levels import LevelColumns, LevelNames


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelColumns:
    """The columns of one model: bounds, with or without predictions, or predictions and deviations."""

    name: str
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    nested: tuple[LevelColumns, ...] = ()
    """All pairs of bounds up to these, the innermost first, where all levels are asked for."""
    median: str | None = None
    """The column of the median, where all levels are asked for."""

    @property
    def arguments(self) -> dict[str, str]:
        """The columns by the argument of `Intervals` that they fill."""
        given = {"y_pred": self.y_pred, "lower": self.lower, "upper": self.upper, "std": self.std}
        return {argument: column for argument, column in given.items() if column is not None}

    @property
    def level(self) -> float | None:
        """The nominal coverage in percent, if the names of the bounds tell it: 90 of Model-lo-90."""
        if self.lower is None or self.upper is None:
            return None
        return _column_names.level_of(self.lower, self.upper)

    @property
    def nominal(self) -> float | None:
        """The same as a fraction, where it is a coverage: 0.9 of Model-lo-90, None of Model-lo-100."""
        return self.level / 100 if self.level is not None and 0 < self.level < 100 else None  # noqa: PLR2004

    def bounds_at(self, level: float) -> tuple[str, str] | None:
        """Return the names of the bounds for another level, if their names tell a level."""
        if self.lower is None or self.upper is None:
            return None
        return _column_names.bounds_at(self.lower, self.upper, level)

    def with_levels(self, names: LevelNames) -> ModelColumns:
        """Add the pairs inside of the bounds, as far as names tell levels."""
        if self.lower is None or self.upper is None:
            return self
        return replace(self, nested=names.nested(self.lower, self.upper), median=names.median(self.lower))


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnChoice:
    """The columns to use, for all models.

    Attributes
    ----------
    y_true : str | None
        Observations; None where they are not needed and absent.
    models : tuple of ModelColumns
        The columns of each model, at least one.
    sample_weight : str | None
        Weights.
    by : str | None
        Labels of segments.
    notes : tuple of str
        What was detected, in sentences that name arguments in backticks; empty if everything was given.
    """

    y_true: str | None
    models: tuple[ModelColumns, ...]
    sample_weight: str | None = None
    by: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def shared(self) -> dict[str, str]:
        """Columns that all models share, by the argument of `Intervals` that they fill."""
        given = {"y_true": self.y_true, "sample_weight": self.sample_weight}
        return {argument: column for argument, column in given.items() if column is not None}

    @property
    def used(self) -> list[str]:
        """All columns in use, those of segments last."""
        columns = [*self.shared.values()]
        for model in self.models:
            columns += [*model.arguments.values(), *(c for pair in model.nested[:-1] for c in pair[1:])]
            columns += [] if model.median is None else [model.median]
        return columns if self.by is None else [*columns, self.by]


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenColumns:
    """What the user said about columns: those of a single model, or several models.

    Attributes
    ----------
    y_true, y_pred, lower, upper, std : str | None
        Columns by role; those that are None are detected.
    models : tuple of ModelColumns
        All columns of each of several models, in place of the four roles of a single one.
    level : float | None
        Which of Model-lo-90, Model-lo-80, … to use, in percent; the widest if None.
    all_levels : bool
        Whether the pairs inside of it are used as well.
    sample_weight, by : str | None
        Columns of weights and of segments, which are never detected.
    several : str
        The argument that names more columns than those of one pair of bounds.
    """

    y_true: str | None = None
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    models: tuple[ModelColumns, ...] = ()
    level: float | None = None
    all_levels: bool = False
    sample_weight: str | None = None
    by: str | None = None
    several: str = "models"

    @property
    def single(self) -> dict[str, str]:
        """The columns that are given for a single model, by role."""
        given = {"y_pred": self.y_pred, "lower": self.lower, "upper": self.upper, "std": self.std}
        return {role: column for role, column in given.items() if column}

    @property
    def complete(self) -> bool:
        """Whether nothing is left to detect."""
        single = self.y_pred and (self.std or (self.lower and self.upper))
        return bool(self.y_true and (self.models or single))

    @property
    def columns(self) -> list[str]:
        """All columns that are given."""
        columns = [self.y_true, self.y_pred, self.lower, self.upper, self.std, self.sample_weight, self.by]
        columns += [column for model in self.models for column in model.arguments.values()]
        return [column for column in columns if column is not None]
