"""Files that are unlike others, and good all the same: first bytes, names, levels without names."""

from __future__ import annotations

import json

from command_runs import FINE, HEAD, good, refused


def test_bytes_that_are_no_text_may_be_names_of_files(tmp_path):
    """As on Linux."""
    (tmp_path / "\udcff.csv").write_text(HEAD + FINE)
    good("calibrate", "\udcff.csv", "-o", "\udcfe.csv", "--coverage", "0.5", "-q", cwd=tmp_path)
    assert (tmp_path / "\udcfe.csv").read_text().startswith(HEAD)


def test_scans_say_that_models_have_other_rows(tmp_path):
    """They rank them all the same; `compare` refuses."""
    (tmp_path / "f.csv").write_text(
        HEAD.replace("\n", ",model\n") + FINE.replace("\n", ",a\n") + "1,1,0,2,b\n"
    )
    notes = json.loads(good("score", "f.csv", "--scan", "--json", cwd=tmp_path))["notes"]
    assert "models have 1 to 5 rows: scores on different rows do not compare." in notes


def test_a_level_chooses_or_claims(folder, tmp_path):
    """Where no name of a column tells it, it is what the bounds claim, and what calibration aims at."""
    (tmp_path / "f.csv").write_text("y,lo,hi\n" + "".join(f"{i % 7},1,5\n" for i in range(40)))
    (tmp_path / "n.csv").write_bytes((folder / "f.csv").read_bytes())
    arima = ["--lower", "AutoARIMA-lo-80", "--upper", "AutoARIMA-hi-80", "--y-pred", "AutoARIMA"]
    for words in (("f.csv", "--nominal", "80%"), ("n.csv", *arima, "--level", "80")):
        found = json.loads(good("score", *words, "--json", cwd=tmp_path))
        assert [(score["nominal"], found["target"]["coverage"]) for score in found["scores"]] == [(0.8, 0.8)]
    assert "must be 0.8" in refused("score", "n.csv", *arima, "--level", "90", cwd=tmp_path, code=2)
    assert "has no level 70" in refused("score", "n.csv", "--level", "70", cwd=tmp_path, code=1)
    found = json.loads(good("calibrate", "f.csv", "-o", "g.csv", "--nominal", "80%", "--json", cwd=tmp_path))
    assert found["models"][0]["coverage"] == 0.8
