"""Several models on the same rows: scores, paired tests, and who is best where."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve import _door, _findings, _frames, _layout, _regimes, metrics
from uccurve._labels import grouped
from uccurve._namespace import to_numpy
from uccurve._sample import check_pair
from uccurve._units import unit_codes
from uccurve.confidence import confidence_interval
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError, UnreachableError
from uccurve.intervals import Intervals
from uccurve.permutation import permutation_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from uccurve._typing import ArrayLike, Vary, X, Y

Table = dict[str, list[Any]]
CONSTANT = "constant band"


@dataclass(frozen=True, eq=False)
class Comparison:
    """What `compare` found, as tables.

    ``scores``, ``tests``, ``regimes``, ``crossings`` and ``segments`` are frames of the user's library
    (pandas, Polars or PyArrow), or dicts of columns where none is installed.
    """

    curves: dict[str, UCC]
    """The curve of each model, and of the constant band."""
    tables: dict[str, Table]
    """The tables, as dicts of columns."""
    options: dict[str, Any] = field(repr=False)
    """Axes, level and the like that the tables were made with."""

    @property
    def models(self) -> dict[str, UCC]:
        """The curves without those of constant bands."""
        return {name: curve for name, curve in self.curves.items() if name not in self.options["constants"]}

    @property
    def scores(self) -> Any:
        """One row a model: costs as given, area, gains with intervals and ceilings."""
        return self._frame("scores")

    @property
    def tests(self) -> Any:
        """One row a pair: difference of areas with its interval, p-value, and Holm-adjusted p-value."""
        return self._frame("tests")

    @property
    def regimes(self) -> Any:
        """One row a range of miss rates: who needs the least bandwidth, how much less, and is it chance."""
        return self._frame("regimes")

    @property
    def crossings(self) -> Any:
        """One row a crossing of two curves."""
        return self._frame("crossings")

    @property
    def segments(self) -> Any:
        """The scores of each segment, where ``by`` was given."""
        return self._frame("segments")

    def summary(self, miss_rate: float = 0.1) -> str:
        """Return the findings in sentences, each derived from the numbers.

        Parameters
        ----------
        miss_rate : float
            The miss rate at which models are held against the constant band.
        """
        rate = _door.number("miss_rate", miss_rate, 0, 1, open_=True)
        lines = [self._ranking()]
        if self.options["vary"] == "scale":
            options = {name: self.options[name] for name in ("blocks", "level")}
            options |= {"rng": self.options["seed"], "n_resamples": min(self.options["n_resamples"], 499)}
            for name, curve in self.models.items():
                if float(curve.miss_rate[-1]) < rate:
                    lines.append(_findings.against_constant(name, curve, curve.reference, rate, options))
        table = self.tables["regimes"]
        for low, high, best, second, saved, sure in zip(*(table[c] for c in _REGIME_COLUMNS), strict=True):
            if second is not None and sure:
                lines.append(
                    f"Between miss rates of {low:.2f} and {high:.2f} {best} needs the least bandwidth, "
                    f"{100 * saved:.1f} % less than {second}."
                )
        return "\n".join(lines)

    def plot(self, ax: Any = None) -> Any:
        """Draw all curves on one pair of axes; needs the extra ``plot``."""
        for name, curve in self.models.items():
            ax = curve.plot(ax, x=self.options["x"], y=self.options["y"], label=name)
        return ax

    def __str__(self) -> str:
        return "\n\n".join(_layout.as_text(name, table) for name, table in self._shown().items())

    def _repr_html_(self) -> str:
        return "".join(_layout.as_html(name, table) for name, table in self._shown().items())

    def _shown(self) -> dict[str, Table]:
        """Return the tables as they are read: shares in per cent, intervals beside their numbers."""
        titles = {
            "scores": "Scores, areas on {x} and {y}, vary={vary!r}".format(**self.options),
            "tests": "Differences of areas, paired permutation tests",
            "regimes": "Least bandwidth by miss rate",
            "segments": "Segments",
        }
        return {
            title: _layout.readable(self.tables[name]) for name, title in titles.items() if self.tables[name]
        }

    def _frame(self, name: str) -> Any:
        first = next(iter(self.curves.values())).intervals
        return _frames.table({k: np.asarray(v) for k, v in self.tables[name].items()}, first._library)

    def _ranking(self) -> str:
        """Say who has the smallest area, and whether the next one is significantly behind."""
        scores, tests = self.tables["scores"], self.tables["tests"]
        areas = dict(zip(scores["model"], scores["area"], strict=True))
        names = sorted((name for name in areas if not math.isnan(areas[name])), key=lambda name: areas[name])
        axes = f"{self.options['x']} and {self.options['y'].replace('_', ' ')}"
        sentence = f"By the area on {axes} the order is {', '.join(names)}"
        missing = [name for name in areas if name not in names]
        if missing:
            sentence += f" ({', '.join(missing)} cannot be ranked: some rows are never captured)"
        if len(names) < 2:  # noqa: PLR2004
            return sentence + "."
        pair = {names[0], names[1]}
        place = next(i for i, (a, b) in enumerate(zip(tests["a"], tests["b"], strict=True)) if {a, b} == pair)
        p = tests["p_holm"][place]
        verb = "is" if p < 1 - self.options["level"] else "is not"
        return (
            f"{sentence}; the lead of {names[0]} over {names[1]} {verb} significant (p = {p:.2g} after Holm)."
        )


_REGIME_COLUMNS = ("low", "high", "best", "runner_up", "saved", "significant")


def compare(
    models: Mapping[str, Intervals],
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    miss_rate: float = 0.1,
    partial_range: tuple[float, float] = (0.0, 0.5),
    n_resamples: int = 9999,
    blocks: ArrayLike | int | None = None,
    by: ArrayLike | None = None,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare models on the same rows, with each other and with the constant band.

    Parameters
    ----------
    models : mapping of name to Intervals
        At least one model; all on the same observations, with the same weights.
    x, y, vary : str
        The axes of areas, gains, tests and crossings, and the family of operating points.
    miss_rate : float
        Nominal miss rate of the interval score.
    partial_range : pair of float
        Miss rates of the partial gains.
    n_resamples : int
        Exchanges of each permutation test; bootstrap samples are at most 999.
    blocks : int or array of shape (n,), optional
        What depends on each other, as in `permutation_test`.
    by : array of shape (n,), optional
        Labels of segments, to be scored on their own as well.
    level : float
        Probability of the confidence intervals, and 1 minus the level of significance.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.
    progress : bool
        Show progress on the terminal.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(500, rng=0)
    >>> models = {name: uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**p)
    ...           for name, p in (("damped", 0.5), ("truth", 1))}
    >>> comparison = uc.compare(models, n_resamples=99, rng=0)
    >>> comparison.tables["scores"]["model"]
    ['damped', 'truth', 'constant band']
    """
    _check_models(models)
    generator = np.random.default_rng(rng)
    curves = {str(name): UCC(intervals, vary) for name, intervals in models.items()}
    constants = _constants(curves)
    taken = [name for name in curves if name in constants]
    if taken:
        raise ArgumentError(f"`models` must not use the name {taken[0]!r}: the reference has it.")
    curves |= constants
    options: dict[str, Any] = {
        "x": x,
        "y": y,
        "vary": vary,
        "level": level,
        "blocks": blocks,
        "rng": generator,
    }
    options |= {
        "n_resamples": n_resamples,
        "miss_rate": miss_rate,
        "partial_range": partial_range,
        "constants": tuple(constants),
        "seed": int(generator.integers(2**62)),
    }
    tables: dict[str, Table] = {"scores": _scores(curves, options)}
    tables["tests"] = _tests(curves, options, progress=progress)
    tables["regimes"] = _regime_table(curves, options)
    tables["crossings"] = _crossing_table(curves, options)
    tables["segments"] = {} if by is None else _segments(curves, by, options)
    return Comparison(curves, tables, options)


def _check_models(models: Mapping[str, Intervals]) -> None:
    if not isinstance(models, Mapping) or not models:
        raise ArgumentError("`models` must be a mapping of names to Intervals, with at least one model.")
    if len({str(name) for name in models}) < len(models):
        raise ArgumentError("`models` must have names that differ as text.")
    first = next(iter(models.values()))
    for name, intervals in models.items():
        _door.instance(f"models[{name!r}]", intervals, Intervals)
        if type(intervals.y_true) is not type(first.y_true):
            raise ArgumentError("`models` must all hold arrays of one kind.")
        check_pair(first, intervals)


def _constants(curves: dict[str, UCC]) -> dict[str, UCC]:
    """Return the constant band, one for each way of predicting."""
    kinds: list[tuple[str, UCC]] = []
    for name, curve in curves.items():
        prediction = to_numpy(curve.intervals.y_pred)
        if not any(np.array_equal(prediction, to_numpy(other.intervals.y_pred)) for _, other in kinds):
            kinds.append((name, curve))
    if len(kinds) == 1:
        return {CONSTANT: kinds[0][1].reference}
    return {f"{CONSTANT} of {name}": curve.reference for name, curve in kinds}


def _rows(records: list[dict[str, Any]]) -> Table:
    return {name: [record[name] for record in records] for name in records[0]} if records else {}


def _or_nan(ask: Callable[[], float]) -> float:
    """Return a number, or NaN where a floor of the curve puts it out of reach."""
    try:
        return ask()
    except UnreachableError:
        return math.nan


def _interval(intervals: Intervals, options: dict[str, Any], **ask: Any) -> tuple[float, float]:
    try:
        found = confidence_interval(
            intervals,
            "gain",
            level=options["level"],
            blocks=options["blocks"],
            rng=options["rng"],
            n_resamples=min(options["n_resamples"], 999),
            **ask,
        )
    except (UnreachableError, ArgumentError):  # out of reach, or a single unit
        return math.nan, math.nan
    return found.low, found.high


def _scores(curves: dict[str, UCC], options: dict[str, Any]) -> Table:
    x, y, vary = options["x"], options["y"], options["vary"]
    span = {"miss_rate": options["partial_range"]}
    records = []
    for name, curve in curves.items():
        rows, point = curve.intervals, curve.original
        constant = curve.reference is curve
        low, high = (0.0, 0.0) if constant else _interval(rows, options, x=x, y=y, vary=vary)
        deficit = (0.0, 0.0) if constant else _interval(rows, options, x=x, y="deficit", vary=vary)
        flat = (rows.y_true, rows.lower, rows.upper)
        score = metrics.interval_score(
            *flat, miss_rate=options["miss_rate"], sample_weight=rows.sample_weight
        )
        records.append(
            {
                "model": name,
                "n": rows.n,
                "miss_rate": point.miss_rate,
                "coverage": point.coverage,
                "bandwidth": point.bandwidth,
                "excess": point.excess,
                "deficit": point.deficit,
                "interval_score": float(score),
                "area": _or_nan(lambda c=curve: c.area(x, y)),  # type: ignore[misc]
                "gain": _or_nan(lambda c=curve: c.gain(x, y)),  # type: ignore[misc]
                "gain_low": low,
                "gain_high": high,
                "ceiling": curve.ceiling(x, y, one_sided=not rows.symmetric),
                "deficit_gain": _or_nan(lambda c=curve: c.gain(x, "deficit")),  # type: ignore[misc]
                "deficit_gain_low": deficit[0],
                "deficit_gain_high": deficit[1],
                "deficit_ceiling": curve.ceiling(x, "deficit", one_sided=not rows.symmetric),
                "strip_gain": _or_nan(lambda c=curve: c.gain(x, y, **span)),  # type: ignore[misc]
                "mean_gain": _or_nan(lambda c=curve: c.gain(x, y, partial="mean", **span)),  # type: ignore[misc]
            }
        )
    return _rows(records)


def _tests(curves: dict[str, UCC], options: dict[str, Any], *, progress: bool) -> Table:
    axes = {name: options[name] for name in ("x", "y", "vary", "blocks", "rng")}
    records = []
    for (name_a, a), (name_b, b) in itertools.combinations(curves.items(), 2):
        record: dict[str, Any] = {"a": name_a, "b": name_b}
        try:
            label = f"{name_a} against {name_b}" if progress else False
            test = permutation_test(
                a.intervals, b.intervals, n_resamples=options["n_resamples"], progress=label, **axes
            )
            found = confidence_interval(
                a.intervals,
                "area",
                minus=b.intervals,
                level=options["level"],
                n_resamples=min(options["n_resamples"], 999),
                **axes,
            )
            record |= {"difference": test.statistic, "low": found.low, "high": found.high, "p": test.p_value}
        except UnreachableError:
            record |= dict.fromkeys(("difference", "low", "high", "p"), math.nan)
        records.append(record)
    for record, adjusted in zip(records, _regimes.holm([record["p"] for record in records]), strict=True):
        record["p_holm"] = adjusted
    return _rows(records)


def _regime_table(curves: dict[str, UCC], options: dict[str, Any]) -> Table:
    found = _regimes.regimes(curves, options["blocks"], options["rng"])
    adjusted = _regimes.holm([regime.p_value for regime in found])
    return _rows(
        [
            {
                "low": regime.low,
                "high": regime.high,
                "best": regime.best,
                "runner_up": regime.runner_up,
                "saved": regime.saved,
                "p_holm": p,
                "significant": p < 1 - options["level"],
            }
            for regime, p in zip(found, adjusted, strict=True)
        ]
    )


def _crossing_table(curves: dict[str, UCC], options: dict[str, Any]) -> Table:
    records = []
    for (name_a, a), (name_b, b) in itertools.combinations(curves.items(), 2):
        for crossing in a.crossings(b, options["x"], options["y"]):
            better = name_a if crossing.better_below == "self" else name_b
            place = {options["y"]: crossing.y, options["x"]: crossing.x}
            records.append({"a": name_a, "b": name_b, **place, "better_below": better})
    return _rows(records)


def _segments(curves: dict[str, UCC], by: ArrayLike, options: dict[str, Any]) -> Table:
    models = {name: curve for name, curve in curves.items() if name not in options["constants"]}
    parts = {name: curve.intervals.by(by) for name, curve in models.items()}
    first = next(iter(models.values())).intervals
    kept = None if first.kept is None else to_numpy(first.kept)
    codes = unit_codes(first, options["blocks"])
    records: list[dict[str, Any]] = []
    for label, rows in grouped(by, first.n, "by", kept).items():
        segment = {name: UCC(groups[label], options["vary"]) for name, groups in parts.items()}
        blocks = None if options["blocks"] is None else codes[rows]
        table = _scores(segment | _constants(segment), {**options, "blocks": blocks})
        lines = zip(*table.values(), strict=True)
        records += [{"segment": label, **dict(zip(table, line, strict=True))} for line in lines]
    return _rows(records)
