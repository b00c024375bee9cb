"""Any tables and any changes of files: engines agree with each other, and checkpoints with the files."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from scanned_rows import FRAMES, agree
from strategies import damaged
from uccurve.exceptions import UccurveError

KINDS = {
    pl.Float64: st.one_of(st.integers(0, 4).map(float), st.floats()),
    pl.Float32: st.floats(width=32),
    pl.Int64: st.integers(-(2**63), 2**63 - 1),
    pl.String: st.sampled_from(["1", "x", "nan", ""]),
    pl.Boolean: st.booleans(),
}
KIND = st.sampled_from([pl.Float64, pl.Float64, *KINDS])
ROLES = {role: role for role in ("y_true", "y_pred", "std")}


@st.composite
def tables(draw):
    """Draw the columns of a model, any of them with missing values and of another type than it should have."""
    n = draw(st.integers(1, 6))
    columns = []
    for role in ROLES:
        kind = draw(KIND)
        values = st.one_of(st.none(), KINDS[kind]) if draw(st.integers(0, 4)) == 0 else KINDS[kind]
        columns.append(pl.Series(role, draw(st.lists(values, min_size=n, max_size=n)), dtype=kind))
    return pl.DataFrame(columns)


def outcome(ask):
    """Return a sketch, or the class of an error."""
    try:
        return ask()
    except UccurveError as error:
        return type(error)


@given(tables(), st.sampled_from(["raise", "drop"]))
@settings(max_examples=60)
def test_engines_give_the_sketch_of_the_rows_or_the_same_error(table, invalid):
    """Files, frames of Polars, relations of DuckDB, and the rows in memory."""
    models = {"m": uc.Columns(**ROLES)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of dropped rows
        path = Path(folder) / "f.parquet"
        table.write_parquet(path)
        wanted = outcome(lambda: uc.Intervals.from_frame(table, **ROLES, invalid=invalid).sketch())
        for source in (path, table.lazy(), FRAMES["duckdb"](table)):
            found = outcome(lambda s=source: uc.scan(s, models, invalid=invalid)["m"])
            if isinstance(found, type) or isinstance(wanted, type):
                assert found == wanted, type(source)
            else:
                agree(found, wanted)


FILE_CHANGES = st.tuples(st.just("file"), st.sampled_from(["a.csv", "b.csv"]), st.integers(1, 9))
STATE_CHANGES = st.tuples(st.just("state"), st.integers(0, 9), damaged(st.just(b"a state of some length")))


@given(st.lists(st.one_of(FILE_CHANGES, STATE_CHANGES, st.just(("scan",))), max_size=8))
@settings(max_examples=20)
def test_a_scan_with_checkpoints_gives_what_a_scan_without_gives(changes):
    """Whatever happened to the files and to the states since the last one."""
    models = {"m": uc.Columns(y_true="y", y_pred="p", std="s")}
    with tempfile.TemporaryDirectory() as folder:
        data, kept = Path(folder) / "data", Path(folder) / "kept"
        data.mkdir()
        for name in ("a.csv", "b.csv"):
            (data / name).write_text("y,p,s\n1,0,2\n")
        for what, *change in [("scan",), *changes, ("scan",)]:
            states = sorted(kept.glob("*"))
            if what == "file":
                (data / change[0]).write_text("y,p,s\n" + "1,0,2\n-2,0,3\n" * change[1])
            elif what == "state" and states:
                states[change[0] % len(states)].write_bytes(change[1])
            elif what == "scan":
                assert uc.scan(data, models, checkpoint=kept) == uc.scan(data, models)
