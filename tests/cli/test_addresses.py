"""Addresses are not fetched, and words of a command may come in any order."""

from __future__ import annotations

import json

from command_runs import good, refused

ROWS = "y,lower,upper\n1,0,2\n3,0,2\n"


def test_addresses_of_unknown_stores_are_refused_with_the_way_to_go(tmp_path):
    """For every command that reads or writes, in one line."""
    (tmp_path / "f.csv").write_text(ROWS)
    assert "nowhere://b" in refused("score", "nowhere://b/x.csv", cwd=tmp_path, code=3)
    for words in (
        ("sketch", "s3://b/x.parquet", "-o", "x.ucc"),
        ("calibrate", "f.csv", "-o", "s3://b/x.csv"),
    ):
        assert "s3://b/x" in refused(*words, cwd=tmp_path, code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]
    assert "Scores of file://" in good("score", (tmp_path / "f.csv").as_uri(), cwd=tmp_path)


def test_files_may_follow_options(tmp_path):
    """A flag takes no value, whatever comes after it; what follows -- is a file."""
    (tmp_path / "h").mkdir()
    for name in ("f.csv", "g.csv"):
        (tmp_path / "h" / name).write_text(ROWS)
    (tmp_path / "-b.csv").write_text(ROWS)
    commands = [
        ["score", "h", "--scan", "--json"],
        ["score", "--scan", "--json", "h"],
        ["score", "--json", "--scan", "--", "h", "-b.csv"],
    ]
    found = [json.loads(good(*command, cwd=tmp_path))["scores"] for command in commands]
    assert [scores[0]["n"] for scores in found] == [4, 4, 6]
