"""Addresses are not fetched, and words of a command may come in any order."""

from __future__ import annotations

import json

import pytest
from command_runs import batch

import uccurve as uc
from errors import raises
from uccurve.cli._words import parser_words
from uccurve.engines._remote_addresses import address_scheme
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
            "score",
            "gs://b/x.csv",
            "--engine",
            "auto",
        ): f"{READ} (gcloud storage cp gs://b/x.csv .), or scan it",
        (
            "compare",
            "https://b/$(x).csv?a=1",
        ): f"{READ} (curl -O 'https://b/$(x).csv?a=1'), or scan it in Python with uc.scan(pl.scan_csv(",
        ("sketch", "az://b/*.parquet", "-o", "x.ucc"): f"{READ}, or scan it in Python",
        ("merge", "S3://b/x.ucc", "-o", "x.ucc"): f"{READ} (aws s3 cp S3://b/x.ucc .).",
        ("calibrate", "f.csv", "--calibration", "s3://b/x.csv", "-o", "x.csv"): READ,
        ("calibrate", "f.csv", "-o", "s3://b/x.csv"): "is an address, and only local files are written",
        ("report", "f.csv", "-o", "https://b/x.html"): "is an address, and only local files are written",
        ("score", "file:///x/f.csv"): "write the path without file://",
    }
    for message, (code, out, told) in zip(
        cases.values(), batch(list(map(list, cases)), tmp_path), strict=True
    ):
        assert (code, out, told.count("\n")) == (3, "", 1), told
        assert message in told
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]


def test_a_file_that_is_named_like_an_address_is_read(tmp_path, monkeypatch):
    """Its folder is s3:, as odd as that is."""
    (tmp_path / "s3:" / "b").mkdir(parents=True)
    (tmp_path / "s3:" / "b" / "f.csv").write_text(ROWS)
    ((code, _, told),) = batch([["score", "s3://b/f.csv"]], tmp_path)
    assert code == 0, told
    monkeypatch.chdir(tmp_path)
    assert address_scheme("s3://b/f.csv") is None
    assert address_scheme("c:/f.csv") is None


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


def test_words_keep_their_meaning():
    """Values stay with their options, also those that begin with a hyphen."""
    words = parser_words(["score", "a", "--by", "-x", "b", "--json", "-", "-o", "-", "c", "--", "-d", "-"])
    assert words == ["score", "a", "b", "<stdin>", "c", "--by", "-x", "--json", "-o=-", "--", "-d", "<stdin>"]
    assert (parser_words([]), parser_words(["--help"])) == ([], ["--help"])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_folders_of_several_levels_are_labels(tmp_path, engine):
    """One of them at a time; a label that a file has as a column too is refused."""
    for region, year in (("north", 2023), ("south", 10000)):
        folder = tmp_path / "h" / f"region={region}" / f"year={year}"
        folder.mkdir(parents=True)
        (folder / "f.csv").write_text(ROWS)
    options = ["--hive", "--engine", engine]
    by_year, by_region, unknown = batch(
        [
            ["score", "h", *options, "--by", "year", "--json"],
            ["sketch", "h", *options, "--by", "region", "-o", "h.ucc", "--json"],
            ["score", "h", *options, "--by", "month"],
        ],
        tmp_path,
    )
    assert [record["segment"] for record in json.loads(by_year[1])["scores"]] == [None, 2023, 10000]
    assert json.loads(by_region[1])["segments"] == ["north", "south"]
    assert (unknown[0], "there is no column 'month' among" in unknown[2]) == (1, True)
