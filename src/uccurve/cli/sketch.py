"""``uccurve sketch`` and ``merge``: small files of sketches from data of any size."""

from uccurve import io
from uccurve.cli import console, inputs
from uccurve.cli.options import (
    DEFAULT_MESSAGES,
    Checkpoint,
    ColumnOptions,
    DataFiles,
    DataOptions,
    Invalid,
    MessageOptions,
    Output,
    ReadingOptions,
    SketchBy,
    SketchFiles,
)
from uccurve.sketch import SketchFile

_COLUMNS = ColumnOptions()


def sketch(
    files: DataFiles,
    /,
    *,
    output: Output,
    columns: ColumnOptions = _COLUMNS,
    by: SketchBy = None,
    checkpoint: Checkpoint = None,
    invalid: Invalid = "raise",
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Summarize files of any size in one small file for score, plot and merge.

    A sketch keeps what the curve needs, whatever the number of rows. uccurve merge adds the sketches of
    parts. Columns are detected in the first file.

    Examples
    --------
      uccurve sketch parts -o all.ucc
      uccurve sketch 'parts/*.parquet' -o regions.ucc --by region --checkpoint done
      uccurve sketch f.csv f.parquet -o both.ucc --invalid drop
    """
    io.check_output(output, [SketchFile.SUFFIX])
    data = DataOptions(columns=columns, reading=ReadingOptions(invalid=invalid), checkpoint=checkpoint)
    _write(inputs.scan_files(files, data, messages, by=by), files, output, messages)


def merge(files: SketchFiles, /, *, output: Output, messages: MessageOptions = DEFAULT_MESSAGES) -> None:
    """Add sketch files, model by model and segment by segment.

    A note names models that only some of the files have. The output may be one of the files.

    Examples
    --------
      uccurve merge monday.ucc tuesday.ucc -o week.ucc
      uccurve merge '*day.ucc' -o week.ucc
    """
    io.check_output(output, [SketchFile.SUFFIX])
    _write(inputs.read_sketches(files), files, output, messages)


def _write(sketches: inputs.Sketches, files: tuple[str, ...], output: str, messages: MessageOptions) -> None:
    content = sketches.content
    with io.writing(output):
        content.write(output)
    rows = {name: one.rows for name, one in content.whole().items()}
    about = {"models": content.models, "rows": rows, "segments": content.segments, "notes": sketches.notes}
    console.finish(output, messages, {**inputs.describe_files(files), **about})
