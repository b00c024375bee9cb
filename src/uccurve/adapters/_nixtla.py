"""Forecasts of Nixtla's libraries: statsforecast, mlforecast and neuralforecast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import frames
from uccurve._base.arguments import complement
from uccurve._base.arrays import frozen, to_numpy
from uccurve.adapters._errors import naming
from uccurve.adapters._joint_rows import on_common_rows
from uccurve.adapters._levels import intervals_of_levels
from uccurve.adapters._series import as_objects, counted, numbered, observations
from uccurve.columns import list_names, read_level
from uccurve.exceptions import ArgumentError, ArgumentTypeError, MissingColumnError
from uccurve.intervals import MEDIAN, as_labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.intervals import Intervals

_CUTOFF = "cutoff"
_FRONTS = ("-lo-", "-hi-", "_ql", "-ql")
"""What stands between a model and a level: Model-lo-90, Model_ql0.05, Model-ql0.05."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class NixtlaForecasts:
    """The intervals of several models on the same rows, with the labels of the rows.

    Attributes
    ----------
    models : dict of str to Intervals
        The intervals of each model, in the order of the columns.
    series : numpy.ndarray of shape (n,)
        The series of each row (``unique_id``): for ``uc.compare(…, by=…)``.
    cutoffs : numpy.ndarray of shape (n,), or None
        The last time before each row's forecast, where the frame has the column ``cutoff``.
    blocks : numpy.ndarray of shape (n,)
        The number of each row's forecast, from 0: one for each series and cutoff. Rows of one forecast
        depend on each other: for ``uc.compare(…, blocks=…)`` and all other tests and confidence intervals.
    """

    models: dict[str, Intervals]
    series: np.ndarray
    cutoffs: np.ndarray | None
    blocks: np.ndarray

    def __repr__(self) -> str:
        counts = f"n={len(self.series)}, {counted(series=self.series, blocks=self.blocks)}"
        return f"NixtlaForecasts({', '.join(self.models)}; {counts})"


def from_nixtla(
    frame: Any,
    *,
    y_true: Any = None,
    models: Sequence[str] | None = None,
    coverage: float | None = None,
    y_pred: Literal["model"] | None = "model",
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
) -> NixtlaForecasts:
    """Make intervals from a frame of statsforecast, mlforecast or neuralforecast, all models at once.

    Bounds are the columns ``Model-lo-90`` and ``Model-hi-90``, whose level is in percent, or quantiles such
    as ``Model_ql0.05``. Several levels of a model become a family, for ``uc.UCC(…, vary="level")``, with the
    widest as the bounds.

    Parameters
    ----------
    frame : frame of pandas or Polars
        What ``cross_validation`` returns, with the observations in it, or what ``forecast`` and ``predict``
        return.
    y_true : frame of pandas or Polars, optional
        Observations with the columns ``unique_id``, ``ds`` and ``y``, where ``frame`` has none. They are
        joined by series and time: every forecast needs one, further ones are left out.
    models : sequence of str, optional
        The models to read. By default all that have bounds: a model with a point forecast only is left out.
    coverage : float, optional
        The one level to take, such as 0.9, of several.
    y_pred : {"model", None}
        Whether the column ``Model`` is the prediction, where there is one; otherwise, and with None, it is
        the median, or without one the midpoint.
    sample_weight : array of shape (n,), optional
        Weights of the rows of ``frame``.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        Rows that break a rule in some model: raise an error, or drop them from all models, with a warning.
    id_col, time_col, target_col : str
        The columns of the series, the time and the observations, where they have other names.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> frame = pd.DataFrame({
    ...     "unique_id": ["a", "a", "b", "b"], "ds": [1, 2, 1, 2], "cutoff": 0, "y": [3.0, 5.0, 1.0, 2.0],
    ...     "Naive": [3.5, 3.5, 2.0, 2.0],
    ...     "Naive-lo-90": [2.5, 2.0, 1.5, 1.0], "Naive-hi-90": [4.5, 5.0, 2.5, 3.0],
    ... })
    >>> forecasts = uc.adapters.from_nixtla(frame)
    >>> forecasts
    NixtlaForecasts(Naive; n=4, series=2, blocks=2)
    >>> forecasts.models["Naive"].nominal
    0.9
    """
    if y_pred not in ("model", None):
        raise ArgumentError(argument="y_pred", rule="be 'model' or None", got=repr(y_pred))
    present = _columns(frame, "frame", (id_col, time_col))
    series, times = (_labels(frame, column) for column in (id_col, time_col))
    observed = _observed(frame, present, y_true, (id_col, time_col, target_col), series, times)
    cutoffs = _labels(frame, _CUTOFF) if _CUTOFF in present else None
    intervals = {}
    for name, levels in _levels(present, models).items():
        point = [name] if y_pred is not None and name in present else []
        columns = frames.columns(frame, {column: column for column in (*levels.values(), *point)})
        with naming(name):
            intervals[name] = intervals_of_levels(
                observed,
                {level: columns[column] for level, column in levels.items()},
                coverage=coverage,
                y_pred=columns[name] if point else None,
                sample_weight=sample_weight,
                crossed=crossed,
                invalid=invalid,
                names=levels,
                library=frames.library(frame),
            )
    intervals, rows = on_common_rows(intervals, len(series))
    labels = [series.tolist()] if cutoffs is None else [series.tolist(), cutoffs.tolist()]
    blocks = numbered(*labels)
    return NixtlaForecasts(
        models=intervals,
        series=frozen(as_objects(series.tolist())[rows]),
        cutoffs=None if cutoffs is None else frozen(cutoffs[rows]),
        blocks=frozen(blocks[rows]),
    )


def _columns(frame: Any, called: str, needed: tuple[str, ...]) -> list[str]:
    """Return the names of the columns, among which those that say what a row is about."""
    import narwhals as nw  # noqa: PLC0415

    try:
        frames.columns(frame, {})
    except ArgumentError as error:
        raise error.replaced(argument=called) from error
    present = [column for column in nw.from_native(frame).columns if isinstance(column, str)]
    for column in needed:
        if column not in present:
            hint = "It is the index: pass `frame.reset_index()`." if column == _index_name(frame) else ""
            raise MissingColumnError(
                argument=called, rule=f"have the column {column!r}", got=list_names(present), hint=hint
            )
    return present


def _index_name(frame: Any) -> Any:
    return getattr(getattr(frame, "index", None), "name", None)


def _labels(frame: Any, column: str) -> np.ndarray:
    import narwhals as nw  # noqa: PLC0415

    values = nw.from_native(frame).get_column(column).to_native()
    return as_labels(values, len(values), column)


def _observed(
    frame: Any, present: Sequence[str], y_true: Any, columns: tuple[str, str, str], series: Any, times: Any
) -> np.ndarray:
    """Return the observations: of the frame itself, or of another one by series and time."""
    *keys, target = columns
    if y_true is None and target not in present:
        raise MissingColumnError(
            argument="frame",
            rule=f"have the column {target!r}",
            got=list_names(present),
            hint=f"Or pass a frame with {list_names(columns)} as `y_true`.",
        )
    if y_true is None:
        return np.asarray(frames.columns(frame, {target: target})[target])
    if target in present:
        raise ArgumentError(argument="y_true", rule=f"not be passed beside the column {target!r} of `frame`")
    _columns(y_true, "y_true", columns)
    known = zip(*(_labels(y_true, key).tolist() for key in keys), strict=True)
    values = frames.columns(y_true, {target: target})[target]
    wanted = list(zip(series.tolist(), times.tolist(), strict=True))
    return observations(wanted, list(known), to_numpy(values), " and ".join(keys), called="frame")


def _levels(present: Sequence[str], models: Sequence[str] | None) -> dict[str, dict[float, str]]:
    """Return the columns of each model by the share of observations below them."""
    told = [(column, name) for column in present if (name := read_level(column)) and name.is_nixtla]
    columns: dict[str, dict[float, str]] = {_model(name.front): {} for _, name in told}
    for column, name in sorted(told, key=lambda item: not item[1].is_coverage):  # before quantiles
        columns[_model(name.front)].setdefault(name.share, column)
    paired = {model: levels for model, levels in columns.items() if set(levels) - {MEDIAN}}
    names = list(paired) if models is None else _chosen(models)
    _refuse_single_bounds(columns, None if models is None else names)
    if not names:
        raise MissingColumnError(
            argument="frame",
            rule="have bounds such as 'Model-lo-90' and 'Model-hi-90'",
            got=list_names(present),
            hint="Forecast with `level=[90]`.",
        )
    for model in names:
        if model not in paired:
            raise MissingColumnError(
                argument="models",
                rule=f"be models that have bounds, {list_names(list(paired))}",
                got=repr(model),
            )
    medians = {model: {MEDIAN: f"{model}-median"} for model in names if f"{model}-median" in present}
    return {model: {**paired[model], **medians.get(model, {})} for model in names}


def _chosen(models: Any) -> list[Any]:
    if isinstance(models, (str, bytes)) or not hasattr(models, "__iter__"):
        raise ArgumentTypeError(argument="models", rule="be a sequence of names", got=repr(models))
    names = list(models)
    if not names:
        raise ArgumentError(argument="models", rule="name at least one model", got=repr(models))
    return names


def _model(front: str) -> str:
    """Return the model that a name begins with, whatever the case of what follows it."""
    end = next(end for end in _FRONTS if front.lower().endswith(end))
    return front[: -len(end)]


def _refuse_single_bounds(columns: Mapping[str, Mapping[float, str]], models: Sequence[str] | None) -> None:
    """Refuse a bound without a partner on the other side, which would be left out silently."""
    for name, levels in columns.items():
        if models is not None and name not in models:
            continue
        for share, column in levels.items():
            if not 0 < share < 1:
                raise ArgumentError(
                    argument="frame", rule="have bounds of levels between 0 and 100 percent", got=repr(column)
                )
            if complement(share) not in levels:
                raise MissingColumnError(
                    argument="frame",
                    rule=f"have a bound on the other side for {column!r}",
                    hint="Add it, or drop the column.",
                )
