"""What the atlas answers: data sets judged on all of their rows, and numbers over data sets."""

from __future__ import annotations

import json
import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import joblib
import numpy as np
from scipy import stats

import uccurve as uc
from casestudies.atlas import tables
from casestudies.atlas.cells import COVERAGES, Cell, supply
from casestudies.atlas.methods import CONSTANT, COVERAGE, METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Coverages between which a reader of the page can choose.
GRID = tuple(sorted({0.975, *(place / 100 for place in range(50, 100))}))
# Methods whose curves are tested for crossings: those that lead at 90% coverage.
LEADING = 4
CRITERIA: tuple[Literal["interval_score", "bandwidth"], ...] = ("interval_score", "bandwidth")
BASELINE = CONSTANT[0]


def collect(found: Mapping[str, Sequence[Cell]], *, traffic: str | None, workers: int) -> dict[str, Any]:
    """Return the numbers of all data sets, and what they say together."""
    parallel = joblib.Parallel(n_jobs=workers)
    data = parallel(joblib.delayed(_judge_once)(each, traffic) for each in found.values())
    by_name = dict(zip(found, data, strict=True))
    return {"grid": GRID, "data": by_name, "answers": answer(list(by_name.values()))}


def _judge_once(cells: Sequence[Cell], traffic: str | None) -> dict[str, Any]:
    """Return the numbers of a data set, as they were kept if no cell is newer."""
    kept = cells[0].folder / cells[0].data / "judged.json"
    newest = max(cell.file(".json").stat().st_mtime for cell in cells)
    if not kept.exists() or kept.stat().st_mtime < newest:
        kept.write_text(json.dumps(judge(cells, traffic)), encoding="utf-8")
    judged: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return judged


def judge(cells: Sequence[Cell], traffic: str | None = None) -> dict[str, Any]:
    """Compare the methods on the rows of all folds of one data set: each row is predicted once."""
    name = cells[0].data
    rows = max(cell.record()["rows"]["of"] for cell in cells)
    table = tables.read(name, traffic, rows)
    if any(cell.record()["fingerprint"] != table.fingerprint for cell in cells):
        raise ValueError(f"cells of {name} were fitted on other data: remove {cells[0].folder / name}")
    by_method = {method: [cell for cell in cells if cell.method == method] for method in METHODS}
    models = {method: pool(each, table.target) for method, each in by_method.items()}
    comparison = uc.compare(models, coverage=COVERAGE, rng=0)
    standings = {criterion: comparison.judged_by(criterion) for criterion in CRITERIA}
    source = tables.SOURCES[name]
    return {
        "rows": len(models[BASELINE].y_true),
        "package": source.package or "UCI",
        "item": source.item or "Metro Interstate Traffic Volume",
        "target": source.target,
        "unit": source.unit,
        "features": list(table.features.columns),
        "fingerprint": table.fingerprint,
        "methods": {
            method: _measure(comparison.models[method], [cell.record() for cell in each])
            for method, each in by_method.items()
        },
        "standing": {
            criterion: [_name_leaders(one.at(coverage=coverage)) for coverage in GRID]
            for criterion, one in standings.items()
        },
        "crossings": {
            criterion: [
                {"pair": pair, "coverage": found and found.coverage}
                for pair, found in _cross(models, comparison, criterion)
            ]
            for criterion in CRITERIA
        },
    }


def pool(cells: Sequence[Cell], target: np.ndarray) -> uc.Intervals:
    """Put the intervals of all folds together, in the order of the rows."""
    parts = [(rows, supply(bands, target[rows])) for rows, bands in (cell.bands() for cell in cells)]
    order = np.argsort(np.concatenate([rows for rows, _ in parts]))
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(intervals, name) for _, intervals in parts])[order]
        for name in ("y_true", "lower", "upper", "y_pred")
    }
    return uc.Intervals.from_bounds(**columns, nominal=COVERAGE)


def _measure(curve: Any, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the numbers of one method: on all rows, and on average over the folds."""

    def mean(number: Callable[[Mapping[str, Any], str], float]) -> dict[str, float]:
        keys = [f"{coverage:g}" for coverage in COVERAGES]
        return {key: float(np.mean([number(record, key) for record in records])) for key in keys}

    points = curve.points(coverage=GRID)
    return {
        "covered": curve.original.coverage,
        "score": [curve.score_at(coverage=coverage) for coverage in GRID],
        "half_width": points.bandwidth.tolist(),
        "gain": curve.gain(),
        "deficit_gain": curve.gain(y="deficit"),
        "share": curve.share_of_ceiling(),
        "deficit_share": curve.share_of_ceiling(y="deficit"),
        "fold_score": mean(lambda record, key: record["score"][key]),
        "conformal_score": mean(lambda record, key: record["conformal"][key]["score"]),
        "conformal_coverage": mean(lambda record, key: record["conformal"][key]["coverage"]),
        "level_score": mean(lambda record, key: record["level"][key]) if "level" in records[0] else None,
    }


def _name_leaders(standing: Any) -> dict[str, Any]:
    """Return which methods lead, and whether constant width may be as good as the best."""
    ahead = {*standing.order[:1], *standing.close}
    return {
        "best": standing.best,
        "close": [method for method in METHODS if method in ahead],
        "constant": any(name not in METHODS or name in CONSTANT for name in ahead),
    }


def _cross(models: Mapping[str, uc.Intervals], comparison: Any, criterion: Any) -> Iterable[Any]:
    """Yield pairs of leading methods, and where their curves cross for good, if that is established."""
    order = [method for method in comparison.at(coverage=COVERAGE).order if method in METHODS]
    for a, b in combinations(order[:LEADING], 2):
        yield (a, b), uc.ratio_curve(models[a], models[b], criterion=criterion, rng=0).crossover


# -- over data sets -----------------------------------------------------------------------------------


def answer(data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the data sets say together."""
    places = {f"{coverage:g}": GRID.index(coverage) for coverage in COVERAGES}
    gain, deficit_gain = -values(data, "gain"), -values(data, "deficit_gain")
    score, last = (values(data, "score", places[key]) for key in ("0.9", "0.99"))
    with_levels = [method for method in METHODS if data[0]["methods"][method]["level_score"]]
    varying = [method for method in METHODS if method not in CONSTANT]
    return {
        "score": {key: rank(values(data, "score", place)) for key, place in places.items()},
        "half_width": {key: rank(values(data, "half_width", place)) for key, place in places.items()},
        "winner": {key: _count_winners(data, place) for key, place in places.items()},
        "constant": {
            key: {
                criterion: sum(each["standing"][criterion][place]["constant"] for each in data)
                for criterion in CRITERIA
            }
            for key, place in places.items()
        },
        "crossings": {criterion: _count_crossings(data, criterion) for criterion in CRITERIA},
        "stable": {
            "correlation": correlate(score, last),
            "same": int(np.sum(score.argmin(axis=1) == last.argmin(axis=1))),
        },
        "agree": {
            "gain and deficit gain": correlate(gain, deficit_gain),
            "gain and interval score": correlate(gain, score),
            "deficit gain and interval score": correlate(deficit_gain, score),
        },
        "share": {
            name: by_method(spread, values(data, name, methods=varying), varying)
            for name in ("share", "deficit_share")
        },
        "level": {key: _compare_levels(data, key, with_levels) for key in places},
        "covered": by_method(summarize_range, values(data, "covered")),
        "conformal": {key: _compare_calibrated(data, key) for key in places},
    }


def values(
    data: Sequence[Mapping[str, Any]], name: str, at: Any = None, methods: Iterable[str] = tuple(METHODS)
) -> np.ndarray:
    """Return a number, or that at one coverage, of methods on all data sets, shape (data sets, methods)."""
    found = [[each["methods"][method][name] for method in methods] for each in data]
    return np.array(found if at is None else [[one[at] for one in each] for each in found])


def by_method(
    function: Callable[[np.ndarray], Any], found: np.ndarray, methods: Iterable[str] = tuple(METHODS)
) -> dict[str, Any]:
    """Return what a function says of each method's numbers on all data sets."""
    return {method: function(column) for method, column in zip(methods, found.T, strict=True)}


def spread(column: Any) -> dict[str, float]:
    """Return the mean over data sets with its 95% confidence interval, by Student's t; NaN is left out."""
    column = np.asarray(column, dtype=float)
    column = column[np.isfinite(column)]
    if not column.size:
        return {"value": math.nan, "low": math.nan, "high": math.nan}
    margin = stats.t.ppf(0.975, column.size - 1) * stats.sem(column) if column.size > 1 else np.nan
    center = float(column.mean())
    return {"value": center, "low": center - margin, "high": center + margin}


def geometric(column: Any) -> dict[str, float]:
    """Return the geometric mean of ratios with its 95% confidence interval."""
    return {name: float(np.exp(value)) for name, value in spread(np.log(column)).items()}


def summarize_range(found: np.ndarray) -> dict[str, float]:
    """Return mean, smallest and largest number."""
    return {"mean": found.mean(), "low": found.min(), "high": found.max()}


def rank(found: np.ndarray) -> dict[str, dict[str, float]]:
    """Return how large a number is in relation to boosting with constant width, the smallest first."""
    relative = found / found[:, [list(METHODS).index(BASELINE)]]
    return dict(sorted(by_method(geometric, relative).items(), key=lambda item: item[1]["value"]))


def correlate(a: np.ndarray, b: np.ndarray) -> dict[str, float]:
    """Return the mean over data sets of the rank correlation between two numbers of the methods."""
    return spread([stats.spearmanr(*pair).statistic for pair in zip(a, b, strict=True)])


def _count_winners(data: Sequence[Mapping[str, Any]], place: int) -> dict[str, dict[str, int]]:
    """Return on how many data sets a method is clearly best, and on how many best or too close to call."""
    leaders = [each["standing"]["interval_score"][place] for each in data]
    return {
        method: {
            "best": sum(one["best"] == method for one in leaders),
            "close": sum(method in one["close"] for one in leaders),
        }
        for method in METHODS
    }


def _count_crossings(data: Sequence[Mapping[str, Any]], criterion: Any) -> dict[str, int]:
    pairs = [one["coverage"] is not None for each in data for one in each["crossings"][criterion]]
    return {"pairs": len(pairs), "crossed": sum(pairs)}


def _compare_levels(data: Sequence[Mapping[str, Any]], key: str, methods: Iterable[str]) -> dict[str, Any]:
    """Return the score of methods' own levels over that of their scaled 90% intervals."""
    ratio = values(data, "level_score", key, methods) / values(data, "fold_score", key, methods)
    return by_method(geometric, ratio, methods)


def _compare_calibrated(data: Sequence[Mapping[str, Any]], key: str) -> dict[str, dict[str, float]]:
    """Return the score of intervals scaled on calibration rows over that with the scale of the test rows."""
    ratio = values(data, "conformal_score", key) / values(data, "fold_score", key)
    covered = values(data, "conformal_coverage", key)
    return {"cost": geometric(ratio.mean(axis=1)), "covered": summarize_range(covered)}
