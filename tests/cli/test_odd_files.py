"""Files that are unlike others, and good or bad all the same: first bytes, encodings, long numbers, links."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import polars as pl
import pytest
from command_runs import FINE, HEAD, batch, good, refused

LONG = "1" + "0" * 400


def _rows(name="x", value="7"):
    return f"{name},{HEAD}" + "".join(f"{value},{line}\n" for line in FINE.splitlines())


@pytest.mark.parametrize("name", ["x^", "x^2", "x\x01", "PAR1", "ARROW1", "PK", "BZh91"])
def test_the_name_of_a_column_tells_no_format(tmp_path, name):
    """Zlib, Parquet and others begin with letters, too."""
    (tmp_path / "f.csv").write_text(_rows(name))
    printed = good("calibrate", "f.csv", "-o", "-", "--miss-rate", 0.5, "-q", cwd=tmp_path)
    assert printed.startswith(f"{name},{HEAD}7,0,0.5")
    assert "Scores of <stdin>" in good("score", "-", cwd=tmp_path, stdin=_rows(name))


@pytest.mark.parametrize("end", [b"\r", b"\r\n"])
def test_lines_may_end_as_on_other_systems(tmp_path, end):
    """Excel on a Mac may save lines that end with a carriage return alone."""
    (tmp_path / "f.csv").write_bytes((HEAD + FINE + "7,7,8,6\n").encode().replace(b"\n", end))
    line = refused("score", "f.csv", cwd=tmp_path, code=1)
    assert "first at row 6 (line 7): lo=8, hi=6." in line


@pytest.mark.parametrize("place", [0.767, 0.77, 0.78])
def test_a_damaged_arrow_file_is_one_line(tmp_path, place):
    """Polars prints traces of its own where lengths in the footer are wrong."""
    stream = io.BytesIO()
    numbers = [1.0, 2.0, 3.0]
    pl.DataFrame(dict.fromkeys(("y", "pred", "lo", "hi"), numbers)).write_ipc(stream)
    raw = bytearray(stream.getvalue())
    first = round(place * len(raw))
    for index in range(first, first + 3):
        raw[index] = 0x7F
    (tmp_path / "f.arrow").write_bytes(raw)
    assert refused("score", "f.arrow", cwd=tmp_path, code=3) == "f.arrow: is not a readable Arrow file."


def _zipped(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("f.csv", content)
    return stream.getvalue()


def test_archives_are_named_whole_or_damaged(tmp_path):
    """They are to be unpacked, not to be looked at for an encoding."""
    whole = _zipped((HEAD + FINE) * 9)
    cases = {
        "whole.csv": (whole, "a zip archive"),
        "short.csv": (whole[: len(whole) // 2], "a zip archive"),
        "damaged.zip": (b"PK\x03\x04" + (HEAD + FINE).encode(), "a zip archive"),
        "f.csv.gz": (gzip.compress(HEAD.encode()), "a gzip file"),
    }
    for name, (content, _) in cases.items():
        (tmp_path / name).write_bytes(content)
    for (name, (_, kind)), found in zip(
        cases.items(), batch([["score", name] for name in cases], tmp_path), strict=True
    ):
        assert found == [3, "", f"uccurve: {name}: is not CSV but looks like {kind}: unpack it first.\n"]


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
        "long.jsonl": (1, "column 'y' must be finite, but 1 of 2 rows breaks this rule; first at row 2 (line 2): y=inf. Add --invalid drop to leave such rows out."),
        "longer.jsonl": (1, "column 'y' must be finite, but 1 of 2 rows breaks this rule; first at row 2 (line 2): y=inf. Add --invalid drop to leave such rows out."),
        "half.jsonl": (3, r"line 2 is not text: it holds half of a character, \ud800."),
        "key.jsonl": (3, r"line 2 is not text: it holds half of a character, \ud800."),
        "doubled.jsonl": (1, "each column must have its own name, but line 1 has several 'y'."),
    }  # fmt: skip
    for name, (code, reason) in reasons.items():
        assert done[name] == [code, "", f"uccurve: {name}: {reason}\n"]
    found = json.loads(done["pair.jsonl"][1])["scores"]
    assert [(score["segment"], score["n"]) for score in found] == [(None, 3), ("a", 1), ("😀", 2)]
    assert done["labels.jsonl"][0] == 1
    (again,) = batch([["score", "labels.jsonl", "--by", "g", "--json", "--invalid", "drop"]], tmp_path)
    assert [score["segment"] for score in json.loads(again[1])["scores"]] == [None, first]


@pytest.mark.parametrize("encoding", ["idna", "punycode", "unicode_escape", "charmap", "rot13", "", "ж"])
def test_codecs_that_are_no_encodings_are_refused(tmp_path, encoding):
    """Python has some that decode what they cannot encode."""
    (tmp_path / "f.csv").write_text(_rows("a" * 99, "ä"))
    line = refused("calibrate", "f.csv", "-o", "g.csv", "--encoding", encoding, cwd=tmp_path, code=2)
    assert line.startswith(f"--encoding {encoding}: unknown encoding;")
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]


def test_bytes_that_are_no_text_are_names_of_files_only(tmp_path):
    """What is written in UTF-8 cannot hold them; one line says so, and is not endless."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "\udcff.csv").write_text(HEAD + FINE)
    calibrated = ("calibrate", "\udcff.csv", "-o", "\udcfe.csv", "--coverage", "0.5", "-q")
    good(*calibrated, cwd=tmp_path)
    assert (tmp_path / "\udcfe.csv").read_text().startswith(HEAD)
    for option, value in (("--suffix", "\udcff"), ("--by", "\udcff"), ("--model", "\udcff=pred,lo,hi")):
        line = refused("calibrate", "f.csv", "-o", "g.csv", option, value, cwd=tmp_path, code=2)
        assert f"for {option}" in line
        assert "It is not text in UTF-8." in line
    assert len(refused("score", "f.csv", "--level", "9" * 3000 + "%", cwd=tmp_path, code=2)) < 2100


@pytest.mark.parametrize("blocks", ["9" * 21, "9" * 5000, "0" * 30 + "6"])
def test_blocks_of_very_many_rows_are_one_block(tmp_path, blocks):
    """A long number is a number of rows like others: more rows than there are make one block."""
    (tmp_path / "f.csv").write_text(HEAD + FINE * 4)
    (found,) = batch([["compare", "f.csv", "--blocks", blocks, "--n-resamples", "9", "--json"]], tmp_path)
    if blocks.endswith("6"):
        assert found[0] == 0
        assert "makes 4 blocks" in json.loads(found[1])["notes"][-1]
    else:
        assert found[:2] == [1, ""]
        assert "--blocks must leave two units or more to draw from, got 1" in found[2]


def test_a_level_that_chooses_nothing_is_refused(folder, tmp_path):
    """It was ignored where no column has a level in its name."""
    (tmp_path / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "n.csv").write_bytes((folder / "f.csv").read_bytes())
    arima = ["AutoARIMA-lo-80", "AutoARIMA-hi-80"]
    bounds = ["--lower", arima[0], "--upper", arima[1], "--y-pred", "AutoARIMA"]
    commands = {
        ("score", "f.csv", "--level", "80"): (1, "f.csv: --level 80 chooses among columns such as Model-lo-80 and Model-hi-80, but the columns in use are 'pred', 'lo', 'hi': leave it out."),
        ("sketch", "f.csv", "--level", "80", "-o", "a.ucc"): (1, "f.csv: --level 80 chooses among"),
        ("calibrate", "f.csv", "--level", "80", "-o", "g.csv"): (1, "f.csv: --level 80 chooses among"),
        ("score", "n.csv", *bounds, "--level", "90"): (2, "--level 90 chooses among"),
        ("score", "n.csv", "--model", "a=AutoARIMA,AutoARIMA-lo-80,AutoARIMA-hi-80", "--level", "90"): (2, "--level 90 chooses among"),
        ("score", "n.csv", *bounds, "--level", "80"): (0, ""),
    }  # fmt: skip
    done = batch([list(words) for words in commands], tmp_path)
    for (code, reason), found in zip(commands.values(), done, strict=True):
        assert found[0] == code, found
        assert reason in found[2]
