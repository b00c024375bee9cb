"""Values of object arrays: which of them are no numbers, although NumPy would turn them into some."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_NUMERIC_KINDS = "iufO"


def first_not_numeric(values: np.ndarray) -> object:
    """Return the first value that is text, a truth value, a complex number or a time; None without one."""
    return next((value for value in values.flat if not _may_be_number(value)), None)


def _may_be_number(value: object) -> bool:
    if isinstance(value, (str, bytes, bool, complex)):
        return False
    kind = getattr(getattr(value, "dtype", None), "kind", "O")  # of NumPy's scalars and arrays
    return not isinstance(kind, str) or kind in _NUMERIC_KINDS
