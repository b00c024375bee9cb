"""Errors and warnings, one class for each kind of failure.

All errors about values derive from `UccurveError`, which is a `ValueError`.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "CrossedBoundsError",
    "DroppedRowsWarning",
    "EmptyInputError",
    "FileFormatError",
    "IndexMismatchError",
    "InfiniteParameterWarning",
    "InvalidRowsError",
    "MagnitudeError",
    "MissingColumnError",
    "MissingDependencyError",
    "NegativeBandError",
    "NegativeWeightError",
    "NonFiniteError",
    "NotFittedError",
    "NotNumericError",
    "PairError",
    "PredictionOutsideError",
    "RepairedInputWarning",
    "ShapeError",
    "SketchFormatError",
    "SortedRowsWarning",
    "TooFewDrawsWarning",
    "UccurveError",
    "UnpairedLevelsWarning",
    "UnreachableError",
    "UnreadableFilesError",
    "UnseenLabelsWarning",
]


class UccurveError(ValueError):
    """Base class of all errors about values."""


class ArgumentError(UccurveError):
    """An option has a value outside its rule, such as ``vary="stretch"``."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of the wrong type, such as a list in the place of `Intervals`."""


class ShapeError(UccurveError):
    """An argument's shape does not fit the shape of ``y_true``."""


class IndexMismatchError(UccurveError):
    """Two arguments of pandas name their rows differently, such as in another order."""


class EmptyInputError(UccurveError):
    """There are no rows, or none are left after the invalid ones were dropped."""


class NotNumericError(UccurveError, TypeError):
    """An argument holds text, dates, booleans, complex numbers or objects."""


class MissingColumnError(UccurveError):
    """A frame or a table has no column of the given name."""


class PairError(UccurveError):
    """Two models to be compared row by row do not have the same rows."""


class UnreachableError(UccurveError):
    """No parameter of the curve reaches the requested point or range."""


class NotFittedError(UccurveError, AttributeError):
    """A result was requested before ``fit`` was called."""


class SketchFormatError(UccurveError):
    """Bytes are not a sketch, are cut short or damaged, or are of an unknown version."""


class FileFormatError(UccurveError):
    """A file cannot be read as a table."""


class UnreadableFilesError(OSError):
    """Some files of a scan cannot be read; the error carries the sketches of the others.

    Attributes
    ----------
    files : dict of str to str
        The reason for each unreadable file.
    sketches : dict
        The sketches of the readable files, as `scan` returns them.
    """

    def __init__(self, files: dict[str, str], sketches: dict[Any, Any]) -> None:
        name, reason = next(iter(files.items()))
        more = f", and {len(files) - 1} more" if len(files) > 1 else ""
        super().__init__(f"{name} cannot be read{more}: {reason}")
        self.files = files
        self.sketches = sketches

    def __reduce__(self) -> tuple[object, ...]:
        """Keep both arguments when the error travels between processes."""
        return (type(self), (self.files, self.sketches))


class MissingDependencyError(ImportError):
    """An optional library is needed and not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is needed here and not installed: pip install 'uccurve[{extra}]'")
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[object, ...]:
        """Keep both arguments when the error travels between processes."""
        return (type(self), (self.library, self.extra))


class InvalidRowsError(UccurveError):
    """Rows break a rule.

    Attributes
    ----------
    argument : str
        Name of the argument that breaks the rule.
    rows : tuple of int
        The rows that break the rule, counted from 0; at most the first 100.
    count : int
        How many rows break the rule.
    """

    def __init__(self, message: str, *, argument: str, rows: tuple[int, ...], count: int) -> None:
        super().__init__(message)
        self.argument = argument
        self.rows = rows
        self.count = count

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the keyword-only attributes when the error travels between processes."""
        return (_rebuild, (type(self), str(self), self.argument, self.rows, self.count))


class NonFiniteError(InvalidRowsError):
    """Values are NaN or infinite."""


class CrossedBoundsError(InvalidRowsError):
    """Lower bounds lie above upper bounds, or quantiles do not rise with their levels."""


class PredictionOutsideError(InvalidRowsError):
    """Predictions lie outside their bounds, which would make a band negative."""


class NegativeBandError(InvalidRowsError):
    """Bands or standard deviations are negative."""


class NegativeWeightError(InvalidRowsError):
    """Sample weights are negative."""


class MagnitudeError(InvalidRowsError):
    """Values or weights other than 0 are not between 1e-100 and 1e100 in size, or too far apart to add up."""


class DroppedRowsWarning(UserWarning):
    """``invalid="drop"`` dropped rows; the message says how many and why."""


class InfiniteParameterWarning(UserWarning):
    """No finite scale or shift promises the coverage; the message says how many calibration rows it takes."""


class UnseenLabelsWarning(UserWarning):
    """Rows have labels that were not fitted; the message counts them."""


class RepairedInputWarning(UserWarning):
    """The drop-in for UQ360 replaced values that it cannot use; the message says which and how many."""


class SortedRowsWarning(UserWarning):
    """``crossed="sort"`` put quantiles or bounds in order; the message says in how many rows."""


class TooFewDrawsWarning(UserWarning):
    """Levels lie beyond all draws and are left out; the message names them and says how many they take."""


class UnpairedLevelsWarning(UserWarning):
    """Quantiles have levels without a partner, such as 0.05 without 0.95; the message names them."""


def _rebuild(
    cls: type[InvalidRowsError], message: str, argument: str, rows: tuple[int, ...], count: int
) -> InvalidRowsError:
    return cls(message, argument=argument, rows=rows, count=count)
