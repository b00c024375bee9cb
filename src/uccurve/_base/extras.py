"""Optional libraries: imported where they are needed, or named with the command that installs them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from uccurve.exceptions import MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needed(library: str, extra: str) -> Iterator[None]:
    """Turn a failed import into an error that names the pip command.

    Examples
    --------
    >>> with needed("polars", extra="polars"):
    ...     import polars
    """
    try:
        yield
    except ImportError as error:
        raise MissingDependencyError(library, extra) from error
