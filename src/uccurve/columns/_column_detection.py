"""Which columns of a table mean what: those that are given, and others detected from common names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from uccurve.columns import _column_names
from uccurve.columns._column_choice import ColumnChoice, GivenColumns, ModelColumns
from uccurve.columns._column_levels import LevelNames
from uccurve.columns._column_names import absent_column, listed
from uccurve.columns._level_names import level_name
from uccurve.columns._suffixed_columns import suffixed_models
from uccurve.exceptions import ArgumentError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from uccurve.columns._level_names import LevelStyle

__all__ = ["ColumnChoice", "GivenColumns", "ModelColumns", "detect_columns", "detect_observations"]

BOUNDS = ("lower", "upper")
_MEANING = {
    "y_true": "observations",
    "y_pred": "predictions",
    "lower": "lower bounds",
    "upper": "upper bounds",
    "std": "standard deviations",
}
_MOST_DESCRIBED = 12
_PROPHET = ("yhat", "trend")
"""What Prophet gives bounds: the forecast, and its components."""


def detect_columns(present: Sequence[str], given: GivenColumns, *, observed: bool = True) -> ColumnChoice:
    """Choose columns: the given ones, and for the other roles those with common names.

    Common names are ``y``, ``actual``, ``yhat``, ``lower``, ``std`` and the like (whatever the case),
    ``Model``, ``Model-lo-90`` and ``Model-hi-90``, ``q05`` and ``q95``, ``0.05`` and ``0.95``, ``p5`` and
    ``p95``, ``5%`` and ``95%``, ``quantile_0.05``, ``Model_ql0.05``, ``y_0.9_lower``, and
    ``NAME_lower`` and ``NAME_upper`` beside ``NAME`` or ``NAME_pred``. ``NAME_lo`` and ``NAME_hi``, or
    ``NAME_low`` and ``NAME_high``, count as well where no other columns look like intervals.

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
    detector = _Detector(tuple(present), given)
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


def detect_observations(present: Sequence[str], taken: Iterable[str]) -> str:
    """Return the column with a common name for observations, which is none of those in use."""
    return str(_Detector(tuple(present), GivenColumns()).common("y_true", taken, needed=True))


def _refuse_conflicts(given: GivenColumns) -> None:
    if given.models and given.single:
        first = next(iter(given.single))
        raise ArgumentError(argument="models", rule=f"not be passed beside `{first}`: it names all columns")
    if given.std and (given.lower or given.upper):
        raise ArgumentError(argument="std", rule="not be passed beside `lower` or `upper`")


@dataclass(frozen=True, slots=True)
class _Detector:
    """The columns of one table, and what was given about them."""

    present: tuple[str, ...]
    given: GivenColumns
    known: frozenset[str] = field(init=False)
    """The same columns, to look names up among many."""
    levels: LevelNames = field(init=False)
    """The levels that the names of columns tell, but for columns that are given."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", frozenset(self.present))
        object.__setattr__(self, "levels", LevelNames(self.present, frozenset(self.given.columns)))

    def models(self) -> tuple[tuple[ModelColumns, ...], tuple[str, ...]]:
        """Return the models, and notes about them."""
        if self.given.models:
            return self.given.models, ()
        if not self.given.single:
            models, notes = self._named_models()
            if models:
                self._refuse_same_names(models)
                return models, notes
        model, notes = self._single()
        return (model,), notes

    def common(self, role: str, taken: Iterable[str] = (), *, needed: bool = False) -> str | None:
        """Return the one column with a common name for a role."""
        other = {*self.given.columns, *taken}
        columns = [c for c in self.present if _column_names.is_common(c, role) and c not in other]
        if len(columns) > 1:
            raise MissingColumnError(
                f"several columns could be the {_MEANING[role]}: {listed(columns)}",
                argument=role,
                remedy={role: columns[0]},
            )
        if needed and not columns:
            raise MissingColumnError(
                f"no column has a common name for {_MEANING[role]} among {listed(self.present)}",
                argument=role,
                remedy={role: "COLUMN"},
            )
        return columns[0] if columns else None

    def _named_models(self) -> tuple[tuple[ModelColumns, ...], tuple[str, ...]]:
        """Find models that columns name: Model-lo-90, Model_ql0.05, NAME_lower; else several NAME_q05."""
        styles = [style for style in self.levels.styles if style.kind == "coverage" or style.is_quantile_loss]
        models, notes = self._of_styles(styles)
        suffixed, left_out = self._suffixed()
        if models or suffixed:
            return (*models, *suffixed), (*notes, *left_out)
        styles = self._level_styles()
        return self._of_styles(styles) if len(styles) > 1 else ((), ())

    def _of_styles(self, styles: Iterable[LevelStyle]) -> tuple[tuple[ModelColumns, ...], tuple[str, ...]]:
        """Return the model of each style: its given level, or its widest."""
        models: list[ModelColumns] = []
        notes: list[str] = []
        for style in styles:
            pairs = self.levels.pairs(style)
            if pairs:
                name = str(style.model)
                (lower, upper), note = self._chosen(name, pairs)
                notes += note
                y_pred = self._prediction(style) or self.levels.median_of(style)
                models.append(ModelColumns(name=name, y_pred=y_pred, lower=lower, upper=upper))
        return tuple(models), tuple(notes)

    def _prediction(self, style: LevelStyle) -> str | None:
        """Return NAME or NAME_pred beside the levels of NAME, which may be the observations' own name."""
        name = style.model
        if not name or style.kind == "flat coverage" or _column_names.is_common(name, "y_true"):
            return None
        return next((column for column in (name, f"{name}_pred") if column in self.known), None)

    def _single(self) -> tuple[ModelColumns, tuple[str, ...]]:
        given, style, name = self.given, self._single_style(), "model"
        notes: tuple[str, ...] = ()
        y_pred = given.y_pred or (style and self._prediction(style)) or self.common("y_pred")
        lower, upper, std = given.lower, given.upper, given.std
        if style is not None:
            name = _name_of(style) if not given.single else name
            (lower, upper), notes = self._chosen(name, self.levels.pairs(style))
            y_pred = y_pred or self.levels.median_of(style)
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
            raise self._no_intervals()
        if std and not y_pred:
            y_pred = self.common("y_pred", needed=True)
        return ModelColumns(name=name, y_pred=y_pred, lower=lower, upper=upper, std=std), notes

    def _single_style(self) -> LevelStyle | None:
        """Return the style of the one model whose names tell levels; None where other names tell bounds."""
        given, styles = self.given, self._level_styles()
        if given.lower or given.upper or given.std:
            return None
        if len(styles) > 1:
            names = [str(style.model) for style in styles]
            raise MissingColumnError(
                f"several models have intervals: {listed(names)}",
                hint="Choose the columns of one with `lower` and `upper`.",
            )
        return styles[0] if styles else None

    def _level_styles(self) -> list[LevelStyle]:
        """Return the styles with bounds: q05, 0.05, p5 or 5%, else y_0.9_lower, else NAME_q05 and the like.

        None where other columns have common names for bounds or deviations.
        """
        free = [column for column in self.present if column not in self.given.columns]
        bounds = [column for side in BOUNDS for column in free if _column_names.is_common(column, side)]
        deviation = not bounds and any(_column_names.is_common(column, "std") for column in free)
        if deviation or any(level_name(column) is None for column in bounds):
            return []
        styles = self.levels.styles
        plain = [style for style in styles if style.model == "" and not style.is_coverage]
        if len(plain) > 1:
            columns = [self.levels.columns(style)[0] for style in plain]
            raise MissingColumnError(
                f"levels are written in several ways, as in {listed(columns)}",
                hint="Write all of them in one way, or choose with `lower` and `upper`.",
            )
        named = [style for style in styles if style.model is not None and style not in plain]
        for group in (plain, [style for style in named if style.is_coverage], named):
            paired = [style for style in group if self.levels.pairs(style)]
            if paired:
                return paired
        return []

    def _no_intervals(self) -> MissingColumnError:
        """Say that no columns are bounds, and why bounds of the mean are not taken for it."""
        of_mean = [c for c in self.present if c.lower() in ("mean_ci_lower", "mean_ci_upper")]
        if of_mean:
            return MissingColumnError(
                f"{listed(of_mean)} bound the mean, not the observations: a confidence interval of the mean "
                "is narrower than a prediction interval",
                hint=(
                    "Use 'obs_ci_lower' and 'obs_ci_upper' of the same table. statsmodels gives the "
                    "prediction intervals of forecasts of a time series model these names, too: if they "
                    "are such, name them."
                ),
                remedy={"lower": "mean_ci_lower", "upper": "mean_ci_upper"},
            )
        return MissingColumnError(
            f"no columns have common names for intervals among {listed(self.present)}",
            hint=f"Name them with `lower` and `upper`, with `std`, or with `{self.given.several}`.",
        )

    def _refuse_same_names(self, models: Sequence[ModelColumns]) -> None:
        """Refuse two models of one name: which columns are meant is not guessed."""
        bounds: dict[str, list[str]] = {}
        for model in models:
            bounds.setdefault(model.name, []).append(str(model.lower))
        name, columns = max(bounds.items(), key=lambda item: len(item[1]))
        if len(columns) > 1:
            raise MissingColumnError(
                f"several columns could be the lower bounds of {name}: {listed(columns)}",
                hint=f"Choose with `lower` and `upper`, or with `{self.given.several}`.",
            )

    def _chosen(
        self, name: str, pairs: Mapping[float, tuple[str, str]]
    ) -> tuple[tuple[str, str], tuple[str, ...]]:
        """Return the bounds of the given level, or of the widest, with a note where there are others."""
        level = max(pairs) if self.given.level is None else self.given.level
        shown = ", ".join(f"{each:.9g}" for each in sorted(pairs))
        if level not in pairs:
            hint = f"`level` is in percent: {100 * level:g}." if 0 < level < 1 else ""
            raise MissingColumnError(f"{name} has no level {level:g}; its levels are {shown}", hint=hint)
        if len(pairs) == 1 or self.given.level is not None:
            return pairs[level], ()
        using = "all" if self.given.all_levels else f"{level:.9g}"
        chooses = "leaves out wider ones" if self.given.all_levels else "chooses another"
        return pairs[level], (f"{name} has the levels {shown}; using {using}. --level {chooses}.",)

    def _suffixed(self) -> tuple[list[ModelColumns], list[str]]:
        """Find NAME_lower and NAME_upper beside NAME or NAME_pred; of Prophet's table only the forecast.

        NAME_lo and NAME_hi, or NAME_low and NAME_high, count where nothing else names intervals: they end
        the names of other quantities as well.
        """
        models = suffixed_models(self.present, short=not self._other_intervals())
        components = [model.name for model in models if model.name != _PROPHET[0]]
        if not set(_PROPHET) <= {model.name for model in models}:
            return models, []
        kept = [model for model in models if model.name == _PROPHET[0]]
        return kept, [f"Prophet's components are left out: {listed(components)}."]

    def _other_intervals(self) -> bool:
        """Whether columns have common names for bounds or deviations, or tell the levels of a pair."""
        common = (_column_names.is_common(c, role) for c in self.present for role in (*BOUNDS, "std"))
        return any(common) or any(self.levels.pairs(style) for style in self.levels.styles)


def _name_of(style: LevelStyle) -> str:
    """Return the name of the only model, where it has one of its own."""
    name = style.model or ""
    without = name.lower() in ("", "coverage", "quantiles") or style.kind == "flat coverage"
    return "model" if without or _column_names.is_common(name, "y_true") else name


def _described(y_true: str | None, models: Sequence[ModelColumns]) -> str:
    """Say which columns are used; of very many models, by those of the first."""
    parts = [] if y_true is None else [f"observations {y_true!r}"]
    shown = models if len(models) <= _MOST_DESCRIBED else models[: _MOST_DESCRIBED // 2]
    for model in shown:
        middle = "" if model.y_pred else " around their midpoints"
        if model.std is None and None in (model.lower, model.upper):
            middle = f" as {'an upper' if model.lower is None else 'a lower'} limit"
        parts.append(f"{model.name} = {listed(list(model.arguments.values()))}{middle}")
    if len(shown) < len(models):
        parts.append(f"and {len(models) - len(shown)} models more")
    return f"columns: {'; '.join(parts)}."
