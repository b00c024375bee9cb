"""Addresses are not fetched, and words of a command may come in any order."""

from __future__ import annotations

import json

import pytest
from command_runs import batch

import uccurve as uc
from errors import raises
from uccurve.exceptions import ArgumentError

ROWS = "y,lower,upper\n1,0,2\n3,0,2\n"
READ = ": is an address, and only local files are read: copy it first"


def test_addresses_are_refused_with_the_way_to_go(tmp_path):
    """For every command that reads or writes, in one line; nothing is fetched."""
    (tmp_path / "f.csv").write_text(ROWS)
    cases = {
        ("score", "s3://b/x.parquet"): f"{READ} (aws s3 cp s3://b/x.parquet .), or scan it in Python with "
        "uc.scan(pl.scan_parquet('s3://b/x.parquet'), …).",
        (
            "compare",
            "https://b/$(x).csv?a=1",
        ): f"{READ} (curl -O 'https://b/$(x).csv?a=1'), or scan it in Python with uc.scan(pl.scan_csv(",
        ("merge", "S3://b/x.ucc", "-o", "x.ucc"): f"{READ} (aws s3 cp S3://b/x.ucc .).",
        ("calibrate", "f.csv", "-o", "s3://b/x.csv"): "is an address, and only local files are written",
        ("score", "file:///x/f.csv"): "write the path without file://",
    }
    for message, (code, out, told) in zip(
        cases.values(), batch(list(map(list, cases)), tmp_path), strict=True
    ):
        assert (code, out, told.count("\n")) == (3, "", 1), told
        assert message in told
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]


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
        ["score", "h", "--hive", "h", "--json", "--by", "region"],
        ["score", "--hive", "--json", "h"],
        ["score", "--json", "h", "--engine", "auto", "--", "-b.csv"],
        ["sketch", "--hive", "h", "--by", "region", "-o", "h.ucc"],
        ["score", "--json", "h.ucc", "--by", "region"],
    ]
    whole, first, both, written, sketched = batch(commands, tmp_path)
    assert [code for code, *_ in (whole, first, both, written, sketched)] == [0] * 5
    counts = [json.loads(out)["scores"][0]["n"] for _, out, _ in (whole, first, both)]
    assert counts == [4, 4, 6]
    for _, out, _ in (whole, sketched):
        assert [record["segment"] for record in json.loads(out)["scores"]] == [None, "north", "south"]
