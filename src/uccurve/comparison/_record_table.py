"""Records of one kind: a sequence that is also a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from uccurve._base import frames
from uccurve._base.text import format_table
from uccurve.comparison import _readable_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Record = TypeVar("Record")


class RecordTable(Sequence[Record], Generic[Record]):
    """Records in a fixed order, by their place or as a frame; it cannot be changed.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_crossing
    >>> scores = uc.compare(make_crossing().models, n_resamples=99, rng=0).scores
    >>> len(scores), scores[0].model
    (3, 'sharp')
    >>> scores.to_frame("pandas").shape
    (3, 32)
    """

    __slots__ = ("_left_out", "_library", "_names", "_not_printed", "_point", "_records", "_title")

    def __init__(
        self,
        records: Iterable[Record],
        title: str,
        *,
        names: Mapping[str, str] | None = None,
        left_out: Iterable[str] = (),
        not_printed: Iterable[str] = (),
        library: str | None = None,
        point: str = "the point",
    ) -> None:
        self._records = tuple(records)
        self._title = title
        self._names = dict(names or {})
        self._left_out = frozenset(left_out)
        self._not_printed = frozenset(not_printed)
        self._library = library
        self._point = point

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...

    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        return self._records[place]

    def __len__(self) -> int:
        return len(self._records)

    def columns(self) -> dict[str, list[Any]]:
        """Return the table as a dict of columns; records inside records are laid out beside each other."""
        found: dict[str, list[Any]] = {}
        for record in self._records:
            for name, value in _flat(record):
                if name not in self._left_out:
                    found.setdefault(self._names.get(name, name), []).append(value)
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table as a frame, one row per record.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the rows came from, else one that is installed, in this
            order, else a dict of arrays.
        """
        columns = {name: np.asarray(values) for name, values in self.columns().items()}
        return frames.table(columns, backend or self._library)

    def _readable(self) -> dict[str, list[str]]:
        columns = self.columns().items()
        printed = {name: values for name, values in columns if name not in self._not_printed}
        return _readable_tables.readable(printed, self._point)

    def __repr__(self) -> str:
        return format_table(self._title, self._readable())

    def _repr_html_(self) -> str:
        return _readable_tables.as_html(self._title, self._readable())


def _flat(record: Any) -> Iterable[tuple[str, Any]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if hasattr(value, "__dataclass_fields__"):
            yield from _flat(value)
        else:
            yield field.name, value
