"""Which columns of a table to use: those that are given, and others detected by their names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from uccurve.columns import names
from uccurve.columns.names import ROLES, list_names
from uccurve.exceptions import ArgumentError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The name of a model whose columns tell none.
_UNNAMED = "model"
# In percent. Names that tell smaller coverages only are rather features, such as the low of 5 days.
_LEAST_CLAIM = 50
# What Prophet gives bounds: the forecast, and its components.
_PROPHET = ("yhat", "trend")
_MEDIAN = 0.5
_MOST_DESCRIBED = 12


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
        given = {"y_pred": self.y_pred, "lower": self.lower, "upper": self.upper, "std": self.std}
        return {argument: column for argument, column in given.items() if column is not None}

    @property
    def level(self) -> float | None:
        """The nominal coverage in percent, if the names of the bounds tell it: 90 of Model-lo-90."""
        return None if self.lower is None or self.upper is None else names.pair_level(self.lower, self.upper)

    @property
    def nominal(self) -> float | None:
        """The same as a fraction, where it is a coverage: 0.9 of Model-lo-90, None of Model-lo-100."""
        return self.level / 100 if self.level is not None and 0 < self.level < 100 else None  # noqa: PLR2004

    def bounds_at(self, level: float) -> tuple[str, str] | None:
        """Return the names of the bounds for another level, if their names tell a level."""
        if self.lower is None or self.upper is None:
            return None
        return names.name_bounds(self.lower, self.upper, level)


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
    def used(self) -> list[str]:
        """All columns in use, those of segments last."""
        columns = [*self.shared.values()]
        for model in self.models:
            columns += dict.fromkeys([*model.arguments.values(), *model.quantiles.values()])
        return columns if self.by is None else [*columns, self.by]

    def with_levels(self, present: Sequence[str]) -> ColumnChoice:
        """Add the quantiles inside of the bounds of each model, as far as names tell levels."""
        levels = _group_levels(present)
        models = [replace(model, quantiles=_quantiles_inside(model, levels)) for model in self.models]
        return replace(self, models=tuple(models))


def detect_columns(
    present: Sequence[str],
    given: ColumnChoice,
    *,
    level: float | None = None,
    all_levels: bool = False,
    observed: bool = True,
    several: str = "models",
) -> ColumnChoice:
    """Choose columns: the given ones, and for the other roles those whose names tell them (see `names`).

    Columns that name a model come first: ``Model-lo-90``, and ``NAME_lower`` beside ``NAME`` or
    ``NAME_pred``. Then come those without a model: ``lower``, ``std``, ``q05``. Names that features have as
    well, such as ``NAME_lo``, ``NAME_std`` and ``NAME_q05``, count only where no others tell intervals.

    Parameters
    ----------
    present : sequence of str
        The columns of the table.
    given : ColumnChoice
        What the user said: nothing, the columns of models, or some columns of one model without a name.
    level : float, optional
        Which of Model-lo-90, Model-lo-80, … to use, in percent; by default the widest.
    all_levels : bool
        Whether the pairs inside of it are used as well.
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
    _check_given(present, given)
    detector = _Detector(present, given, level, all_levels=all_levels)
    models = given.models if any(model.name for model in given.models) else detector.models()
    if not models:
        raise _no_intervals(present, several)
    used = {column for model in models for column in model.arguments.values()}
    y_true = given.y_true or detector.find("y_true", used, needed=observed)
    choice = replace(given, y_true=y_true, models=tuple(models))
    notes = detector.notes if choice.used == given.used else [*detector.notes, _describe(choice)]
    choice = replace(choice, notes=tuple(notes))
    return choice.with_levels(present) if all_levels else choice


def interval_parts(present: Sequence[str]) -> set[str]:
    """Return the columns that look like parts of some model's intervals, used or not."""
    parts = {column for model in _find_suffixed(present, short=True) for column in model.arguments.values()}
    for column in present:
        level = names.read_level(column)
        if level is not None and (level.is_coverage or not level.model):
            parts |= {column, level.model}
        if column.endswith(("_lower", "_upper")):
            parts |= {column, column.removesuffix("_lower").removesuffix("_upper")}
        is_role = any(names.is_name(column, role) for role in ROLES if role != "y_true")
        if is_role or column.endswith(("_pred", "_std")):
            parts.add(column)
    return parts & set(present)


def _check_given(present: Sequence[str], given: ColumnChoice) -> None:
    for model in given.models:
        if not model.name and len(given.models) > 1:
            rule = f"not be passed beside `{next(iter(model.arguments))}`: it names all columns"
            raise ArgumentError(argument="models", rule=rule)
        if model.std and (model.lower or model.upper):
            raise ArgumentError(argument="std", rule="not be passed beside `lower` or `upper`")
    for column in given.used:
        if column not in present:
            raise names.absent_column(column, present)


class _LevelGroup:
    """The columns that write levels in one style.

    Attributes
    ----------
    name : LevelName
        What the first of them tells.
    columns : dict of float to str
        The columns by the share of observations below them.
    repeated : tuple of str, or None
        Two columns that tell the same level, as A-lo-90 and A-lo-90.0 do.
    """

    def __init__(self, name: names.LevelName) -> None:
        self.name = name
        self.columns: dict[float, str] = {}
        self.repeated: tuple[str, str] | None = None

    def pairs(self) -> dict[float, tuple[str, str]]:
        """Return bounds by their level in percent: 90 for q05 and q95."""
        pairs = {}
        for share, lower in self.columns.items():
            upper = self.columns.get(round(1 - share, 12))
            if share < _MEDIAN and upper is not None:
                pairs[round(100 * (1 - 2 * share), 9)] = (lower, upper)
        if pairs and self.repeated is not None:
            problem = f"the columns {self.repeated[0]!r} and {self.repeated[1]!r} tell the same level"
            raise MissingColumnError(problem, hint="Leave one out, or choose with `lower` and `upper`.")
        return pairs

    def has_bounds(self) -> bool:
        """Whether there are pairs, and their levels may be claims."""
        widest = max(self.pairs(), default=0)
        return widest > 0 and (widest >= _LEAST_CLAIM or self.name.is_nixtla or not self.name.is_coverage)


def _group_levels(present: Sequence[str]) -> dict[str, _LevelGroup]:
    """Return the columns that tell levels by their style; Model-median belongs to Model-lo-90."""
    groups: dict[str, _LevelGroup] = {}
    for column in present:
        name = names.read_level(column)
        if name is not None:
            group = groups.setdefault(name.style, _LevelGroup(name))
            first = group.columns.setdefault(name.share, column)
            if first != column and group.repeated is None:
                group.repeated = first, column
    known = frozenset(present)
    for group in groups.values():
        for median in (f"{group.name.model}-median", f"{group.name.model}_median"):
            if group.name.is_coverage and median in known:
                group.columns[_MEDIAN] = median
    return groups


def _quantiles_inside(model: ModelColumns, levels: Mapping[str, _LevelGroup]) -> dict[float, str]:
    """Return all pairs up to the bounds of a model, and the median, by rising share below them."""
    name = None if model.nominal is None else names.read_level(str(model.lower))
    if name is None:
        return {}
    group, tail = levels[name.style], name.share
    group.pairs()  # refuses levels that are told twice
    inner = (share for share in sorted(group.columns) if tail <= share <= round(1 - tail, 12))
    return {share: group.columns[share] for share in inner if round(1 - share, 12) in group.columns}


class _Detector:
    """The columns of one table, and what was given about them; its notes say what was chosen."""

    def __init__(
        self, present: Sequence[str], given: ColumnChoice, level: float | None, *, all_levels: bool
    ) -> None:
        self.present = tuple(present)
        self.known = frozenset(present)
        self.given = given.models[0] if given.models else ModelColumns()
        self.level = level
        self.all_levels = all_levels
        self.notes: list[str] = []
        used = frozenset(given.used)
        free = [column for column in present if column not in used]
        self.levels = _group_levels(free)
        self.named = {role: [column for column in free if names.is_name(column, role)] for role in ROLES}

    def models(self) -> list[ModelColumns]:
        """Return the models; none where no names tell intervals."""
        if self.given.lower or self.given.upper or self.given.std:
            return [self._complete_model()]
        groups = [group for group in self.levels.values() if group.has_bounds()]
        leading = self._leading_models(groups)
        models = leading or self._plain_models(groups) or [self._level_model(group) for group in groups]
        _check_names(models)
        if len(models) > 1 and self.given.y_pred:
            problem = f"several models have intervals: {list_names([model.name for model in models])}"
            raise MissingColumnError(problem, hint="Choose the columns of one with `lower` and `upper`.")
        if len(models) == 1 and self.given.y_pred:
            return [replace(models[0], y_pred=self.given.y_pred)]
        if len(models) == 1 and not leading and not models[0].y_pred:
            return [replace(models[0], y_pred=self.find("y_pred", needed=models[0].std is not None))]
        return models

    def find(self, role: str, used: Iterable[str] = (), *, needed: bool = False) -> str | None:
        """Return the one column whose whole name means a role."""
        columns = [column for column in self.named[role] if column not in used]
        if needed and not columns:
            suggested = names.suggest_columns(self.present, [role])
            problem = f"no column has a common name for {ROLES[role]}{suggested}"
            raise MissingColumnError(problem, argument=role, remedy={role: "COLUMN"})
        _check_single(role, columns)
        return columns[0] if columns else None

    def _complete_model(self) -> ModelColumns:
        """Add what is missing to bounds or to a standard deviation that are given."""
        given, lower, upper = self.given, self.given.lower, self.given.upper
        if not given.std:
            # One bound makes a one-sided limit only where it and the prediction are named: never by a guess.
            needed = not given.y_pred
            lower = lower or self._partner(str(upper)) or self.find("lower", needed=needed)
            upper = upper or self._partner(str(lower)) or self.find("upper", needed=needed)
        y_pred = given.y_pred or self.find("y_pred", needed=given.std is not None)
        return replace(given, name=_UNNAMED, y_pred=y_pred, lower=lower, upper=upper)

    def _partner(self, bound: str) -> str | None:
        """Return the bound on the other side where levels tell it and name no model: q95 for q05."""
        name = names.read_level(bound)
        if name is None or name.model or name.style not in self.levels:
            return None
        return self.levels[name.style].columns.get(round(1 - name.share, 12))

    def _leading_models(self, groups: Sequence[_LevelGroup]) -> list[ModelColumns]:
        """Find models that columns name: Model-lo-90, and NAME_lower_90 or NAME_lower beside NAME.

        NAME_lo and NAME_std count where nothing else names intervals: they end the names of other quantities
        as well. Of Prophet's table only the forecast is a model.
        """
        models = [self._level_model(group) for group in groups if self._is_leading(group.name)]
        short = not (groups or any(self.named[role] for role in ("lower", "upper", "std")))
        suffixed = _find_suffixed(self.present, short=short)
        if set(_PROPHET) <= {model.name for model in suffixed}:
            components = [model.name for model in suffixed if model.name != _PROPHET[0]]
            self.notes.append(f"Prophet's components are left out: {list_names(components)}.")
            suffixed = [model for model in suffixed if model.name == _PROPHET[0]]
        return [*models, *suffixed]

    def _is_leading(self, name: names.LevelName) -> bool:
        is_beside = name.is_coverage and _prediction(name.model, self.known) is not None
        return bool(name.model) and (name.is_nixtla or is_beside)

    def _plain_models(self, groups: Sequence[_LevelGroup]) -> list[ModelColumns]:
        """Find the one model that columns do not name: by lower and upper, by std, or by q05 and q95."""
        plain = [group for group in groups if not group.name.model]
        # Beside other names of intervals p5, 5% and 0.05 may be anything.
        sure = [group for group in plain if group.name.is_coverage or group.name.writing == "digits"]
        lower, upper, std = (self.named[role] for role in ("lower", "upper", "std"))
        if lower and upper:
            _check_single("lower", [*lower, *(max(group.pairs().items())[1][0] for group in sure)])
            return [ModelColumns(name=_UNNAMED, lower=lower[0], upper=self.find("upper"))]
        plain = sure if std else plain
        if plain:
            self._check_writing(plain)
            return [self._level_model(plain[0])]
        return [ModelColumns(name=_UNNAMED, std=self.find("std"))] if std else []

    def _check_writing(self, plain: Sequence[_LevelGroup]) -> None:
        """Refuse several pairs of bounds, and levels in another style, such as q50 beside p5 and p95."""
        kinds = [group for group in self.levels.values() if not group.name.model]
        is_coverage = plain[0].name.is_coverage
        rivals = [group for group in kinds if group in plain or group.name.is_coverage == is_coverage]
        if len(rivals) > 1:
            columns = [next(iter(group.columns.values())) for group in rivals]
            problem = f"levels are written in several ways, as in {list_names(columns)}"
            raise MissingColumnError(problem, hint="Use one of them, or choose with `lower` and `upper`.")

    def _level_model(self, group: _LevelGroup) -> ModelColumns:
        """Return the model of columns that tell levels: its given level, or its widest."""
        name, pairs = group.name.model or _UNNAMED, group.pairs()
        level = max(pairs) if self.level is None else self.level
        shown = ", ".join(f"{each:.9g}" for each in sorted(pairs))
        if level not in pairs:
            hint = f"`level` is in percent: {100 * level:g}." if 0 < level < 1 else ""
            problem = f"{name} has no level {level:g}; its levels are {shown}"
            raise MissingColumnError(problem, argument="level", hint=hint)
        if len(pairs) > 1 and self.level is None:
            using = "all" if self.all_levels else f"{level:.9g}"
            chooses = "leaves out wider ones" if self.all_levels else "chooses another"
            self.notes.append(f"{name} has the levels {shown}; using {using}. --level {chooses}.")
        lower, upper = pairs[level]
        y_pred = self.given.y_pred
        if not y_pred:
            y_pred = _prediction(name, self.known) if group.name.model else self.find("y_pred")
        return ModelColumns(name=name, y_pred=y_pred or group.columns.get(_MEDIAN), lower=lower, upper=upper)


def _find_suffixed(present: Sequence[str], *, short: bool) -> list[ModelColumns]:
    """Return models with bounds or deviations beside NAME or NAME_pred, in the order of their columns.

    A model whose bounds are there with two suffixes is there twice. Bounds go before a standard deviation.
    """
    known, models = frozenset(present), []
    for column in present:
        for ends in names.ENDS if short else names.ENDS[:1]:
            name = column.removesuffix(ends[0])
            y_pred = _prediction(name, known)
            columns = [f"{name}{end}" for end in ends]
            if name != column and y_pred is not None and known.issuperset(columns):
                std, lower, upper = (*columns, None, None) if len(ends) == 1 else (None, *columns)
                models.append(ModelColumns(name=name, y_pred=y_pred, lower=lower, upper=upper, std=std))
    bounded = {model.name for model in models if model.std is None}
    return [model for model in models if model.std is None or model.name not in bounded]


def _prediction(name: str, known: frozenset[str]) -> str | None:
    """Return the prediction of a model: NAME_pred or NAME, unless that is the name of observations."""
    if f"{name}_pred" in known:
        return f"{name}_pred"
    return name if name in known and not names.is_name(name, "y_true") else None


def _check_single(role: str, columns: Sequence[str]) -> None:
    """Refuse several columns for one role: which is meant is not guessed."""
    if len(columns) > 1:
        problem = f"several columns could be the {ROLES[role]}: {list_names(columns)}"
        raise MissingColumnError(problem, argument=role, remedy={role: columns[0]})


def _check_names(models: Sequence[ModelColumns]) -> None:
    """Refuse two models of one name: their columns could be the bounds, or the deviations, of one."""
    for role in ("lower", "std"):
        columns: dict[str, list[str]] = {}
        for model in models:
            if role in model.arguments:
                columns.setdefault(model.name, []).append(model.arguments[role])
        for alike in columns.values():
            _check_single(role, alike)


def _no_intervals(present: Sequence[str], several: str) -> MissingColumnError:
    """Say that no columns are bounds, and why bounds of the mean are not taken for it."""
    of_mean = [column for column in present if column.lower() in ("mean_ci_lower", "mean_ci_upper")]
    if of_mean:
        return MissingColumnError(
            f"{list_names(of_mean)} bound the mean, not the observations: a confidence interval of the mean "
            "is narrower than a prediction interval",
            hint="Use 'obs_ci_lower' and 'obs_ci_upper' of the same table. statsmodels gives the prediction "
            "intervals of forecasts of a time series model these names, too: if they are such, name them.",
            remedy={"lower": "mean_ci_lower", "upper": "mean_ci_upper"},
        )
    suggested = names.suggest_columns(present, ("lower", "upper", "std", "y_pred"))
    return MissingColumnError(
        f"no columns have common names for intervals{suggested}",
        hint=f"Name them with `lower` and `upper`, with `std`, or with `{several}`.",
    )


def _describe(choice: ColumnChoice) -> str:
    """Say which columns are used; of very many models, by those of the first."""
    parts = [] if choice.y_true is None else [f"observations {choice.y_true!r}"]
    shown = choice.models if len(choice.models) <= _MOST_DESCRIBED else choice.models[: _MOST_DESCRIBED // 2]
    for model in shown:
        middle = "" if model.y_pred else " around their midpoints"
        if model.std is None and None in (model.lower, model.upper):
            middle = f" as {'an upper' if model.lower is None else 'a lower'} limit"
        parts.append(f"{model.name} = {list_names(list(model.arguments.values()))}{middle}")
    if len(shown) < len(choice.models):
        parts.append(f"and {len(choice.models) - len(shown)} models more")
    return f"columns: {'; '.join(parts)}."
