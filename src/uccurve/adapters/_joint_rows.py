"""Models that are to be compared keep the same rows."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arguments import warn_caller
from uccurve._base.arrays import to_numpy
from uccurve.exceptions import DroppedRowsWarning, EmptyInputError, PairError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.intervals import Intervals


def on_common_rows(models: Mapping[str, Intervals], n: int) -> tuple[dict[str, Intervals], np.ndarray]:
    """Take the rows that no model dropped from all models.

    Parameters
    ----------
    models : mapping of str to Intervals
        Models of the same n rows, of which each may have dropped some.
    n : int
        How many rows there were.

    Returns
    -------
    models : dict of str to Intervals
        The models on their common rows.
    rows : numpy.ndarray of int
        The numbers of these rows.
    """
    kept = {
        name: np.arange(n) if model.kept is None else to_numpy(model.kept) for name, model in models.items()
    }
    common = reduce(np.intersect1d, kept.values())
    if not common.size:
        raise EmptyInputError("no row is left: each breaks a rule in some model")
    joint = {}
    for name, model in models.items():
        more = model.n - common.size
        joint[name] = model[np.isin(kept[name], common)] if more else model
        if more:
            reason = PairError("another model breaks a rule in these rows", where=name, count=more)
            warn_caller(DroppedRowsWarning(more, model.n, [reason]))
    return joint, common
