"""Blocks of several columns: rows that agree in all of them are resampled together."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
from command_runs import batch, forecasts

FRAME = (
    forecasts()
    .select("y", "AutoARIMA", "^AutoARIMA-.*-90$")
    .with_columns(
        pl.Series("series", [f"s{row % 6}" for row in range(240)]),
        pl.Series("cut, off", [f"2024-0{1 + row // 60}-01" for row in range(240)]),
        pl.Series('"; DROP TABLE x', np.arange(240) // 40),
    )
)
BASE = ["compare", "f.csv", "--n-resamples", "49", "--json"]


def test_rows_that_agree_in_all_columns_are_a_block(tmp_path):
    """As one column of both labels would say."""
    both = FRAME.with_columns(both=pl.concat_str(["series", "cut, off"], separator=" "))
    both.write_csv(tmp_path / "f.csv")
    commands = [
        [*BASE, "--blocks", "series", "--blocks", "cut, off"],
        [*BASE, "--blocks", "cut, off", "--blocks", "series"],
        [*BASE, "--blocks", "both"],
        [*BASE, "--blocks", "series"],
        [*BASE, "--blocks", "series", "--blocks", '"; DROP TABLE x'],
    ]
    two, reversed_, one, series, odd = (json.loads(out) for _, out, _ in batch(commands, tmp_path))
    widths = [found["scores"] for found in (two, reversed_, one, series, odd)]
    assert widths[0] == widths[2]
    assert sorted(widths[1][0]) == sorted(widths[2][0])
    assert widths[3] != widths[2]
    assert not any("blocks" in note for note in (*two["warnings"], *odd["warnings"]))
    assert any(note.startswith("only 6 blocks: ") for note in series["warnings"])


def test_a_number_of_rows_stands_alone(tmp_path):
    """And leaves two blocks or more; an unknown column is named, with the one that may have been meant."""
    FRAME.write_csv(tmp_path / "f.csv")
    number, all_rows, unknown, same = batch(
        [
            [*BASE, "--blocks", "24", "--blocks", "series"],
            [*BASE, "--blocks", "240"],
            [*BASE, "--blocks", "series", "--blocks", "Serie"],
            [*BASE, "--blocks", "series", "--blocks", "series"],
        ],
        tmp_path,
    )
    assert (number[0], all_rows[0], unknown[0], same[0]) == (2, 2, 1, 0)
    assert "--blocks must leave two units or more to draw from, got 1" in all_rows[2]
    assert "--blocks 24 is a number of rows, which stands alone" in number[2]
    assert unknown[2].endswith("Did you mean 'series'?\n")
    assert any("only 6 blocks" in note for note in json.loads(same[1])["warnings"])
