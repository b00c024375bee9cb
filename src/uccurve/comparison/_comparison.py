"""Several models on the same rows: scores, paired tests, and who is best where."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames, text
from uccurve.comparison import _findings, _tables
from uccurve.curve import UCC
from uccurve.curve._ranges import pair
from uccurve.exceptions import ArgumentError
from uccurve.inference._sample import check_pair
from uccurve.intervals import Intervals
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.comparison._tables import Table


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
        rate = arguments.number("miss_rate", miss_rate, 0, 1, open_=True)
        lines = self._ranking()
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
        return "\n".join(map(text.printable, lines))

    def plot(self, ax: Any = None) -> Any:
        """Draw all curves on one pair of axes; needs the extra ``plot``."""
        for name, curve in self.models.items():
            ax = curve.plot(ax, x=self.options["x"], y=self.options["y"], label=name)
        return ax

    def __str__(self) -> str:
        return "\n\n".join(text.as_text(name, table) for name, table in self._shown().items())

    def _repr_html_(self) -> str:
        return "".join(text.as_html(name, table) for name, table in self._shown().items())

    def _shown(self) -> dict[str, Table]:
        """Return the tables as they are read: shares in per cent, intervals beside their numbers."""
        titles = {
            "scores": "Scores, areas on {x} and {y}, bands varied by {vary}".format(**self.options).replace(
                "_", " "
            ),
            "tests": "Differences of areas, paired permutation tests",
            "regimes": "Least bandwidth by miss rate",
            "segments": "Segments",
        }
        return {
            title: text.readable(self.tables[name]) for name, title in titles.items() if self.tables[name]
        }

    def _frame(self, name: str) -> Any:
        library = next(iter(self.curves.values()))._library
        return frames.table({k: np.asarray(v) for k, v in self.tables[name].items()}, library)

    def _ranking(self) -> list[str]:
        """Say which model has the smallest area, and whether the next one is significantly behind."""
        scores, models = self.tables["scores"], self.models
        areas = {
            name: area for name, area in zip(scores["model"], scores["area"], strict=True) if name in models
        }
        names = sorted((name for name in areas if not math.isnan(areas[name])), key=lambda name: areas[name])
        axes = f"{self.options['x']} and {self.options['y'].replace('_', ' ')}"
        lines = []
        if len(names) > 1:
            told = self._tested(names[0], names[1])
            lead = f"; the lead of {names[0]} over {names[1]} {told}" if told else ""
            lines.append(f"By the area on {axes} the order is {', '.join(names)}{lead}.")
        varying = (name for name in names if models[name].reference is not models[name])
        lines += [self._against_constant(name, areas[name], axes) for name in varying]
        missing = [name for name in areas if name not in names]
        if missing:
            lines.append(f"{', '.join(missing)} cannot be ranked: some rows are never captured.")
        if self.options["vary"] == "shift" and axes == "bandwidth and miss rate":
            lines.append(
                "Under shift these areas say little about bands around the same predictions, symmetric ones "
                "gain nothing: rank them by the deficit."
            )
        return lines

    def _against_constant(self, name: str, area: float, axes: str) -> str:
        constant = self.options["own"][name]
        scores = self.tables["scores"]
        reference = scores["area"][scores["model"].index(constant)]
        told = self._tested(name, constant)
        word = "smaller" if area < reference else "larger"
        return (
            f"The area of {name} on {axes} is {100 * abs(1 - area / reference):.1f} % {word} than that "
            f"of its constant band{f', which {told}' if told else ''}."
        )

    def _tested(self, a: str, b: str) -> str:
        """Say whether a pair differs significantly; nothing where it was not tested."""
        tests = self.tables["tests"]
        if not tests:
            return ""
        places = enumerate(zip(tests["a"], tests["b"], strict=True))
        p = tests["p_holm"][next(place for place, pair in places if set(pair) == {a, b})]
        verb = "is" if p < 1 - self.options["level"] else "is not"
        return f"{verb} significant (p = {p:.2g} after Holm)"


_REGIME_COLUMNS = ("low", "high", "best", "runner_up", "saved", "significant")


def compare(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch],
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
    models : mapping of name to Intervals, or to UCCSketch
        At least one model; all on the same observations, with the same weights. Sketches have no rows
        left to pair: they are compared without tests and intervals.
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
    if isinstance(models, Mapping) and any(isinstance(rows, UCCSketch) for rows in models.values()):
        check_sketches(models, vary=vary, blocks=blocks, by=by)
    else:
        check_models(models)
    partial_range = pair("partial_range", partial_range, 0.0)
    generator = np.random.default_rng(rng)
    curves: dict[str, Any] = {
        str(name): rows.curve() if isinstance(rows, UCCSketch) else UCC(rows, vary)
        for name, rows in models.items()
    }
    constants = _tables.constants(curves)
    taken = [name for name in curves if name in constants]
    if taken:
        raise ArgumentError(f"`models` must not use the name {taken[0]!r}: the reference has it.")
    curves |= constants
    options: dict[str, Any] = {
        "x": x,
        "y": y,
        "vary": vary,
        "level": arguments.number("level", level, 0, 1, open_=True),
        "blocks": blocks,
        "by": by,
        "rng": generator,
        "n_resamples": arguments.whole("n_resamples", n_resamples, 2),
        "miss_rate": miss_rate,
        "partial_range": partial_range,
        "constants": tuple(constants),
        "own": _tables.own_constants(curves, tuple(constants)),
        "seed": int(generator.integers(2**62)),
    }
    tables: dict[str, Table] = {"scores": _tables.scores(curves, options)}
    tables["tests"] = _tables.tests(curves, options, progress=progress)
    tables["regimes"] = _tables.regime_table(curves, options)
    tables["crossings"] = _tables.crossing_table(curves, options)
    tables["segments"] = {} if by is None else _tables.segments(curves, by, options)
    return Comparison(curves, tables, options)


def check_sketches(models: Mapping[str, Any], **options: Any) -> None:
    """Check that all models are sketches of as many rows, and that nothing is asked for that needs rows."""
    first = next(iter(models.values()))
    for name, sketch in models.items():
        arguments.instance(f"models[{name!r}]", sketch, UCCSketch)
        if sketch.rows != first.rows:
            raise ArgumentError(
                f"`models` must be on the same rows, but there are {first.rows} and {sketch.rows} of them."
            )
    arguments.distinct(models)
    asked = [
        name
        for name, value in options.items()
        if not (value is None or (isinstance(value, str) and value == "scale"))
    ]
    if asked:
        raise ArgumentError(f"`{asked[0]}` must not be given for sketches: it needs the rows.")


def check_models(models: Mapping[str, Any]) -> None:
    """Check that there are models, by different names, on the same rows."""
    if not isinstance(models, Mapping) or not models:
        raise ArgumentError("`models` must be a mapping of names to Intervals, with at least one model.")
    arguments.distinct(models)
    first = next(iter(models.values()))
    for name, intervals in models.items():
        arguments.instance(f"models[{name!r}]", intervals, Intervals)
        if type(intervals.y_true) is not type(first.y_true):
            raise ArgumentError("`models` must all hold arrays of one kind.")
        check_pair(first, intervals)
    if first.n < 2:  # noqa: PLR2004
        raise ArgumentError("`models` must have two rows or more to be compared, got 1.")
