"""Blocks: rows that depend on each other are resampled together."""

from __future__ import annotations

import json

import polars as pl
from command_runs import batch, forecasts

FRAME = (
    forecasts()
    .select("y", "AutoARIMA", "^AutoARIMA-.*-90$")
    .with_columns(
        pl.Series("series", [f"s{row % 6}" for row in range(240)]),
        pl.Series("cut, off", [f"2024-0{1 + row // 60}-01" for row in range(240)]),
    )
)
BASE = ["compare", "f.csv", "--n-resamples", "49", "--json"]


def test_rows_that_agree_in_all_columns_are_a_block(tmp_path):
    """As one column of both labels would say; a number of rows stands alone."""
    both = FRAME.with_columns(both=pl.concat_str(["series", "cut, off"], separator=" "))
    both.write_csv(tmp_path / "f.csv")
    commands = [
        [*BASE, "--blocks", "series", "--blocks", "cut, off"],
        [*BASE, "--blocks", "both"],
        [*BASE, "--blocks", "series"],
        [*BASE, "--blocks", "24", "--blocks", "series"],
        [*BASE, "--blocks", "240"],
        [*BASE, "--blocks", "Serie"],
    ]
    *done, number, all_rows, unknown = batch(commands, tmp_path)
    two, one, series = (json.loads(out) for _, out, _ in done)
    assert two["scores"] == one["scores"] != series["scores"]
    assert (two["warnings"], len(series["warnings"])) == ([], 1)
    assert (number[0], all_rows[0], unknown[0]) == (2, 2, 1)
    assert "--blocks 24 is a number of rows: pass it alone" in number[2]
    assert "--blocks must leave at least two units to draw from, got 1" in all_rows[2]
    assert unknown[2].endswith("Did you mean 'series'?\n")
