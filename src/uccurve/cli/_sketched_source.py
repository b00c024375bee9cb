"""Where commands take sketches instead of rows: sketch files, or a scan of data files."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from uccurve.cli import _scan_input, _sketch_input
from uccurve.cli._errors import UsageError
from uccurve.cli._options import DEFAULT_COLUMNS, DEFAULT_READING
from uccurve.cli._sketch_input import is_sketch
from uccurve.columns import list_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.cli._options import DataOptions, MessageOptions
    from uccurve.cli._sketch_input import SketchInput

EXACT = (
    "these numbers come from a sketch: all are exact but the factor and the half-width at the target, which "
    "are at most 0.4% too large."
)


def sketched(
    files: Sequence[str],
    data: DataOptions,
    messages: MessageOptions,
    *,
    vary: str,
    by: str | None = None,
) -> SketchInput | None:
    """Return the sketches of sketch files, or of a scan if options ask for one; None for rows in memory."""
    sketch_files = [name for name in files if is_sketch(name)]
    scanning = data.scanning
    scans = scanning.engine is not None or scanning.checkpoint is not None or scanning.hive
    if (sketch_files or scans) and vary != "scale":
        kept = "the widest pair of bounds" if vary == "level" else "what --vary scale needs"
        raise UsageError(
            f"--vary {vary} needs the rows, but {'a sketch' if sketch_files else 'a scan'} keeps only "
            f"{kept}: give one data file, without --engine."
        )
    if sketch_files:
        other = next((name for name in files if name not in sketch_files), None)
        if other is not None:
            raise UsageError(f"{other} is no sketch file, but {sketch_files[0]} is: give files of one kind.")
        _refuse_data_options(sketch_files[0], data)
        return _sketch_input.read(files, by)
    if scans:
        _refuse_text_options(data)
        return _scan_input.scan(
            files,
            data.columns,
            by=by,
            sample_weight=data.sample_weight,
            engine=scanning.engine or "auto",
            checkpoint=scanning.checkpoint,
            hive=scanning.hive,
            invalid=data.reading.invalid,
            progress=messages.chatty,
        )
    if len(files) > 1:
        raise UsageError(f"{len(files)} files at once need --engine auto: {list_names(files, 3)}.")
    return None


def refuse_row_options(blocks: Sequence[str], against: Sequence[str] | None) -> None:
    """Refuse options that need rows where there are none."""
    for option, value in (("blocks", blocks), ("against", against)):
        if value:
            raise UsageError(f"--{option} needs the rows, and a sketch has none: give one data file.")


def untested(sketches: SketchInput) -> list[str]:
    """Say what a comparison of sketches lacks."""
    notes = ["these numbers come from sketches, which keep no rows for tests and confidence intervals."]
    if sketches.content.by is not None:
        notes.append("segments are added up here; uccurve score shows each of them.")
    return notes


def file_document(files: Sequence[str]) -> dict[str, Any]:
    """Return the files for a JSON document: one, or a list of several."""
    return {"file": files[0]} if len(files) == 1 else {"files": list(files)}


def _refuse_text_options(data: DataOptions) -> None:
    if data.reading.crossed != DEFAULT_READING.crossed:
        raise UsageError(
            f"--crossed {data.reading.crossed} and --engine exclude each other: swap the bounds in the files."
        )
    for option in ("format", "decimal", "encoding"):
        if getattr(data.reading, option) != getattr(DEFAULT_READING, option):
            raise UsageError(
                f"--{option} and --engine exclude each other: engines tell the format by the name."
            )


def _refuse_data_options(file: str, data: DataOptions) -> None:
    """Refuse options that say how data files are read."""
    given = [
        item.name
        for options, default in (
            (data.columns, DEFAULT_COLUMNS),
            (data.reading, DEFAULT_READING),
            (data.scanning, type(data.scanning)()),
        )
        for item in fields(options)
        if getattr(options, item.name) != getattr(default, item.name)
    ]
    given += [] if data.sample_weight is None else ["sample_weight"]
    if given:
        option = given[0].replace("_", "-")
        raise UsageError(f"{file} is a sketch file, and --{option} is for data files.")
