"""``uccurve score``: how good the intervals of each model are."""

from uccurve.cli import _score_records, _terminal
from uccurve.cli._loaded_models import load
from uccurve.cli._options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    By,
    DataOptions,
    Files,
    MessageOptions,
    MissRate,
    Vary,
)
from uccurve.cli._scan_input import shown
from uccurve.cli._sketched_source import EXACT, file_document, sketched


def score(
    files: Files,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    vary: Vary = "scale",
    miss_rate: MissRate = 0.1,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Score the intervals of each model; quick, without tests."""
    sketches = sketched(files, data, messages, vary=vary, by=by)
    notes: tuple[str, ...]
    if sketches is None:
        loaded = load(files[0], data, by)
        records, notes = _score_records.of_rows(loaded, vary, miss_rate), loaded.notes
    else:
        records, notes = _score_records.of_sketches(sketches.content, miss_rate), (*sketches.notes, EXACT)
    if messages.json:
        _terminal.document({**file_document(files), "vary": vary, "scores": records, "notes": notes})
        return
    _terminal.notes(notes, messages)
    columns = _score_records.readable(records, vary, miss_rate)
    _terminal.table(f"Scores of {shown(files)}", columns, keys=2 if "segment" in columns else 1)
