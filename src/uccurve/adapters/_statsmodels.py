"""Prediction intervals of statsmodels; confidence intervals of the mean are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import complement
from uccurve._base.frames import check_same_index
from uccurve.adapters._claims import check_claims
from uccurve.adapters._pairs import intervals_of_pairs
from uccurve.exceptions import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Invalid
    from uccurve.intervals import Intervals

_OF_OBSERVATIONS = (("obs_ci_lower", "obs_ci_upper"), ("pi_lower", "pi_upper"))
"""Columns of prediction intervals: of regressions, and of exponential smoothing."""
_OF_THE_MEAN = ("mean_ci_lower", "mean_ci_upper")
_FORECASTS = "statsmodels.tsa."
"""Where the intervals of the "mean" include the noise, and are prediction intervals."""


def from_statsmodels(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | Sequence[float],
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read prediction intervals of statsmodels.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations. An index of pandas must agree with that of the output.
    output : result of ``get_prediction`` or ``get_forecast``, or frame
        The result is read at each of the ``nominal`` coverages. A frame is what ``summary_frame(alpha=…)``
        returns, for one coverage, 1 - alpha.

        Regressions have the columns ``obs_ci_lower`` and ``obs_ci_upper``, exponential smoothing has
        ``pi_lower`` and ``pi_upper``. Confidence intervals of the mean are refused, and a GLM has no
        others: they say where the mean is, and cover few observations. Models of time series, such as ARIMA,
        give their prediction intervals that name as well: hand over the result itself, not its frame.
    nominal : float or sequence of float
        The coverage, or the coverages, of the intervals.
    coverage : float, optional
        One of several claims. Without it several become levels, for ``vary="level"``.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import pandas as pd
    >>> from uccurve.adapters import from_statsmodels
    >>> frame = pd.DataFrame({"mean": [1, 2], "obs_ci_lower": [0, 1], "obs_ci_upper": [2.0, 3.0]})
    >>> from_statsmodels([1.5, 3.5], frame, nominal=0.9)
    Intervals(n=2, bandwidth=1, symmetric)
    """
    claims = check_claims(nominal)
    frames, is_forecast = _frames(output, claims)
    frame = next(iter(frames.values()))
    check_same_index({"y_true": y_true, "output": frame, "sample_weight": sample_weight})
    names = _columns(frame, is_forecast=is_forecast)
    return intervals_of_pairs(
        y_true,
        {claim: tuple(table[name].to_numpy() for name in names) for claim, table in frames.items()},
        coverage=coverage,
        y_pred=frame["mean"].to_numpy() if "mean" in frame else None,
        sample_weight=sample_weight,
        invalid=invalid,
    )


def _frames(output: Any, claims: tuple[float, ...]) -> tuple[dict[float, Any], bool]:
    """Return a frame for each claim, and whether they come from a model of time series."""
    if hasattr(output, "summary_frame"):
        frames = {claim: output.summary_frame(alpha=complement(claim)) for claim in claims}
        return frames, type(output).__module__.startswith(_FORECASTS)
    if not hasattr(output, "columns") or not hasattr(output, "loc"):
        raise ArgumentTypeError(
            argument="output",
            rule="be the result of `get_prediction` or `get_forecast`, or its `summary_frame`",
            got=type(output).__name__,
        )
    if len(claims) > 1:
        raise ArgumentError(
            argument="nominal",
            rule="be one coverage for one frame, which is made for one `alpha`",
            got=claims,
            hint="Pass the result of `get_prediction` to read several.",
        )
    return {claims[0]: output}, False


def _columns(frame: Any, *, is_forecast: bool) -> tuple[str, str]:
    """Return the columns with the prediction intervals, or say why there are none."""
    for names in (*_OF_OBSERVATIONS, *([_OF_THE_MEAN] if is_forecast else [])):
        if set(names) <= set(frame.columns):
            return names
    found = ", ".join(map(str, frame.columns))
    if _OF_THE_MEAN[0] in frame or "ci_lower" in frame:
        raise ArgumentError(
            argument="output",
            rule=f"have prediction intervals, but has confidence intervals of the mean only ({found})",
            hint=(
                "They say how well the mean is known, and are not meant to cover observations. For a GLM, "
                "pass `results.get_distribution(…)` to `Intervals.from_distribution`; for a model of time "
                "series, give the result of `get_forecast` itself, not its frame."
            ),
        )
    raise ArgumentError(argument="output", rule="have the columns obs_ci_lower and obs_ci_upper", got=found)
