"""The argument orders of uncertainty-toolbox and of UQ360."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.arrays import as_arrays
from uccurve._base.frames import check_same_index
from uccurve.adapters._claims import check_claims
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Invalid

_TABLE = 2
_COLUMNS = 3


def from_uncertainty_toolbox(
    y_pred: ArrayLike,
    y_std: ArrayLike,
    y_true: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read arrays in the order of uncertainty-toolbox: prediction, standard deviation, observation.

    Parameters
    ----------
    y_pred, y_std, y_true : array of shape (n,)
        The arguments of its metrics, in their order, which is not the order used elsewhere here.
    sample_weight, invalid
        As in `Intervals.from_std`.

    Examples
    --------
    >>> from uccurve.adapters import from_uncertainty_toolbox
    >>> from_uncertainty_toolbox([1.0, 2.0], [0.5, 1.0], [1.2, 4.0])
    Intervals(n=2, bandwidth=0.75, symmetric)
    """
    return Intervals.from_std(y_true, y_pred, y_std, sample_weight=sample_weight, invalid=invalid)


def from_uq360(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read the table that UQ360's ``UncertaintyCharacteristicsCurve.fit`` takes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations, there called ``gt``.
    output : array of shape (n, 3)
        Predictions, lower bands and upper bands: distances to the bounds, 0 or more. UQ360's own models
        return predictions and bounds instead, for `Intervals.from_bounds`.
    nominal : float, optional
        The coverage that the intervals claim.
    sample_weight, invalid
        As in `Intervals.from_bands`.

    Examples
    --------
    >>> from uccurve.adapters import from_uq360
    >>> from_uq360([1.2, 4.0], [[1.0, 0.5, 1.0], [2.0, 1.0, 1.5]])
    Intervals(n=2, bandwidth=1, asymmetric)
    """
    if isinstance(output, list) and output and getattr(output[0], "ndim", 1) == _TABLE:
        raise ArgumentError(
            argument="output",
            rule="be one table",
            got="a list of them",
            hint=(
                "Read each model on its own, as in "
                "{name: from_uq360(y_true, table) for name, table in models.items()}."
            ),
        )
    check_same_index({"y_true": y_true, "output": output, "sample_weight": sample_weight})
    table: Any = as_arrays(output=output)["output"]
    if table is None or table.ndim != _TABLE or table.shape[1] != _COLUMNS:
        shape = None if table is None else tuple(table.shape)
        raise ShapeError(
            argument="output", rule="have the shape (n, 3): predictions, lower bands, upper bands", got=shape
        )
    claim = None if nominal is None else check_claims(nominal)[0]
    return Intervals.from_bands(
        y_true,
        table[:, 0],
        lower_band=table[:, 1],
        upper_band=table[:, 2],
        sample_weight=sample_weight,
        nominal=claim,
        invalid=invalid,
    )
