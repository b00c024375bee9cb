"""``uccurve score``: how good the intervals of each model are."""

from uccurve._base.arguments import complement
from uccurve.cli import _score_records, _terminal
from uccurve.cli._loaded_models import load
from uccurve.cli._options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    By,
    Coverage,
    DataOptions,
    Files,
    MessageOptions,
    MissRate,
    Vary,
)
from uccurve.cli._scan_input import shown
from uccurve.cli._sketched_source import EXACT, file_document, sketched
from uccurve.cli._target_coverage import target_rate


def score(
    files: Files,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    vary: Vary = "scale",
    coverage: Coverage = None,
    miss_rate: MissRate = None,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Score the intervals of each model; quick, without tests."""
    rate = target_rate(coverage, miss_rate)
    sketches = sketched(files, data, messages, vary=vary, by=by)
    notes: tuple[str, ...]
    if sketches is None:
        loaded = load(files[0], data, by, vary)
        records, notes = _score_records.of_rows(loaded, vary, rate), loaded.notes
    else:
        records, notes = _score_records.of_sketches(sketches.content, rate), (*sketches.notes, EXACT)
    if messages.json:
        target = {"coverage": complement(rate), "miss_rate": rate}
        _terminal.document(
            {**file_document(files), "vary": vary, "target": target, "scores": records, "notes": notes}
        )
        return
    _terminal.notes(notes, messages)
    columns = _score_records.readable(records, vary, rate)
    _terminal.table(f"Scores of {shown(files)}", columns, keys=2 if "segment" in columns else 1)
    if "bounds" in columns:
        _terminal.line("The bandwidth of limits is the mean distance from the prediction to the limit.")
