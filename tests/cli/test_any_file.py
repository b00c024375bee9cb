"""Damaged files on the command line: an answer, or a code and one line of error."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from pathlib import Path

import polars as pl
from command_runs import run
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import damaged

FRAME = pl.DataFrame(
    {
        "y": [1.0, -2.5, 0.0, 4.0, 1e-3],
        "lo": [-1.0, -2.5, -1.0, 0.0, -4.0],
        "hi": [2.0, 1.0, 1.0, 3.0, 5.0],
        "place": ["a", 'b "c"', "a,b", "é", "a"],
    }
)


def packed(write):
    """Return the bytes of the rows in a format that Polars writes."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()


CSV = FRAME.write_csv().encode()
FILES = {
    "csv": CSV,
    "csv.gz": gzip.compress(CSV, mtime=0),
    "parquet": packed(FRAME.write_parquet),
    "jsonl": "".join(json.dumps(row) + "\n" for row in FRAME.to_dicts()).encode(),
    "utf16": CSV.decode().encode("utf-16"),
}
CONTENTS = st.one_of(
    damaged(st.sampled_from(list(FILES.values()))), st.text(max_size=80).map(str.encode), st.binary()
)
OPTIONS = ["--invalid drop", "--by place", "--scan", "--encoding latin-1"]


@given(st.sampled_from(list(FILES)), CONTENTS, st.sampled_from(["", *OPTIONS]))
@settings(max_examples=60)
def test_any_file_is_scored_or_refused(suffix, content, option):
    """Nothing is printed beside an error, and no traceback."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"f.{suffix}"
        path.write_bytes(content)
        done = run(
            "score", path, "--y-true", "y", "--lower", "lo", "--upper", "hi", *option.split(), cwd=folder
        )
    lines = done.stderr.splitlines()
    assert done.returncode in {0, 1, 2, 3}
    assert all(line.startswith(("error: ", "warning: ", "note: ")) for line in lines)
    assert done.returncode == 0 or (len(lines) == 1 and not done.stdout)
