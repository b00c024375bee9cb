"""One cell of the atlas: a method on one fold of a data set, kept in files of its own."""

from __future__ import annotations

import json
import math
import time
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import uccurve as uc
from casestudies.atlas import tables
from casestudies.atlas.methods import COVERAGE, LEVELS, METHODS, Bands, Rows, Task

if TYPE_CHECKING:
    from pathlib import Path

FOLDS = 5
# Rows that a method learns from, at most; a fifth of the rows beside the test rows are for calibration.
TRAINING, CALIBRATION = 8_000, 2_000
# Rows of a light run: just enough calibration rows for 99% coverage.
LIGHT_ROWS = 700
COVERAGES = (0.8, 0.9, 0.95, 0.99)
# Bands below this share of the mean half-width are widened to it: no scale moves a band of zero.
LEAST_BAND = 0.01
# Bins per octave of the sketches.
BINS = 16
# Standard deviations beyond which features are cut: the traffic data have 9,831 mm of rain in one hour.
_CUT = 8.0
# Categories of a column beyond which the rarest are one.
_CATEGORIES = 15


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One method on one fold of a data set, and where its files are.

    Attributes
    ----------
    data, method : str
        Their names.
    fold : int
        Which fifth of the rows is predicted.
    folder : Path
        Where cells are kept.
    """

    data: str
    method: str
    fold: int
    folder: Path

    def file(self, ending: str) -> Path:
        """Return the path of one of its files: .json, .ucc, or .npz with the rows."""
        name = f"{self.method.replace(' ', '-').replace(',', '')}-{self.fold}"
        return self.folder / self.data / f"{name}{ending}"

    @property
    def is_done(self) -> bool:
        """Whether it was computed; its record is written last."""
        return self.file(".json").exists()

    def record(self) -> dict[str, Any]:
        """Return its numbers."""
        found: dict[str, Any] = json.loads(self.file(".json").read_text("utf-8"))
        return found

    def bands(self) -> tuple[np.ndarray, Bands]:
        """Return the numbers of its test rows in the data set, and their intervals."""
        with np.load(self.file(".npz")) as rows:
            return rows["rows"], Bands(rows["y_pred"], rows["lower"], rows["upper"])


def split(n: int, fold: int, *, light: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return training, calibration and test rows: each row is in one of the test folds."""
    order = np.random.default_rng(0).permutation(n)
    test = np.array_split(order, FOLDS)[fold]
    others = np.random.default_rng(1 + fold).permutation(np.setdiff1d(order, test))
    calibration = min(len(others) // FOLDS, CALIBRATION)
    training = 200 if light else TRAINING
    return others[calibration : calibration + training], others[:calibration], np.sort(test)


def run(cell: Cell, *, traffic: str | None = None, light: bool = False) -> None:
    """Fit the method, predict the test rows, and write record, sketch and rows."""
    table = tables.read(cell.data, traffic, LIGHT_ROWS if light else tables.MOST_ROWS)
    training, calibration, test = split(len(table.target), cell.fold, light=light)
    encoder = _encoder().fit(table.features.iloc[training])
    x = np.asarray(encoder.transform(table.features), dtype=np.float64)
    learned, calibrated = (Rows(x[rows], table.target[rows]) for rows in (training, calibration))
    seed = zlib.crc32(f"{cell.data} {cell.method} {cell.fold}".encode())
    np.random.seed(seed)  # noqa: NPY002 - crepes and NGBoost draw from the global generator, too
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries warn about each other, and of rounding
        predict = METHODS[cell.method](Task(learned, calibrated, seed, 0.05 if light else 1.0))
        bands = {"calibration": predict(x[calibration]), "test": predict(x[test])}
    seconds = time.process_time() - begun

    rows = {name: table.target[which] for name, which in (("calibration", calibration), ("test", test))}
    moved = {name: supply(found, rows[name]) for name, found in bands.items()}
    record = {
        "data": cell.data,
        "method": cell.method,
        "fold": cell.fold,
        "fingerprint": table.fingerprint,
        "rows": {
            "training": len(training),
            "calibration": len(calibration),
            "test": len(test),
            "of": len(table.target),
        },
        "seconds": seconds,
        **_measure(bands["test"], rows["test"], moved),
    }
    folder = cell.file("").parent
    folder.mkdir(parents=True, exist_ok=True)
    test_bands = bands["test"]
    np.savez(
        cell.file(".npz"), rows=test, y_pred=test_bands.y_pred, lower=test_bands.lower, upper=test_bands.upper
    )
    cell.file(".ucc").write_bytes(moved["test"].sketch().coarsened(BINS).to_bytes())
    cell.file(".json").write_text(json.dumps(record, indent=1), encoding="utf-8")


def _encoder() -> Any:
    """Return what turns columns into numbers: standardized, and one column for each common category."""
    from sklearn.compose import make_column_selector, make_column_transformer  # noqa: PLC0415
    from sklearn.impute import SimpleImputer  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler  # noqa: PLC0415

    cut = FunctionTransformer(np.clip, kw_args={"a_min": -_CUT, "a_max": _CUT})
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), cut)
    rare = {"max_categories": _CATEGORIES, "handle_unknown": "infrequent_if_exist", "sparse_output": False}
    words = make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OneHotEncoder(**rare))
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )


def supply(bands: Bands, y: np.ndarray) -> uc.Intervals:
    """Return intervals that can be scaled: with bands of zero widened."""
    intervals = bands.intervals(y)
    return intervals.floored(LEAST_BAND * intervals.bandwidth)


def _measure(bands: Bands, y: np.ndarray, moved: dict[str, uc.Intervals]) -> dict[str, Any]:
    """Return what the intervals cover as supplied, and their scores at several coverages."""
    supplied, test = bands.intervals(y), moved["test"]
    curve = test.ucc()
    conformal = {}
    for coverage in COVERAGES:
        calibrated = uc.ConformalScaler(coverage).fit(moved["calibration"]).transform(test)
        bounds = y, calibrated.lower, calibrated.upper
        conformal[f"{coverage:g}"] = {
            "coverage": calibrated.coverage,
            "score": uc.interval_score(*bounds, coverage=coverage),
        }
    record: dict[str, Any] = {
        "supplied": {
            "coverage": supplied.coverage,
            "half_width": supplied.bandwidth,
            "score": uc.interval_score(y, bands.lower, bands.upper, coverage=COVERAGE),
        },
        "score": {f"{coverage:g}": curve.score_at(coverage=coverage) for coverage in COVERAGES},
        "half_width": {f"{coverage:g}": curve.at(coverage=coverage).bandwidth for coverage in COVERAGES},
        "conformal": conformal,
        "gain": curve.gain(),
        "deficit_gain": curve.gain(y="deficit"),
        "ceiling": curve.ceiling(),
        "deficit_ceiling": curve.ceiling(y="deficit"),
    }
    if bands.quantiles is not None:
        levels = uc.Intervals.from_quantiles(y, bands.quantiles, LEVELS).ucc(vary="level")
        record["level"] = {f"{coverage:g}": _score_at(levels, coverage) for coverage in COVERAGES}
    return record


def _score_at(curve: uc.UCC, coverage: float) -> float:
    """Return the interval score at a coverage; NaN where equal quantiles miss too many rows."""
    try:
        return curve.score_at(coverage=coverage)
    except uc.exceptions.UnreachableError:
        return math.nan
