"""Damaged files on the command line: one line of error and a code, or an answer."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import tempfile
import zipfile
import zlib
from pathlib import Path

import polars as pl
from hypothesis import strategies as st

from fuzz.damage import damaged
from fuzz.search import Target
from uccurve.cli import main

_FRAME = pl.DataFrame(
    {
        "y": [1.0, -2.5, 0.0, 4.0, 1e-3],
        "p": [0.5, 0.0, 0.0, 1.0, 0.0],
        "lo": [-1.0, -2.5, -1.0, 0.0, -4.0],
        "hi": [2.0, 1.0, 1.0, 3.0, 5.0],
        "place": ["a", 'b "c"', "a,b", "é", "a"],
    }
)


def _samples() -> dict[str, bytes]:
    """Return the same rows in every format, and in what they may be packed into."""
    text = _FRAME.write_csv().encode()
    parquet, arrow, packed = io.BytesIO(), io.BytesIO(), io.BytesIO()
    _FRAME.write_parquet(parquet)
    _FRAME.write_ipc(arrow)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("f.csv", text)
    return {
        "csv": text,
        "parquet": parquet.getvalue(),
        "feather": arrow.getvalue(),
        "jsonl": "".join(json.dumps(row) + "\n" for row in _FRAME.to_dicts()).encode(),
        "csv.gz": gzip.compress(text, mtime=0),
        "zip": packed.getvalue(),
        "zlib": zlib.compress(text),
        "utf16": text.decode().encode("utf-16"),
    }


_SAMPLES = _samples()
_text = st.text(alphabet="y,lohip0123456789.-+eE\n\r\t \"';|#xnaifNAINF\u00e9\u202e\x00", max_size=80)
_contents = st.one_of(
    damaged(st.sampled_from(sorted(_SAMPLES.values()))),
    damaged(st.just(_SAMPLES["csv"])),
    damaged(st.just(_SAMPLES["jsonl"])),
    _text.map(lambda text: ("y,lo,hi\n" + text).encode()),
    _text.map(lambda text: text.encode()),
    st.binary(max_size=200),
)
_names = st.sampled_from(["f", *(f"f.{suffix}" for suffix in _SAMPLES)])
_columns = ["--y-true", "y", "--lower", "lo", "--upper", "hi"]
_options = st.sampled_from(
    [
        [*_columns],
        [*_columns, "--y-pred", "p"],
        [*_columns, "--invalid", "drop"],
        [*_columns, "--by", "place"],
        [*_columns, "--engine", "polars"],
        [*_columns, "--engine", "duckdb"],
        [*_columns, "--engine", "polars", "--by", "place"],
        [*_columns, "--encoding", "latin-1"],
        [*_columns, "--decimal", ","],
        [],
    ]
)


def _check(example: tuple[str, bytes, list[str]]) -> None:
    name, raw, options = example
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(raw)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["score", str(path), *options])
    lines = err.getvalue().splitlines()
    assert code in {0, 1, 2, 3}, (code, lines)
    assert all(line.startswith("uccurve: ") for line in lines), lines
    assert code == 0 or (len(lines) >= 1 and out.getvalue() == ""), (code, lines, out.getvalue())
    assert not any("Traceback" in line for line in lines), lines


TARGET = Target(examples=st.tuples(_names, _contents, _options), check=_check)
