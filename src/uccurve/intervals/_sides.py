"""Which side of the prediction has a bound: both, or one where the other is None or infinite in every row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import namespace
from uccurve.exceptions import ArgumentError, NonFiniteError
from uccurve.intervals._row_rules import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Side
    from uccurve.exceptions import InvalidRowsError

UNLIMITED = {"lower": -math.inf, "upper": math.inf, "lower_band": math.inf, "upper_band": math.inf}
"""What stands for no bound on a side, if every row has it."""
SIDE_OF: dict[str, Side] = {"lower": "lower", "upper": "upper", "lower_band": "lower", "upper_band": "upper"}
"""The side that a bound or a band is on."""
SOME_INFINITE: dict[type[InvalidRowsError], str] = {
    NonFiniteError: (
        "A bound that is infinite in every row means a one-sided limit; "
        "judge rows with and without the bound apart, as their widths do not compare."
    )
}
"""What to say where a bound is infinite in some rows."""


def without_infinite_numbers(values: Mapping[str, ArrayLike | None]) -> dict[str, ArrayLike | None]:
    """Replace bounds that are one infinite number for all rows by None; bands may be numbers anyway."""
    return {
        role: None if role in BOUNDS and _is_number(value, UNLIMITED[role]) else value
        for role, value in values.items()
    }


def bounded(arrays: Mapping[str, Any], called: Mapping[str, str]) -> tuple[dict[str, Any], Side]:
    """Leave out the bounds or bands that no row has, and say which side is left.

    Parameters
    ----------
    arrays : mapping of role to array
        ``lower`` and ``upper``, or ``lower_band`` and ``upper_band``, each None if not given, among
        others. An upper band of None makes symmetric bands of a lower one that is given.
    called : mapping of role to str
        What the user calls the arguments.

    Raises
    ------
    ArgumentError
        If no side has a bound, or if one side has none and there is no prediction.
    """
    low, high = ("lower", "upper") if "lower" in arrays else ("lower_band", "upper_band")
    if low not in arrays:
        return dict(arrays), "both"
    if arrays[low] is None and arrays[high] is None:
        raise ArgumentError(
            argument=called[low], rule=f"be passed, or `{called[high]}`, or both", got="neither"
        )
    symmetric = high == "upper_band" and arrays[high] is None
    absent = [role for role in (low, high) if arrays[role] is None or is_unlimited(arrays[role], role)]
    if symmetric or len(absent) != 1:  # the rules refuse two infinite bounds
        return dict(arrays), "both"
    (missing,) = absent
    present = high if missing == low else low
    if arrays["y_pred"] is None:
        raise ArgumentError(
            argument="y_pred",
            rule=f"be passed where `{called[missing]}` is None or infinite in every row",
            hint=(
                f"The width of a one-sided limit is the distance from the prediction to `{called[present]}`."
            ),
        )
    return {role: array for role, array in arrays.items() if role != missing}, SIDE_OF[present]


def some_infinite(arrays: Mapping[str, Any]) -> bool:
    """Whether a bound is infinite in some rows and not in all, as if some had none."""
    bounds = {role: arrays[role] for role in UNLIMITED if arrays.get(role) is not None}
    if "lower_band" in bounds and "upper_band" not in bounds:
        return False  # of symmetric bands, which have no side
    return any(
        bool(namespace(bound).any(bound == UNLIMITED[role])) and not is_unlimited(bound, role)
        for role, bound in bounds.items()
    )


def _is_number(value: ArrayLike | None, number: float) -> bool:
    return isinstance(value, (float, np.floating)) and float(value) == number


def is_unlimited(bound: Array, role: str) -> bool:
    """Whether a bound is infinite in every row; most are not in the first."""
    first = bound[(slice(0, 1), ...)] if bound.ndim else bound
    xp, unlimited = namespace(bound), UNLIMITED[role]
    return bool(xp.all(first == unlimited)) and bool(xp.all(bound == unlimited))
