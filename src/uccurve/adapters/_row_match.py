"""Rows of observations and forecasts are matched by position, once their labels agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve._base.frames import check_same_index
from uccurve.exceptions import ShapeError

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike


def refuse_other_rows(y_true: ArrayLike, output: Any, **others: ArrayLike | None) -> None:
    """Raise an error if observations and forecasts are not about the same rows, as far as labels tell.

    Parameters
    ----------
    y_true : array, column or frame
        Observations.
    output : frame
        Forecasts.
    **others
        Further arguments of as many rows, by their name.

    Examples
    --------
    >>> import pandas as pd
    >>> refuse_other_rows(pd.Series(range(5)), pd.DataFrame({"a": [1.0, 2.0]}))
    Traceback (most recent call last):
        ...
    uccurve.exceptions.ShapeError: `y_true` must have the 2 rows of `output`, got 5. …
    """
    if hasattr(y_true, "__len__") and len(y_true) != len(output):
        both = hasattr(y_true, "iloc") and hasattr(output, "iloc")
        hint = "Pass `y_true.loc[output.index]`." if both and len(y_true) > len(output) else ""
        raise ShapeError(
            argument="y_true", rule=f"have the {len(output)} rows of `output`", got=len(y_true), hint=hint
        )
    check_same_index({"y_true": y_true, "output": output, **others})
