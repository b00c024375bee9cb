"""Addresses are not fetched, and words of a command may come in any order."""

from __future__ import annotations

import json

import pytest
from command_runs import batch, good

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError

ROWS = "y,lower,upper\n1,0,2\n3,0,2\n"


def test_addresses_of_unknown_stores_are_refused_with_the_way_to_go(tmp_path):
    """For every command that reads or writes, in one line."""
    (tmp_path / "f.csv").write_text(ROWS)
    cases = {
        ("score", "nowhere://b/x.csv"): (3, "nowhere://b/x.csv: this address cannot be opened"),
        ("sketch", "s3://b/x.parquet", "-o", "x.ucc"): (2, "pl.scan_parquet('s3://b/x.parquet')"),
        ("merge", "S3://b/x.ucc", "-o", "x.ucc"): (2, "must be local files"),
        ("calibrate", "f.csv", "-o", "s3://b/x.csv"): (2, "must be a local file"),
    }
    for (code, message), found in zip(cases.values(), batch(list(map(list, cases)), tmp_path), strict=True):
        assert (found[0], found[1], found[2].count("\n")) == (code, "", 1), found
        assert message in found[2]
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]
    assert "Scores of file://" in good("score", (tmp_path / "f.csv").as_uri(), cwd=tmp_path)


@pytest.mark.parametrize("source", ["s3://b/x.csv", ["s3://b/x.parquet"], "https://b/x.ndjson"])
def test_scans_in_python_name_the_way_as_well(source):
    """Polars opens the address as a frame, with its own storage options."""
    columns = {"m": uc.Columns(y_true="y", lower="l", upper="u")}
    with raises(ArgumentError, "source"):
        uc.scan(source, columns)
    with raises(ArgumentError, "source"):
        uc.scan("file:///x.csv", columns)


def test_files_may_follow_options(tmp_path):
    """A flag takes no value, whatever comes after it; what follows -- is a file."""
    for region in ("north", "south"):
        (tmp_path / "h" / f"region={region}").mkdir(parents=True)
        (tmp_path / "h" / f"region={region}" / "f.csv").write_text(ROWS)
    (tmp_path / "-b.csv").write_text(ROWS)
    commands = [
        ["score", "h", "--hive", "--json", "--by", "region"],
        ["score", "--hive", "--json", "h"],
        ["score", "--json", "--engine", "auto", "--", "h", "-b.csv"],
        ["sketch", "--hive", "h", "--by", "region", "-o", "h.ucc"],
        ["score", "--json", "h.ucc", "--by", "region"],
    ]
    whole, first, both, written, sketched = batch(commands, tmp_path)
    assert [code for code, *_ in (whole, first, both, written, sketched)] == [0] * 5
    counts = [json.loads(out)["scores"][0]["n"] for _, out, _ in (whole, first, both)]
    assert counts == [4, 4, 6]
    for _, out, _ in (whole, sketched):
        assert [record["segment"] for record in json.loads(out)["scores"]] == [None, "north", "south"]
