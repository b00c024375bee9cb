"""Arguments become arrays of one kind and of fitting shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays, as_rows, namespace, widened
from uccurve._base.owned_arrays import owned
from uccurve._base.row_labels import refuse_other_labels
from uccurve.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike
    from uccurve.exceptions import InvalidRowsError
    from uccurve.intervals._nested_pairs import NestedPairs


class Quantiles(NamedTuple):
    """Quantiles of all rows, by rising level, and what they are called in errors."""

    columns: tuple[Array, ...]
    names: tuple[str, ...]
    taken: frozenset[str]
    """The names of those that must be finite: bounds are, by a rule of their own."""


class NamedColumns(NamedTuple):
    """Columns that were computed from an argument, by role."""

    values: dict[str, Any]
    names: dict[str, str]
    """What to call them in errors, where it is not their role."""
    nominal: float | None
    """The coverage that they claim."""
    hints: dict[type[InvalidRowsError], str]
    """What to do about rows that break a rule, where it is not what the rule itself says."""
    nested: NestedPairs | None = None
    """All pairs of bounds that they hold."""
    quantiles: Quantiles | None = None
    """All quantiles that they come from."""

    def renamed(self, called: Mapping[str, str]) -> NamedColumns:
        """Call columns by other names in errors."""
        names = {role: called.get(name, name) for role, name in self.names.items()}
        if self.quantiles is None:
            return self._replace(names=names)
        others = tuple(called.get(name, name) for name in self.quantiles.names)
        taken = frozenset(called.get(name, name) for name in self.quantiles.taken)
        return self._replace(names=names, quantiles=self.quantiles._replace(names=others, taken=taken))


def load(
    values: Mapping[str, ArrayLike | None],
    *,
    names: Mapping[str, str] | None = None,
    scalars: Collection[str] = (),
    optional: Collection[str] = (),
    own: bool = False,
    rows: bool = False,
) -> dict[str, Any]:
    """Convert arguments to arrays, and check their shapes against the first one's.

    Parameters
    ----------
    values : mapping of role to array
        The first has the shape (n,) or (n, outputs), the others have the same; (n, 1) beside (n,) is one
        column. ``sample_weight`` may be None
        and has the shape (n,).
    names : mapping of role to str, optional
        What the user calls the arguments, where it is not the role.
    scalars : collection of str
        The roles that may be single numbers.
    optional : collection of str
        The roles that may be None.
    own : bool
        Copy what the caller could still change.
    rows : bool
        Leave float32 on other devices as it is. Weights are float64 in any case.
    """
    called = {role: (names or {}).get(role, role) for role in values}
    for role, value in values.items():
        if value is None and role not in ("sample_weight", *optional):
            raise ArgumentError(argument=called[role], rule="be passed", got="None")
    refuse_other_labels({called[role]: value for role, value in values.items()})
    converted = as_rows(**values) if rows else as_arrays(**values)
    if converted.get("sample_weight") is not None:
        converted["sample_weight"] = widened(converted["sample_weight"])
    if own:
        converted = {role: a if a is None else owned(a, values[role]) for role, a in converted.items()}
    arrays = _single_columns(converted)
    given = {role: array for role, array in arrays.items() if array is not None}
    first = next(iter(given.values()))
    for role in given.keys() & scalars:
        if given[role].ndim == 0:
            given[role] = arrays[role] = namespace(given[role]).broadcast_to(given[role], first.shape)
    arguments.row_shapes(given, called)
    return arrays


def _single_columns(arrays: Mapping[str, Array | None]) -> dict[str, Array | None]:
    """Turn columns of shape (n, 1) into (n,) where another argument has that shape."""
    flat = any(a is not None and a.ndim == 1 for role, a in arrays.items() if role != "sample_weight")
    if not flat:
        return dict(arrays)
    return {
        role: a[:, 0] if a is not None and a.ndim > 1 and tuple(a.shape[1:]) == (1,) else a
        for role, a in arrays.items()
    }
