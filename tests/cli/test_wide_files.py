"""Files with many columns, and pages at the end of a loop of links."""

from __future__ import annotations

import pytest
from command_runs import run

from counted_names import CountedName
from uccurve.cli import _input_files
from uccurve.cli._errors import DataError
from uccurve.cli._options import ReadingOptions


def test_names_are_compared_in_linear_time():
    """Counting each name in the whole header took half a minute for 40,000 of them."""
    CountedName.comparisons = 0
    header = [CountedName(f"c{place}") for place in range(3000)]
    assert _input_files.repeated(header) == []
    assert CountedName.comparisons < 10 * len(header)
    assert _input_files.repeated([*header, CountedName("c7"), CountedName("c5")]) == ["c5", "c7"]


def test_repeated_names_are_listed(tmp_path):
    """In order, each once."""
    (tmp_path / "f.csv").write_text("b,a,b,a,b\n1,2,3,4,5\n")
    with pytest.raises(DataError, match="each column must have its own name, but several are 'a', 'b'"):
        _input_files.read(str(tmp_path / "f.csv"), ReadingOptions())


def test_columns_of_very_many_models_are_named_by_the_first(tmp_path):
    """A note of two hundred models would fill the page."""
    names = [f"m{i}{end}" for i in range(30) for end in ("", "_lower", "_upper")]
    rows = [",".join(["1", *["1,0,2"] * 30]), ",".join(["3", *["2,1,4"] * 30])]
    (tmp_path / "f.csv").write_text("\n".join([",".join(["y", *names]), *rows]) + "\n")
    note = run("score", "f.csv", cwd=tmp_path).stderr
    assert "m5 = 'm5', 'm5_lower', 'm5_upper'; and 24 models more." in note
    assert "m6 = " not in note
