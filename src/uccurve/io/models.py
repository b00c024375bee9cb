"""All models of a table: wide, with columns of their own, or long, below each other."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
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
    MissingColumnError,
    NotNumericError,
    PairError,
    PredictionOutsideError,
    SortedRowsWarning,
    UccurveError,
    broken_rules,
)
from uccurve.intervals import MEDIAN, Intervals, checks, name_as_text, quantile_name, rules
from uccurve.io.read import read
from uccurve.io.tables import as_table
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import os

    from uccurve._base.type_aliases import Crossed, Invalid
    from uccurve.io.tables import Table

# The name of a column that tells models of a long table apart without being named.
_MODEL = "model"
# What all models of a table share: errors about it name no model.
_SHARED = ("y_true", "sample_weight")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Models(Mapping[str, Intervals]):
    """The models of a table by name, all on the same rows.

    `compare`, `report` and `UCCDisplay` accept it like a mapping, with its segments and blocks.

    Attributes
    ----------
    intervals : dict of str to Intervals
        The models.
    table : Table
        The rows in use, with all columns.
    columns : ColumnChoice
        The columns in use.
    by : array of shape (n,), or None
        The segment of each row.
    blocks : int, array of shape (n,), or None
        Which rows depend on each other.
    notes : tuple of str
        What was detected, dropped and sorted.
    repairs : tuple of Warning
        What was dropped and sorted.

    See Also
    --------
    compare : Takes them.
    Intervals.from_frame : One model of a frame.

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

    intervals: dict[str, Intervals]
    table: Table
    columns: ColumnChoice
    by: np.ndarray | None = None
    blocks: np.ndarray | int | None = None
    notes: tuple[str, ...] = ()
    repairs: tuple[Warning, ...] = ()

    def __getitem__(self, name: str) -> Intervals:
        return self.intervals[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.intervals)

    def __len__(self) -> int:
        return len(self.intervals)

    def __repr__(self) -> str:
        return f"Models({list_names(list(self))}; {len(self.table):,} rows)"

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
            The column that names each row's model, where models are stacked. A column of text
            that is called ``model``, and means nothing else, is used.
        nominal : float, optional
            The coverage that bounds claim, such as 0.9. Where column names have several, the one to use.
        sample_weight : str, optional
            Weights, 0 or more.
        by : str, optional
            Segments.
        blocks : int, str, or sequence of str, optional
            Which rows depend on each other: that many consecutive rows, or rows that agree in these columns.
        crossed : {"raise", "sort"}
            Crossed bounds and quantiles: treat the row as ``invalid`` says, or put them in order.
        invalid : {"raise", "drop"}
            Invalid rows raise an error, or are dropped for all models.

        Returns
        -------
        Models
            The models, checked, all on the same rows.

        Raises
        ------
        MissingColumnError
            If a named column is absent, or the columns' names do not tell which to use.
        InvalidRowsError, NotNumericError
            If rows are invalid, as in `Intervals.from_frame`, or a column holds no numbers.
        PairError
            If models are stacked, and their rows do not hold the same observations.
        EmptyInputError
            If there are no rows, or ``invalid="drop"`` leaves none.
        ArgumentError
            If arguments exclude each other, or have values outside their rules; or if ``frame`` is not an
            eager frame.

        Warns
        -----
        DroppedRowsWarning, SortedRowsWarning
            If rows were dropped or sorted.
        """
        table = as_table(frame)
        named = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper, "std": std}
        named |= {"sample_weight": sample_weight, "by": by}
        choice, column = choose(table, named, models, model=model, nominal=nominal)
        options: dict[str, Any] = {"nominal": nominal, "blocks": blocks, "crossed": crossed}
        found = cls.from_table(table, choice, column, **options, invalid=invalid)
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
        r"""Make intervals of all models in a file.

        Parameters
        ----------
        path : path
            CSV, Parquet, Arrow or JSON lines, also a URL; text may be compressed by gzip or zstd.
        format : {"csv", "parquet", "arrow", "jsonl"}, optional
            By default from the name, else from the first bytes.
        decimal : {".", ","}
            The decimal mark of numbers in text.
        encoding : str
            The encoding of a CSV file.
        **options
            The other arguments of `from_frame`: columns, ``by``, ``blocks``, ``invalid`` and so on.

        Returns
        -------
        Models
            The models, checked, all on the same rows.

        Raises
        ------
        OSError
            If the file is not there, or cannot be opened.
        FileFormatError
            If it cannot be read as a table.
        MissingDependencyError
            If Polars, which reads it, is not installed.
        MissingColumnError, InvalidRowsError, NotNumericError, PairError, EmptyInputError, ArgumentError
            As in `from_frame`.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import uccurve as uc
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "forecasts.csv")
        ...     _ = file.write_text("y,gbm,gbm_std,rf,rf_std\n1,1,1,2,0.5\n2,1,0.5,2,0.5\n")
        ...     uc.Models.from_file(file, nominal=0.9)
        Models('gbm', 'rf'; 2 rows)
        """
        return cls.from_frame(read(path, format=format, decimal=decimal, encoding=encoding), **options)

    @classmethod
    def from_table(
        cls,
        table: Table,
        choice: ColumnChoice,
        column: str | None = None,
        *,
        nominal: float | None = None,
        blocks: int | str | Sequence[str] | None = None,
        crossed: Crossed = "raise",
        invalid: Invalid = "raise",
    ) -> Models:
        """Make intervals of chosen columns of a table, and warn of nothing.

        Parameters
        ----------
        table : Table
            What `read` returns.
        choice, column
            What `choose` returns. Without observations, predictions or lower bounds replace them.
        nominal, blocks, crossed, invalid
            As in `from_frame`.

        Returns
        -------
        Models
            The models, checked, all on the same rows.

        Raises
        ------
        InvalidRowsError, NotNumericError, PairError, EmptyInputError, ArgumentError
            As in `from_frame`.
        """
        arguments.option("invalid", invalid, ("raise", "drop"))
        options: dict[str, Any] = {"nominal": nominal, "crossed": crossed, "invalid": invalid}
        notes = [*table.notes, *choice.notes]
        table = replace(table, frame=table.measured(choice.measured))
        parts = {one.name: (one, table) for one in choice.models}
        if column is not None:
            if len(parts) > 1:
                rule = "not be passed where columns name several models"
                raise ArgumentError(argument="model", rule=rule, got=list_names(list(parts)))
            split = _split_rows(table, choice, column)
            parts = {name: (choice.models[0], part) for name, part in split.items()}
            notes.append(f"column {column!r} names the models: {list_names(list(parts))}.")
        found: dict[str, Intervals] = {}
        messages: list[Warning] = []
        for name, (model, table) in parts.items():
            named = name if len(parts) > 1 else None
            found[name], caught = _build(table, choice, model, named, options)
            messages += caught
        _, table = next(iter(parts.values()))
        table, found, dropped, kept = _drop_rows(table, found, messages)
        repairs = (*dropped, *(one for one in messages if not isinstance(one, DroppedRowsWarning)))
        return cls(
            intervals=found,
            table=table,
            columns=choice,
            by=None if choice.by is None else table.labels(choice.by),
            blocks=_name_blocks(table, blocks, kept),
            notes=(*notes, *dict.fromkeys(map(str, repairs))),
            repairs=repairs,
        )


def name_models(models: Any, by: Any = None, blocks: Any = None) -> tuple[Any, Any, Any]:
    """Return models by name, with segments and blocks: those that are passed, or those of `Models`."""
    if isinstance(models, (Intervals, UCCSketch)):
        return {"model": models}, by, blocks
    if isinstance(models, Models):
        return models, models.by if by is None else by, models.blocks if blocks is None else blocks
    return models, by, blocks


def choose(
    table: Table,
    named: Mapping[str, str | None],
    models: Mapping[str, Mapping[str, str]] | None = None,
    *,
    model: str | None = None,
    nominal: float | None = None,
    labels: Collection[str] = (),
    levels: bool = False,
    observed: bool = True,
) -> tuple[ColumnChoice, str | None]:
    """Return all columns to use, and the one that names each row's model, if there is one.

    Parameters
    ----------
    table : Table
        The table.
    named : mapping of str to str or None
        The columns that the user named, by argument: those of one model, and ``y_true``, ``sample_weight``
        and ``by``. The others are detected.
    models : mapping of name to mapping of role to str, optional
        The columns of several models.
    model : str, optional
        The column that names models, if the user named it. A column of text that is called ``model``, and
        means nothing else, is taken as such, unless the user named models.
    nominal : float, optional
        The coverage that bounds claim, or which of several to use.
    labels : collection of str
        Columns that are none of a model.
    levels : bool
        Read all levels of named bounds as well, as far as names tell them; of detected ones all are read.
    observed : bool
        Whether observations are needed.
    """
    given, claim = _name_columns(named, models, model), checks.check_nominal(nominal)
    present = [column for column in table.columns if column not in labels]
    bounded = [one for one in given.models if one.lower or one.upper or one.std]
    for one in bounded:
        if claim is not None and one.nominal not in (None, claim):
            rule = f"be {one.nominal:g}, as the names of the bounds say"
            raise ArgumentError(argument="nominal", rule=rule, got=f"{claim:g}")
    try:
        choice = detect_columns(present, given, nominal=claim, observed=observed)
    except MissingColumnError as error:
        raise table.about(error) from error
    if model is not None and model not in present:
        raise table.about(absent_column(model, present))
    if levels or not bounded:
        choice = choice.with_levels(present)
    for one in choice.models if levels else ():
        if not one.quantiles:
            hint = '`vary="level"` needs bounds whose names tell levels, such as Model-lo-90, or q05 and q95.'
            columns = list_names(list(one.arguments.values()))
            raise table.about(MissingColumnError(f"{one.name} has no levels, only {columns}", hint=hint))
    free = [column for column in present if column.strip().lower() == _MODEL and column not in choice.used]
    is_free = len(free) == 1 == len(choice.models) and not any(one.name for one in given.models)
    if model is None and is_free and table.holds_text(free[0]):
        return choice, free[0]
    return choice, model


def _name_columns(
    named: Mapping[str, Any], models: Mapping[str, Mapping[str, str]] | None, model: Any
) -> ColumnChoice:
    """Return what the user named as a choice of columns, to be completed by detection."""
    columns: dict[str, Any] = {role: name for role, name in named.items() if name is not None}
    shared = {role: columns.pop(role, None) for role in ("y_true", "sample_weight", "by")}
    for argument, column in {**shared, "y_true": None, "model": model}.items():
        if not isinstance(column, str | None):
            raise ArgumentTypeError(argument=argument, rule="name a column", got=type(column).__name__)
    shared["y_true"] = None if shared["y_true"] is None else name_as_text(shared["y_true"])
    roles = [role for role in named if role not in shared]
    if models is not None and not (
        isinstance(models, Mapping)
        and all(isinstance(one, Mapping) and {*one} <= {*roles} for one in models.values())
        and all({"lower", "upper"} <= {*one} or ("y_pred" in one and len(one) > 1) for one in models.values())
    ):
        rule = "map names to columns by role: `lower` and `upper`, or `y_pred` with one of them or with `std`"
        raise ArgumentTypeError(argument="models", rule=rule, got=repr(models))
    if models and columns:
        rule = f"not be passed beside `{next(iter(columns))}`: it names all columns"
        raise ArgumentError(argument="models", rule=rule)
    every: dict[str, dict[str, Any]] = {
        str(name): {role: name_as_text(column) for role, column in one.items() if column is not None}
        for name, one in (models or {"": columns}).items()
    }
    return ColumnChoice(models=tuple(ModelColumns(name=name, **one) for name, one in every.items()), **shared)


def _name_blocks(
    table: Table, blocks: int | str | Sequence[str] | None, kept: np.ndarray | None
) -> np.ndarray | int | None:
    """Return the blocks of rows: a length, or the labels of columns in which rows of a block agree.

    A length counts all rows: where only some were kept, it becomes labels.
    """
    columns = [blocks] if isinstance(blocks, str) else blocks
    if columns is None:
        return None
    if not isinstance(columns, (list, tuple)) or not columns:
        length = arguments.whole("blocks", columns, 1)
        return length if kept is None else kept // length
    codes = []
    for column in columns:
        if not isinstance(column, str) or column not in table.columns:
            raise table.about(absent_column(str(column), table.columns))
        codes.append(np.unique(table.labels(column).astype(str), return_inverse=True)[1])
    return np.unique(np.stack(codes), axis=1, return_inverse=True)[1].reshape(-1)


def _split_rows(table: Table, choice: ColumnChoice, column: str) -> dict[str, Table]:
    """Return the rows of each model that a column names; they must hold the same in shared columns."""
    names = table.labels(column).astype(str)
    parts = {name: table.keep(names == name) for name in dict.fromkeys(names.tolist())}
    first, *others = parts
    for name, shared in product(others, [*choice.shared.values(), *filter(None, [choice.by])]):
        mine, theirs = (
            parts[one].numbers(shared) if shared != choice.by else parts[one].labels(shared)
            for one in (first, name)
        )
        if not np.array_equal(mine, theirs, equal_nan=shared != choice.by):
            problem = (
                f"column {column!r} names several models, but the rows of {first!r} and {name!r} do not hold "
                "the same observations in the same order"
            )
            hint = f'Sort them the same way, or treat the models as segments with `by="{column}"`.'
            raise PairError(problem, where=table.name or None, hint=hint)
    return parts


def _drop_rows(
    table: Table, found: dict[str, Intervals], messages: Sequence[Warning]
) -> tuple[Table, dict[str, Intervals], list[Warning], np.ndarray | None]:
    """Keep the rows that break no rule of any model.

    Returns with them a warning that tells the rules of the others, and the numbers of the kept rows, or None
    where none was dropped.
    """
    every = np.arange(len(table))
    kept = {name: every if rows.kept is None else np.asarray(rows.kept) for name, rows in found.items()}
    valid = reduce(np.intersect1d, kept.values())
    if valid.size == every.size:
        return table, found, [], None
    told = (warning.reasons for warning in messages if isinstance(warning, DroppedRowsWarning))
    reasons = list({broken_rules([reason]): reason for reasons in told for reason in reasons}.values())
    if not valid.size:
        raise EmptyInputError(f"no row is left: {broken_rules(reasons)}", where=table.name or None)
    found = {name: rows[np.isin(kept[name], valid)] for name, rows in found.items()}
    warning = DroppedRowsWarning(every.size - valid.size, every.size, reasons)
    return table.keep(valid), found, [warning], valid


def _build(
    table: Table, choice: ColumnChoice, model: ModelColumns, name: str | None, options: Mapping[str, Any]
) -> tuple[Intervals, list[Warning]]:
    """Make the intervals of one model, and return what was put in order or dropped; several have names."""
    bounds = [column for column in (model.y_pred, model.lower, model.upper) if column is not None]
    columns: dict[str, Any] = {"y_true": bounds[0], **choice.shared, **model.arguments}
    named = {**columns, **{quantile_name(level): column for level, column in model.quantiles.items()}}
    if model.quantiles:
        is_median = model.y_pred == model.quantiles.get(MEDIAN)
        for role in ("lower", "upper", *(["y_pred"] if is_median else [])):
            columns.pop(role, None)
        columns["quantiles"] = dict(model.quantiles)
    nominal = None if model.quantiles or model.std else model.nominal or options["nominal"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            rows = Intervals.from_frame(table.frame.to_native(), **columns, **{**options, "nominal": nominal})
        except UccurveError as error:
            hint = error.hint
            if isinstance(error, PredictionOutsideError) and None not in (model.lower, model.upper):
                advice = f"To use midpoints, pass `models` without the prediction of {model.name}."
                hint = f"{advice} {rules.LEAVE_OUT}"
            where = None if error.argument in _SHARED else name
            if isinstance(error, NotNumericError):  # which names the column itself
                named = {column: column for column in named.values()}
            raise table.about(error, model=where, columns=named, hint=hint) from error
    messages = [warning.message for warning in caught if isinstance(warning.message, Warning)]
    for warning in messages:  # with the columns and the places of the file
        if isinstance(warning, DroppedRowsWarning):
            warning.reasons = tuple(
                one.replaced(where=None if one.argument in _SHARED else name, columns=named)
                for one in warning.reasons
            )
        elif isinstance(warning, SortedRowsWarning):
            warning.where, warning.place = name, table.place(warning.first)
    return rows, messages
