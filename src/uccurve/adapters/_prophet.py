"""Forecasts of Prophet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from uccurve._base import frames
from uccurve.adapters._levels import intervals_of_levels
from uccurve.adapters._row_match import refuse_other_rows
from uccurve.adapters._series import observations
from uccurve.adapters._told_nominal import stated_nominal
from uccurve.columns import list_names
from uccurve.exceptions import ArgumentError, ArgumentTypeError, MissingColumnError
from uccurve.intervals import as_labels

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.intervals import Intervals

_BOUNDS = ["yhat_lower", "yhat_upper"]
_UNSAID = "the frame does not say it; it is the `interval_width` of the model, 0.8 by default"


def from_prophet(
    y_true: Any,
    output: Any,
    *,
    nominal: float | None = None,
    y_pred: Literal["yhat"] | None = "yhat",
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
) -> Intervals:
    """Make intervals from a forecast of Prophet.

    Parameters
    ----------
    y_true : frame with the columns ds and y, or array or pandas.Series of shape (n,)
        Observations. A frame is joined by ``ds``: every forecast needs an observation, further ones are left
        out. Others are taken in the order of ``output``, with its index if they have one: ``cv["y"]`` beside
        ``cv``, which ``cross_validation`` returns.
    output : pandas.DataFrame
        What ``predict`` or ``cross_validation`` return, with ``yhat``, ``yhat_lower`` and ``yhat_upper``.
    nominal : float
        The coverage that the intervals claim: the ``interval_width`` of the model, 0.8 by default. It must
        be given: the frame does not say.
    y_pred : {"yhat", None}
        Whether ``yhat`` is the prediction; with None it is the midpoint.
    sample_weight : array of shape (n,), optional
        Weights of the rows of ``output``.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> output = pd.DataFrame(
    ...     {"ds": [1, 2], "yhat": [3.0, 4.0], "yhat_lower": [2.0, 2.5], "yhat_upper": [4.5, 5.0]}
    ... )
    >>> truth = pd.DataFrame({"ds": [0, 1, 2], "y": [3.0, 3.5, 5.5]})
    >>> uc.adapters.from_prophet(truth, output, nominal=0.8)
    Intervals(n=2, bandwidth=1.25, asymmetric)
    """
    if y_pred not in ("yhat", None):
        raise ArgumentError(argument="y_pred", rule="be 'yhat' or None", got=repr(y_pred))
    if not (_is_frame(output) and hasattr(output, "iloc")):
        raise ArgumentTypeError(argument="output", rule="be a frame of pandas", got=type(output).__name__)
    _require(output, "output", (*filter(None, [y_pred]), *_BOUNDS))
    levels = dict(zip(stated_nominal(nominal, _UNSAID), _BOUNDS, strict=True))
    observed = _joined(y_true, output) if _is_frame(y_true) else y_true
    refuse_other_rows(observed, output, sample_weight=sample_weight)
    return intervals_of_levels(
        observed,
        {level: frames.to_numpy(column, output[column]) for level, column in levels.items()},
        y_pred=frames.to_numpy("yhat", output["yhat"]) if y_pred else None,
        sample_weight=sample_weight,
        crossed=crossed,
        invalid=invalid,
        names=levels,
        library=frames.library(output),
    )


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and hasattr(value, "__len__")


def _require(frame: Any, called: str, needed: tuple[str, ...]) -> None:
    present = [str(column) for column in frame.columns]
    for column in needed:
        if column not in present:
            raise MissingColumnError(
                argument=called, rule=f"have the column {column!r}", got=list_names(present)
            )


def _joined(truth: Any, output: Any) -> Any:
    """Return the observation of each forecast, by its time."""
    _require(truth, "y_true", ("ds", "y"))
    _require(output, "output", ("ds",))
    known, wanted = (as_labels(frame["ds"], len(frame), "ds").tolist() for frame in (truth, output))
    return observations(wanted, known, frames.to_numpy("y", truth["y"]), "ds", called="output")
