"""What the header of a sketch file must be, beyond valid JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def fault_of(header: Any) -> str | None:
    """Say what is wrong with a header; None if it describes sketches."""
    if not (isinstance(header, dict) and {"by", "columns", "sketches"} <= header.keys()):
        return "its header does not describe sketches"
    return next(_faults(header), None)


def _faults(header: dict[str, Any]) -> Iterator[str]:
    by = header["by"]
    several = isinstance(by, list) and len(by) > 1 and len(set(map(repr, by))) == len(by)
    if not (by is None or isinstance(by, str) or (several and all(isinstance(name, str) for name in by))):
        yield f"its columns of segments are {_shown(by)}"
    if not _are_columns(header["columns"]):
        yield "its columns are not named"
    if not isinstance(header["sketches"], list):
        yield "its header does not describe sketches"
    for entry in header["sketches"]:
        if not (
            isinstance(entry, dict) and isinstance(entry.get("model"), str) and _is_count(entry.get("size"))
        ):
            yield "a sketch has no model or no size"
        elif "segment" not in entry:
            yield "a sketch names no segment"
        elif not _is_segment(entry.get("segment"), by):
            yield f"a segment is {_shown(entry.get('segment'))}"
    broken = header.get("broken", [])
    if not (isinstance(broken, list) and all(map(_is_broken_rule, broken))):
        yield "its broken rules are not counted"
    if not isinstance(header.get("source", ""), str):
        yield "its source is no checksum"


def _are_columns(columns: Any) -> bool:
    """Whether each model has names by role."""
    return isinstance(columns, dict) and all(
        isinstance(roles, dict) and all(isinstance(name, str) for name in roles.values())
        for roles in columns.values()
    )


def _is_segment(segment: Any, by: str | list[str] | None) -> bool:
    """Whether there is one label for each column of segments."""
    if isinstance(by, list):
        return isinstance(segment, list) and len(segment) == len(by) and all(map(_is_label, segment))
    return segment is None if by is None else _is_label(segment)


def _is_label(label: Any) -> bool:
    if isinstance(label, dict):
        return label.keys() == {"kind", "text"} and all(isinstance(part, str) for part in label.values())
    return not isinstance(label, list)


def _is_count(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _is_broken_rule(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("model"), str)
        and _is_count(entry.get("rule"))
        and _is_count(entry.get("count"))
        and isinstance(entry.get("example", ""), (str, type(None)))
    )


def _shown(value: Any) -> str:
    """Show the beginning of a value, however deep it is."""
    try:
        return f"{value!r:.60}"
    except RecursionError:
        return "too deep"
