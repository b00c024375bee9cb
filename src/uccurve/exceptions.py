"""Errors and warnings, one class for each kind of failure.

All errors about values derive from `UccurveError`, which is a `ValueError`. An error holds facts, such as the
argument, the rule and the rows that break it. Its sentence is made from them, here and nowhere else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

# An argument with a text to pass, in backticks: crossed="sort".
_PASSED = re.compile(r'(\w+)="([^"]*)"')


def as_argument(name: str, *value: object) -> str:
    """Name an argument as Python writes it, with the value to pass if there is one."""
    if not value:
        return f"`{name}`"
    text = f'"{value[0]}"' if isinstance(value[0], str) and '"' not in value[0] else repr(value[0])
    return f"`{name}={text}`"


class UccurveError(ValueError):
    """Base class of all errors about values.

    Texts name arguments in backticks, alone or with a value to pass, so that `sentence` can name columns of a
    file or options of the command line instead.

    Parameters
    ----------
    problem : str, optional
        What is wrong, where it is not that an argument breaks a rule; it names no arguments, but may name
        columns of any name.
    argument : str, optional
        Name of the argument that breaks the rule.
    rule : str, optional
        What the argument must do or be: "be finite", "have the shape (3,)".
    got : object, optional
        What was passed, as the sentence shows it.
    count, total : int, optional
        How many rows break the rule, and of how many.
    first : int, optional
        The first row that breaks the rule, counted from 0.
    values : mapping of str to object, optional
        The values of this row, by name; where no first row is known, those of some row that breaks the rule.
    hint : str, optional
        What to do, in whole sentences.
    remedy : mapping of str to object, optional
        Arguments to pass, with their values.
    columns : mapping of str to str, optional
        The columns of a frame or a file that arguments stand for; the sentence names them instead.
    where : str, optional
        The model or the file that the error is about.
    place : str, optional
        Where the first row stands in a file: "row 6 (line 7)".

    Attributes
    ----------
    problem, argument, rule, got, count, total, first, values, hint, remedy, columns, where, place
        As above; None or empty where unknown.
    """

    def __init__(
        self,
        problem: str = "",
        *,
        argument: str | None = None,
        rule: str = "",
        got: object = None,
        count: int | None = None,
        total: int | None = None,
        first: int | None = None,
        values: Mapping[str, object] | None = None,
        hint: str = "",
        remedy: Mapping[str, object] | None = None,
        columns: Mapping[str, str] | None = None,
        where: str | None = None,
        place: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.argument = argument
        self.rule = rule
        self.got = got
        self.count = count
        self.total = total
        self.first = first
        self.values = values or {}
        self.hint = hint
        self.remedy = remedy or {}
        self.columns = columns or {}
        self.where = where
        self.place = place

    def __str__(self) -> str:
        """Return the sentence as Python users read it."""
        return self.sentence()

    def sentence(self, *, naming: Callable[..., str] = as_argument) -> str:
        """Return what is wrong and what to do, made from the facts.

        Parameters
        ----------
        naming : callable
            Takes the name of an argument, and the value to pass if there is one, and returns how to write it.
        """
        text = self.demand(naming)
        if self.got is not None:
            text += f", got {self.got}"
        if self.count is not None:
            text += f", but {_rows_break(self.count, self.total)}"
        values = ", ".join(
            f"{self.columns.get(name, name)}={_shown(value)}" for name, value in self.values.items()
        )
        if self.first is not None:
            text += f"; first at {self.place or f'row {self.first}'}" + (f": {values}" if values else "")
        elif values:
            text += f"; for example {values}"
        sentences = [f"{text}.", self._named(self.hint, naming)]
        if self.remedy:
            sentences.append(f"Pass {' and '.join(naming(*item) for item in self.remedy.items())}.")
        return (f"{self.where}: " if self.where else "") + " ".join(filter(None, sentences))

    def demand(self, naming: Callable[..., str] = as_argument) -> str:
        """Return the rule with the argument that breaks it, or the problem, without rows and values."""
        if self.problem or self.argument is None:
            return self.problem
        return self._named(f"`{self.argument}` must {self.rule}", naming)

    def _named(self, text: str, naming: Callable[..., str]) -> str:
        """Write the names in backticks, of columns and of arguments; other code there stays as it is."""
        parts = text.split("`")
        for place in range(1, len(parts) - 1, 2):
            name = parts[place]
            passed = _PASSED.fullmatch(name)
            if name in self.columns:
                parts[place] = f"column {self.columns[name]!r}"
            elif passed:
                parts[place] = naming(passed[1], passed[2])
            else:
                parts[place] = naming(name) if name.isidentifier() else f"`{name}`"
        return "".join(parts)

    def replaced(self, **facts: Any) -> Self:
        """Return a copy with other facts."""
        error = type(self).__new__(type(self), *self.args)  # where Dask is, `copy` would share the facts
        vars(error).update(vars(self) | facts)
        return error


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
    """Some files of a scan cannot be read; the error has the sketches of the others.

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
        super().__init__(f"{library} is needed but not installed: pip install 'uccurve[{extra}]'")
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[object, ...]:
        """Keep both arguments when the error travels between processes."""
        return (type(self), (self.library, self.extra))


class InvalidRowsError(UccurveError):
    """Rows break a rule; `count` says how many, and `first` which is the first one."""


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
    """Values or weights other than 0 are outside 1e-100 to 1e100 in magnitude, or too far apart to add."""


class DroppedRowsWarning(UserWarning):
    """``invalid="drop"`` dropped rows.

    Attributes
    ----------
    count, total : int or None
        How many rows were dropped, and of how many; None where it is not known.
    reasons : tuple of InvalidRowsError
        The rules that rows broke; a row counts for the first one that it broke.
    """

    def __init__(self, count: int | None, total: int | None, reasons: Sequence[UccurveError]) -> None:
        super().__init__(count, total, reasons)
        self.count = count
        self.total = total
        self.reasons = tuple(reasons)

    def __str__(self) -> str:
        """Count the rows, and say which rules they broke."""
        many = "" if self.count is None else f"{self.count} of {self.total} "
        return f"dropped {many}rows: {broken_rules(self.reasons)}."


class InfiniteParameterWarning(UserWarning):
    """No finite scale or shift promises the coverage; the message says how many calibration rows it takes."""


class UnseenLabelsWarning(UserWarning):
    """Rows have labels that were not fitted; the message counts them."""


class RepairedInputWarning(UserWarning):
    """The drop-in for UQ360 replaced values that it cannot use; the message says which and how many."""


class SortedRowsWarning(UserWarning):
    """``crossed="sort"`` put quantiles or bounds in order.

    Attributes
    ----------
    count, total, first : int
        How many rows, of how many, and the first one.
    what : str
        What was put in order: "quantiles, which were sorted".
    where, place : str or None
        The model or the file, and where the first row stands in a file, as in `UccurveError`.
    """

    def __init__(
        self,
        count: int,
        total: int,
        first: int,
        what: str,
        where: str | None = None,
        place: str | None = None,
    ) -> None:
        super().__init__(count, total, first, what, where, place)
        self.count, self.total, self.first, self.what = count, total, first, what
        self.where, self.place = where, place

    def __str__(self) -> str:
        """Count the rows, and say where the first one is."""
        front, rows = f"{self.where}: " if self.where else "", "row" if self.total == 1 else "rows"
        place = self.place or f"row {self.first}"
        return f"{front}{self.count} of {self.total} {rows} had crossed {self.what}; first at {place}."


class TooFewDrawsWarning(UserWarning):
    """Levels lie beyond all draws and are left out; the message names them and says how many they take."""


class UnpairedLevelsWarning(UserWarning):
    """Quantiles have levels without a partner, such as 0.05 without 0.95; the message names them."""


def broken_rules(reasons: Sequence[UccurveError], naming: Callable[..., str] = as_argument) -> str:
    """List rules, each with how many rows break it."""
    return "; ".join(
        f"{f'{error.where}: ' if error.where else ''}{error.demand(naming)} ({error.count})"
        for error in reasons
    )


def _rows_break(count: int, total: int | None) -> str:
    """Say how many rows break a rule."""
    rows, verb = "row" if total == 1 else "rows", "breaks" if count == 1 else "break"
    return f"{count} of {total} {rows} {verb} this rule"


def _shown(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else repr(value)
