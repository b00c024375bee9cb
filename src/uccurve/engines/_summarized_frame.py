"""One frame of any engine: checked and summarized, with an example of each broken rule."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve.engines import _expression
from uccurve.engines._assemble import Part, assemble, joined
from uccurve.engines._expression import Layout
from uccurve.engines._plain_columns import PlainColumns, plain_columns
from uccurve.engines._query_result import columns_of
from uccurve.engines._source_table import SourceTable
from uccurve.exceptions import ArgumentError, NotNumericError
from uccurve.intervals import is_missing, rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve.engines._model_columns import Columns

_SLICE = 1 << 20
"""Rows of an eager frame that are summarized at once, to limit the memory of intermediate columns."""


def is_frame(source: object) -> bool:
    """Whether narwhals knows the object as a frame, lazy or eager."""
    import narwhals as nw  # noqa: PLC0415

    try:
        wrapped = nw.from_native(_as_table(source), pass_through=True)
    except nw.exceptions.DuplicateError:
        return True  # a frame, whose names are refused later
    return isinstance(wrapped, (nw.DataFrame, nw.LazyFrame))


def summarized(source: Any, models: Sequence[Columns], by: Sequence[str]) -> Part:
    """Summarize a frame with one query, or slice by slice if it is in memory already."""
    import narwhals as nw  # noqa: PLC0415

    table = source if isinstance(source, SourceTable) else SourceTable(frame=_as_table(source))
    try:
        selected = plain_columns(nw, table, models, by)
    except NotNumericError:  # a frame without rows may have no types either
        if any(column.size for column in columns_of(nw.from_native(table.frame).head(1)).values()):
            raise
        return Part()
    rows = _Rows(selected, models, by, table.is_text)
    if isinstance(selected.frame, nw.LazyFrame):
        return rows.summarized(selected.frame)
    count = len(selected.frame)
    return joined(
        rows.summarized(selected.frame[begin : begin + _SLICE]) for begin in range(0, max(count, 1), _SLICE)
    )


def _as_table(source: Any) -> Any:
    """Wrap a record batch of PyArrow, which narwhals does not know."""
    kind = type(source)
    if kind.__name__ == "RecordBatch" and kind.__module__.partition(".")[0] == "pyarrow":
        return sys.modules["pyarrow"].Table.from_batches([source])
    return source


class _Rows(NamedTuple):
    """Columns under plain names, and the names that they have in the source."""

    selected: PlainColumns
    models: Sequence[Columns]
    by: Sequence[str]
    is_text: bool

    def summarized(self, frame: Any) -> Part:
        """Summarize the rows of a frame by one query of its engine."""
        _, models, by = self.selected
        with np.errstate(over="ignore", invalid="ignore"):  # of rows that break rules
            result = columns_of(_expression.summarize(frame, models, by))
        self._check_labels(result)
        sides = [model.side for model in models]
        part = assemble(result, _expression.group_names(by), Layout.of(models), sides)
        for model, rule in part.broken:
            names = self.models[model].roles()
            part.examples[model, rule] = _example(frame, self.selected.models[model], names, rule)
        return part

    def _check_labels(self, columns: Mapping[str, np.ndarray]) -> None:
        for name, group in zip(self.by, _expression.group_names(self.by), strict=True):
            if _missing(columns[group], is_text=self.is_text):
                raise ArgumentError(
                    argument=name, rule="not be missing where it labels segments", columns={name: name}
                )


def _missing(labels: np.ndarray, *, is_text: bool) -> bool:
    """Whether a label is missing, or blank in a file of text."""
    values = labels.tolist()
    blank = is_text and any(isinstance(label, str) and not label.strip() for label in values)
    return blank or any(map(is_missing, values))


def _example(frame: Any, columns: Columns, names: Mapping[str, str], rule: int) -> str:
    """Show the values of one row that breaks a rule, under the names of the source."""
    import narwhals as nw  # noqa: PLC0415

    rows = frame.select(*_expression.given(nw, columns))
    rows = (
        rows.with_columns(rules.first_broken_expression(nw, names).alias("rule"))
        .filter(nw.col("rule") == rule)
        .head(1)
    )
    values = columns_of(rows)
    return ", ".join(f"{names[role]}={_number(values[role][0])}" for role in rules.ROW_RULES[rule].roles)


def _number(value: Any) -> str:
    return "missing" if value is None else f"{float(value):.12g}"
