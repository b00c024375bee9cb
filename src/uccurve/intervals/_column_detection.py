"""Which columns of a table mean what: those that are given, and others detected from common names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from uccurve.exceptions import ArgumentError, MissingColumnError
from uccurve.intervals import _column_names
from uccurve.intervals._column_levels import LevelNames, nixtla_median, nixtla_pairs, quantile_pairs
from uccurve.intervals._column_names import DECIMAL, absent_column, listed
from uccurve.intervals._row_rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve.intervals._column_levels import LevelColumns

_MEANING = {
    "y_true": "observations",
    "y_pred": "predictions",
    "lower": "lower bounds",
    "upper": "upper bounds",
    "std": "standard deviations",
}


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


def detect_columns(present: Sequence[str], given: GivenColumns, *, observed: bool = True) -> ColumnChoice:
    """Choose columns: the given ones, and for the other roles those with common names.

    Common names are ``y``, ``actual``, ``yhat``, ``lower``, ``std`` and the like (whatever the case),
    ``Model``, ``Model-lo-90`` and ``Model-hi-90``, ``Model_ql0.05`` and ``Model_ql0.95``, ``q05`` and
    ``q95``, ``0.05`` and ``0.95``, and
    ``NAME_lower`` and ``NAME_upper`` beside ``NAME`` or ``NAME_pred``.

    Parameters
    ----------
    present : sequence of str
        The columns of the table.
    given : GivenColumns
        What the user said.
    observed : bool
        Whether observations are needed.

    Raises
    ------
    ArgumentError
        If given columns exclude each other.
    MissingColumnError
        If a given column is absent, or if no column, or more than one, has a common name for a role.
    """
    if not observed and given.y_true not in present:
        given = replace(given, y_true=None)
    _refuse_conflicts(given)
    for column in given.columns:
        if column not in present:
            raise absent_column(column, present)
    detector = _Detector(tuple(present), frozenset(present), given)
    models, notes = detector.models()
    if given.all_levels:
        names = LevelNames(present)
        models = tuple(model.with_levels(names) for model in models)
    taken = {column for model in models for column in model.arguments.values()}
    y_true = given.y_true or detector.common("y_true", taken, needed=observed)
    if not given.complete:
        notes = (*notes, _described(y_true, models))
    return ColumnChoice(
        y_true=y_true, models=models, sample_weight=given.sample_weight, by=given.by, notes=notes
    )


def _refuse_conflicts(given: GivenColumns) -> None:
    if given.models and given.single:
        first = next(iter(given.single))
        raise ArgumentError(f"`models` and `{first}` exclude each other: `models` names all columns.")
    if given.std and (given.lower or given.upper):
        raise ArgumentError("`std` and `lower` or `upper` exclude each other.")


@dataclass(frozen=True, slots=True)
class _Detector:
    """The columns of one table, and what was given about them."""

    present: tuple[str, ...]
    known: frozenset[str]
    """The same columns, to look names up among many."""
    given: GivenColumns

    def models(self) -> tuple[tuple[ModelColumns, ...], tuple[str, ...]]:
        """Return the models, and notes about them."""
        if self.given.models:
            return self.given.models, ()
        if not self.given.single:
            nixtla, notes = self._nixtla()
            models = (*nixtla, *self._suffixed())
            if models:
                return models, notes
        model, notes = self._single()
        return (model,), notes

    def common(self, role: str, taken: Iterable[str] = (), *, needed: bool = False) -> str | None:
        """Return the one column with a common name for a role."""
        other = {*self.given.columns, *taken}
        columns = [c for c in self.present if _column_names.is_common(c, role) and c not in other]
        if len(columns) > 1:
            raise MissingColumnError(
                f"several columns could be the {_MEANING[role]}: {listed(columns)}; "
                f"choose with `{role}={columns[0]!r}`."
            )
        if needed and not columns:
            raise MissingColumnError(
                f"no column has a common name for {_MEANING[role]} among {listed(self.present)}; "
                f"name it with `{role}=COLUMN`."
            )
        return columns[0] if columns else None

    def _single(self) -> tuple[ModelColumns, tuple[str, ...]]:
        given = self.given
        y_pred = given.y_pred or self.common("y_pred")
        lower, upper, std = given.lower, given.upper, given.std
        pair, notes = self._quantiles()
        if pair is not None:
            lower, upper = pair
        elif not std:
            # One bound makes a one-sided limit only where it and the prediction are named: never by a guess.
            named = bool(given.y_pred and (given.lower or given.upper))
            lower = lower or self.common("lower", needed=bool(upper) and not named)
            upper = upper or self.common("upper", needed=bool(lower) and not named)
            if not named and not lower:
                upper = None
        if not (lower or upper or std):
            std = self.common("std")
        if not (std or lower or upper):
            raise MissingColumnError(
                f"no columns have common names for intervals among {listed(self.present)}; name them with "
                "`lower` and `upper`, with `std`, or with `models`."
            )
        if std and not y_pred:
            y_pred = self.common("y_pred", needed=True)
        return ModelColumns(name="model", y_pred=y_pred, lower=lower, upper=upper, std=std), notes

    def _nixtla(self) -> tuple[tuple[ModelColumns, ...], tuple[str, ...]]:
        """Find Model, Model-lo-90, Model-hi-90: the given level of each model, or its widest."""
        models: list[ModelColumns] = []
        notes: list[str] = []
        for name, pairs in nixtla_pairs(self.present).items():
            (lower, upper), note = self._chosen(name, pairs)
            notes += note
            y_pred = name if name in self.known else nixtla_median(self.known, name)
            models.append(ModelColumns(name=name, y_pred=y_pred, lower=lower, upper=upper))
        return tuple(models), tuple(notes)

    def _quantiles(self) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
        """Find several of q05, q25, …, q95, or of 0.05, 0.25, …, 0.95, where nothing else can be bounds."""
        given = self.given
        free = [column for column in self.present if column not in given.columns]
        sides = [[c for c in free if _column_names.is_common(c, side)] for side in BOUNDS]
        bounds = [column for side in sides for column in side]
        other = bounds or [c for c in free if _column_names.is_common(c, "std")]
        fronts = {_column_names.quantile_front(column) for column in other} or {DECIMAL}
        one_pair = [len(side) for side in sides] == [1, 1] and not given.all_levels and given.level is None
        if given.lower or given.upper or given.std or None in fronts or len(fronts) > 1 or one_pair:
            return None, ()
        pairs = quantile_pairs(free, str(*fronts))
        return self._chosen("model", pairs) if pairs else (None, ())

    def _chosen(
        self, name: str, pairs: Mapping[float, tuple[str, str]]
    ) -> tuple[tuple[str, str], tuple[str, ...]]:
        """Return the bounds of the given level, or of the widest, with a note where there are others."""
        level = max(pairs) if self.given.level is None else self.given.level
        shown = ", ".join(f"{each:.9g}" for each in sorted(pairs))
        if level not in pairs:
            hint = f" (`level` is in percent: {100 * level:g})" if 0 < level < 1 else ""
            raise MissingColumnError(f"{name} has no level {level:g}{hint}; its levels are {shown}.")
        if len(pairs) == 1 or self.given.level is not None:
            return pairs[level], ()
        using = "all" if self.given.all_levels else f"{level:.9g}"
        chooses = "leaves out wider ones" if self.given.all_levels else "chooses another"
        return pairs[level], (f"{name} has the levels {shown}; using {using}. `level` {chooses}.",)

    def _suffixed(self) -> tuple[ModelColumns, ...]:
        """Find NAME_lower and NAME_upper beside NAME or NAME_pred."""
        models = []
        for column in self.present:
            name = column.removesuffix("_lower")
            y_pred = next((c for c in (f"{name}_pred", name) if c in self.known), None)
            observed = _column_names.is_common(name, "y_true") and y_pred == name
            if name in (column, "") or f"{name}_upper" not in self.known or y_pred is None or observed:
                continue
            models.append(ModelColumns(name=name, y_pred=y_pred, lower=column, upper=f"{name}_upper"))
        return tuple(models)


def _described(y_true: str | None, models: Iterable[ModelColumns]) -> str:
    """Say which columns are used."""
    parts = [] if y_true is None else [f"observations {y_true!r}"]
    for model in models:
        middle = "" if model.y_pred else " around their midpoints"
        if model.std is None and None in (model.lower, model.upper):
            middle = f" as {'an upper' if model.lower is None else 'a lower'} limit"
        parts.append(f"{model.name} = {listed(list(model.arguments.values()))}{middle}")
    return f"columns: {'; '.join(parts)}."
