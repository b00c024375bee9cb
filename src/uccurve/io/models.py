"""All models of a table: wide, with columns of their own, or long, below each other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve.columns import ColumnChoice, ModelColumns, absent_column, detect_columns, list_names
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DroppedRowsWarning,
    EmptyInputError,
    InvalidRowsError,
    MissingColumnError,
    NotNumericError,
    PairError,
    PredictionOutsideError,
    SortedRowsWarning,
    UccurveError,
    broken_rules,
)
from uccurve.inference import check_pair
from uccurve.intervals import MEDIAN, Intervals, checks, name_as_text, quantile_name
from uccurve.io.read import as_table, read
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import os

    from uccurve._base.type_aliases import Crossed, Invalid
    from uccurve.io.tables import Table

# The name of a column that tells models of a long table apart without being named.
_MODEL = "model"
_PERCENT = 100
# What all models of a table share: errors about it name no model.
_SHARED = ("y_true", "sample_weight")


class Models(Mapping[str, Intervals]):
    """The models of a table by name, all on the same rows.

    `compare`, `report` and `UCCDisplay` take it in the place of a mapping, with its segments and blocks.

    Attributes
    ----------
    by : array of shape (n,), or None
        The segment of each row.
    blocks : int, array of shape (n,), or None
        Which rows depend on each other.
    columns : ColumnChoice
        The columns in use.
    notes : tuple of str
        What was detected, dropped and put in order.
    table : Table
        The rows in use, with all columns.

    Examples
    --------
    >>> import polars as pl
    >>> import uccurve as uc
    >>> frame = pl.DataFrame({"y": [1.0, 2.0], "gbm": [1.0, 1.0], "gbm_std": [1.0, 0.5],
    ...                       "rf": [2.0, 2.0], "rf_std": [0.5, 0.5]})
    >>> models = uc.Models.from_frame(frame)
    >>> models
    Models('gbm', 'rf'; 2 rows)
    >>> models["rf"].coverage
    0.5
    """

    def __init__(
        self,
        intervals: Mapping[str, Intervals],
        table: Table,
        columns: ColumnChoice,
        *,
        by: np.ndarray | None = None,
        blocks: np.ndarray | int | None = None,
        notes: tuple[str, ...] = (),
        repairs: tuple[Warning, ...] = (),
    ) -> None:
        self._intervals = dict(intervals)
        self.table = table
        self.columns = columns
        self.by = by
        self.blocks = blocks
        self.notes = notes
        self.repairs = repairs

    def __getitem__(self, name: str) -> Intervals:
        return self._intervals[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._intervals)

    def __len__(self) -> int:
        return len(self._intervals)

    def __repr__(self) -> str:
        return f"Models({list_names(list(self))}; {len(self.table)} rows)"

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str | None = None,
        y_pred: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        std: str | None = None,
        models: Mapping[str, Mapping[str, str]] | None = None,
        model: str | None = None,
        nominal: float | None = None,
        sample_weight: str | None = None,
        by: str | None = None,
        blocks: int | str | Sequence[str] | None = None,
        crossed: Crossed = "raise",
        invalid: Invalid = "raise",
    ) -> Models:
        """Make intervals of all models in an eager frame: columns that are named, or common names.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, …
            The table.
        y_true : str, optional
            Observations, which all models share.
        y_pred, lower, upper, std : str, optional
            The columns of one model, where they are not detected.
        models : mapping of name to mapping of role to str, optional
            The columns of several models: ``{"gbm": {"y_pred": "p", "std": "s"}, …}``.
        model : str, optional
            The column that names each row's model, where models stand below each other. A column of text
            that is called ``model``, and means nothing else, is taken as one.
        nominal : float, optional
            The coverage that bounds claim, such as 0.9. Where names of columns tell several, the one to use.
        sample_weight : str, optional
            Weights, 0 or more.
        by : str, optional
            Segments.
        blocks : int, str, or sequence of str, optional
            Which rows depend on each other: so many consecutive rows, or those that agree in these columns.
        crossed : {"raise", "sort"}
            Crossed bounds and quantiles: treat the row as ``invalid`` says, or put them in order.
        invalid : {"raise", "drop"}
            Rows that break a rule raise an error, or are dropped for all models alike.

        Warns
        -----
        DroppedRowsWarning, SortedRowsWarning
            If rows were dropped or put in order.
        """
        named = {"y_pred": y_pred, "lower": lower, "upper": upper, "std": std}
        given = choose(y_true, named, models, sample_weight=sample_weight, by=by)
        options: dict[str, Any] = {"model": model, "nominal": nominal, "blocks": blocks}
        found = cls.from_table(as_table(frame), given, **options, crossed=crossed, invalid=invalid)
        for repair in found.repairs:
            warn_caller(repair)
        return found

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        decimal: str = ".",
        encoding: str = "utf-8",
        **options: Any,
    ) -> Models:
        """Make intervals of all models in a file.

        Parameters
        ----------
        path : path
            CSV, Parquet, Arrow or JSON lines, also an address; text may be packed by gzip or zstd.
        format : {"csv", "parquet", "arrow", "jsonl"}, optional
            By default from the name, else from the first bytes.
        decimal : {".", ","}
            The decimal mark of numbers in text.
        encoding : str
            The encoding of a CSV file.
        **options
            The other arguments of `from_frame`: columns, ``by``, ``blocks``, ``invalid`` and so on.
        """
        return cls.from_frame(read(path, format=format, decimal=decimal, encoding=encoding), **options)

    @classmethod
    def from_table(
        cls,
        table: Table,
        given: ColumnChoice,
        *,
        model: str | None = None,
        nominal: float | None = None,
        blocks: int | str | Sequence[str] | None = None,
        crossed: Crossed = "raise",
        invalid: Invalid = "raise",
        levels: bool = False,
        observed: bool = True,
    ) -> Models:
        """Make intervals of all models in a table; other arguments as in `from_frame`.

        Parameters
        ----------
        table : Table
            What `read` returns.
        given : ColumnChoice
            The columns that are named; the others are detected.
        levels : bool
            Read all levels of named bounds as well, as far as names tell them.
        observed : bool
            Whether rows need observations. Without, predictions or lower bounds stand in for them.
        """
        try:
            asked: dict[str, Any] = {"holds_text": table.holds_text, "levels": levels, "observed": observed}
            choice, column = complete_choice(table.columns, given, nominal, model=model, **asked)
        except MissingColumnError as error:
            raise table.about(error) from error
        loader = _Loader(table, choice, nominal, crossed, invalid)
        return (loader.load() if column is None else loader.load_long(column))._blocked(blocks)

    def _blocked(self, blocks: int | str | Sequence[str] | None) -> Models:
        """Add the blocks of rows: a length, or the labels of columns in which rows of a block agree."""
        columns = [blocks] if isinstance(blocks, str) else blocks
        if columns is None:
            return self
        if not isinstance(columns, (list, tuple)) or not columns:
            self.blocks = arguments.whole("blocks", columns, 1)
            return self
        labels = np.zeros(len(self.table), dtype=np.int64)
        for column in columns:
            if not isinstance(column, str) or column not in self.table.columns:
                raise self.table.about(absent_column(str(column), self.table.columns))
            values, codes = np.unique(self.table.labels(column).astype(str), return_inverse=True)
            labels = labels * len(values) + codes
            labels = np.unique(labels, return_inverse=True)[1]
        self.blocks = labels
        return self


def name_models(models: Any, by: Any = None, blocks: Any = None) -> tuple[Any, Any, Any]:
    """Return models by name, with segments and blocks: those that are passed, or those of `Models`."""
    if isinstance(models, (Intervals, UCCSketch)):
        return {"model": models}, by, blocks
    if isinstance(models, Models):
        return models, models.by if by is None else by, models.blocks if blocks is None else blocks
    return models, by, blocks


def choose(
    y_true: str | None,
    named: Mapping[str, str | None],
    models: Mapping[str, Mapping[str, str]] | None = None,
    *,
    sample_weight: str | None = None,
    by: str | None = None,
) -> ColumnChoice:
    """Return what the user named as a choice of columns, to be completed by detection."""
    for argument, column in {"by": by, "sample_weight": sample_weight}.items():
        if column is not None and not isinstance(column, str):
            raise ArgumentTypeError(argument=argument, rule="name a column", got=type(column).__name__)
    roles: dict[str, Any] = {role: name_as_text(name) for role, name in named.items() if name is not None}
    if models is not None and not (
        isinstance(models, Mapping)
        and all(isinstance(one, Mapping) and {*one} <= {*named} for one in models.values())
    ):
        rule = f"map names to columns by their roles, {', '.join(named)}"
        raise ArgumentTypeError(argument="models", rule=rule, got=repr(models))
    if models and roles:
        argument = next(iter(roles))
        raise ArgumentError(
            argument="models", rule=f"not be passed beside `{argument}`: it names all columns"
        )
    of_models = [
        ModelColumns(name=str(name), **dict[str, Any](columns)) for name, columns in (models or {}).items()
    ]
    y_true = None if y_true is None else name_as_text(y_true)
    return ColumnChoice(
        y_true=y_true, models=tuple(of_models) or (ModelColumns(**roles),), sample_weight=sample_weight, by=by
    )


def complete_choice(
    present: Sequence[str],
    given: ColumnChoice,
    nominal: float | None = None,
    *,
    model: str | None = None,
    holds_text: Callable[[str], bool],
    levels: bool = False,
    observed: bool = True,
) -> tuple[ColumnChoice, str | None]:
    """Return all columns to use, and the one that names each row's model, if there is one.

    Parameters
    ----------
    present : sequence of str
        The columns of the table.
    given : ColumnChoice
        What the user named, as `choose` returns it.
    nominal : float, optional
        The coverage that bounds claim, or which of several to use.
    model : str, optional
        The column that names models, if the user named it. A column of text that is called ``model``, and
        means nothing else, is taken as such, unless the user named models.
    holds_text : callable
        Takes the name of a column, and says whether it holds text that is not all numbers.
    levels : bool
        Read all levels of named bounds as well; of detected ones all are read.
    observed : bool
        Whether observations are needed.
    """
    claim = None if nominal is None else checks.check_nominal(nominal)
    told = [one for one in given.models if one.lower or one.upper or one.std]
    is_choice = claim is not None and (not told or any(one.level is not None for one in told))
    level = round(_PERCENT * claim, 9) if claim is not None and is_choice else None
    for one in told:
        if claim is not None and one.nominal not in (None, claim):
            rule = f"be {one.nominal:g}, as the names of the bounds tell"
            raise ArgumentError(argument="nominal", rule=rule, got=f"{claim:g}")
    try:
        choice = detect_columns(present, given, level=level, observed=observed)
    except MissingColumnError as error:
        raise error.replaced(argument="nominal" if error.argument == "level" else error.argument) from error
    if model is not None and model not in present:
        raise absent_column(model, present)
    if levels or not told:
        choice = choice.with_levels(present)
    for one in choice.models if levels else ():
        if not one.quantiles:
            columns = list_names(list(one.arguments.values()))
            example = "Model-lo-50, Model-hi-50, Model-lo-90 and Model-hi-90, or q05, q25, q75 and q95"
            hint = f'`vary="level"` needs bounds whose names tell their levels, such as {example}.'
            raise MissingColumnError(f"{one.name} has no levels, but {columns}", hint=hint)
    free = [column for column in present if column.strip().lower() == _MODEL and column not in choice.used]
    is_free = len(free) == 1 == len(choice.models) and not any(one.name for one in given.models)
    found = free[0] if is_free and holds_text(free[0]) else None
    return choice, model if model is not None else found


class _Loader:
    """Makes the intervals of one table, with what the user asked for."""

    def __init__(
        self, table: Table, choice: ColumnChoice, nominal: float | None, crossed: Crossed, invalid: Invalid
    ) -> None:
        self.table, self.choice, self.nominal = table, choice, nominal
        self.crossed, self.invalid = crossed, invalid
        arguments.option("invalid", invalid, ("raise", "drop"))

    def load(self, rows: np.ndarray | None = None, *, is_valid: bool = False) -> Models:
        """Make the intervals of all models on the same rows: some or all, which may be known to be valid."""
        table = self.table if rows is None else self.table.keep(rows)
        repairs: list[Warning] = []
        if self.invalid == "drop" and not is_valid:
            kept, repairs = self._find_valid(table)
            table = table.keep(kept)
        models, frame = {}, table.measured(self.choice.measured)
        for model in self.choice.models:
            models[model.name], told = self._build(table, frame, model, "raise")
            repairs += told
        by = None if self.choice.by is None else table.labels(self.choice.by)
        notes = (*table.notes, *self.choice.notes, *map(str, repairs))
        return Models(models, table, self.choice, by=by, notes=notes, repairs=tuple(repairs))

    def load_long(self, column: str) -> Models:
        """Make the intervals of models that stand below each other, on the same observations in one order."""
        names = self.table.labels(column).astype(str)
        rows = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
        dropped: list[Warning] = []
        is_valid = self.invalid == "drop" and len({own.size for own in rows.values()}) == 1
        if is_valid:  # once rows are dropped for all models alike
            valid = [self._find_valid(self.table.keep(own)) for own in rows.values()]
            dropped = [warning for _, told in valid for warning in told]
            kept = np.all([mask for mask, _ in valid], axis=0)
            rows = {name: own[kept] for name, own in rows.items()}
        found = {name: self.load(own, is_valid=is_valid) for name, own in rows.items()}
        models = {name: intervals for name, part in found.items() for intervals in part.values()}
        (first, whole), *others = found.items()
        for name, other in others:
            try:
                check_pair(models[first], models[name])
                is_alike = np.array_equal(np.asarray(whole.by), np.asarray(other.by))
            except PairError:
                is_alike = False
            if not is_alike:
                problem = (
                    f"column {column!r} names several models, but the rows of {first!r} and {name!r} do not "
                    "hold the same observations in the same order"
                )
                hint = f'Sort them alike, or take the models for segments with `by="{column}"`.'
                raise PairError(problem, where=self.table.name or None, hint=hint)
        repairs = [*dropped, *(repair for part in found.values() for repair in part.repairs)]
        note = f"column {column!r} names the models: {list_names(list(models))}."
        notes = (*self.table.notes, *self.choice.notes, note, *dict.fromkeys(map(str, repairs)))
        return Models(models, whole.table, self.choice, by=whole.by, notes=notes, repairs=tuple(repairs))

    def _build(
        self, table: Table, frame: Any, model: ModelColumns, invalid: Invalid
    ) -> tuple[Intervals, list[Warning]]:
        """Make the intervals of one model, and return what was put in order or dropped."""
        bounds = [column for column in (model.y_pred, model.lower, model.upper) if column is not None]
        columns: dict[str, Any] = {"y_true": bounds[0], **self.choice.shared, **model.arguments}
        named = {**columns, **{quantile_name(level): name for level, name in model.quantiles.items()}}
        if model.quantiles:
            is_median = model.y_pred == model.quantiles.get(MEDIAN)
            for role in ("lower", "upper", *(["y_pred"] if is_median else [])):
                columns.pop(role, None)
            columns["quantiles"] = dict(model.quantiles)
        elif model.std is None:
            columns["nominal"] = model.nominal or self.nominal
        several = model.name if len(self.choice.models) > 1 else None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                rows = Intervals.from_frame(
                    frame.to_native(), **columns, crossed=self.crossed, invalid=invalid
                )
            except UccurveError as error:
                where = None if error.argument in _SHARED else several
                if isinstance(error, NotNumericError):  # which names the column itself
                    named = {name: name for name in named.values()}
                raise table.about(error, model=where, columns=named, hint=_advise(error, model)) from error
        told = [warning.message for warning in caught if isinstance(warning.message, Warning)]
        return rows, [_complete_warning(warning, table, several, named) for warning in told]

    def _find_valid(self, table: Table) -> tuple[np.ndarray, list[Warning]]:
        """Return which rows break no rule of any model, and a warning that tells the rules of the others."""
        kept = np.ones(len(table), dtype=bool)
        reasons: list[UccurveError] = []
        if self.choice.by is not None:
            kept = ~table.missing_labels(self.choice.by)
            if missing := int(np.count_nonzero(~kept)):
                reasons.append(UccurveError(f"column {self.choice.by!r} must have a label", count=missing))
        frame = table.measured(self.choice.measured)
        for model in self.choice.models:
            intervals, told = self._build(table, frame, model, "drop")
            if intervals.kept is not None:
                kept &= np.isin(np.arange(kept.size), np.asarray(intervals.kept))
            reasons += [
                reason for one in told if isinstance(one, DroppedRowsWarning) for reason in one.reasons
            ]
        dropped = kept.size - int(np.count_nonzero(kept))
        if not dropped:
            return kept, []
        reasons = list({broken_rules([reason]): reason for reason in reasons}.values())
        warning = DroppedRowsWarning(dropped, kept.size, reasons)
        if dropped == kept.size:
            raise EmptyInputError(f"no row is left: {broken_rules(reasons)}", where=table.name or None)
        return kept, [warning]


def _advise(error: UccurveError, model: ModelColumns) -> str:
    """Say what helps where rows break a rule."""
    hint = error.hint
    if isinstance(error, PredictionOutsideError) and None not in (model.lower, model.upper):
        hint = f"To use midpoints, pass `models` without the prediction of {model.name}."
    if isinstance(error, InvalidRowsError) and error.count:
        hint = f'{hint} Pass `invalid="drop"` to leave such rows out.'.strip()
    return hint


def _complete_warning(
    warning: Warning, table: Table, model: str | None, columns: Mapping[str, str]
) -> Warning:
    """Return a warning about one of several models, with columns and places of the file."""
    if isinstance(warning, DroppedRowsWarning):
        reasons = [
            reason.replaced(columns=columns, where=None if reason.argument in _SHARED else model)
            for reason in warning.reasons
        ]
        return DroppedRowsWarning(warning.count, warning.total, reasons)
    if isinstance(warning, SortedRowsWarning):
        warning.where, warning.place = model, table.place(warning.first)
    return warning
