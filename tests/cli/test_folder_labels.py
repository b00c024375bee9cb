"""Labels in names of folders, on the command line: only where ``--hive`` asks for them."""

from __future__ import annotations

import json

import pytest
from command_runs import batch

from uccurve.sketch import SketchFile

ROWS = "y,lower,upper\n1,0,2\n3,0,2\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two regions, each in a folder of its own."""
    path = tmp_path_factory.mktemp("hive")
    for region in ("north", "so%20uth"):
        (path / "data" / f"region={region}").mkdir(parents=True)
        (path / "data" / f"region={region}" / "f.csv").write_text(ROWS)
    return path


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_folders_are_labels_only_where_asked_for(folder, engine):
    """The same segments from both engines, in scores and in sketches; an error names the columns without it."""
    by = ["--by", "region", "--engine", engine]
    scored, written, refused, clash, plain = batch(
        [
            ["score", "data", "--hive", "--json", *by],
            ["sketch", "data", "--hive", "-o", f"{engine}.ucc", "--checkpoint", f"kept-{engine}", *by],
            ["score", "data", *by],
            ["score", "data", "--hive", "--engine", engine, "--y-true", "region"],
            ["score", "data", "--engine", engine, "--json"],
        ],
        folder,
    )
    assert scored[0] == 0, scored
    records = json.loads(scored[1])["scores"]
    assert [(record.get("segment"), record["n"]) for record in records if record.get("segment") != "all"][
        -2:
    ] == [
        ("north", 2),
        ("so uth", 2),
    ]
    assert written[0] == 0, written
    assert [label for _, label in SketchFile.read(folder / f"{engine}.ucc").sketches] == ["north", "so uth"]
    assert refused[0] == 1
    assert "region" in refused[2]
    assert clash[0] == 1
    assert plain[0] == 0
    assert json.loads(plain[1])["scores"][0]["n"] == 4
