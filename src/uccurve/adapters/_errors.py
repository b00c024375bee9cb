"""Errors about one of several models say which."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from uccurve.exceptions import UccurveError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def naming(model: str) -> Iterator[None]:
    """Put the name of a model in front of errors about it.

    Examples
    --------
    >>> with naming("AutoETS"):
    ...     raise UccurveError("no rows")
    Traceback (most recent call last):
        ...
    uccurve.exceptions.UccurveError: AutoETS: no rows.
    """
    try:
        yield
    except UccurveError as error:
        raise error.replaced(where=model) from error
