"""``uccurve sketch`` and ``merge``: small files of sketches from data of any size."""

from pathlib import Path

from uccurve import engines, io
from uccurve.cli import console, inputs
from uccurve.cli.options import (
    DEFAULT_MESSAGES,
    By,
    Checkpoint,
    ColumnOptions,
    DataFiles,
    DataOptions,
    Engine,
    Hive,
    Invalid,
    MessageOptions,
    Output,
    ReadingOptions,
    ScanOptions,
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
    by: By = None,
    engine: Engine = "auto",
    checkpoint: Checkpoint = None,
    hive: Hive = False,
    invalid: Invalid = "raise",
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Summarize files of any size in one pass: a small file for score, plot and merge.

    A sketch keeps what the curve needs, whatever the number of rows. Commands such as score and plot read
    it, and sketches of parts add up to the sketch of the whole (uccurve merge). Files are read one by one;
    columns are detected in the first. With --checkpoint an interrupted scan resumes where it stopped.

    Examples
    --------
      uccurve sketch parts -o all.ucc
      uccurve sketch 'parts/*.parquet' -o regions.ucc --by region --checkpoint done
      uccurve sketch f.csv f.parquet -o both.ucc --engine duckdb --invalid drop
    """
    io.check_output(output, [SketchFile.SUFFIX])
    scanning = ScanOptions(engine=engine, checkpoint=checkpoint, hive=hive)
    data = DataOptions(columns=columns, reading=ReadingOptions(invalid=invalid), scanning=scanning)
    _write(inputs.scan_files(files, data, messages, by=by), files, output, messages)


def merge(files: SketchFiles, /, *, output: Output, messages: MessageOptions = DEFAULT_MESSAGES) -> None:
    """Add sketch files, model by model and segment by segment.

    A model or segment that only some of the files have is taken from those, and a note says so. The output
    may be one of the files.

    Examples
    --------
      uccurve merge monday.ucc tuesday.ucc -o week.ucc
      uccurve merge '*day.ucc' -o week.ucc
    """
    io.check_output(output, [SketchFile.SUFFIX])
    sketches = inputs.read_sketches(files)
    paths = engines.list_files(list(files))
    if len(paths) > 1 and Path(output).resolve() in [path.resolve() for path in paths]:
        note = f"{output} was one of the files that were added, and is the sum now."
        sketches = inputs.Sketches(content=sketches.content, notes=(*sketches.notes, note))
    _write(sketches, files, output, messages)


def _write(sketches: inputs.Sketches, files: tuple[str, ...], output: str, messages: MessageOptions) -> None:
    content = sketches.content
    with io.writing(output):
        content.write(output)
    rows = {name: one.rows for name, one in content.whole().items()}
    about = {"models": content.models, "rows": rows, "segments": content.segments, "notes": sketches.notes}
    console.finish(output, messages, {**inputs.describe_files(files), **about})
