"""Which columns mean what: those that options name, or those with common names."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from uccurve.cli._errors import DataError, UsageError, absent, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from uccurve.cli._options import Columns

_COMMON = {
    "y_true": "y_true y actual actuals target observed observation truth ground_truth label y_test y_obs",
    "y_pred": "y_pred yhat y_hat pred prediction predicted forecast mean median y_mean point_forecast",
    "lower": "lower lo low lower_bound yhat_lower y_lower pred_lower lower_pi pi_lower q05 q025 q10",
    "upper": "upper hi high upper_bound yhat_upper y_upper pred_upper upper_pi pi_upper q95 q975 q90",
    "std": "std sigma y_std stddev std_dev standard_deviation pred_std y_sigma yhat_std",
}
_MEANING = {
    "y_true": "observations",
    "y_pred": "predictions",
    "lower": "lower bounds",
    "upper": "upper bounds",
    "std": "standard deviations",
}
_NIXTLA = re.compile(r"(?P<name>.+)-(?P<side>lo|hi)-(?P<level>\d+(?:\.\d+)?)", re.DOTALL)
_QUANTILE = re.compile(r"(?P<name>.*q)(?P<digits>\d{2,})", re.DOTALL | re.IGNORECASE)
_BOUNDS = {"lo", "low", "lower", "lwr", "lb", "hi", "high", "upper", "upr", "ub", "bound"}
_DEVIATIONS = {"std", "sd", "sigma", "stddev", "stdev", "dev", "deviation", "scale", "se"}
_PRED_STD, _PRED_BOUNDS = 2, 3
_SAME_LEVEL = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """The columns of one model: bounds, with or without predictions, or predictions and deviations."""

    name: str
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None

    @property
    def arguments(self) -> dict[str, str]:
        """The columns by the argument of the library that they fill."""
        given = {"y_pred": self.y_pred, "lower": self.lower, "upper": self.upper, "std": self.std}
        return {argument: column for argument, column in given.items() if column is not None}

    @property
    def level(self) -> float | None:
        """The share to be covered, in per cent, if the names of the bounds tell it: 90 of Model-lo-90."""
        return None if self.lower is None or self.upper is None else _level(self.lower, self.upper)

    def bounds_at(self, level: float) -> tuple[str, str] | None:
        """Return the names of the bounds for another level, if their names tell a level."""
        if self.lower is None or self.upper is None or self.level is None:
            return None
        if abs(self.level - level) < _SAME_LEVEL:
            return self.lower, self.upper
        tail = (100 - level) / 200
        return _renamed(self.lower, level, tail), _renamed(self.upper, level, 1 - tail)


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """The columns to use."""

    y_true: str | None
    models: tuple[Model, ...]
    weight: str | None = None
    by: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def shared(self) -> dict[str, str]:
        """Columns that all models share, by the argument that they fill."""
        given = {"y_true": self.y_true, "sample_weight": self.weight}
        return {argument: column for argument, column in given.items() if column is not None}


def choose(
    present: Sequence[str],
    options: Columns,
    file: str,
    *,
    by: str | None = None,
    weight: str | None = None,
    observed: bool = True,
) -> Choice:
    """Choose the columns of a file.

    Parameters
    ----------
    present : sequence of str
        The columns of the file.
    options : Columns
        What the user said.
    file : str
        The file, to be named in errors.
    by, weight : str, optional
        Columns of segments and of weights.
    observed : bool
        Whether observations are needed.
    """
    if not observed and options.y_true not in present:
        options = replace(options, y_true=None)
    finder = _Finder(list(present), options, file, {by, weight})
    finder.refuse_conflicts()
    finder.check(finder.named(by, weight))
    models, notes = finder.models()
    taken = {column for model in models for column in model.arguments.values()}
    y_true = options.y_true or finder.common("y_true", taken, needed=observed)
    choice = Choice(y_true=y_true, models=models, weight=weight, by=by, notes=notes)
    return choice if finder.explicit else replace(choice, notes=(*notes, _described(choice)))


def model_of(text: str) -> Model:
    """Read NAME=PRED,LOWER,UPPER or NAME=PRED,STD; names with commas are quoted as in CSV."""
    name, equals, rest = text.partition("=")
    columns = [column.strip() for column in next(csv.reader([rest], skipinitialspace=True), [])]
    if (
        not name.strip()
        or not equals
        or len(columns) not in (_PRED_STD, _PRED_BOUNDS)
        or not all(columns[1:])
    ):
        raise UsageError(f"--model {text}: write NAME=PRED,LOWER,UPPER or NAME=PRED,STD.")
    pred = columns[0] or None
    if len(columns) == _PRED_BOUNDS:
        return Model(name=name.strip(), y_pred=pred, lower=columns[1], upper=columns[2])
    if pred is None:
        raise UsageError(f"--model {text}: a standard deviation needs a prediction, as in NAME=PRED,STD.")
    if _looks_like_bound(columns[1]):
        raise UsageError(
            f"--model {text}: two columns mean a prediction and a standard deviation, but {columns[1]!r} "
            "looks like a bound: write NAME=PRED,LOWER,UPPER."
        )
    return Model(name=name.strip(), y_pred=pred, std=columns[1])


@dataclass(frozen=True, slots=True)
class _Finder:
    """Looks for columns in one file."""

    present: list[str]
    options: Columns
    file: str
    other: set[str | None]

    @property
    def explicit(self) -> bool:
        """Whether options say everything."""
        given = self.options
        single = given.y_pred and (given.std or (given.lower and given.upper))
        return bool(given.y_true and (given.model or single))

    @property
    def single(self) -> list[str]:
        """The options that name columns of the only model."""
        names = ("y_pred", "lower", "upper", "std")
        return [f"--{name.replace('_', '-')}" for name in names if getattr(self.options, name)]

    def refuse_conflicts(self) -> None:
        """Refuse options that exclude each other."""
        given, single = self.options, self.single
        if given.model and single:
            raise UsageError(f"--model and {single[0]} exclude each other: --model names all its columns.")
        if given.std and (given.lower or given.upper):
            raise UsageError("--std and --lower or --upper exclude each other.")

    def models(self) -> tuple[tuple[Model, ...], tuple[str, ...]]:
        """Return the models, and what to tell about them."""
        if self.options.model:
            return self._named(), ()
        if not self.single:
            models, notes = self._nixtla()
            models = (*models, *self._suffixed())
            if models:
                return models, notes
        return (self._single(),), ()

    def common(self, role: str, taken: Iterable[str] = (), *, needed: bool = False) -> str | None:
        """Find the one column with a common name for a role."""
        given = self.options
        other = {*self.other, *taken, given.y_true, given.y_pred, given.lower, given.upper, given.std}
        names = _COMMON[role].split()
        found = [c for c in self.present if c.lower() in names and c not in other]
        option = f"--{role.replace('_', '-')}"
        if len(found) > 1:
            raise DataError(
                f"{self.file}: several columns could be the {_MEANING[role]}: {listed(found)}; "
                f"choose with {option} {found[0]}."
            )
        if needed and not found:
            raise DataError(
                f"{self.file}: no column with a common name for {_MEANING[role]} "
                f"among {listed(self.present)}; name it with {option} COLUMN."
            )
        return found[0] if found else None

    def named(self, by: str | None, weight: str | None) -> list[str]:
        """Return the columns that options name."""
        given = self.options
        columns = [given.y_true, given.y_pred, given.lower, given.upper, given.std, weight, by]
        for model in self._named():
            columns += model.arguments.values()
        return [column for column in columns if column is not None]

    def check(self, used: Iterable[str]) -> None:
        """Refuse names that are no column of the file."""
        for column in used:
            if column not in self.present:
                raise absent(self.file, column, self.present)

    def _named(self) -> tuple[Model, ...]:
        models = tuple(map(model_of, self.options.model))
        names = [model.name for model in models]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise UsageError(f"--model {doubled}=… is given twice: each model needs its own name.")
        return models

    def _single(self) -> Model:
        given = self.options
        y_pred = given.y_pred or self.common("y_pred")
        lower, upper, std = given.lower, given.upper, given.std
        if not std:
            lower = lower or self.common("lower", needed=bool(upper))
            upper = upper or self.common("upper", needed=bool(lower))
        if not (lower or upper or std):
            std = self.common("std")
        if not (std or lower):
            raise DataError(
                f"{self.file}: no columns with common names for intervals among {listed(self.present)}; name "
                "them with --lower LO --upper HI, --std SD, or --model NAME=PRED,LO,HI."
            )
        if std and not y_pred:
            y_pred = self.common("y_pred", needed=True)
        return Model(name="model", y_pred=y_pred, lower=lower, upper=upper, std=std)

    def _nixtla(self) -> tuple[tuple[Model, ...], tuple[str, ...]]:
        """Find Model, Model-lo-90, Model-hi-90: the asked level of each model, or its widest."""
        levels: dict[str, dict[float, str]] = {}
        for column in self.present:
            match = _NIXTLA.fullmatch(column)
            if match and match["side"] == "lo" and f"{match['name']}-hi-{match['level']}" in self.present:
                levels.setdefault(match["name"], {})[float(match["level"])] = match["level"]
        models, notes = [], []
        for name, found in levels.items():
            wanted = max(found) if self.options.level is None else self.options.level
            shown = ", ".join(found[level] for level in sorted(found))
            if wanted not in found:
                hint = f" (--level is in per cent: {100 * wanted:g})" if 0 < wanted < 1 else ""
                raise DataError(f"{self.file}: {name} has no level {wanted:g}{hint}; its levels are {shown}.")
            level = found[wanted]
            if len(found) > 1 and self.options.level is None:
                notes.append(f"{name} has the levels {shown}: took {level}; --level chooses another.")
            bounds = {"lower": f"{name}-lo-{level}", "upper": f"{name}-hi-{level}"}
            y_pred = next((c for c in (name, f"{name}-median") if c in self.present), None)
            models.append(Model(name=name, y_pred=y_pred, **bounds))
        return tuple(models), tuple(notes)

    def _suffixed(self) -> tuple[Model, ...]:
        """Find NAME_lower and NAME_upper beside NAME or NAME_pred."""
        models = []
        for column in self.present:
            name = column.removesuffix("_lower")
            y_pred = next((c for c in (f"{name}_pred", name) if c in self.present), None)
            observed = name.lower() in _COMMON["y_true"].split() and y_pred == name
            if name in (column, "") or f"{name}_upper" not in self.present or y_pred is None or observed:
                continue
            models.append(Model(name=name, y_pred=y_pred, lower=column, upper=f"{name}_upper"))
        return tuple(models)


def _looks_like_bound(column: str) -> bool:
    parts = set(re.split(r"[\W_]+", column.lower()))
    quantile = any(re.fullmatch(r"[qp]\d+", part) for part in parts)
    return bool(quantile or parts & _BOUNDS) and not parts & _DEVIATIONS


def _level(lower: str, upper: str) -> float | None:
    """Return the level in two names: 90 of Model-lo-90 and Model-hi-90, or of q05 and q95."""
    low, high = _NIXTLA.fullmatch(lower), _NIXTLA.fullmatch(upper)
    if low and high:
        same = (low["name"], low["level"]) == (high["name"], high["level"])
        return float(low["level"]) if same and (low["side"], high["side"]) == ("lo", "hi") else None
    low, high = _QUANTILE.fullmatch(lower), _QUANTILE.fullmatch(upper)
    if not (low and high and low["name"] == high["name"]):
        return None
    below, above = float(f"0.{low['digits']}"), float(f"0.{high['digits']}")
    central = abs(below + above - 1) < _SAME_LEVEL and below < above
    return round(100 * (above - below), 9) if central else None


def _renamed(bound: str, level: float, share: float) -> str:
    """Return a bound's name with another level, or share of observations below, in it."""
    nixtla, quantile = _NIXTLA.fullmatch(bound), _QUANTILE.fullmatch(bound)
    if nixtla:
        return f"{nixtla['name']}-{nixtla['side']}-{level:.9g}"
    digits = f"{share:.9f}".removeprefix("0.").rstrip("0").ljust(2, "0")
    return f"{quantile['name'] if quantile else bound}{digits}"


def _described(choice: Choice) -> str:
    """Say which columns are used."""
    parts = [] if choice.y_true is None else [f"observations {choice.y_true!r}"]
    for model in choice.models:
        middle = "" if model.y_pred else " around their midpoints"
        parts.append(f"{model.name} = {listed(list(model.arguments.values()))}{middle}")
    return f"columns: {'; '.join(parts)}."


def is_interval(column: str, present: Sequence[str]) -> bool:
    """Whether a column looks like a part of some model's intervals, used or not."""
    common = {name for role in ("y_pred", "lower", "upper", "std") for name in _COMMON[role].split()}
    bounds = (f"{column}_lower", f"{column}_upper")
    sides = column.endswith(("_lower", "_upper", "_pred", "_std"))
    starts = any(_NIXTLA.fullmatch(other) and other.startswith(f"{column}-") for other in present)
    return bool(
        column.lower() in common or sides or starts or _NIXTLA.fullmatch(column) or set(bounds) & set(present)
    )
