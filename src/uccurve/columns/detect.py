"""Which columns of a table to use: those that are given, and others detected by their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from uccurve.columns import names
from uccurve.columns.names import ROLES, list_names
from uccurve.exceptions import ArgumentError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# The name of a model whose columns tell none.
_UNNAMED = "model"
# In percent. Names that tell smaller coverages only are rather features, such as the low of 5 days.
_LEAST_CLAIM = 50
_MEDIAN = 0.5
_MOST_DESCRIBED = 6
_BANDS = ("lower", "upper", "std")


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelColumns:
    """The columns of one model: bounds, with or without predictions, or predictions and deviations.

    Attributes
    ----------
    name : str
        The model. "" where the user named columns and no model: those that are None are detected.
    y_pred, lower, upper, std : str | None
        Columns by role.
    quantiles : dict of float to str
        All pairs up to the bounds, and the median, by the share below them, rising; empty if not asked for.
    """

    name: str = ""
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    quantiles: dict[float, str] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, str]:
        """The columns by the argument of `Intervals` that they fill."""
        return {role: getattr(self, role) for role in ROLES if getattr(self, role, None) is not None}

    @property
    def level(self) -> float | None:
        """The nominal coverage in percent, if the names of the bounds tell it: 90 of Model-lo-90."""
        pair = names.read_pair(self.lower, self.upper)
        return None if pair is None else round(100 * (pair[1].share - pair[0].share), 9)

    @property
    def nominal(self) -> float | None:
        """The same as a fraction, where it is a coverage: 0.9 of Model-lo-90, None of Model-lo-100."""
        return self.level / 100 if self.level is not None and self.level < 100 else None  # noqa: PLR2004

    def bounds_at(self, level: float) -> tuple[str, str] | None:
        """Return the names of the bounds for another level, if their names tell a level."""
        pair, tail = names.read_pair(self.lower, self.upper), round((100 - level) / 200, 12)
        return None if pair is None else (pair[0].at(tail), pair[1].at(names.opposite(tail)))


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnChoice:
    """The columns to use, for all models; before detection those that are given.

    Attributes
    ----------
    y_true : str | None
        Observations; None where they are not needed and absent.
    models : tuple of ModelColumns
        The columns of each model.
    sample_weight : str | None
        Weights, which are never detected.
    by : str | None
        Labels of segments, which are never detected.
    notes : tuple of str
        What was detected, in sentences that name arguments in backticks; empty if everything was given.
    """

    y_true: str | None = None
    models: tuple[ModelColumns, ...] = ()
    sample_weight: str | None = None
    by: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def shared(self) -> dict[str, str]:
        """Columns that all models share, by the argument of `Intervals` that they fill."""
        given = {"y_true": self.y_true, "sample_weight": self.sample_weight}
        return {argument: column for argument, column in given.items() if column is not None}

    @property
    def measured(self) -> list[str]:
        """All columns of numbers."""
        columns = [*self.shared.values()]
        for model in self.models:
            columns += dict.fromkeys([*model.arguments.values(), *model.quantiles.values()])
        return columns

    @property
    def used(self) -> list[str]:
        """All columns in use, those of segments last."""
        return self.measured if self.by is None else [*self.measured, self.by]

    def with_levels(self, present: Sequence[str]) -> ColumnChoice:
        """Add the quantiles inside of the bounds of each model, as far as names tell levels."""
        groups, models = _group_levels(present), []
        for model in self.models:
            pair, inside = names.read_pair(model.lower, model.upper), {}
            if pair is not None and model.nominal is not None:
                (low, high), every = pair, groups[pair[0].style].quantiles()
                inside = {share: every[share] for share in every if low.share <= share <= high.share}
            models.append(replace(model, quantiles=inside))
        return replace(self, models=tuple(models))


def detect_columns(
    present: Sequence[str],
    given: ColumnChoice,
    *,
    nominal: float | None = None,
    observed: bool = True,
    several: str = "models",
) -> ColumnChoice:
    """Choose columns: the given ones, and for the other roles those whose names tell them (see `names`).

    Either columns name their models, and all of these are taken: ``Model-lo-90``, ``NAME_q05``, and
    ``NAME_lower``, ``NAME_lo`` or ``NAME_std`` beside ``NAME`` or ``NAME_pred``. Or there is one model
    without a name: ``lower``, ``q05``, ``std``. Where a table has both, those are taken whose names are sure
    (see `names.is_sure`); if both are, or neither is, it is an error.

    Parameters
    ----------
    present : sequence of str
        The columns of the table.
    given : ColumnChoice
        What the user said: nothing, the columns of models by name, or some columns of one without a name.
    nominal : float, optional
        Which of Model-lo-90, Model-lo-80, … to use, such as 0.9; by default the widest.
    observed : bool
        Whether observations are needed.
    several : str
        The argument that names more columns than those of one pair of bounds.

    Raises
    ------
    ArgumentError
        If given columns exclude each other.
    MissingColumnError
        If a given column is absent, or if no column, or more than one, has a common name for a role.
    """
    if not observed and given.y_true not in present:
        given = replace(given, y_true=None)
    if any(model.std and (model.lower or model.upper) for model in given.models):
        raise ArgumentError(argument="std", rule="not be passed beside `lower` or `upper`")
    for column in given.used:
        if column not in present:
            raise names.absent_column(column, present)
    hint = f"Name those to use with `lower` and `upper`, with `std`, or with `{several}`."
    detector = _Detector(present, given, nominal, hint)
    models = given.models if any(model.name for model in given.models) else detector.models()
    if not models:
        suggested = names.suggest_columns(present, ("lower", "upper", "std", "y_pred"))
        raise MissingColumnError(f"no columns have common names for intervals{suggested}", hint=hint)
    choice = replace(given, y_true=detector.find("y_true", needed=observed), models=tuple(models))
    notes = detector.notes if choice.used == given.used else [*detector.notes, _describe(choice)]
    return replace(choice, notes=tuple(notes))


def choose_model(models: Sequence[ModelColumns], name: str | None = None) -> ModelColumns:
    """Return the model of a name, or the only one.

    Raises
    ------
    MissingColumnError
        If there is no such model, or if there are several and none is named.
    """
    chosen = [model for model in models if name in (None, model.name)]
    if len(chosen) != 1:
        problem = f"the models that have intervals are {list_names([model.name for model in models])}"
        raise MissingColumnError(problem, argument="model", hint="Pass `model`, or the columns of one.")
    return chosen[0]


@dataclass(eq=False)
class _LevelGroup:
    """The columns that write levels in one style.

    Attributes
    ----------
    name : LevelName
        What the first of them tells.
    columns : dict of float to list of str
        The columns by the share of observations below them; A-lo-90 and A-lo-90.0 tell the same.
    """

    name: names.LevelName
    columns: dict[float, list[str]] = field(default_factory=dict)

    def quantiles(self) -> dict[float, str]:
        """Return the columns that have a partner, and the median, by rising share below them."""
        paired = [share for share in sorted(self.columns) if names.opposite(share) in self.columns]
        for share in paired:
            role = "y_pred" if share == _MEDIAN else "lower" if share < _MEDIAN else "upper"
            _check_single(role, self.columns[share])
        return {share: self.columns[share][0] for share in paired}

    def pairs(self) -> dict[float, tuple[str, str]]:
        """Return bounds by their level in percent: 90 for q05 and q95."""
        quantiles, pairs = self.quantiles(), {}
        for share, lower in quantiles.items():
            if share < _MEDIAN:
                pairs[round(100 * (1 - 2 * share), 9)] = lower, quantiles[names.opposite(share)]
        return pairs

    def has_bounds(self) -> bool:
        """Whether there are pairs, and their levels may be claims."""
        widest = max(self.pairs(), default=0)
        return widest > 0 and (widest >= _LEAST_CLAIM or self.name.is_nixtla or not self.name.is_coverage)

    def find_prediction(self, present: Collection[str]) -> str | None:
        """Return the prediction of the model that the names tell, or else the median."""
        prediction = _find_prediction(self.name.model, present) if self.name.model else None
        return prediction or self.quantiles().get(_MEDIAN)


def _group_levels(present: Sequence[str]) -> dict[str, _LevelGroup]:
    """Return the columns that tell levels by their style; Model-median belongs to Model-lo-90."""
    groups: dict[str, _LevelGroup] = {}
    known = frozenset(present)
    for column in present:
        name = names.read_level(column)
        if name is not None:
            group = groups.setdefault(name.style, _LevelGroup(name))
            group.columns.setdefault(name.share, []).append(column)
    for group in groups.values():
        for median in (f"{group.name.model}-median", f"{group.name.model}_median"):
            if group.name.is_coverage and median in known:
                group.columns[_MEDIAN] = [median]
    return groups


class _Detector:
    """The columns of one table, and what was given about them; its notes say what was chosen."""

    def __init__(self, present: Sequence[str], given: ColumnChoice, nominal: float | None, hint: str) -> None:
        shared = {*given.shared.values(), given.by}
        self.present = dict.fromkeys(column for column in present if column not in shared)
        self.given = given.shared | (given.models[0].arguments if given.models else {})
        self.by = given.by
        self.level = None if nominal is None else round(100 * nominal, 9)
        self.hint = hint
        self.notes: list[str] = []
        self.noted: set[str] = set()
        used = frozenset(given.used)
        self.free = free = [column for column in present if column not in used]
        self.levels = _group_levels(free)
        self.named = {role: [column for column in free if names.read_role(column) == role] for role in ROLES}

    def find(self, role: str, *, needed: bool = False) -> str | None:
        """Return the given column for a role, or the one whose whole name means it."""
        columns = [self.given[role]] if role in self.given else self.named[role]
        if needed and not columns:
            problem = f"no column has a common name for {ROLES[role]}"
            if self.by is not None and names.read_role(self.by) == role:
                problem = f"column {self.by!r} means {ROLES[role]}, and cannot label segments as well"
                raise MissingColumnError(problem, argument=role, hint="Pass another column as `by`.")
            suggested = names.suggest_columns(list(self.present), [role])
            hint = "For a limit on one side, name `y_pred` as well." if role in ("lower", "upper") else ""
            raise MissingColumnError(
                f"{problem}{suggested}", argument=role, hint=hint, remedy={role: "COLUMN"}
            )
        _check_single(role, columns)
        return columns[0] if columns else None

    def models(self) -> list[ModelColumns]:
        """Return the models; none where no names tell intervals."""
        if not self.given.keys().isdisjoint(_BANDS):
            return [self._complete_model()]
        chosen = self._candidates()
        models = [self._level_model(one) if isinstance(one, _LevelGroup) else one for one in chosen]
        counts = Counter(model.name for model in models)
        alike = [model for model in models if counts[model.name] > 1]
        role = "lower" if any(model.lower for model in alike) else "std"
        _check_single(role, [model.arguments[role] for model in alike if role in model.arguments])
        y_pred = self.given.get("y_pred")
        if models and y_pred is not None:
            models = [choose_model(models)]
            if models[0].y_pred not in (None, y_pred):
                problem = f"the prediction of {models[0].name} is {models[0].y_pred!r}, not {y_pred!r}"
                raise MissingColumnError(problem, hint=self.hint)
        is_nixtla = [isinstance(one, _LevelGroup) and one.name.is_nixtla for one in chosen] == [True]
        if len(models) == 1 and models[0].y_pred is None and (y_pred is not None or not is_nixtla):
            models = [replace(models[0], y_pred=self.find("y_pred", needed=models[0].std is not None))]
        self._note_unused(models)
        return models

    def _complete_model(self) -> ModelColumns:
        """Add what is missing to bounds or to a standard deviation that are given.

        What belongs to them by name, as gbm and gbm_upper do to gbm_lower, goes before common names.
        """
        bands = {self.given[role] for role in _BANDS if role in self.given}
        related = _find_suffixed(self.present)
        for name in filter(None, map(names.read_level, bands)):
            group = _group_levels(list(self.present)).get(name.style, _LevelGroup(name))
            y_pred = group.find_prediction(self.present) if name.model else None
            pairs = group.pairs().values()
            related += [ModelColumns(y_pred=y_pred, lower=low, upper=high) for low, high in pairs]
        related = [one for one in related if not bands.isdisjoint((one.lower, one.upper, one.std))]
        for role in ("y_pred", "lower", "upper"):
            columns = [one.arguments[role] for one in related if role in one.arguments]
            self.named[role] = list(dict.fromkeys(columns)) or self.named[role]
        y_pred, std = self.find("y_pred", needed="std" in self.given), self.given.get("std")
        if std is not None:
            return ModelColumns(name=_UNNAMED, y_pred=y_pred, std=std)
        # One bound makes a one-sided limit only where it and the prediction are named, never by a guess.
        lower, upper = (self.find(role, needed="y_pred" not in self.given) for role in ("lower", "upper"))
        return ModelColumns(name=_UNNAMED, y_pred=y_pred, lower=lower, upper=upper)

    def _candidates(self) -> Sequence[_LevelGroup | ModelColumns]:
        """Return the columns of all models that are named, or those of the one that is not."""
        groups = [group for group in self.levels.values() if group.has_bounds()]
        leading = [group for group in groups if group.name.model]
        suffixed = self._suffixed_models({group.name.model for group in leading})
        named: list[_LevelGroup | ModelColumns] = [*leading, *suffixed]
        is_sure = any(names.is_sure(_first_band(one)) for one in named)
        taken: set[str | None] = {group.find_prediction(self.present) for group in leading}
        taken.update(column for model in suffixed for column in model.arguments.values())
        left = {each for each in self.free if each not in taken and (names.is_sure(each) or not is_sure)}
        for role in _BANDS:
            self.named[role] = [column for column in self.named[role] if column in left]
        predictions = {*self.named["y_pred"], self.given.get("y_pred")} - {*taken, None}
        if named and self.named["std"] and not predictions:  # of which it could be the deviation
            rivals = [*self.named["std"], *(model.std for model in suffixed if model.std)]
            self.named["std"] = rivals if len(rivals) > 1 else []
        unnamed = [group for group in groups if not group.name.model and group.name.column in left]
        plain = self._plain_candidate(unnamed)
        if named and plain is not None and (is_sure or not names.is_sure(_first_band(plain))):
            self._check_rivals([_first_band(one) for one in (plain, *named)])
        return named if plain is None else [plain]

    def _suffixed_models(self, bounded: Collection[str]) -> list[ModelColumns]:
        """Find models such as NAME_lower or NAME_std beside NAME; of Prophet's table only the forecast.

        Bounds go before a standard deviation.
        """
        models = [model for model in _find_suffixed(self.present) if model.y_pred is not None]
        bounded = {*bounded, *(model.name for model in models if model.lower)}
        models = [model for model in models if model.lower or model.name not in bounded]
        if {"yhat", "trend"} <= {model.name for model in models}:
            components = {model.name: model.arguments.values() for model in models if model.name != "yhat"}
            self.noted.update(*components.values())
            self.notes.append(f"Prophet's components are left out: {list_names(list(components))}.")
            models = [model for model in models if model.name == "yhat"]
        return models

    def _plain_candidate(self, groups: Sequence[_LevelGroup]) -> _LevelGroup | ModelColumns | None:
        """Find the one model that columns do not name: by lower and upper, by std, or by q05 and q95."""
        # Beside other names of intervals p5, 5% and 0.05 may be anything, and low and high beside these.
        sure = [group for group in groups if names.is_sure(group.name.column)]
        lower, upper, std = (self.named[role] for role in _BANDS)
        if lower and upper:
            if not all(map(names.is_sure, [*lower, *upper])):
                self._check_rivals([lower[0], *std, *(group.name.column for group in groups)])
            _check_single("lower", [*lower, *(low for group in sure for low, _ in group.pairs().values())])
            return ModelColumns(name=_UNNAMED, lower=lower[0], upper=self.find("upper"))
        groups = sure if std else groups
        if not groups:
            return ModelColumns(name=_UNNAMED, std=self.find("std")) if std else None
        # Levels in another style, such as q50 beside p5 and p95, could belong to the model.
        kinds = {group.name.is_coverage for group in groups}
        unnamed = [group.name for group in self.levels.values() if not group.name.model]
        rivals = [name.column for name in unnamed if name.is_coverage in kinds]
        if len(rivals) > 1:
            problem = f"levels are written in several ways, as in {list_names(rivals)}"
            raise MissingColumnError(problem, hint="Use one of them, or choose with `lower` and `upper`.")
        return groups[0]

    def _check_rivals(self, columns: Sequence[str]) -> None:
        """Refuse several columns that could be the intervals."""
        if len(columns) > 1:
            problem = f"several columns could be the intervals: {list_names(columns)}"
            raise MissingColumnError(problem, hint=self.hint)

    def _note_unused(self, models: Sequence[ModelColumns]) -> None:
        """Say which columns no model uses, though their names are like those of forecasts."""
        self.noted.update(*(model.arguments.values() for model in models))
        unused = [each for each in self.free if each not in self.noted and names.is_like_forecast(each)]
        if models and unused:
            self.notes.append(f"not used, but named like predictions or intervals: {list_names(unused)}.")

    def _level_model(self, group: _LevelGroup) -> ModelColumns:
        """Return the model of columns that tell levels: its given level, or its widest."""
        name, pairs = group.name.model or _UNNAMED, group.pairs()
        level = max(pairs) if self.level is None else self.level
        shown = ", ".join(f"{each:.9g}" for each in sorted(pairs))
        if level not in pairs:
            problem = f"{name} has no level {level:g}; its levels are {shown}"
            raise MissingColumnError(problem, argument="nominal")
        if len(pairs) > 1 and self.level is None:
            note = f"{name} has the levels {shown}; the widest gives the bounds. `nominal` chooses another."
            self.notes.append(note)
        lower, upper = pairs[level]
        self.noted.update(group.quantiles().values())
        y_pred = None if group.name.model else self.find("y_pred")
        y_pred = y_pred or group.find_prediction(self.present)
        return ModelColumns(name=name, y_pred=y_pred, lower=lower, upper=upper)


def _find_suffixed(present: Collection[str]) -> list[ModelColumns]:
    """Return bounds and deviations of NAME, with NAME_pred or NAME if it is there, in the order of columns.

    A model whose bounds are there with two suffixes is there twice.
    """
    models = []
    for name, columns in map(names.read_end, present):
        if name and all(column in present for column in columns.values()):
            y_pred = _find_prediction(name, present)
            models.append(ModelColumns(name=name, y_pred=y_pred, **cast("Any", columns)))
    return models


def _first_band(one: _LevelGroup | ModelColumns) -> str:
    """Return the column that shows how the names of a model are written."""
    return one.name.column if isinstance(one, _LevelGroup) else str(one.lower or one.std)


def _find_prediction(name: str, present: Collection[str]) -> str | None:
    """Return the prediction of a model: NAME_pred or NAME, unless that is the name of observations."""
    columns = (each for each in names.prediction_names(name) if each in present)
    return next((each for each in columns if names.read_role(each) != "y_true"), None)


def _check_single(role: str, columns: Sequence[str]) -> None:
    """Refuse several columns for one role: which is meant is not guessed."""
    if len(columns) > 1:
        problem = f"several columns could be the {ROLES[role]}: {list_names(columns)}"
        raise MissingColumnError(problem, argument=role, remedy={role: columns[0]})


def _describe(choice: ColumnChoice) -> str:
    """Say which columns are used; of very many models, by those of the first."""
    parts = [] if choice.y_true is None else [f"observations {choice.y_true!r}"]
    for model in choice.models[:_MOST_DESCRIBED]:
        middle = "" if model.y_pred else " around their midpoints"
        parts.append(f"{model.name} = {list_names(list(model.arguments.values()))}{middle}")
    if len(choice.models) > _MOST_DESCRIBED:
        parts.append(f"and {len(choice.models) - _MOST_DESCRIBED} more models")
    return f"columns: {'; '.join(parts)}."
