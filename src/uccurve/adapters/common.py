"""What adapters share: claims, intervals of levels, of pairs of bounds and of draws, and rows matched by key.

An adapter names what its output holds, such as quantiles by their level, and `Observations` makes intervals.
A table in long form, with a row for each level, becomes such a mapping by one column for each level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, IndexMismatchError, MissingColumnError, ShapeError
from uccurve.formulas.tolerances import SAME_LEVEL, SAME_SUM
from uccurve.intervals import DEFAULT_LEVELS, Intervals, Levels, checks, quantile_columns, quantile_name
from uccurve.io import as_table

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.exceptions import InvalidRowsError
    from uccurve.io import Table

    # The keys of rows, each with a label for every column of the key.
    Keys = Iterable[tuple[Hashable, ...]]
    Hints = Mapping[type[InvalidRowsError], str]

SIDES = ("lower", "upper")


class RowOptions(TypedDict, total=False):
    """Options of all adapters, which `Observations` explains."""

    sample_weight: ArrayLike | None
    crossed: Crossed
    invalid: Invalid


class Observations(NamedTuple):
    """Observations, with what every adapter is passed beside an output.

    Attributes
    ----------
    y_true : array of shape (n,) or (n, outputs)
        Observations.
    y_pred : array like ``y_true``, optional
        Predictions.
    coverage : float, optional
        The one pair of quantiles to take, by the coverage that it claims; all if not given.
    levels : sequence of float, optional
        At which levels to read draws and distributions; common ones if not given.
    sample_weight : array of shape (n,), optional
        Weights.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`.
    """

    y_true: Any
    y_pred: ArrayLike | None = None
    coverage: float | None = None
    levels: Sequence[float] | None = None
    sample_weight: ArrayLike | None = None
    crossed: Crossed = "raise"
    invalid: Invalid = "raise"

    @property
    def options(self) -> dict[str, Any]:
        """What all constructors of `Intervals` take."""
        return {"sample_weight": self.sample_weight, "invalid": self.invalid}

    def check_rows(self, output: Any = None) -> None:
        """Check that the rows of an output are those of the observations, as far as labels tell.

        Examples
        --------
        >>> import pandas as pd
        >>> Observations(pd.Series(range(5))).check_rows(pd.DataFrame({"a": [1.0, 2.0]}))
        Traceback (most recent call last):
            ...
        uccurve.exceptions.ShapeError: `y_true` must have the 2 rows of `output`, got 5. …
        """
        y_true = self.y_true
        if output is not None and hasattr(y_true, "__len__") and len(y_true) != len(output):
            is_longer = hasattr(y_true, "loc") and hasattr(output, "loc") and len(y_true) > len(output)
            hint = "Pass `y_true.loc[output.index]`." if is_longer else ""
            rule = f"have the {len(output)} rows of `output`"
            raise ShapeError(argument="y_true", rule=rule, got=len(y_true), hint=hint)
        frames.check_same_index({"y_true": y_true, "output": output, **self._asdict()})

    def levels_to_read(self, draws: int | None = None) -> list[float]:
        """Return the levels at which to read draws, or a distribution: those asked for, or common ones.

        Examples
        --------
        >>> Observations([1.0], coverage=0.9).levels_to_read()
        [0.05, 0.95]
        >>> Observations([1.0]).levels_to_read(draws=3)
        [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75]
        """
        if self.coverage is not None:
            if self.levels is not None:
                raise ArgumentError(argument="coverage", rule="not be passed beside `levels`")
            return list(levels_of(checks.check_claims(self.coverage, name="coverage")[0]))
        if self.levels is not None:
            return arguments.sequence("levels", self.levels)
        reach = 0.0 if draws is None else 1 / (draws + 1) - SAME_SUM
        return [level for level in DEFAULT_LEVELS if reach <= level <= 1 - reach]

    def with_quantiles(
        self,
        quantiles: Mapping[float, ArrayLike],
        *,
        output: Any = None,
        called: Mapping[float, str] | None = None,
        hints: Hints | None = None,
    ) -> Intervals:
        """Make intervals from quantiles: all pairs as levels, or the one pair that claims a coverage.

        Parameters
        ----------
        quantiles : mapping of float to array like ``y_true``
            Predicted quantiles by the share of observations below them.
        output : array or frame, optional
            What the quantiles come from, where it has their rows.
        called : mapping of float to str, optional
            What the output calls the quantiles, for errors.
        hints : mapping of error to str, optional
            What to do about rows that break a rule; by default ``crossed="sort"`` where quantiles cross.
        """
        self.check_rows(output)
        # Distributions of GluonTS were read at the levels that were asked for.
        if self.levels is not None and arguments.sequence("levels", self.levels) != list(quantiles):
            rule, hint = "be passed for draws and distributions only", "`output` has its own levels."
            raise ArgumentError(argument="levels", rule=rule, hint=hint)
        levels = Levels.check(
            [arguments.number("output", level, 0, 1, open_=True) for level in quantiles], "output"
        )
        pair = None if self.coverage is None else levels.pairs[choose_claim(levels.claims, self.coverage)]
        arrays = [as_numpy(column) for column in quantiles.values()]
        shapes = {array.shape for array in arrays}
        if len(shapes) > 1:
            rule, got = "have one prediction per row for every level", " and ".join(map(str, sorted(shapes)))
            raise ShapeError(argument="output", rule=rule, got=f"the shapes {got}")
        table = np.stack(arrays, axis=-1)
        with np.errstate(invalid="ignore"):  # which the rules of the rows name
            columns = quantile_columns(self.y_true, table, levels.given, self.y_pred, self.crossed, pair)
        columns = columns.renamed({quantile_name(level): name for level, name in (called or {}).items()})
        columns = columns if hints is None else columns._replace(hints=dict(hints))
        # A bound that is infinite in every row is an error here, and no one-sided limit.
        side: Any = "both" if all(columns.values[bound] is not None for bound in SIDES) else None
        library = frames.library(self.y_true, output)
        return Intervals(*checks.check_rows(columns, **self.options, side=side, library=library))

    def with_pairs(self, pairs: Mapping[float, Iterable[Any]], **options: Any) -> Intervals:
        """Make intervals from the lower and upper bounds of one claim, or of several, which become levels.

        Options are those of `with_quantiles`.
        """
        quantiles, called = {}, {}
        for claim, bounds in pairs.items():
            for side, level, bound in zip(SIDES, levels_of(claim), bounds, strict=True):
                quantiles[level], called[level] = bound, f"{side} at {claim:g}"
        return self.with_quantiles(quantiles, called=called, **options)

    def with_columns(self, frame: Any, bounds: tuple[str, str], nominal: Any, *, unsaid: str) -> Intervals:
        """Make intervals from two columns that claim one coverage; ``unsaid`` is why it must be passed."""
        read_frame(frame, "output", bounds)
        claim = checks.check_nominal(nominal)
        if claim is None:
            raise ArgumentError(argument="nominal", rule=f"be passed: {unsaid}")
        return self.with_pairs({claim: [frame[column] for column in bounds]}, output=frame)

    def with_draws(self, draws: np.ndarray) -> Intervals:
        """Make intervals around the medians of draws, of shape (draws, n) or (draws, n, outputs)."""
        if draws.ndim == 0 or len(draws) <= 1 or draws.shape[1:] != np.shape(self.y_true):
            rule = f"have two or more rows of draws, each of the shape {np.shape(self.y_true)} of `y_true`"
            raise ShapeError(argument="output", rule=rule, got=draws.shape)
        with np.errstate(invalid="ignore"):  # which the rules of the rows name
            center = np.median(draws, axis=0)
        levels = self.levels_to_read(len(draws))
        return Intervals.from_samples(self.y_true, draws, levels=levels, y_pred=center, **self.options)

    def with_distribution(self, distribution: Any) -> Intervals:
        """Make intervals from distributions of all rows, as `Intervals.from_distribution` reads them."""
        options = {"levels": self.levels_to_read(), "y_pred": self.y_pred, **self.options}
        return Intervals.from_distribution(self.y_true, distribution, **options)


# -- claims and levels -------------------------------------------------------------------------------


def choose_claim(claims: Sequence[float], coverage: Any) -> int:
    """Return which of several claims is asked for.

    Examples
    --------
    >>> choose_claim((0.5, 0.9), 0.9)
    1
    """
    wanted = arguments.number("coverage", coverage, 0, 1, open_=True)
    for place, claim in enumerate(claims):
        if abs(claim - wanted) <= SAME_LEVEL:
            return place
    known = ", ".join(f"{claim:g}" for claim in claims) or "none"
    rule = f"be one of the claims of the output, {known}"
    raise ArgumentError(argument="coverage", rule=rule, got=repr(coverage))


def levels_of(claim: float) -> tuple[float, float]:
    """Return the levels of the two quantiles that bound a central interval.

    Examples
    --------
    >>> levels_of(0.9)
    (0.05, 0.95)
    """
    tail = arguments.complement(claim) / 2
    return tail, arguments.complement(tail)


def as_numpy(output: Any) -> np.ndarray:
    """Return an array, a list or a column as floats of NumPy."""
    return to_numpy(as_arrays(output=output)["output"])


def read_table(output: Any, *columns: int, meaning: str) -> np.ndarray:
    """Return an array of shape (n, columns), or with more axes; ``meaning`` says in errors what they are."""
    table = as_numpy(output)
    if table.shape[1:] != columns:
        rule = f"have the shape (n, {', '.join(map(str, columns))}), {meaning}"
        raise ShapeError(argument="output", rule=rule, got=table.shape)
    return table


def split_table(output: Any, levels: Sequence[float], name: str = "levels") -> dict[float, np.ndarray]:
    """Return the columns of a table of shape (n, levels) by their levels, which the user calls ``name``."""
    checked = Levels.check(levels, name).given
    return dict(zip(checked, read_table(output, len(checked), meaning=f"by `{name}`").T, strict=True))


def join_variables(
    columns: Iterable[tuple[float, Hashable, np.ndarray]], variables: Sequence[Hashable]
) -> dict[float, np.ndarray]:
    """Return quantiles by level, of all variables side by side.

    Parameters
    ----------
    columns : iterable of level, variable and array of shape (n,)
        The quantiles in any order, one for each level and variable.
    variables : sequence of hashable
        The variables in the order in which to return them.
    """
    found = {(level, variable): column for level, variable, column in columns}
    levels = dict.fromkeys(level for level, _ in found)
    if len(found) < len(levels) * len(variables):
        raise ArgumentError(argument="output", rule=f"have the same levels for each of {variables!r}")
    return {level: np.stack([found[level, each] for each in variables], axis=1) for level in levels}


# -- frames, and rows matched by key -----------------------------------------------------------------


def read_frame(frame: Any, called: str, needed: Iterable[str] = ()) -> Table:
    """Return a frame as a table, if it is one that has columns; ``called`` is what the user calls it."""
    try:
        table = as_table(frame)
    except ArgumentError as error:
        raise error.replaced(argument=called) from error
    for column in needed:
        if column not in table.columns:
            is_index = column == getattr(getattr(frame, "index", None), "name", None)
            hint = f"It is the index: pass `{called}.reset_index()`." if is_index else ""
            rule, got = f"have the column {column!r}", list_names(table.columns)
            raise MissingColumnError(argument=called, rule=rule, got=got, hint=hint)
    return table


def join_observations(truth: Any, output: Any, keys: Sequence[str], target: str, called: str) -> np.ndarray:
    """Return the observation of each row of a frame, found in another by the columns that both have."""
    known, wanted = read_frame(truth, "y_true", (*keys, target)), read_frame(output, called, keys)
    of_output, of_truth = (
        zip(*(table.labels(key).tolist() for key in keys), strict=True) for table in (wanted, known)
    )
    return find_observations(of_output, of_truth, known.numbers(target), keys, called)


def find_observations(
    wanted: Keys, known: Keys, values: np.ndarray, keys: Sequence[str], called: str = "output"
) -> np.ndarray:
    """Return the observation of each forecast, found by its key; each must be there, and once.

    Parameters
    ----------
    wanted, known : iterable of tuple
        The key of each forecast, and that of each observation.
    values : array of shape (observations, …)
        The observations.
    keys : sequence of str
        What the parts of the keys are, for errors.
    called : str
        What the user calls the forecasts.
    """
    wanted, known, what = list(wanted), list(known), " and ".join(keys)
    row = {key: number for number, key in enumerate(known)}
    repeated = [number for number, key in enumerate(known) if row[key] != number]
    if repeated:
        facts = _describe_rows(repeated, known, keys)
        raise ArgumentError(argument="y_true", rule=f"have one row for each {what}", **facts)
    absent = [number for number, key in enumerate(wanted) if key not in row]
    if absent:
        facts, hint = _describe_rows(absent, wanted, keys), _compare_kinds(wanted[absent[0]], known)
        rule = f"have the {what} of each forecast in `{called}`"
        raise IndexMismatchError(argument="y_true", rule=rule, hint=hint, **facts)
    return values[[row[key] for key in wanted]]


def _describe_rows(broken: Sequence[int], labels: Sequence[tuple[Any, ...]], keys: Sequence[str]) -> Any:
    """Return the facts of an error about some rows: how many, and the first with its labels."""
    values = dict(zip(keys, labels[broken[0]], strict=True))
    return {"count": len(broken), "total": len(labels), "first": broken[0], "values": values}


def _compare_kinds(label: tuple[Any, ...], known: Sequence[tuple[Any, ...]]) -> str:
    """Say that a label differs from the known ones in kind, if it does."""
    if not known:
        return "`y_true` has no rows."
    ours, theirs = (" and ".join(type(part).__name__ for part in key) for key in (label, known[0]))
    return "" if ours == theirs else f"These are {ours}, but {theirs} in `y_true`."
