"""The columns that a scan uses, under names that no engine takes for anything else, and queries as arrays.

Engines differ in what a name may mean: Polars takes ``^a.*$`` for a pattern, DuckDB takes ``*`` for all
columns and ``A`` for ``a``. Columns are therefore selected by place. Numbers are called ``column0``,
``column1``, … and labels ``group0``, ``group1``, ….
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.frames import is_text
from uccurve.columns import absent_column
from uccurve.exceptions import ArgumentError, NotNumericError
from uccurve.intervals import checks, is_missing
from uccurve.io import refusing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Side
    from uccurve.columns import ColumnChoice
    from uccurve.io import Table


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """The columns of one model, by name.

    Attributes
    ----------
    y_true : str
        Observations.
    y_pred : str | None
        Predictions; the midpoints of the bounds if not given. A one-sided limit needs them.
    lower : str | None
        Lower bounds. Without them, ``upper`` is an upper limit.
    upper : str | None
        Upper bounds. Without them, ``lower`` is a lower limit.
    std : str | None
        Standard deviations, in place of bounds.
    sample_weight : str | None
        Weights, 0 or more.
    nominal : float | None
        The coverage that the bounds claim, such as 0.9. A standard deviation claims 0.6827.

    Raises
    ------
    ArgumentError
        If neither bounds nor ``std`` are passed, or both; if a single bound or ``std`` has no ``y_pred``; or
        if ``nominal`` is not from 0.5 to below 1.

    See Also
    --------
    scan : Takes it.
    Models.from_frame : Columns of rows in memory.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.Columns(y_true="y", y_pred="forecast", lower="low", upper="high").roles()
    {'y_true': 'y', 'y_pred': 'forecast', 'lower': 'low', 'upper': 'high'}
    """

    y_true: str
    y_pred: str | None = None
    lower: str | None = None
    upper: str | None = None
    std: str | None = None
    sample_weight: str | None = None
    nominal: float | None = None

    def __post_init__(self) -> None:
        bounds = (self.lower is not None, self.upper is not None)
        if self.std is not None and (any(bounds) or self.y_pred is None):
            rule = "be passed with `y_pred`, and with neither `lower` nor `upper`"
            raise ArgumentError(argument="std", rule=rule)
        if self.std is None and not any(bounds):
            raise ArgumentError(argument="lower", rule="be passed, or `upper`, or `std` in their place")
        if self.side != "both" and self.y_pred is None:
            missing = "lower" if self.side == "upper" else "upper"
            rule = f"be passed, or `y_pred` beside `{self.side}` for a one-sided limit"
            raise ArgumentError(argument=missing, rule=rule)
        checks.check_nominal(self.nominal, std=self.std is not None)

    @property
    def claim(self) -> float | None:
        """The coverage that the intervals claim, from ``nominal`` or from ``std``."""
        return checks.check_nominal(self.nominal, std=self.std is not None)

    @property
    def symmetric(self) -> bool:
        """Whether bands are symmetric by construction; a one-sided limit has one band."""
        return self.std is not None or self.y_pred is None or self.side != "both"

    @property
    def side(self) -> Side:
        """Where there are bounds."""
        if self.std is not None or (self.lower is not None and self.upper is not None):
            return "both"
        return "lower" if self.upper is None else "upper"

    def roles(self) -> dict[str, str]:
        """Return the given names by role.

        Returns
        -------
        dict of str to str
            Names of columns by role.
        """
        roles = ("y_true", "y_pred", "lower", "upper", "std", "sample_weight")
        names = {role: getattr(self, role) for role in roles}
        return {role: name for role, name in names.items() if name is not None}

    def rename(self, names: Mapping[str, str]) -> Columns:
        """Return the same model with other names of columns.

        Parameters
        ----------
        names : mapping of str to str
            New names by old ones.

        Returns
        -------
        Columns
            The same roles.

        Raises
        ------
        KeyError
            If ``names`` leaves out one of the columns.
        """
        given: dict[str, Any] = {role: names[name] for role, name in self.roles().items()}
        return replace(self, **given)


def list_models(choice: ColumnChoice, nominal: float | None = None) -> dict[str, Columns]:
    """Return the columns of each model; ``nominal`` is the coverage that other bounds claim."""
    return {
        one.name: Columns(
            **choice.shared, **one.arguments, nominal=None if one.std else one.nominal or nominal
        )
        for one in choice.models
    }


def select_columns(table: Table, models: Sequence[Columns], by: Sequence[str]) -> tuple[Any, list[Columns]]:
    """Select the columns of models as float64 and those of labels; return the models with their new names."""
    import narwhals as nw  # noqa: PLC0415

    kinds = table.frame.collect_schema()
    roles = {name: role for columns in models for role, name in columns.roles().items()}
    for name, role in [*roles.items(), *((name, "by") for name in by)]:
        if name not in kinds:
            raise absent_column(name, list(kinds)).replaced(argument=role)
    for name in by:
        table.check_labels(name)
        if kinds[name] == nw.Object and isinstance(table.frame, nw.DataFrame):
            labels = (label for label in table.column(name).to_list() if not is_missing(label))
            check_kinds(name, {kind_of(label): label for label in labels})
    places = {name: place for place, name in enumerate(kinds)}
    plain = {name: f"column{place}" for place, name in enumerate(roles)}
    groups = {f"group{place}": name for place, name in enumerate(by)}
    rows = _select_places(
        table.measured([*roles]),
        {new: places[name] for name, new in plain.items()}
        | {new: places[name] for new, name in groups.items()},
    )
    # Categories become text: engines lose missing ones.
    categories = [group for group, name in groups.items() if kinds[name] in (nw.Categorical, nw.Enum)]
    rows = rows.with_columns(
        *(_convert_to_floats(rows, column, name) for name, column in plain.items()),
        *(nw.col(group).cast(nw.String) for group in categories),
    )
    if table.name and isinstance(rows, nw.LazyFrame):  # a piece of a file that Polars reads
        with refusing(table.format):
            rows = nw.from_native(rows.to_native().collect(engine="streaming"))
    return rows, [columns.rename(plain) for columns in models]


def kind_of(label: Any) -> str:
    """Name the kind of a label; numbers of all types are of one kind."""
    return type(label).__name__ if isinstance(label, bool) or not isinstance(label, Number) else "number"


def check_kinds(column: str, examples: Mapping[str, Any]) -> None:
    """Refuse labels of several kinds, with examples: True and 1 would be one segment; lists cannot be any."""
    if len(examples) > 1 or not all(isinstance(label, Hashable) for label in examples.values()):
        got = " and ".join(f"{label!r} ({kind})" for kind, label in examples.items())
        rule, hint = "have labels of one kind that can be sorted", "Write them in one way everywhere."
        raise ArgumentError(argument=column, rule=rule, got=got, columns={column: column}, hint=hint)


def _select_places(frame: Any, places: Mapping[str, int]) -> Any:
    """Select columns by place, under other names."""
    import narwhals as nw  # noqa: PLC0415

    if frame.implementation.is_duckdb():  # a name stands for all columns that differ only in case
        cells = ", ".join(f"#{place + 1} AS {name}" for name, place in places.items())
        return nw.from_native(frame.to_native().project(cells))
    return frame.select(*(nw.nth(place).alias(name) for name, place in places.items()))


def _convert_to_floats(rows: Any, column: str, name: str) -> Any:
    """Return a column as the nearest floats, in every engine; ``name`` is what the source calls it."""
    import narwhals as nw  # noqa: PLC0415

    kind = rows.collect_schema()[column]
    if not kind.is_numeric():
        got = "text" if is_text(kind) else kind
        raise NotNumericError(argument=name, rule="contain numbers", got=got, columns={name: name})
    exact = nw.col(column).cast(nw.String) if kind.is_decimal() else nw.col(column)
    return exact.cast(nw.Float64)


def collect_arrays(frame: Any) -> dict[str, np.ndarray]:
    """Run a query, and return its columns as arrays."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, nw.LazyFrame):
        is_polars = frame.implementation is nw.Implementation.POLARS
        frame = frame.collect(engine="streaming") if is_polars else frame.collect()
    return {name: np.asarray(frame.get_column(name).to_numpy()) for name in frame.columns}
