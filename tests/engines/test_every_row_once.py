"""Odd files and folders: whatever reads them, every row counts once, or there is one error."""

from __future__ import annotations

import gzip
from datetime import timedelta

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import uccurve as uc
from uccurve.engines import files
from uccurve.exceptions import ArgumentError, UnreadableFilesError
from uccurve.io import text_files

MODEL = {"m": uc.Columns(y_true="y", y_pred="yhat", std="std")}
HEADER = "id,y,yhat,std\n"
both_engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


@both_engines
def test_quotation_marks_inside_cells_lose_no_rows(tmp_path, engine):
    """As in 5" pipe: Polars lost the rows between two of them."""
    sizes = ['5" pipe', "rod", '6" pipe', "rod", '7" pipe', "rod"]
    text = HEADER + "".join(f"{size},{y},0,1\n" for y, size in enumerate(sizes))
    (tmp_path / "f.csv").write_text(text)
    found = uc.scan(tmp_path / "f.csv", MODEL, "id", engine=engine)
    assert {label: sketch.rows for (_, label), sketch in found.items()} == {
        '5" pipe': 1, '6" pipe': 1, '7" pipe': 1, "rod": 3,
    }  # fmt: skip


@pytest.mark.parametrize("size", [1, 7, 16, 1000])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_rows_do_not_depend_on_the_pieces_they_are_read_in(tmp_path, monkeypatch, size, line_end):
    """Line breaks in cells, doubled marks, blank lines and a long header among them."""
    cells = ["a", '"b\nb"', '"c, ""c"""', '""', "", '"d"', "e" * 40]
    lines = [f"{cell},{y},0,{1 + y % 3}" for y, cell in enumerate(cells * 3)]
    lines[4:4] = [""]
    if line_end == "\r":
        lines = [line.replace("b\nb", "b b") for line in lines]
    text = "\n".join(["\ufeff", f"{'id':60},y,yhat,std", *lines, "", ""]).replace("\n", line_end)
    path = tmp_path / "f.csv"
    path.write_bytes(text.encode())
    wanted = uc.scan(path, MODEL)["m"]
    assert wanted.rows == len(cells) * 3
    monkeypatch.setattr(text_files, "PIECE", size)
    assert uc.scan(path, MODEL)["m"] == wanted


def test_a_folder_holds_every_file_once(tmp_path):
    """Folders named like files, links and loops, hidden and unfinished files, and several formats."""
    frame = pl.DataFrame({"y": [1.0, 2.0], "yhat": [0.0, 0.0], "std": [1.0, 1.0]})
    data, other = tmp_path / "data", tmp_path / "other"
    for folder in ("jan.parquet", ".ipynb_checkpoints", "_temporary", "plain"):
        (data / folder).mkdir(parents=True)
        frame.write_parquet(data / folder / "part-0.parquet")
    other.mkdir()
    frame.write_parquet(other / "linked.parquet")
    (data / "link").symlink_to(other)
    (data / "plain" / "loop").symlink_to(data)
    (data / "plain" / "a.csv.gz").write_bytes(gzip.compress(frame.write_csv().encode()))
    (data / "plain" / "b.tsv").write_text(frame.write_csv(separator="\t"))
    (data / "_SUCCESS").touch()
    (data / "notes.txt").write_text("not data")
    with pytest.warns(UserWarning, match=r"1 file is of no known format and left out: '.*notes\.txt'"):
        assert uc.scan(data, MODEL)["m"].rows == 10
    assert uc.scan(str(data / "*.parquet"), MODEL)["m"].rows == 2
    assert uc.scan(str(data / "**" / "*.parquet"), MODEL)["m"].rows == 6


@both_engines
def test_files_of_other_types_keep_their_numbers_and_labels(tmp_path, engine):
    """DuckDB took all files for what the first one was: 0.5 became 0, and labels merged."""
    whole = pl.DataFrame({"y": [1, 1], "yhat": [0, 0], "std": [1, 1], "id": [1, 2]})
    parts = pl.DataFrame({"y": [0.6, 0.6], "yhat": [0.0, 0.0], "std": [0.5, 0.5], "id": ["1", "x"]})
    whole.write_parquet(tmp_path / "a.parquet")
    parts.write_parquet(tmp_path / "b.parquet")
    found = uc.scan(tmp_path, MODEL, "id", engine=engine)
    assert {label: sketch.rows for (_, label), sketch in found.items()} == {1: 1, 2: 1, "1": 1, "x": 1}
    assert uc.scan(tmp_path, MODEL, engine=engine)["m"].curve().original.coverage == 0.5


def test_an_interrupted_query_ends_the_scan(tmp_path, monkeypatch):
    """DuckDB reports Ctrl-C as an error, which is no unreadable file."""

    def interrupted(*_, **__):
        raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")

    (tmp_path / "f.csv").write_text(HEADER)
    monkeypatch.setattr(files, "read_file", interrupted)
    with pytest.raises(KeyboardInterrupt):
        uc.scan(tmp_path / "f.csv", MODEL)


@both_engines
def test_two_columns_of_one_name_are_refused(tmp_path, engine):
    """DuckDB gives the second one another name, and would read the first."""
    table = pa.table([[1.0, 2.0], [9.0, 9.0], [0.0, 0.0], [1.0, 1.0]], names=["y", "y", "yhat", "std"])
    pq.write_table(table, tmp_path / "f.parquet")
    with pytest.raises((ArgumentError, UnreadableFilesError), match="name"):
        uc.scan(tmp_path / "f.parquet", MODEL, engine=engine)


def test_durations_stay_labels_in_checkpoints_and_in_memory(tmp_path):
    """They came back as text from the first, and as whole numbers where they count nanoseconds."""
    spans = pl.Series([timedelta(hours=1), timedelta(hours=2)])
    frame = pl.DataFrame({"y": [1.0, 2.0], "yhat": [0.0, 0.0], "std": [1.0, 1.0], "id": spans})
    frame.write_parquet(tmp_path / "f.parquet")
    for _ in range(2):  # scanned, and then taken from the checkpoint
        found = uc.scan(tmp_path / "f.parquet", MODEL, "id", checkpoint=tmp_path / "done")
        assert [label for _, label in found] == spans.to_list()
    rows = uc.Intervals.from_frame(frame, y_true="y", y_pred="yhat", std="std")
    assert list(rows.by(spans.dt.cast_time_unit("ns").to_numpy())) == spans.to_list()
