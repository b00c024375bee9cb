"""Numbers in JSON lines that JSON does not know: scans and rows in memory read them alike."""

from __future__ import annotations

import json
import math

import pandas as pd
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import agree
from uccurve.exceptions import DroppedRowsWarning, NonFiniteError, UccurveError, UnreadableFilesError

MODELS = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "1e999": math.inf, "null": math.nan}


def lines(path, word, **more):
    """Write three rows, the second of them with this word for an observation."""
    rows = [json.dumps({"y": y, "p": 0, "s": 1.5, "place": "a", **more}) for y in (1.0, "WORD", 2)]
    path.write_text("\n".join(rows).replace('"WORD"', word) + "\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
def test_a_number_that_is_not_finite_breaks_the_rule_for_rows(tmp_path, word):
    """Python writes NaN and Infinity: the row is refused by its rule, or dropped, as in memory."""
    path = lines(tmp_path / "f.jsonl", word)
    frame = pd.DataFrame({"y": [1.0, WORDS[word], 2.0], "p": [0.0] * 3, "s": [1.5] * 3})
    with pytest.raises(NonFiniteError):
        uc.Intervals.from_frame(frame, y_true="y", y_pred="p", std="s")
    with raises(NonFiniteError, "y_true", count=1):
        uc.scan(path, MODELS)
    with pytest.warns(DroppedRowsWarning):
        found = uc.scan(path, MODELS, by="place", invalid="drop")
    with pytest.warns(DroppedRowsWarning):
        wanted = uc.Intervals.from_frame(frame, y_true="y", y_pred="p", std="s", invalid="drop").sketch()
    agree(found["m", "a"], wanted)


def test_other_columns_keep_their_kinds_beside_nan(tmp_path):
    """Labels that are whole numbers, flags, text and lists, in columns that are used or not."""
    path = lines(
        tmp_path / "f.jsonl", "3.0", unused=math.nan, week=7, flag=True, name='NaN"inf', nested=[math.inf]
    )
    assert uc.scan(path, MODELS)["m"].rows == 3
    assert list(uc.scan(path, MODELS, by=["week", "name"])) == [("m", 7, 'NaN"inf')]
    kinds = []
    for column in ("flag", "name", "nested"):
        with pytest.raises(UccurveError) as caught:
            uc.scan(path, {"m": uc.Columns(y_true=column, y_pred="p", std="s")})
        kinds.append(type(caught.value).__name__)
    assert kinds == ["NotNumericError"] * 3


@pytest.mark.parametrize(
    "text",
    ['{"y": nan, "p": 0, "s": 1}\n', "[NaN]\n"],
)
def test_what_is_no_json_all_the_same_is_an_unreadable_file(tmp_path, text):
    """The file is named."""
    path = tmp_path / "f.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableFilesError, match=r"f\.jsonl"):
        uc.scan(path, MODELS)
