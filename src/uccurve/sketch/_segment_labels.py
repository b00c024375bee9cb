"""Labels of segments: their order, and how JSON holds them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def label_order(label: Any) -> tuple[Any, ...]:
    """Return a sort key of labels: numbers by size, then the others as text; tuples label by label."""
    if isinstance(label, tuple):
        return tuple(map(label_order, label))
    number = isinstance(label, (int, float)) and label == label  # noqa: PLR0124 - NaN has no place among numbers
    return not number, label if number else str(label)


def segment(labels: Iterable[Any]) -> Any:
    """Return no label as None, one as it is, and several as a tuple."""
    labels = tuple(labels)
    return labels if len(labels) > 1 else labels[0] if labels else None


def to_json(label: Any) -> Any:
    """Return a label as JSON knows it; dates and times say what they are."""
    if isinstance(label, tuple):
        return [to_json(part) for part in label]
    if label is None or isinstance(label, (str, int, float)):
        return label
    text = label.isoformat() if hasattr(label, "isoformat") else str(label)
    return {"kind": type(label).__name__, "text": text}


def from_json(label: Any) -> Any:
    """Return a label that `to_json` wrote."""
    if isinstance(label, list):
        return tuple(map(from_json, label))
    if not isinstance(label, dict):
        return label
    parse = {"date": dt.date.fromisoformat, "datetime": dt.datetime.fromisoformat}.get(label["kind"], str)
    return parse(label["text"])
