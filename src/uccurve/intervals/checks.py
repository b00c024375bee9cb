"""Checks of arguments, once: arrays of one kind and shape, rows that follow the rules, coverages claimed.

What is made of checked rows, such as slices and scaled copies, is not checked again.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import as_arrays, namespace, owned, read_only, widened
from uccurve.exceptions import ArgumentError
from uccurve.intervals.rows import RowArrays, Rows, are_in_range, summarize
from uccurve.intervals.rules import BANDS, BOUNDS, enforce

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Invalid, Side
    from uccurve.exceptions import InvalidRowsError
    from uccurve.intervals.quantiles import NestedPairs

# What one standard deviation to either side claims, if errors have the shape of a Gaussian.
ONE_DEVIATION = 0.6827
# A stated coverage below this looks like a miss rate.
LOWEST_CLAIM = 0.5
# What stands for no bound on a side, if every row has it; bands are infinite.
_NO_BOUND = {"lower": -math.inf, "upper": math.inf}


class NamedColumns(NamedTuple):
    """Columns by role, and what is known about them.

    Attributes
    ----------
    values : dict of role to array
        ``y_true``, ``y_pred``, and either ``lower`` and ``upper``, or ``std``, or ``lower_band`` and
        ``upper_band``. ``y_pred`` may be None beside bounds, and ``upper_band`` may be None. A bound that is
        None, or infinite in every row, makes a one-sided limit of the other one.
    names : dict of role to str
        What to call them in errors, where it is not their role.
    nominal : float or None
        The coverage that they claim.
    hints : dict of error to str
        What to do about rows that break a rule, where it is not what the rule itself says.
    nested : NestedPairs or None
        All pairs of bounds, which are kept beside these.
    quantiles : mapping of str to array, or None
        All quantiles that they come from, by rising level, under their names in errors.
    """

    values: dict[str, Any]
    names: dict[str, str]
    nominal: float | None
    hints: dict[type[InvalidRowsError], str]
    nested: NestedPairs | None = None
    quantiles: Mapping[str, Array] | None = None

    def renamed(self, called: Mapping[str, str]) -> NamedColumns:
        """Call columns by other names in errors."""
        names = {role: called.get(name, name) for role, name in self.names.items()}
        return self._replace(names={**called, **names})


def check_rows(
    columns: NamedColumns,
    sample_weight: ArrayLike | None,
    invalid: Invalid | None = None,
    *,
    side: Side | None = None,
    library: str | None = None,
    own: bool = True,
) -> tuple[Rows, Array | None, str | None, float | None]:
    """Turn the arguments of a constructor into rows that follow the rules.

    Parameters
    ----------
    columns : NamedColumns
        The columns as supplied, or as computed from other arguments.
    sample_weight, invalid
        As in the constructors; without ``invalid``, errors do not say that rows can be dropped.
    side : {"both", "upper", "lower"}, optional
        Where there are bounds, if it is known. A one-sided limit then has one band.
    library : str, optional
        The frame library that the arguments come from, where the columns do not show it.
    own : bool
        Copy arrays that the caller could still change. Not needed to answer at once, or with own arrays.

    Returns
    -------
    tuple
        The fields of `Intervals`: rows, the numbers of the kept ones or None, library, and nominal coverage.
    """
    values, names, nominal, hints, nested, quantiles = columns
    optional = ("y_pred", *BOUNDS) if "lower" in values else BANDS[1:]
    given = {**values, "sample_weight": sample_weight}
    arrays = load(given, names=names, optional=optional, own=own, rows=nested is None)
    if side is None:
        arrays, side = bounded(arrays, names)
    if invalid is not None:
        arguments.option("invalid", invalid, ("raise", "drop"))
    rows = RowArrays.of(arrays, side)
    if nested is not None:
        xp, shape = namespace(rows.y_true), rows.y_true.shape
        rows = rows._replace(nested=nested.map(lambda column: xp.reshape(column, shape)))
    # Every value is looked at quickly, in cache. The rules are consulted only if something is wrong.
    rising = list((quantiles or {}).values())
    in_order = all(bool(namespace(low).all(low <= high)) for low, high in pairwise(rising))
    summary, kept = summarize(rows, arrays.values()) if in_order and are_in_range(rising) else None, None
    if summary is None:
        keep = enforce(arrays, names=names, invalid=invalid, hints=hints, quantiles=quantiles)
        if keep is not None:
            kept = read_only(namespace(keep).nonzero(keep)[0])
            rows = rows.select(kept)
        summary = Rows.of(rows).summary
    return Rows(rows, summary), kept, library or frames.library(*values.values()), nominal


def load(
    values: Mapping[str, ArrayLike | None],
    *,
    names: Mapping[str, str] | None = None,
    optional: Collection[str] = (),
    own: bool = False,
    rows: bool = False,
) -> dict[str, Any]:
    """Convert arguments to arrays, and check their shapes against the first one's.

    Parameters
    ----------
    values : mapping of role to array
        All have the shape (n,) or (n, outputs) of the first array; (n, 1) beside (n,) is one
        column. Bands may be single numbers, and so may infinite bounds. ``sample_weight`` may be None and
        has the shape (n,).
    names : mapping of role to str, optional
        What the user calls the arguments, where it is not the role.
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
    arrays: dict[str, Any] = dict(values)
    given = [value for value in values.values() if value is not None]
    if not all(type(value) is np.ndarray and value.dtype == np.float64 for value in given):
        frames.check_same_index({called[role]: value for role, value in values.items()})
        arrays = as_arrays(keep_single=rows, **values)
        if arrays.get("sample_weight") is not None:
            arrays["sample_weight"] = widened(arrays["sample_weight"])
    columns = {role: array for role, array in arrays.items() if array is not None}
    flat = any(array.ndim == 1 for role, array in columns.items() if role != "sample_weight")
    shape = next((array.shape for array in columns.values() if array.ndim), ())[: 1 if flat else None]
    for role, array in columns.items():
        column = owned(array, values[role]) if own else array
        if (flat or role == "sample_weight") and tuple(column.shape[1:]) == (1,):
            column = column[:, 0]
        elif column.ndim == 0 and (role in BANDS or column == _NO_BOUND.get(role, math.nan)):
            column = namespace(column).broadcast_to(column, shape)
        columns[role] = column
    arguments.row_shapes(columns, called)
    return {**arrays, **columns}


def bounded(arrays: Mapping[str, Any], names: Mapping[str, str] | None = None) -> tuple[dict[str, Any], Side]:
    """Leave out the bounds or bands that no row has, and say which side is left.

    Parameters
    ----------
    arrays : mapping of role to array
        ``lower`` and ``upper``, or ``lower_band`` and ``upper_band``, each None if not given, among others.
    names : mapping of role to str, optional
        What the user calls the arguments, where it is not the role.

    Raises
    ------
    ArgumentError
        If no side has a bound, or if one side has none and there is no prediction.
    """
    sides = BOUNDS if "lower" in arrays else BANDS[1:]
    if sides[0] not in arrays:
        return dict(arrays), "both"
    called = {role: (names or {}).get(role, role) for role in sides}
    given = [role for role in sides if arrays[role] is not None]
    limits = [role for role in given if not is_unlimited(arrays[role], role)]
    if not limits and len(given) < len(sides):
        rule = f"be passed, or `{called[sides[1]]}`, or both"
        raise ArgumentError(argument=called[sides[0]], rule=rule, got="neither")
    if len(limits) != 1:  # the rules refuse two infinite bounds
        return dict(arrays), "both"
    (present,) = limits
    absent = sides[1 - sides.index(present)]
    if arrays["y_pred"] is None:
        raise ArgumentError(
            argument="y_pred",
            rule=f"be passed where `{called[absent]}` is None or infinite in every row",
            hint=f"The width of a one-sided limit is the distance from it to `{called[present]}`.",
        )
    left = {role: array for role, array in arrays.items() if role != absent}
    return left, "lower" if present == sides[0] else "upper"


def is_unlimited(bound: Array, role: str) -> bool:
    """Whether a bound is infinite in every row; most are not in the first."""
    xp, unlimited = namespace(bound), _NO_BOUND.get(role, math.inf)
    return all(bool(xp.all(part == unlimited)) for part in (bound[:1, ...], bound))


def check_nominal(nominal: Any, *, std: bool = False) -> float | None:
    """Check a claim that was given by hand, if there is one: a share, 0.5 or more; ``std`` claims its own."""
    if nominal is None:
        return ONE_DEVIATION if std else None
    if std:
        raise ArgumentError(
            argument="nominal",
            rule=f"not be passed beside `std`, which claims {ONE_DEVIATION}",
            hint="Pass `lower` and `upper` for another claim.",
        )
    return check_claims([arguments.number("nominal", nominal, 0, 1, open_=True)])[0]


def check_claims(nominal: Any, *, name: str = "nominal") -> tuple[float, ...]:
    """Check the coverage, or the coverages, that an output claims.

    Parameters
    ----------
    nominal : float or sequence of float
        Shares such as 0.9. Percentages are refused, and so are claims that all lie below 0.5: they look like
        miss rates.
    name : str
        What the user calls the argument.

    Examples
    --------
    >>> check_claims([0.5, 0.9])
    (0.5, 0.9)
    >>> check_claims(90)
    Traceback (most recent call last):
        ...
    uccurve.exceptions.ArgumentError: `nominal` must satisfy 0 < nominal < 1, got 90. Write 0.9 for 90%.
    """
    several = hasattr(nominal, "__iter__") and getattr(nominal, "ndim", 1) > 0
    given = arguments.sequence(name, nominal) if several else [nominal]
    claims = tuple(arguments.number(name, claim, 0, 1, open_=True) for claim in given)
    if len(set(claims)) < max(1, len(claims)):
        raise ArgumentError(argument=name, rule="be different coverages, at least one", got=repr(nominal))
    if max(claims) < LOWEST_CLAIM:
        passed = ", ".join(f"{claim:g}" for claim in claims)
        likely = ", ".join(f"{arguments.complement(claim):g}" for claim in claims)
        raise ArgumentError(
            argument=name,
            rule=f"be the coverage that the intervals claim, {LOWEST_CLAIM:g} or more",
            got=f"{passed}, which looks like a miss rate",
            hint=f"Did you mean {likely}?",
        )
    return claims
