"""``uccurve sketch`` and ``merge``: small files of sketches from data of any size."""

from typing import Annotated

from uccurve.cli import _output_files, _scan_input, _sketch_input, _terminal
from uccurve.cli._options import (
    COLUMNS,
    DEFAULT_COLUMNS,
    DEFAULT_MESSAGES,
    Checkpoint,
    ColumnOptions,
    DataFiles,
    Engine,
    Hive,
    Invalid,
    MessageOptions,
    Output,
    SampleWeight,
    SketchFiles,
    option,
)
from uccurve.cli._sketch_input import SketchInput
from uccurve.cli._sketched_source import file_document
from uccurve.sketch import SketchFile


def sketch(
    files: DataFiles,
    /,
    *,
    output: Output,
    columns: ColumnOptions = DEFAULT_COLUMNS,
    sample_weight: SampleWeight = None,
    by: Annotated[str | None, option("Segments; each is sketched on its own.", COLUMNS, "COL")] = None,
    engine: Engine = "auto",
    checkpoint: Checkpoint = None,
    hive: Hive = False,
    invalid: Invalid = "raise",
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Summarize files of any size in one pass: a small file for score, plot and merge."""
    _output_files.checked_suffix(output, {SketchFile.SUFFIX})
    sketches = _scan_input.scan(
        files,
        columns,
        by=by,
        sample_weight=sample_weight,
        engine=engine,
        checkpoint=checkpoint,
        hive=hive,
        invalid=invalid,
        progress=messages.chatty,
    )
    _write(sketches, files, output, messages)


def merge(
    files: SketchFiles,
    /,
    *,
    output: Output,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Add sketch files, model by model and segment by segment."""
    _output_files.checked_suffix(output, {SketchFile.SUFFIX})
    _write(_sketch_input.merge(files, output), files, output, messages)


def _write(sketches: SketchInput, files: tuple[str, ...], output: str, messages: MessageOptions) -> None:
    with _output_files.writing(output):
        sketches.content.write(output)
    _terminal.written(output, messages, {**file_document(files), **sketches.document()})
