"""Probabilistic forecasts of sktime, and predictions of skpro, which have the same form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.adapters._claims import check_share, levels_of
from uccurve.adapters._levels import intervals_of_levels, levels_to_read
from uccurve.adapters._row_match import refuse_other_rows
from uccurve.exceptions import ArgumentError, ArgumentTypeError, NegativeBandError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid

_SIDES = ("lower", "upper")
_OF_INTERVALS, _OF_QUANTILES = 3, 2
"""How many levels the columns have."""
_TABLE = 2


def from_sktime(
    y_true: ArrayLike,
    output: Any,
    *,
    kind: Literal["variance"] | None = None,
    y_pred: ArrayLike | None = None,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Make intervals from a probabilistic forecast of sktime.

    Coverages and levels are read from the columns. Several of them become a family, for
    ``uc.UCC(…, vary="level")``, with the widest as the bounds.

    Parameters
    ----------
    y_true : array of shape (n,), or frame of one column, or of one for each variable
        Observations; with the index of ``output``, if they have one.
    output : pandas.DataFrame, or distribution of skpro
        What ``predict_interval``, ``predict_quantiles`` or ``predict_proba`` return; or ``predict_var``, with
        ``kind="variance"``.
    kind : {"variance"}, optional
        Say that ``output`` holds variances, as ``predict_var`` returns them: their root is the band, to
        either side of ``y_pred``, which claims 0.6827. Its columns do not tell.
    y_pred : array or frame like ``y_true``, optional
        What ``predict`` returns. By default the median, where there is one, or the midpoint.
    coverage : float, optional
        The one coverage to take, such as 0.9, of several.
    levels : sequence of float, optional
        At which levels to read a distribution; by default at the 31 of `Intervals.from_distribution`.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> columns = pd.MultiIndex.from_product([["sales"], [0.9], ["lower", "upper"]])
    >>> output = pd.DataFrame([[2.0, 5.0], [1.0, 7.0]], index=[10, 11], columns=columns)
    >>> intervals = uc.adapters.from_sktime(pd.Series([3.0, 8.0], index=[10, 11]), output)
    >>> intervals, intervals.nominal
    (Intervals(n=2, bandwidth=2.25, symmetric), 0.9)
    """
    if kind not in ("variance", None):
        raise ArgumentError(argument="kind", rule="be 'variance' or None", got=repr(kind))
    weighted: Any = {"sample_weight": sample_weight, "invalid": invalid}
    y_true, y_pred = _one_column(y_true), _one_column(y_pred)
    if kind == "variance":
        if y_pred is None or coverage is not None:
            argument, rule = ("y_pred", "be") if y_pred is None else ("coverage", "not be")
            raise ArgumentError(
                argument=argument,
                rule=f"{rule} passed beside variances, whose roots are bands that claim 0.6827",
            )
        deviation = _root(output)
        refuse_other_rows(y_true, output, y_pred=y_pred, sample_weight=sample_weight)
        return Intervals.from_std(y_true, y_pred, deviation, **weighted)
    if hasattr(output, "ppf"):
        read = levels_to_read(coverage, levels)
        return Intervals.from_distribution(y_true, output, levels=read, y_pred=y_pred, **weighted)
    if levels is not None:
        raise ArgumentError(
            argument="levels",
            rule="be passed for distributions only",
            hint="The columns of `output` tell them.",
        )
    quantiles, names = quantiles_of_columns(output)
    refuse_other_rows(y_true, output, y_pred=y_pred, sample_weight=sample_weight)
    _refuse_other_variables(y_true, output)
    return intervals_of_levels(
        y_true,
        quantiles,
        coverage=coverage,
        y_pred=y_pred,
        crossed=crossed,
        names=names,
        library=frames.library(output),
        **weighted,
    )


def from_skpro(
    y_true: ArrayLike,
    output: Any,
    *,
    kind: Literal["variance"] | None = None,
    y_pred: ArrayLike | None = None,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Make intervals from a probabilistic prediction of skpro.

    Parameters
    ----------
    y_true, output, kind, y_pred, coverage, levels, sample_weight, crossed, invalid
        As in `from_sktime`: the two libraries have the same methods.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> columns = pd.MultiIndex.from_product([["y"], [0.05, 0.5, 0.95]])
    >>> output = pd.DataFrame([[2.0, 3.0, 5.0], [1.0, 5.0, 7.0]], columns=columns)
    >>> uc.adapters.from_skpro([3.0, 8.0], output)
    Intervals(n=2, bandwidth=2.25, asymmetric)
    """
    return from_sktime(
        y_true,
        output,
        kind=kind,
        y_pred=y_pred,
        coverage=coverage,
        levels=levels,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
    )


def _one_column(values: Any) -> Any:
    """Return a frame, or an array, of one column as that column; anything else as it is."""
    if getattr(values, "ndim", 0) != _TABLE or values.shape[1] != 1:
        return values
    return values.iloc[:, 0] if hasattr(values, "iloc") else values[:, 0]


def column_levels(output: Any) -> int:
    """Return how many levels the columns of a pandas frame have; 0 for anything else."""
    columns = getattr(output, "columns", None)
    return getattr(columns, "nlevels", 0) if hasattr(output, "iloc") else 0


def quantiles_of_columns(output: Any) -> tuple[dict[float, np.ndarray], dict[float, str]]:
    """Return the quantiles in the columns of a frame by their level, and their names for errors."""
    how_many = column_levels(output)
    if how_many not in (_OF_INTERVALS, _OF_QUANTILES):
        raise ArgumentTypeError(
            argument="output",
            rule="be what `predict_interval`, `predict_quantiles` or `predict_proba` return",
            got=type(output).__name__,
            hint='For variances of `predict_var`, pass `kind="variance"` and `y_pred`.',
        )
    by_level: dict[float, dict[Hashable, np.ndarray]] = {}
    names = {}
    for number, (variable, *told) in enumerate(output.columns):
        if how_many == _OF_INTERVALS:
            claim = check_share("coverage", told[0])
            if told[1] not in _SIDES:
                raise ArgumentError(
                    argument="output", rule="have columns 'lower' and 'upper'", got=repr(told[1])
                )
            level, name = levels_of(claim)[_SIDES.index(told[1])], f"{told[1]} at {claim:g}"
        else:
            level = check_share("alpha", told[0])
            name = f"quantile {level:g}"
        names[level] = name
        by_level.setdefault(level, {})[variable] = frames.to_numpy(name, output.iloc[:, number])
    if not by_level:
        raise ArgumentError(argument="output", rule="have columns", got="none")
    variables = variables_of(output)
    for level, columns in by_level.items():
        if len(columns) < len(variables):
            raise ArgumentError(
                argument="output", rule=f"have {names[level]} for each variable of {variables!r}"
            )
    one = len(variables) == 1
    return {
        level: columns[variables[0]] if one else np.stack([columns[v] for v in variables], axis=1)
        for level, columns in by_level.items()
    }, names


def variables_of(output: Any) -> list[Any]:
    """Return the variables that a frame forecasts, in the order of its columns."""
    return list(dict.fromkeys(output.columns.get_level_values(0)))


def _refuse_other_variables(y_true: Any, output: Any) -> None:
    """Compare the names of several variables: columns are matched by position."""
    variables = variables_of(output)
    if len(variables) > 1 and column_levels(y_true) == 1 and list(y_true.columns) != variables:
        raise ArgumentError(
            argument="y_true",
            rule=f"have the variables of `output` as columns, {variables!r}, in this order",
            got=repr(list(y_true.columns)),
        )


def _root(variance: Any) -> np.ndarray:
    """Return standard deviations."""
    many = column_levels(variance)
    if many > 1 or hasattr(variance, "ppf") or not hasattr(variance, "__len__"):
        got = f"columns of {many} levels" if many > 1 else type(variance).__name__
        raise ArgumentTypeError(
            argument="output", rule='be what `predict_var` returns for `kind="variance"`', got=got
        )
    values = to_numpy(as_arrays(output=_one_column(variance))["output"])
    negative = np.argwhere(values < 0)
    if negative.size:
        rows = tuple(dict.fromkeys(negative[:, 0].tolist()))
        raise NegativeBandError(
            argument="output",
            rule="be variances, which are 0 or more",
            count=len(rows),
            total=len(values),
            first=rows[0],
            values={"output": float(values[tuple(negative[0])])},
        )
    return np.asarray(np.sqrt(values))
