"""All models of a table: by the names of columns, wide or long, from frames and files, at every door."""

from __future__ import annotations

import gzip
import io
import json
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pandas as pd
import polars as pl
import pytest

import uccurve as uc
from errors import raises
from uccurve.cli import main
from uccurve.datasets import make_crossing
from uccurve.exceptions import (
    ArgumentError,
    CrossedBoundsError,
    DroppedRowsWarning,
    EmptyInputError,
    MissingColumnError,
    NotNumericError,
    PairError,
    SortedRowsWarning,
)

NAMINGS = {  # columns of a file, with options, and the models in it with their claims
    "ds,y,yhat,yhat_lower,yhat_upper": ({}, {"yhat": None}),
    "target,gbm_q05,gbm_q50,gbm_q95": ({}, {"gbm": 0.9}),
    "y_test,y_pred,y_lower,y_upper": ({}, {"y": None}),
    "model,y,pred,lower,upper": ({}, {"a": None, "b": None}),
    "actual,prediction,pi_low,pi_high": ({}, {"model": None}),
    "sales,p10,p50,p90": ({"y_true": "sales"}, {"model": 0.8}),
    "y_true,gbm_pred,gbm_lo90,gbm_hi90": ({}, {"gbm": 0.9}),
    "y,mu,sigma": ({}, {"model": 0.6827}),
    "Actual,Forecast,Lower 95%,Upper 95%": ({}, {"model": 0.95}),
    "observed,fit,lwr,upr": ({}, {"model": None}),
    "y,pred,pred_lower_90,pred_upper_90": ({}, {"pred": 0.9}),
    "y,gbm,gbm_std,rf,rf_std": ({}, {"gbm": 0.6827, "rf": 0.6827}),
}


def cells(columns):
    """40 rows that fit the names: rising bounds around predictions, models below each other."""
    names = columns.split(",")
    low = [name for name in names if any(word in name.lower() for word in ("lo", "lwr", "q05", "p10"))]
    high = [
        name for name in names if any(word in name.lower() for word in ("upp", "hi", "upr", "q95", "p90"))
    ]
    frame = {name: np.arange(40.0) % 20 + (name in high) * 2 - (name in low) * 2 for name in names}
    frame |= {name: np.full(40, 1.5) for name in names if name.endswith(("std", "sigma"))}
    frame |= {"ds": [f"2024-01-{day % 28 + 1:02d}" for day in range(40)]} if "ds" in names else {}
    frame |= {"model": ["a"] * 20 + ["b"] * 20} if "model" in names else {}
    return pl.DataFrame(frame)


@pytest.mark.parametrize("columns", NAMINGS)
def test_natural_names_give_the_right_models_at_every_door(tmp_path, capsys, columns):
    """As a frame, as a file, and on the command line."""
    options, models = NAMINGS[columns]
    frame, path = cells(columns), tmp_path / "f.csv"
    frame.write_csv(path)
    for found in (uc.Models.from_frame(frame, **options), uc.Models.from_file(path, **options)):
        assert {name: rows.nominal for name, rows in found.items()} == pytest.approx(models, nan_ok=True)
    words = [word for name, column in options.items() for word in (f"--{name.replace('_', '-')}", column)]
    assert main(["score", str(path), *words, "--json"]) == 0
    assert [score["model"] for score in json.loads(capsys.readouterr().out)["scores"]] == list(models)


def crossing():
    """The demo's rows as a frame, and its models."""
    data = make_crossing(500)
    columns = {"y": next(iter(data.models.values())).y_true, "segment": data.segment}
    for name, rows in data.models.items():
        columns |= {f"{name}_pred": rows.y_pred, f"{name}_lower": rows.lower, f"{name}_upper": rows.upper}
    return pl.DataFrame(columns), data.models


def check(models, wanted):
    """The same rows, within the rounding of bounds made from bands."""
    assert list(models) == list(wanted)
    for name, rows in wanted.items():
        assert models[name].coverage == rows.coverage
        assert models[name].bandwidth == pytest.approx(rows.bandwidth, rel=1e-12)


WRITERS = {
    "f.csv": lambda frame, path: frame.write_csv(path),
    "f.tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "f.txt": lambda frame, path: frame.write_csv(path, separator=";"),
    "f.csv.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode())),
    "f.csv.zst": lambda frame, path: frame.lazy().sink_csv(path, compression="zstd"),
    "f.parquet": lambda frame, path: frame.write_parquet(path),
    "f.feather": lambda frame, path: frame.write_ipc(path),
    "f.arrow": lambda frame, path: frame.write_ipc(path, compression="zstd"),
    "f.jsonl": lambda frame, path: frame.write_ndjson(path),
    "f.ndjson.gz": lambda frame, path: path.write_bytes(gzip.compress(frame.write_ndjson().encode())),
    "no_suffix": lambda frame, path: frame.write_parquet(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_holds_the_same_models(tmp_path, name):
    """Text and numbers, packed or not; segments as well."""
    frame, wanted = crossing()
    WRITERS[name](frame, tmp_path / name)
    models = uc.Models.from_file(tmp_path / name, by="segment")
    check(models, wanted)
    assert models.by.tolist() == frame["segment"].to_list()


@pytest.mark.parametrize("convert", [pl.DataFrame.to_pandas, pl.DataFrame.to_arrow, pl.DataFrame.clone])
def test_frames_of_any_library_hold_the_same_models(convert):
    """Pandas, PyArrow and Polars."""
    frame, wanted = crossing()
    check(uc.Models.from_frame(convert(frame)), wanted)


def test_labels_of_pandas_need_not_be_text():
    """Levels as floats, as in sktime."""
    models = uc.Models.from_frame(pd.DataFrame({"y": [1.0, 2.0], 0.05: [0.0, 1.0], 0.95: [2.0, 3.0]}))
    assert models["model"].nominal == 0.9


def test_addresses_and_standard_input_are_read(tmp_path, monkeypatch):
    """Others are refused in the same way as absent ones."""
    frame, wanted = crossing()
    frame.write_csv(tmp_path / "f.csv")
    check(uc.Models.from_file((tmp_path / "f.csv").as_uri()), wanted)
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        check(uc.Models.from_file(f"{address}/f.csv"), wanted)
        with pytest.raises(OSError, match="it cannot be fetched: File not found") as caught:
            uc.Models.from_file(f"{address}/absent.csv")
        assert caught.value.filename == f"{address}/absent.csv"
        server.shutdown()
    with pytest.raises(OSError, match="it cannot be fetched: unknown url type: s3"):
        uc.Models.from_file("s3://uccurve/f.csv")
    with pytest.raises(OSError, match="it cannot be fetched: Invalid IPv6 URL"):
        uc.Models.from_file("https://[uccurve/f.csv")
    with (tmp_path / "f.csv").open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        check(uc.Models.from_file("-"), wanted)


LONG = pl.DataFrame(
    {
        "model": ["a"] * 3 + ["b"] * 3,
        "y": [1.0, 2.0, 3.0] * 2,
        "pred": [1.0, 2.0, 3.0] * 2,
        "lower": [0.0, 1.0, 2.0, 0.5, 1.5, 2.5],
        "upper": [2.0, 3.0, 4.0, 1.5, 2.5, 3.5],
        "site": ["n", "s", "n"] * 2,
    }
)


def test_a_long_table_holds_models_below_each_other():
    """By the column that is called model, or the one that is named; with segments and blocks of one model."""
    models = uc.Models.from_frame(LONG, by="site", blocks=["site", "pred"])
    assert {name: rows.bandwidth for name, rows in models.items()} == {"a": 1.0, "b": 0.5}
    assert (models.by.tolist(), len(set(models.blocks.tolist()))) == (["n", "s", "n"], 3)
    assert "column 'model' names the models: 'a', 'b'." in models.notes
    renamed = LONG.rename({"model": "run"}).with_columns(run=pl.col("run").replace({"a": "1", "b": "2"}))
    assert list(uc.Models.from_frame(renamed, model="run")) == ["1", "2"]
    single = LONG.filter(pl.col("model") == "a")
    assert list(uc.Models.from_frame(single)) == ["a"]
    both = {"a": {"lower": "lower", "upper": "upper"}, "b": {"lower": "lower", "upper": "upper"}}
    with raises(ArgumentError, "model"):
        uc.Models.from_frame(LONG, models=both, model="model")


@pytest.mark.parametrize(
    "change", [{"y": [1.0, 2.0, 3.0, 1.0, 3.0, 2.0]}, {"site": ["n", "s", "n", "n", "n", "s"]}]
)
def test_models_below_each_other_must_have_the_same_rows(change):
    """In the same order: which observation belongs to which is not guessed."""
    with pytest.raises(PairError, match="same observations in the same order"):
        uc.Models.from_frame(
            LONG.with_columns(**{name: pl.Series(values) for name, values in change.items()}), by="site"
        )


def test_several_models_may_be_named():
    """In place of detection; a column of one model cannot stand beside them."""
    frame = pl.DataFrame(
        {"o": [1.0, 2.0], "p": [1.0, 2.0], "s": [1.0, 1.0], "l": [0.0, 1.0], "u": [2.0, 3.0]}
    )
    models = uc.Models.from_frame(
        frame, y_true="o", models={"a": {"y_pred": "p", "std": "s"}, "b": {"lower": "l", "upper": "u"}}
    )
    assert [rows.bandwidth for rows in models.values()] == [1.0, 1.0]
    with raises(ArgumentError, "models"):
        uc.Models.from_frame(frame, y_true="o", models={"a": {"y_pred": "p", "std": "s"}}, std="s")


def test_comparisons_pages_and_figures_take_models(tmp_path):
    """With their segments and blocks; of one model no name is needed."""
    frame, _ = crossing()
    models = uc.Models.from_frame(frame, by="segment", blocks=10)
    found = uc.compare(models, n_resamples=49, rng=0)
    assert len(found.segments) == 9
    assert found.options.blocks == 10
    assert uc.report(models, tmp_path / "page.html", n_resamples=49, rng=0).exists()
    assert list(uc.UCCDisplay(models).curves) == list(models)
    alone = uc.compare(models["sharp"], n_resamples=49, rng=0)
    assert list(alone.models) == ["model"]
    assert uc.report(models["sharp"], tmp_path / "one.html", n_resamples=49, rng=0).exists()


BAD = "y,pred,lo,hi\n1,1,0,2\n\n2,2,3,1\n3,3,2,4\n"


def test_a_bad_row_is_named_by_file_column_row_and_line(tmp_path):
    """With what helps."""
    path = tmp_path / "f.csv"
    path.write_text(BAD)
    with raises(
        CrossedBoundsError, "lower", count=1, total=3, first=1, where=str(path), place="row 2 (line 4)"
    ) as caught:
        uc.Models.from_file(path)
    assert str(caught.value).endswith(
        'Pass `crossed="sort"` to swap the two. `invalid="drop"` leaves such rows out.'
    )
    path.write_text(BAD.replace("2,2,3,1", "2,two,1,3"))
    with raises(NotNumericError, "pred", first=1, place="row 2 (line 4)", values={"pred": "two"}):
        uc.Models.from_file(path)
    with raises(CrossedBoundsError, "lower", first=1, where=None, place=None):
        uc.Models.from_frame(pl.DataFrame({"y": [1.0, 2.0], "lo": [0.0, 3.0], "hi": [2.0, 1.0]}))


def test_rows_are_put_in_order_or_dropped_with_a_warning(tmp_path):
    """Counted, for all models alike, and kept as notes."""
    path = tmp_path / "f.csv"
    path.write_text(BAD)
    with pytest.warns(SortedRowsWarning, match="1 of 3 rows had crossed bounds, which were swapped"):
        models = uc.Models.from_file(path, crossed="sort")
    assert models["model"].n == 3
    with pytest.warns(
        DroppedRowsWarning, match=r"dropped 1 of 3 rows: column 'lo' must not exceed column 'hi' \(1\)"
    ):
        models = uc.Models.from_file(path, invalid="drop")
    assert (models["model"].n, len(models.table)) == (2, 2)
    assert models.notes[0] == "1 blank line left out."
    assert models.notes[-1].startswith("dropped 1 of 3 rows")
    path.write_text("y,lo,hi\n1,2,0\n")
    with pytest.raises(
        EmptyInputError, match=r"all 1 rows are invalid. They break rules: column 'lo' must not exceed"
    ):
        uc.Models.from_file(path, invalid="drop")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1,5", 'Remove commas between thousands; for decimal commas pass `decimal=","`.'),
        ("1,234.5", 'Remove commas between thousands; for decimal commas pass `decimal=","`.'),
        ("many", ""),
    ],
)
def test_what_is_no_number_gets_advice_that_fits(tmp_path, text, hint):
    """A comma may separate thousands or decimals."""
    (tmp_path / "f.csv").write_text(f"y;lo;hi\n{text};0;2\n")
    with raises(NotNumericError, "y", hint=hint):
        uc.Models.from_file(tmp_path / "f.csv")


def test_decimal_commas_and_encodings_are_asked_for(tmp_path):
    """As a German Excel writes them."""
    (tmp_path / "f.csv").write_bytes("y;lo;hi;größe\n1,5;0;2;a\n".encode("cp1252"))
    models = uc.Models.from_file(tmp_path / "f.csv", decimal=",", encoding="cp1252", by="größe")
    assert (models["model"].y_true.tolist(), models.by.tolist()) == ([1.5], ["a"])
    wrong = {"decimal": [";"], "format": ["CSV"], "encoding": [5, "utf\0"], "path": [None, 5, "", "x\0"]}
    for option, value in ((option, value) for option, values in wrong.items() for value in values):
        with raises(ArgumentError, option):
            uc.Models.from_file(**{"path": tmp_path / "f.csv", option: value})


def test_absent_columns_are_named_with_the_nearest():
    """Also those of segments, blocks and models."""
    frame, _ = crossing()
    for options in ({"by": "Segment"}, {"blocks": "Segment"}, {"model": "Segment"}):
        with pytest.raises(MissingColumnError, match="Did you mean 'segment'"):
            uc.Models.from_frame(frame, **options)


@pytest.mark.parametrize("numbers", [[2010, 2011], [0.5, 1.5]])
def test_a_feature_called_model_tells_no_models_apart(tmp_path, numbers):
    """If it holds numbers, in text as well, or if the user names the columns of a model."""
    frame = pl.DataFrame({"model": numbers * 10, "y": [1.0] * 20, "lower": [0.0] * 20, "upper": [2.0] * 20})
    frame.write_csv(tmp_path / "f.csv")
    for found in (uc.Models.from_frame(frame), uc.Models.from_file(tmp_path / "f.csv")):
        assert list(found) == ["model"]
    assert list(uc.scan(tmp_path / "f.csv")) == ["model"]
    frame = frame.with_columns(model=pl.Series(["x", "z"] * 10))
    named = uc.Models.from_frame(frame, models={"gbm": {"lower": "lower", "upper": "upper"}})
    assert {name: rows.n for name, rows in named.items()} == {"gbm": 20}


def test_rows_of_a_long_table_are_dropped_for_all_models_alike():
    """Where they stand in the same place; else the models would not be on the same rows."""
    gap = LONG.with_columns(upper=pl.Series([2.0, None, 4.0, 1.5, 2.5, 3.5]))
    with pytest.warns(DroppedRowsWarning, match="dropped 1 of 3 rows"):
        models = uc.Models.from_frame(gap, invalid="drop")
    assert {name: rows.y_true.tolist() for name, rows in models.items()} == {"a": [1.0, 3.0], "b": [1.0, 3.0]}


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"blocks": 0}, "blocks"),
        ({"blocks": 1.5}, "blocks"),
        ({"by": ["site"]}, "by"),
        ({"invalid": "x"}, "invalid"),
        ({"models": {"a": ("p", "l", "u")}}, "models"),
        ({"models": {"a": {"pred": "p"}}}, "models"),
        ({"models": {"a": {"y_pred": "pred"}}}, "models"),
        ({"models": {"a": {}}}, "models"),
        ({"model": 5}, "model"),
        ({"model": ["model"]}, "model"),
    ],
)
def test_other_arguments_are_refused_by_their_names(options, argument):
    with raises(ArgumentError, argument):
        uc.Models.from_frame(LONG, **options)
    assert uc.Models.from_frame(LONG, blocks=np.int64(2)).blocks == 2


def test_numbers_that_numpy_does_not_know_are_read(tmp_path):
    """128 bits, as whole numbers of JSON lines beyond 64 bits have."""
    frame = pl.DataFrame({"y": [1, 2], "lower": [0, 0], "upper": [3, 3]}).with_columns(
        pl.all().cast(pl.Int128)
    )
    assert uc.Models.from_frame(frame)["model"].coverage == 1.0
    (tmp_path / "f.jsonl").write_text(
        '{"y": 1, "lower": 0, "upper": 3}\n{"y": 10000000000000000000, "lower": 0, "upper": 3}\n'
    )
    assert uc.Models.from_file(tmp_path / "f.jsonl")["model"].coverage == 0.5
