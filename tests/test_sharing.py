"""Objects that are shared: between threads and processes, copied, and pickled."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
import pytest

import uccurve as uc

THREADS = 8
ASKED = ("Intervals", "UCC", "UCCSketch", "SketchedUCC", "Comparison", "ConformalScaler", "Models")


def rows(seed=0, n=400):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return uc.Intervals.from_bands(y, 0.1 * y, rng.exponential(size=n) + 0.1, rng.exponential(size=n) + 0.1)


def objects():
    """One object of every public class, by the name of its class."""
    mine = rows()
    other = uc.Intervals.from_std(mine.y_true, mine.y_pred, np.random.default_rng(5).uniform(1, 2, mine.n))
    curve = mine.ucc()
    comparison = uc.compare({"a": mine, "b": other}, n_resamples=9, rng=0)
    ratio = uc.ratio_curve(mine, other, n_resamples=20, rng=0)
    covered = uc.conditional_coverage(mine, coverage=0.9)
    found = [
        mine,
        curve,
        covered,
        covered.segments[0],
        mine.sketch(),
        mine.sketch().curve(),
        comparison,
        uc.ConformalScaler(coverage=0.8).fit(mine),
        uc.Columns(y_true="y", y_pred="p", std="s"),
        uc.Models.from_frame(pl.DataFrame({"y": mine.y_true, "yhat": mine.y_pred, "std": other.upper_band})),
        uc.confidence_interval(mine, "gain", n_resamples=9, rng=0),
        uc.permutation_test(mine, other, n_resamples=9, rng=0),
        curve.minimize_cost(0.5),
        curve.at(coverage=0.9),
        curve.points(coverage=[0.5, 0.9]),
        curve.frontier,
        curve.reliability(0.9),
        curve.confidence_band(),
        ratio,
        mine.sketch().drift(other.sketch()),
        uc.families(mine, n_resamples=9, rng=0),
        uc.weighted_interval_score([1.0, 2.0], [[0.0, 3.0], [1.0, 1.5]], levels=(0.1, 0.9), decompose=True),
    ]
    found += list(curve.crossings(other.ucc()))[:1]
    found += [it for it in (ratio.crossover,) if it is not None]
    return {type(thing).__name__: thing for thing in found}


def same(one, other):
    """Whether two objects say the same, field by field where they are not compared themselves."""
    if isinstance(one, np.ndarray):
        equal = np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    elif type(one).__name__ in ASKED:
        equal = answers(one) == answers(other)
    elif dataclasses.is_dataclass(one):
        equal = all(same(getattr(one, it.name), getattr(other, it.name)) for it in dataclasses.fields(one))
    elif isinstance(one, (list, tuple)):
        equal = len(one) == len(other) and all(map(same, one, other))
    else:
        equal = one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and bool(equal)


def numbers(curve):
    """Everything that a curve keeps once it has been computed."""
    areas = [curve.area(x=x, y=y) for x in ("bandwidth", "excess") for y in ("miss_rate", "deficit")]
    sums = [float(getattr(curve, name).sum()) for name in ("parameter", "miss_rate", "excess", "deficit")]
    return [*areas, *sums, curve.gain(), curve.ceiling(), curve.at(coverage=0.9).bandwidth]


def answers(thing):
    """What one asks an object, in another thread or process."""
    if isinstance(thing, uc.Intervals):
        return numbers(thing.ucc())
    if isinstance(thing, uc.Models):
        return [answers(rows) for rows in thing.values()]
    if isinstance(thing, uc.UCCSketch):
        return numbers(thing.curve())
    if isinstance(thing, uc.Comparison):
        return [thing.summary(), *(numbers(curve) for curve in thing.models.values())]
    if isinstance(thing, uc.ConformalScaler):
        return numbers(thing.transform(rows()).ucc())
    return numbers(thing)


@pytest.fixture(scope="module")
def shared():
    return objects()


def test_every_public_class_has_an_object_here(shared):
    """A new one must be tested too; displays hold axes of matplotlib, which copy as they like."""
    classes = {name for name in uc.__all__ if inspect.isclass(getattr(uc, name))}
    assert classes - set(shared) - {"UCCDisplay"} <= {"Crossing", "Crossover"}


def through_bytes(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("through", [through_bytes, copy.copy, copy.deepcopy])
def test_every_public_object_can_be_pickled_and_copied(shared, through):
    """Processes send objects to each other so; and the copy says the same."""
    for name, thing in shared.items():
        assert same(thing, through(thing)), name


@pytest.mark.parametrize("make", [lambda: rows().ucc(), lambda: rows().sketch().curve()])
def test_a_curve_can_be_asked_by_many_threads_at_once(make):
    """What it keeps is computed when first asked for: by whom does not matter."""
    wanted = numbers(make())
    for _ in range(5):
        curve = make()
        with ThreadPoolExecutor(THREADS) as pool:
            assert all(found == wanted for found in pool.map(numbers, [curve] * THREADS))
