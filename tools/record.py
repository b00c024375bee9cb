"""Record every public number on a fixed set of inputs, or compare a record with an earlier one.

A rebuild must not change numbers: record before it, and compare after it.

    python tools/record.py before.json
    python tools/record.py after.json --against before.json
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import io
import itertools
import json
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

import uccurve as uc
from uccurve import datasets
from uccurve.cli import main as command_line
from uccurve.exceptions import UccurveError

AXES = [(x, y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]
COSTS = ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit")
RANGES: list[dict[str, Any]] = [
    {"miss_rate": (0.0, 0.5)},
    {"miss_rate": (0.13, 0.7)},
    {"coverage": (0.4, 0.95)},
    {"bandwidth": (0.3, 1.7)},
    {"excess": (0.01, 0.6)},
    {"deficit": (0.02, 0.4)},
    {"parameter": (0.2, 2.5)},
]
TOLERANCE = 1e-14
"""Relative to the larger of two numbers; formulas that moved may round otherwise."""


def rows() -> Iterator[tuple[str, uc.Intervals]]:
    """Yield intervals of every kind: asymmetric, tied, weighted, floored, tiny, huge, few, pooled."""
    rng = np.random.default_rng(20)
    n = 60
    y, p = rng.normal(size=n), rng.normal(size=n) * 0.3
    a, b = rng.exponential(size=(2, n)) + 0.05
    weight = rng.integers(0, 4, size=n) + 0.25
    some = np.where(np.arange(n) % 7 == 0, 0.0, weight)
    zero = np.where(np.arange(n) % 9 == 0, 0.0, a)
    grid = rng.integers(-4, 5, size=n) / 2
    yield "symmetric", uc.Intervals.from_bands(y, p, a)
    yield "asymmetric", uc.Intervals.from_bands(y, p, a, b)
    yield "weighted", uc.Intervals.from_bands(y, p, a, b, sample_weight=weight)
    yield "weightless rows", uc.Intervals.from_std(y, p, a, sample_weight=some)
    yield "zero bands", uc.Intervals.from_bands(y, p, zero, b)
    yield "all zero", uc.Intervals.from_bands(y, p, 0.0)
    yield "constant", uc.Intervals.from_bands(y, p, 0.7)
    near, far = np.where(a > 1, 1.0, 0.5), np.where(b > 1, 2.0, 0.5)
    yield "ties", uc.Intervals.from_bands(grid, 0 * grid, near, far)
    yield "weighted ties", uc.Intervals.from_bands(grid, 0 * grid, near, sample_weight=some)
    yield "exact", uc.Intervals.from_bands(y, y, a, b)
    yield "tiny", uc.Intervals.from_bands(y * 1e-90, p * 1e-90, a * 1e-90, b * 1e-90)
    yield "huge", uc.Intervals.from_bands(y * 1e90, p * 1e90, a * 1e90)
    yield "midpoints", uc.Intervals.from_bounds(y, p - a, p + b)
    yield "bounds", uc.Intervals.from_bounds(y, p - a, p + b, y_pred=p)
    yield "quantiles", uc.Intervals.from_quantiles(y, np.stack([p - a, p, p + b], 1), [0.1, 0.5, 0.9])
    yield "draws", uc.Intervals.from_samples(y, p + rng.normal(size=(11, n)) * a)
    yield "draw quantiles", uc.Intervals.from_samples(y, p + rng.normal(size=(11, n)) * a, levels=(0.1, 0.9))
    two = [column.reshape(-1, 2) for column in (y, p, a, b)]
    yield "outputs", uc.Intervals.from_bands(*two)
    yield "weighted outputs", uc.Intervals.from_bands(*two, sample_weight=weight[: n // 2])
    for few in (1, 2, 3):
        yield f"{few} rows", uc.Intervals.from_bands(y[:few], p[:few], a[:few], b[:few])


def asked(ask: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return an answer as plain values, or the error in its place."""
    try:
        return plain(ask(*args, **kwargs))
    except (UccurveError, ArithmeticError) as error:
        return f"{type(error).__name__}: {error}"


def plain(value: Any) -> Any:
    """Return numbers, texts, lists and dicts in the place of records and arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value


def curve_numbers(curve: Any) -> dict[str, Any]:
    """Ask a curve everything."""
    found: dict[str, Any] = {name: asked(getattr, curve, name) for name in COSTS}
    for x, y in AXES:
        for span in ({}, *RANGES):
            for partial in ("strip", "mean") if span else ("strip",):
                key = f"{x} {y} {partial} {span}"
                found[f"area {key}"] = asked(curve.area, x=x, y=y, partial=partial, **span)
                found[f"gain {key}"] = asked(curve.gain, x=x, y=y, partial=partial, **span)
        for sided in (False, True):
            found[f"ceiling {x} {y} {sided}"] = asked(curve.ceiling, x=x, y=y, asymmetric=sided)
        for c in (0.0, 0.2, 0.5, 0.9, 1.0):
            found[f"cost {x} {y} {c}"] = asked(curve.minimize_cost, c, x=x, y=y)
        found[f"crossings {x} {y}"] = asked(curve.crossings, curve.reference, x=x, y=y)
    for axis in COSTS:
        for value in (0.0, 0.1, 0.33, 0.9, 1.0, 3.0):
            found[f"at {axis} {value}"] = asked(curve.at, **{axis: value})
    found["original"] = asked(getattr, curve, "original")
    found["frontier"] = asked(getattr, curve, "frontier")
    found["band simultaneous"] = asked(curve.confidence_band, confidence_level=0.9)
    found["reliability"] = asked(curve.reliability, 0.8)
    return found


def curves() -> dict[str, Any]:
    """Record exact and sketched curves, standardized rows and metrics."""
    return {name: row_numbers(intervals) for name, intervals in rows()}


def row_numbers(intervals: uc.Intervals) -> dict[str, Any]:
    """Record everything about one set of rows."""
    varies: tuple[Any, ...] = ("scale", "shift")
    found: dict[str, Any] = {vary: curve_numbers(uc.UCC(intervals, vary=vary)) for vary in varies}
    sketch = uc.UCCSketch.of(intervals)
    found["sketch"] = curve_numbers(sketch.curve())
    found["bytes"] = hashlib.sha256(sketch.to_bytes()).hexdigest()
    found["drift"] = asked(sketch.drift, uc.UCCSketch.of(intervals.scaled(1.3)))
    bound = sketch.curve().error_bound
    found["bound"] = [asked(bound, x=x, y=y, partial="strip", **span) for x, y in AXES for span in RANGES]
    found["standardized"] = asked(lambda: intervals.standardized().ucc().area(x="excess"))
    bounds = (intervals.y_true, intervals.lower, intervals.upper)
    weight = {"sample_weight": intervals.sample_weight}
    for metric in (uc.miss_rate, uc.coverage, uc.excess, uc.deficit):
        for kind in ("uniform_average", "raw_values"):
            found[f"{metric.__name__} {kind}"] = asked(metric, *bounds, multioutput=kind, **weight)
    found["bandwidth"] = asked(uc.bandwidth, *bounds[1:], **weight)
    found["score"] = asked(uc.interval_score, *bounds, miss_rate=0.1, **weight)
    weight["y_pred"] = intervals.y_pred
    found["auucc"] = asked(uc.auucc, *bounds, x="excess", multioutput="raw_values", **weight)
    found["auucc_gain"] = asked(uc.auucc_gain, *bounds, y="deficit", **weight)
    for vary in varies:
        found[f"conformal {vary}"] = asked(calibrated, intervals, vary)
    return found


def calibrated(intervals: uc.Intervals, vary: Any) -> Any:
    """Return bounds that are calibrated on their own rows."""
    scaler = uc.ConformalScaler(miss_rate=0.2, vary=vary).fit(intervals)
    return scaler.transform(lower=intervals.lower, upper=intervals.upper, y_pred=intervals.y_pred)


def pairs() -> Iterator[tuple[str, uc.Intervals, uc.Intervals, Any]]:
    """Yield two models on the same rows, with what depends on each other."""
    rng = np.random.default_rng(3)
    n = 90
    y, p, q = rng.normal(size=n), rng.normal(size=n) * 0.2, rng.normal(size=n) * 0.2
    a, b, c = rng.exponential(size=(3, n)) + 0.1
    weight = rng.integers(1, 4, size=n) / 2
    one, two = uc.Intervals.from_bands(y, p, a, b), uc.Intervals.from_bands(y, q, c)
    yield "plain", one, two, None
    yield "blocks", one, two, 9
    yield "labels", one, two, np.arange(n) % 13
    heavy, heavier = (
        uc.Intervals.from_bands(y, *model, sample_weight=weight) for model in ((p, a, b), (q, c))
    )
    yield "weighted", heavy, heavier, None
    wide = [column.reshape(-1, 2) for column in (y, p, a, b, q, c)]
    yield "outputs", uc.Intervals.from_bands(*wide[:4]), uc.Intervals.from_bands(wide[0], *wide[4:]), None


def inference() -> dict[str, Any]:
    """Record tests and intervals of every kind."""
    found: dict[str, Any] = {}
    interval = uc.confidence_interval
    for name, one, two, blocks in pairs():
        again: dict[str, Any] = {"blocks": blocks, "rng": 1, "n_resamples": 59}
        for (x, y), vary, span, what in itertools.product(
            AXES, ("scale", "shift"), ({}, *RANGES), ("area", "gain")
        ):
            options = {"x": x, "y": y, "vary": vary, "partial": "strip", **span}
            key = f"{name} {what} {options}"
            found[f"test {key}"] = asked(uc.permutation_test, one, two, statistic=what, **options, **again)
            found[f"interval {key}"] = asked(interval, one, what, minus=two, **options, **again)
        for what in ("miss_rate", "coverage", "bandwidth", "excess", "deficit"):
            found[f"{name} {what}"] = asked(interval, one, what, **again)
        mean: dict[str, Any] = {"partial": "mean", "miss_rate": (0.1, 0.6)}
        percentile: dict[str, Any] = {"method": "percentile", **again}
        found[f"{name} gain percentile"] = asked(interval, one, "gain", **percentile)
        found[f"{name} mean percentile"] = asked(interval, one, "gain", **mean, **percentile)
        found[f"{name} at percentile"] = asked(interval, one, "parameter", miss_rate=0.1, **percentile)
        spans: list[dict[str, Any]] = [{"miss_rate": (0.1, 0.6)}, {"coverage": (0.2, 0.7)}]
        for what, span in itertools.product(("area", "gain"), spans):
            found[f"{name} mean {what} {span}"] = asked(interval, one, what, partial="mean", **span, **again)
    return found


def comparison_numbers(comparison: Any) -> dict[str, Any]:
    """Return all tables of a comparison as dicts of columns, and its findings."""
    found: dict[str, Any] = {}
    for name in ("scores", "tests", "regimes", "crossings", "segments"):
        table = getattr(comparison, name)
        found[name] = {} if table is None else plain(table.columns())
    found["findings"] = list(comparison.findings)
    found["text"] = str(comparison)
    found["html"] = comparison._repr_html_()
    return found


def comparisons() -> dict[str, Any]:
    """Record comparisons of models, of segments and of sketches."""
    found: dict[str, Any] = {}
    for name, one, two, blocks in pairs():
        models, thirds = {"one": one, "two": two}, np.arange(one.n) % 3
        for vary, (x, y) in itertools.product(("scale", "shift"), (AXES[0], AXES[-1])):
            options: dict[str, Any] = {"x": x, "y": y, "vary": vary, "blocks": blocks, "by": thirds}
            compared = uc.compare(models, n_resamples=59, rng=2, **options)
            found[f"{name} {vary} {x} {y}"] = comparison_numbers(compared)
    data = datasets.make_crossing()
    found["crossing"] = comparison_numbers(uc.compare(data.models, n_resamples=199, rng=0, by=data.segment))
    sketches = {name: uc.UCCSketch.of(model) for name, model in data.models.items()}
    found["sketches"] = comparison_numbers(uc.compare(sketches))
    with tempfile.TemporaryDirectory() as folder:
        page = uc.report(data.models, Path(folder) / "page.html", n_resamples=99, rng=0, by=data.segment)
        text = page.read_text(encoding="utf-8")
        start = text.index("{", text.index('type="application/json"'))
        numbers = json.loads(text[start : text.index("</script>", start)])
        found["page"] = unpacked({key: value for key, value in numbers.items() if key != "title"})
    return found


def unpacked(value: Any) -> Any:
    """Turn the arrays that a page carries as base64 back into numbers."""
    if isinstance(value, dict):
        return {key: unpacked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if isinstance(value, str) and len(value) > len("AAAAAAAAAAA") and not set(value) <= {"0", "1"}:
        with contextlib.suppress(ValueError):
            return plain(np.frombuffer(base64.b64decode(value, validate=True), dtype="<f8"))
    return value


def command_lines() -> dict[str, Any]:
    """Record what the command line prints as JSON, for files of every kind."""
    import polars as pl  # noqa: PLC0415 - an extra

    rng = np.random.default_rng(5)
    n = 80
    y, p, q = rng.normal(size=n), rng.normal(size=n) * 0.2, rng.normal(size=n) * 0.2
    a, b = rng.exponential(size=(2, n)) + 0.1
    frame = pl.DataFrame(
        {
            "y": y,
            "A": p,
            "A-lo-90": p - a,
            "A-hi-90": p + b,
            "B": q,
            "B-lo-90": q - b,
            "B-hi-90": q + b,
            "w": rng.integers(1, 4, size=n) / 2,
            "g": [f"g{place % 3}" for place in range(n)],
        }
    )
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        frame.write_parquet("rows.parquet")
        frame.write_csv("rows.csv")
        for words in (
            "score rows.csv --sample-weight w --by g --json",
            "score rows.parquet --vary shift --miss-rate 0.2 --json",
            "score rows.parquet --scan --by g --json",
            "score rows.parquet --scan --sample-weight w --json",
            "compare rows.parquet --n-resamples 99 --by g --json",
            "compare rows.csv --n-resamples 99 --blocks 8 --y deficit --json",
            "sketch rows.csv rows.parquet --by g -o all.ucc --json",
            "score all.ucc --json",
            "compare all.ucc --json",
            "calibrate rows.csv -o new.csv --by g --fraction 0.5 --json",
            "calibrate rows.parquet -o new.parquet --vary shift --miss-rate 0.2 --json",
        ):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                code = command_line(words.split())
            found[words] = {"code": code, "printed": json.loads(out.getvalue())}
        found["new.csv"] = Path("new.csv").read_text(encoding="utf-8")
    return found


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every single value of a record by its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path} / {key}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from leaves(item, f"{path}[{place}]")
    else:
        yield path, value


def compared(new: Any, old: Any) -> int:
    """Print how two records differ, and return how many numbers differ by more than rounding."""
    mine, theirs = dict(leaves(new)), dict(leaves(old))
    rounded, worst = 0, 0.0
    different: list[str] = []
    reworded: list[str] = []
    for path in mine.keys() | theirs.keys():
        a, b = mine.get(path, "absent"), theirs.get(path, "absent")
        if a == b:
            continue
        numbers = all(isinstance(value, (int, float)) for value in (a, b))
        apart = abs(a - b) / max(abs(a), abs(b)) if numbers else math.inf
        if apart <= TOLERANCE:
            rounded, worst = rounded + 1, max(worst, apart)
        else:
            sentences = all(isinstance(value, str) and " " in value for value in (a, b))
            (reworded if sentences else different).append(f"{path}: {b!r} before, {a!r} now")
    same = len(mine.keys() & theirs.keys()) - rounded - len(different) - len(reworded)
    print(
        f"{same:,} values are the same, {rounded:,} differ by rounding (at most {worst:.1e}), "
        f"{len(different):,} differ, {len(reworded):,} sentences are worded otherwise"
    )
    for line in [*sorted(different)[:200], *sorted(reworded)[:20]]:
        print(line[:400])
    return len(different)


def main(arguments: list[str]) -> int:
    """Write a record; compare it with an earlier one if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("output", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    record = {
        "curves": curves(),
        "inference": inference(),
        "comparisons": comparisons(),
        "command line": command_lines(),
    }
    record = json.loads(json.dumps(record, default=str))
    options.output.write_text(json.dumps(record), encoding="utf-8")
    print(f"{sum(1 for _ in leaves(record)):,} values recorded")
    if options.against is None:
        return 0
    return compared(record, json.loads(options.against.read_text())) != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
