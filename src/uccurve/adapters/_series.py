"""Forecasts of several series: which row belongs to which, and the observation of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.exceptions import ArgumentError, ArgumentTypeError, IndexMismatchError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve.intervals import Intervals


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class SeriesIntervals:
    """The intervals of one model for one or several series, with the labels of their rows.

    Attributes
    ----------
    intervals : Intervals
        The rows of all forecasts, one after the other.
    series : numpy.ndarray of shape (n,)
        The label of each row's series: for ``uc.compare(…, by=…)``.
    blocks : numpy.ndarray of shape (n,)
        The number of each row's forecast, from 0. Rows of one forecast depend on each other: for
        ``uc.compare(…, blocks=…)`` and all other tests and confidence intervals.
    """

    intervals: Intervals
    series: np.ndarray
    blocks: np.ndarray

    def __repr__(self) -> str:
        return f"SeriesIntervals({self.intervals!r}, {counted(series=self.series, blocks=self.blocks)})"


def counted(**labels: np.ndarray) -> str:
    """Say how many different labels of each kind there are."""
    return ", ".join(f"{kind}={len(set(values.tolist()))}" for kind, values in labels.items())


def numbered(*labels: Sequence[Hashable]) -> np.ndarray:
    """Return a number for each combination of labels, in the order in which they appear.

    Examples
    --------
    >>> numbered(["a", "a", "b"], [1, 2, 1])
    array([0, 1, 2])
    """
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(key, len(number)) for key in zip(*labels, strict=True)])


def as_objects(labels: Sequence[Hashable]) -> np.ndarray:
    """Return labels as an array: plain text and whole numbers as such, others as objects."""
    kinds = {type(label) for label in labels}
    if len(kinds) == 1 and kinds <= {int, str}:
        return np.array(labels)
    values = np.empty(len(labels), dtype=object)
    values[:] = labels
    return values


def as_list(name: str, values: Any, of: str) -> list[Any]:
    """Return several series or forecasts as a list; a single one, or a frame, is none."""
    if not hasattr(values, "iloc") and not isinstance(values, (str, bytes)):
        try:
            return list(values)
        except TypeError:
            pass
    raise ArgumentTypeError(argument=name, rule=f"be a list of {of}", got=type(values).__name__)


def observations(
    wanted: Sequence[Hashable], known: Sequence[Hashable], values: np.ndarray, keys: str, *, called: str
) -> np.ndarray:
    """Return the observation of each forecast, found by its key; each must be there, and once.

    Parameters
    ----------
    wanted : sequence of hashable
        The key of each forecast.
    known : sequence of hashable
        The key of each observation.
    values : array of shape (observations, …)
        The observations.
    keys : str
        What the keys are, for errors.
    called : str
        What the user calls the forecasts.
    """
    row = {key: number for number, key in enumerate(known)}
    if len(row) < len(known):
        first = next(number for number, key in enumerate(known) if row[key] != number)
        raise ArgumentError(
            argument="y_true",
            rule=f"have one row for each {keys}",
            count=len(known) - len(row),
            total=len(known),
            first=first,
            values={keys: known[first]},
        )
    absent = [number for number, key in enumerate(wanted) if key not in row]
    if absent:
        absent_key = wanted[absent[0]]
        raise IndexMismatchError(
            argument="y_true",
            rule=f"have the {keys} of each forecast in `{called}`",
            count=len(absent),
            total=len(wanted),
            first=absent[0],
            values={keys: absent_key},
            hint=_kinds(absent_key, known),
        )
    return values[[row[key] for key in wanted]]


def _kinds(wanted: Any, known: Sequence[Any]) -> str:
    """Say that labels differ in kind, if that is why none is found."""
    if not known:
        return "`y_true` has no rows."
    ours, theirs = (
        tuple(type(part).__name__ for part in (key if isinstance(key, tuple) else (key,)))
        for key in (wanted, known[0])
    )
    if ours == theirs:
        return ""
    return f"These are {' and '.join(ours)}, but {' and '.join(theirs)} in `y_true`."
