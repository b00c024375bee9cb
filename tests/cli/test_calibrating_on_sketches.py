"""Calibration on sketch files, and the coverage of each segment afterwards."""

from __future__ import annotations

import io
import json

import numpy as np
import polars as pl
import pytest
from command_runs import batch, good, refused, run
from scipy import stats

import uccurve as uc
from uccurve.sketch import SketchFile


def table(seed, n=300):
    """Rows of three regions, whose bands are too narrow in different ways."""
    rng = np.random.default_rng(seed)
    region = np.arange(n) % 3
    pred = rng.normal(size=n)
    y = pred + (1 + region) * rng.normal(size=n)
    bounds = {"gbm_lo": pred - 1.0, "gbm_hi": pred + 1.25}
    return pl.DataFrame({"region": region, "shop": np.arange(n) % 13, "y": y, "gbm": pred, **bounds})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Old rows, their sketches with and without segments, and new rows."""
    folder = tmp_path_factory.mktemp("calibration")
    old = table(1)
    old.write_csv(folder / "old.csv")
    table(2).write_csv(folder / "new.csv")
    rows = uc.Intervals.from_frame(old)
    whole = {"gbm": rows.sketch()}
    columns = {"gbm": {"y_true": "y", "y_pred": "gbm", "lower": "gbm_lo", "upper": "gbm_hi"}}
    SketchFile.of(whole, columns=columns).write(folder / "old.ucc")
    parts = {("gbm", label): part.sketch() for label, part in rows.by(old["region"]).items()}
    SketchFile.of(parts, by="region", columns=columns).write(folder / "parts.ucc")
    SketchFile.of({"model": rows.sketch()}).write(folder / "unnamed.ucc")
    SketchFile.of({"other": rows.sketch()}).write(folder / "other.ucc")
    levels = {"gbm": {"y_true": "y", "lower": "gbm-lo-90", "upper": "gbm-hi-90"}}
    SketchFile.of(whole, columns=levels).write(folder / "levels.ucc")
    return folder


def calibrated(files, *options):
    """Return the exit code, the table that was written, the document, and what was said."""
    command = ["calibrate", "new.csv", "-o", "out.csv", *options]
    ((code, out, err), (_, document, _)) = batch([command, [*command, "--json"]], files)
    assert code == 0, err
    return pl.read_csv(files / "out.csv"), json.loads(document)["models"][0], out, err


def test_a_sketch_file_is_fitted_on(files):
    """With the factor that the library fits to the same sketch."""
    frame, record, out, _ = calibrated(files, "--calibration", "old.ucc")
    scaler = uc.ConformalScaler(0.9).fit(SketchFile.read(files / "old.ucc"))
    assert record["parameter"] == scaler.parameter_
    assert (record["fitted_on"], record["fitted_rows"]) == ("old.ucc", 300)
    assert np.allclose(frame["gbm"] - frame["gbm_lo"], scaler.parameter_)
    assert out.startswith("Calibrated to 90% on 300 rows of old.ucc; measured on the 300 rows of new.csv.\n")
    assert record["segments"] == []
    on_rows = calibrated(files, "--calibration", "old.csv")[1]["parameter"]
    assert on_rows <= record["parameter"] <= 1.004 * on_rows


@pytest.mark.parametrize("file", ["parts.ucc", "unnamed.ucc"])
def test_other_sketches_of_the_same_rows_give_the_same_factor(files, file):
    """Segments are added up without --by; a sketch without the name of its model is that of the only one."""
    one, other = (calibrated(files, "--calibration", name)[1] for name in (file, "old.ucc"))
    assert one["parameter"] == other["parameter"]


def test_segments_of_a_sketch_file_are_fitted_on_their_own(files):
    """Numbers that tell segments apart mean the same as in text."""
    _, record, _, _ = calibrated(files, "--calibration", "parts.ucc", "--by", "region")
    scaler = uc.ConformalScaler(0.9).fit(SketchFile.read(files / "parts.ucc"))
    assert record["parameter"] == {str(label): value for label, value in scaler.parameters_.items()}
    assert record["fitted_rows"] == 300


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--calibration old.ucc --by region", 1, "old.ucc: it has no segments of 'region'."),
        ("--calibration other.ucc", 1, "other.ucc: there is no model 'gbm' to match new.csv,"),
        ("--calibration old.ucc --vary shift", 2, "--vary shift needs the rows"),
        ("--calibration levels.ucc", 1, "would be fitted on 'gbm-lo-90' and 'gbm-hi-90', but eighty.csv has"),
    ],
)
def test_what_sketches_cannot_be_fitted_for_is_refused(files, options, code, message):
    """In one line that names the file, and says what to do."""
    table(3).rename({"gbm_lo": "gbm-lo-80", "gbm_hi": "gbm-hi-80"}).write_csv(files / "eighty.csv")
    file = "eighty.csv" if "levels" in options else "new.csv"
    line = refused("calibrate", file, "-o", "no.csv", *options.split(), cwd=files, code=code)
    assert message in line
    assert not (files / "no.csv").exists()


def test_each_segment_says_what_it_covers(files):
    """The lowest first, on the new rows, as given and as calibrated, with exact limits of the coverage."""
    frame, record, out, _ = calibrated(files, "--calibration", "old.csv", "--by", "region")
    new = pl.read_csv(files / "new.csv")
    for part in record["segments"]:
        rows = (new["region"] == int(part["segment"])).to_numpy()
        y, given, moved = (
            np.asarray(f)[rows] for f in (new["y"], new[["gbm_lo", "gbm_hi"]], frame[["gbm_lo", "gbm_hi"]])
        )
        hits = int(np.sum((moved[:, 0] <= y) & (y <= moved[:, 1])))
        assert part["judged_rows"] == rows.sum() == 100
        assert part["parameter"] == record["parameter"][part["segment"]]
        assert part["coverage_before"] == pytest.approx(np.mean((given[:, 0] <= y) & (y <= given[:, 1])))
        assert part["coverage_after"] == pytest.approx(hits / 100)
        assert part["bandwidth_after"] == pytest.approx(np.mean(moved[:, 1] - moved[:, 0]) / 2)
        exact = stats.binomtest(hits, 100).proportion_ci(method="exact")
        assert list(part["confidence_interval"].values()) == pytest.approx([exact.low, exact.high])
    after = [part["coverage_after"] for part in record["segments"]]
    assert after == sorted(after)
    lines = out.splitlines()[-4:-1]
    assert [line.split()[0] for line in lines] == [part["segment"] for part in record["segments"]]


def test_segments_without_observations_count_the_fitting_rows(files):
    """There is no coverage to name."""
    table(2).drop("y").write_csv(files / "later.csv")
    options = ("--calibration", "old.csv", "--by", "shop", "-o", "calibrated.csv")
    lines = good("calibrate", "later.csv", *options, cwd=files).splitlines()
    assert (lines[3].split()[:3], lines[-2]) == (["0", "gbm", "24"], "And 3 more; --json has them.")


def test_output_in_a_pipe_stays_clean(files):
    """The table of segments goes where notes go, cut to the ten lowest."""
    done = run("calibrate", "new.csv", "-o", "-", "--by", "shop", cwd=files)
    assert done.returncode == 0, done.stderr
    assert pl.read_csv(io.StringIO(done.stdout)).height == 300
    table = done.stderr[: done.stderr.index("And 3 more, ")].splitlines()
    assert table[0] == "Calibrated to 90% on 300 rows of new.csv; measured on the fitting rows: optimistic."
    shown = [float(line.partition(" → ")[2].partition("%")[0]) for line in table[-10:]]
    assert shown == sorted(shown)
    assert len(table) == 13
