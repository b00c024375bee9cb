"""``uccurve score``: how good the intervals of each model are."""

from collections.abc import Sequence

from uccurve._base.arguments import complement
from uccurve.cli import _score_records, _terminal
from uccurve.cli._loaded_models import load
from uccurve.cli._model_table import ModelRow, columns_of, counted, ranked
from uccurve.cli._options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    AllScores,
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
from uccurve.cli._target_coverage import coverage_in_words, given_rate
from uccurve.comparison import choose_miss_rate


def score(
    files: Files,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    vary: Vary = "scale",
    coverage: Coverage = None,
    miss_rate: MissRate = None,
    all_: AllScores = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Score the intervals of each model; quick, without tests."""
    rate = given_rate(coverage, miss_rate)
    sketches = sketched(files, data, messages, vary=vary, by=by)
    notes: tuple[str, ...]
    if sketches is None:
        loaded = load(files[0], data, by, vary)
        rate = choose_miss_rate(loaded.models) if rate is None else rate
        records, notes = _score_records.of_rows(loaded, vary, rate), loaded.notes
    else:
        rate = choose_miss_rate(sketches.content.whole()) if rate is None else rate
        records, notes = _score_records.of_sketches(sketches.content, rate), (*sketches.notes, EXACT)
    if messages.json:
        target = {"coverage": complement(rate), "miss_rate": rate}
        _terminal.document(
            {**file_document(files), "vary": vary, "target": target, "scores": records, "notes": notes}
        )
        return
    rows = _score_records.model_rows(records, vary)
    title = (
        f"Scores of {shown(files)}{_row_count(rows)}, best interval score at {coverage_in_words(rate)} first"
    )
    keys = 1 if rows[0].segment is None else 2
    columns = columns_of(ranked(rows), vary=vary, rate=rate)
    _terminal.fitted_table(columns, keys, title)
    if "bounds" in columns:
        _terminal.paragraph("The bandwidth of limits is the mean distance from the prediction to the limit.")
    if all_:
        _terminal.line("")
        _terminal.table("All numbers", _score_records.readable(records, vary, rate), keys)
    _terminal.notes(notes, messages)


def _row_count(rows: Sequence[ModelRow]) -> str:
    """Say how many rows there are, where it is one number; else the table does."""
    return "" if counted(rows) else f" ({rows[0].rows} rows)"
