"""Files whose names or first letters mislead engines."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import uccurve as uc
from errors import raises
from uccurve.exceptions import NonFiniteError, UnreadableFilesError

MODELS = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("head", ["x^,y,p,s", "x^2;y;p;s", "\n\nx^,y,p,s", '"x^",y,p,s'])
def test_a_header_may_begin_as_compressed_data_does(tmp_path, engine, head):
    """x^ are the first bytes of some zlib files."""
    text = f"{head}\n1,2,0,3\n4,5,0,6\n".replace(",", ";" if ";" in head else ",")
    (tmp_path / "f.csv").write_text(text)
    found = uc.scan(tmp_path / "f.csv", MODELS, engine=engine)["m"]
    assert found == uc.Intervals.from_std([2.0, 5.0], [0.0, 0.0], [3.0, 6.0]).sketch()


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_name_that_is_not_utf_8_is_said_to_be_so(tmp_path, engine, suffix):
    """Engines take names as text, and would complain about something else."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xff." + suffix.encode()))
    path.write_text("y,p,s\n1,0,2\n")
    with pytest.raises(UnreadableFilesError, match="its name is not in UTF-8"):
        uc.scan(path, MODELS, engine=engine)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_infinite_bounds_are_numbers_that_are_not_finite(tmp_path, engine):
    """DuckDB takes -inf for a date if it is asked to guess."""
    (tmp_path / "f.csv").write_text("y,lo,hi\n1,-inf,2\n3,-inf,inf\n")
    columns = {"m": uc.Columns(y_true="y", lower="lo", upper="hi")}
    with raises(NonFiniteError, "lower", count=2):
        uc.scan(tmp_path / "f.csv", columns, engine=engine)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_key_that_never_has_a_value_is_missing_not_text(tmp_path, engine):
    """Polars gives it a type of its own."""
    (tmp_path / "f.jsonl").write_text('{"y": 1, "p": 0, "s": null}\n{"y": 1, "p": 0, "s": null}\n')
    with raises(NonFiniteError, "std", count=2):
        uc.scan(tmp_path / "f.jsonl", MODELS, engine=engine)
