"""Files that are unlike others, and good or bad all the same: first bytes, encodings, long numbers, links."""

from __future__ import annotations

import json

import pytest
from command_runs import FINE, HEAD, batch, good, refused

LONG = "1" + "0" * 400


def _rows(name="x", value="7"):
    return f"{name},{HEAD}" + "".join(f"{value},{line}\n" for line in FINE.splitlines())


@pytest.mark.parametrize("name", ["x^", "PAR1", "PK"])
def test_the_name_of_a_column_tells_no_format(tmp_path, name):
    """Zlib, Parquet and others begin with letters, too."""
    (tmp_path / "f.csv").write_text(_rows(name))
    printed = good("calibrate", "f.csv", "-o", "-", "--miss-rate", 0.5, "-q", cwd=tmp_path)
    assert printed.startswith(f"{name},{HEAD}7,0,0.5")
    assert "Scores of <stdin>" in good("score", "-", cwd=tmp_path, stdin=_rows(name))


def test_json_lines_that_are_read_slowly(tmp_path):
    """Long numbers are too large, halves of letters no text, doubled names refused; pairs and labels stay."""
    line = '{"y": %s, "pred": 1, "lo": 0, "hi": 2, "g": %s}\n'
    half, pair, first, second = r'"\ud800"', r'"\ud83d\ude00"', 2**53, 2**53 + 1
    files = {
        "long.jsonl": line % (1, 1) + line % (LONG, 1),
        "longer.jsonl": line % (1, 1) + line % (LONG * 20, 1),
        "half.jsonl": line % (1, '"a"') + line % (1, half),
        "key.jsonl": line % (1, 1) + (line % (1, 1)).replace('"g"', half),
        "doubled.jsonl": (line % (1, 1)).replace('"g"', '"y"') * 2,
        "pair.jsonl": line % (1, pair) + line % (2, '"a"') + line % (1, pair),
        "labels.jsonl": line % (1, first) + line % ("Infinity", second),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    done = dict(
        zip(files, batch([["score", name, "--by", "g", "--json"] for name in files], tmp_path), strict=True)
    )
    reasons = {
        "long.jsonl": (1, "column 'y' must be finite, but 1 of 2 rows breaks this rule; first at row 2 (line 2): y=inf. Pass --invalid drop to leave such rows out."),
        "longer.jsonl": (1, "column 'y' must be finite, but 1 of 2 rows breaks this rule; first at row 2 (line 2): y=inf. Pass --invalid drop to leave such rows out."),
        "half.jsonl": (3, r"line 2 is not text: it holds half of a character, \ud800."),
        "key.jsonl": (3, r"line 2 is not text: it holds half of a character, \ud800."),
        "doubled.jsonl": (1, "each column must have its own name, but line 1 has several 'y'."),
    }  # fmt: skip
    for name, (code, reason) in reasons.items():
        assert done[name] == [code, "", f"error: {name}: {reason}\n"]
    found = json.loads(done["pair.jsonl"][1])["scores"]
    assert [(score["segment"], score["n"]) for score in found] == [(None, 3), ("a", 1), ("😀", 2)]
    assert done["labels.jsonl"][0] == 1
    (again,) = batch([["score", "labels.jsonl", "--by", "g", "--json", "--invalid", "drop"]], tmp_path)
    assert [score["segment"] for score in json.loads(again[1])["scores"]] == [None, first]


@pytest.mark.parametrize("encoding", ["idna", "rot13"])
def test_codecs_that_are_no_encodings_are_refused(tmp_path, encoding):
    """Python has some that decode what they cannot encode."""
    (tmp_path / "f.csv").write_text(_rows("a" * 99, "ä"))
    line = refused("calibrate", "f.csv", "-o", "g.csv", "--encoding", encoding, cwd=tmp_path, code=2)
    assert line.startswith("--encoding must be an encoding of text, such as utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]


def test_bytes_that_are_no_text_are_names_of_files_only(tmp_path):
    """What is written in UTF-8 cannot hold them; one line says so."""
    (tmp_path / "\udcff.csv").write_text(HEAD + FINE)
    good("calibrate", "\udcff.csv", "-o", "\udcfe.csv", "--coverage", "0.5", "-q", cwd=tmp_path)
    assert (tmp_path / "\udcfe.csv").read_text().startswith(HEAD)
    line = refused("calibrate", "\udcff.csv", "-o", "g.csv", "--suffix", "\udcff", cwd=tmp_path, code=2)
    assert "no text in UTF-8" in line


def test_a_level_chooses_or_claims(folder, tmp_path):
    """Where no name of a column tells it, it is what the bounds claim; a percentage is one, too."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "n.csv").write_bytes((folder / "f.csv").read_bytes())
    arima = ["--lower", "AutoARIMA-lo-80", "--upper", "AutoARIMA-hi-80", "--y-pred", "AutoARIMA"]
    for words in (("f.csv", "--nominal", "80%"), ("n.csv", *arima, "--level", "80")):
        found = json.loads(good("score", *words, "--json", cwd=tmp_path))
        assert [(score["nominal"], found["target"]["coverage"]) for score in found["scores"]] == [(0.8, 0.8)]
    told = refused("score", "n.csv", *arima, "--level", "90", cwd=tmp_path, code=2)
    assert told == "--nominal must be 0.8, as the names of the bounds tell, got 0.9."
    assert "has no level 70" in refused("score", "n.csv", "--level", "70", cwd=tmp_path, code=1)
    assert "looks like a miss rate. Did you mean 0.8?" in refused(
        "score", "n.csv", "--level", "20", cwd=tmp_path, code=2
    )
