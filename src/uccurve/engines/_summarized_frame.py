"""One frame of any engine: checked and summarized, with an example of each broken rule."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from uccurve.engines import _expression
from uccurve.engines._assemble import Part, assemble, joined
from uccurve.engines._expression import Layout
from uccurve.exceptions import ArgumentError, MissingColumnError, NotNumericError
from uccurve.intervals._frame_rules import first_broken
from uccurve.intervals._labels import is_missing
from uccurve.intervals._row_rules import ROW_RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from uccurve.engines._model_columns import Columns

_SLICE = 1 << 20
"""Rows of an eager frame that are summarized at once, to limit the memory of intermediate columns."""


def is_frame(source: object) -> bool:
    """Whether narwhals knows the object as a frame, lazy or eager."""
    import narwhals as nw  # noqa: PLC0415

    wrapped = nw.from_native(_as_table(source), pass_through=True)
    return isinstance(wrapped, (nw.DataFrame, nw.LazyFrame))


def summarized(source: Any, models: Sequence[Columns], by: Sequence[str]) -> Part:
    """Summarize a frame with one query, or slice by slice if it is in memory already."""
    import narwhals as nw  # noqa: PLC0415

    frame = nw.from_native(_as_table(source))
    try:
        _check(nw, frame, models, by)
    except NotNumericError:  # a text file with nothing but a header has no numbers
        if any(column.size for column in columns_of(frame.head(1)).values()):
            raise
        return Part()
    if isinstance(frame, nw.LazyFrame):
        return _query(frame, models, by)
    rows = len(frame)
    return joined(
        _query(frame[begin : begin + _SLICE], models, by) for begin in range(0, max(rows, 1), _SLICE)
    )


def _as_table(source: Any) -> Any:
    """Wrap a record batch of PyArrow, which narwhals does not know."""
    kind = type(source)
    if kind.__name__ == "RecordBatch" and kind.__module__.partition(".")[0] == "pyarrow":
        return sys.modules["pyarrow"].Table.from_batches([source])
    return source


def _check(nw: Any, frame: Any, models: Sequence[Columns], by: Sequence[str]) -> None:
    """Refuse columns that are missing or not numeric."""
    schema = frame.collect_schema()
    of_models = [(name, role) for columns in models for role, name in columns.roles().items()]
    for name, role in [*of_models, *((name, "by") for name in by)]:
        if name not in schema:
            present = ", ".join(repr(column) for column in schema.names()[:20])
            raise MissingColumnError(f"`{role}` names the column {name!r}; the frame has {present}.")
        pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
        if pattern and frame.implementation is nw.Implementation.POLARS:
            raise ArgumentError(f"the column {name!r} must be renamed: Polars takes its name for a pattern.")
        if role != "by" and not schema[name].is_numeric():
            raise NotNumericError(f"the column {name!r} must be numeric, got {schema[name]}.")


def _query(frame: Any, models: Sequence[Columns], by: Sequence[str]) -> Part:
    result = columns_of(_expression.summarize(frame, models, by))
    missing = [name for place, name in enumerate(by) if _missing(result[f"group{place}"])]
    if missing:
        raise ArgumentError(f"the column {missing[0]!r} must not be missing where it labels segments.")
    part = assemble(result, len(by), Layout.of(models))
    for model, rule in part.broken:
        part.examples[model, rule] = _example(frame, models[model], rule)
    return part


def columns_of(frame: Any) -> dict[str, np.ndarray]:
    """Run a query, and return its columns as arrays."""
    import narwhals as nw  # noqa: PLC0415

    if isinstance(frame, nw.LazyFrame):
        streaming: dict[str, Any] = {}
        if frame.implementation is nw.Implementation.POLARS:
            streaming["engine"] = "streaming"
        frame = frame.collect(**streaming)
    return {name: frame.get_column(name).to_numpy() for name in frame.columns}


def _missing(labels: np.ndarray) -> bool:
    return any(is_missing(label) for label in labels.tolist())


def _example(frame: Any, columns: Columns, rule: int) -> str:
    """Show the values of one row that breaks a rule."""
    import narwhals as nw  # noqa: PLC0415

    rows = frame.select(*_expression.given(nw, columns))
    names = columns.roles()
    rows = rows.with_columns(first_broken(nw, names).alias("rule")).filter(nw.col("rule") == rule).head(1)
    values = columns_of(rows)
    return ", ".join(f"{names[role]}={_number(values[role][0])}" for role in ROW_RULES[rule].roles)


def _number(value: Any) -> str:
    return "missing" if value is None else f"{float(value):.12g}"
