"""What inference starts from: models on the same rows in NumPy, their weights, and what is drawn together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve.curve import Curve, check_pair, family_of
from uccurve.exceptions import ArgumentError
from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference.reweighted import Presorted, Reweighted
from uccurve.intervals import Intervals, RowArrays

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.formulas.bands import Scale as Family

# Units that are drawn or exchanged. More rows or blocks are put together at random: groups that were formed
# without a look at the outcome are exchanged as validly as rows, and so many cost no power.
MOST_UNITS = 4096
# How many counts of units a batch of resamples holds.
_COUNTS_AT_ONCE = 1 << 21


# -- what is drawn together -------------------------------------------------------------------------------


class Units(NamedTuple):
    """What is drawn or exchanged together: single rows, blocks of rows, or groups of these.

    Attributes
    ----------
    of_element : numpy.ndarray
        The unit of each element, numbered from 0; a row has one element for each output.
    number : int
        How many units there are.
    """

    of_element: np.ndarray
    number: int

    def grouped(self, rng: np.random.Generator) -> Units:
        """Return the same units, or random groups of them if there are very many."""
        if self.number <= MOST_UNITS:
            return self
        group = np.arange(self.number) % MOST_UNITS
        rng.shuffle(group)
        return Units(group[self.of_element], MOST_UNITS)

    def sums(self, column: np.ndarray) -> np.ndarray:
        """Add a column up within each unit."""
        return np.bincount(self.of_element, weights=column, minlength=self.number)

    def sums_of_missed(
        self, columns: Sequence[np.ndarray], critical: np.ndarray, parameters: np.ndarray
    ) -> list[np.ndarray]:
        """Add columns up within each unit, over what is missed at each of the rising parameters."""
        size = parameters.size + 1
        # a row is missed at the parameters before its place
        cell = self.of_element * size + np.searchsorted(parameters, critical)
        sums = (np.bincount(cell, weights=column, minlength=self.number * size) for column in columns)
        return [table.reshape(-1, size)[:, :0:-1].cumsum(axis=1)[:, ::-1] for table in sums]


class Resampling(NamedTuple):
    """How sure one wants to be, and how resamples are drawn."""

    level: float
    n_resamples: int
    rng: np.random.Generator

    @classmethod
    def of(cls, confidence_level: Any, n_resamples: Any, rng: Any) -> Resampling:
        """Check the arguments that ask for it."""
        level = arguments.number("confidence_level", confidence_level, 0, 1, open_=True)
        return cls(level, arguments.whole("n_resamples", n_resamples, 2), arguments.generator(rng))

    def counts(self, units: Units) -> Iterator[np.ndarray]:
        """Draw as many units with replacement, in batches, and count each: (resamples, units)."""
        most = max(1, _COUNTS_AT_ONCE // units.number)
        for begin in range(0, self.n_resamples, most):
            size = min(most, self.n_resamples - begin)
            places = self.rng.integers(0, units.number, size=(size, units.number))
            places += units.number * np.arange(size)[:, None]
            counts = np.bincount(places.ravel(), minlength=places.size)
            yield counts.reshape(places.shape).astype(np.float64)


def block_codes(intervals: Intervals, blocks: ArrayLike | int | None) -> np.ndarray:
    """Return a number for each row's block: the row, its run of ``blocks`` rows, or its label.

    Runs are counted with the rows that ``invalid="drop"`` left out: these shift no block.
    """
    rows = np.arange(intervals.n) if intervals.kept is None else to_numpy(intervals.kept)
    if blocks is None:
        return rows
    if isinstance(blocks, (int, np.integer)) and not isinstance(blocks, bool):
        return rows // int(arguments.number("blocks", min(int(blocks), rows[-1] + 1), 1))
    return label_codes(intervals, blocks, "blocks")[0]


def label_codes(intervals: Intervals, labels: ArrayLike, name: str) -> tuple[np.ndarray, list[Hashable]]:
    """Return a number for each row's label, and the distinct labels in this order; ``name`` is for errors."""
    by_label = intervals.rows_by_label(labels, name)
    codes = np.empty(intervals.n, dtype=np.int64)
    for code, rows in enumerate(by_label.values()):
        codes[rows] = code
    return codes, list(by_label)


# -- rows -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sample:
    """Models on the same rows in NumPy: outputs laid end to end, rows without weight left out.

    Attributes
    ----------
    models : dict of str to Intervals
        The rows of each model, without weights.
    family : Family
        What moves the operating point; with nested quantiles rows keep all pairs, around the center.
    weight : numpy.ndarray
        The weight of each element.
    blocks : Units
        The rows or blocks that are independent of each other.
    outputs : int
        How many consecutive elements belong to one row.
    kept : slice or numpy.ndarray
        Which of the given rows have weight.
    """

    models: dict[str, Intervals]
    family: Family
    weight: np.ndarray
    blocks: Units
    outputs: int
    kept: Any

    @classmethod
    def of(
        cls,
        given: Mapping[str, Intervals | Curve],
        blocks: ArrayLike | int | None,
        vary: Vary = "scale",
        fewest_units: int = 2,
    ) -> Sample:
        """Check models, which errors name by their keys, and prepare them; they must be on the same rows."""
        family = family_of(vary)
        models = {name: rows_of(name, model) for name, model in given.items()}
        if family.nested:
            models = {name: model.centered() for name, model in models.items()}
        first, *others = models.values()
        for other in others:
            check_pair(first, other)
        summary = first.rows.summary
        weight = np.ones(first.n) if summary.equal_weights else to_numpy(first.sample_weight)
        kept = np.flatnonzero(weight > 0) if summary.zero_weights else slice(None)
        distinct, unit = np.unique(block_codes(first, blocks)[kept], return_inverse=True)
        if distinct.size < fewest_units:
            raise ArgumentError(
                argument="blocks",
                rule="leave at least two units to draw from",
                got=distinct.size,
                hint="Without blocks, each row is a unit.",
            )
        outputs = first.n_outputs
        return cls(
            models={name: _plain(model, kept, family) for name, model in models.items()},
            family=family,
            weight=np.repeat(weight[kept], outputs),
            blocks=Units(np.repeat(unit, outputs), distinct.size),
            outputs=outputs,
            kept=kept,
        )

    @cached_property
    def data(self) -> dict[str, Reweighted]:
        """The curve of each model."""
        return {
            name: Reweighted(Presorted(model, self.family, self.outputs), self.weight)
            for name, model in self.models.items()
        }

    def by_element(self, column: np.ndarray) -> np.ndarray:
        """Return a column of all given rows as one of elements."""
        return np.repeat(column[self.kept], self.outputs)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight would tell as much (Kish 1965)."""
        return next(iter(self.data.values())).effective_rows

    def of_equal_width(self) -> Sample:
        """Bring models to the same mean width by a factor, which their curves do not depend on.

        Nested quantiles get pairs at the same mean widths: at every width at which one of the models has a
        pair, all get one. Bounds are linear between pairs, so that nothing changes. Under a shift rows stay
        as they are: with an added constant instead, tests of few rows would reject too often.
        """
        widths = [data.width for data in self.data.values()]
        if self.family.in_units_of_y or min(widths) == 0:
            return self
        if not self.family.nested:
            factors = {name: widths[0] / data.width for name, data in self.data.items()}
            return replace(self, models={name: self.models[name].scaled(by) for name, by in factors.items()})
        shares = np.unique(np.concatenate([data.pair_widths / max(widths) for data in self.data.values()]))
        shares = shares[shares > ROUNDING]
        # of those that are the same, the last
        shares = shares[np.append(np.diff(shares) > ROUNDING, values=True)]
        models = {name: _at_widths(data, shares, max(widths)) for name, data in self.data.items()}
        return replace(self, models=models)


def rows_of(name: str, model: Intervals | Curve) -> Intervals:
    """Return the rows of an argument, which may be their curve."""
    if isinstance(model, Curve):
        if model.source is None:
            raise ArgumentError(argument=name, rule="have rows", got="the curve of a sketch")
        return model.source
    arguments.instance(name, model, Intervals, "Intervals or UCC")
    return model


def vary_of(vary: Vary | None, *models: Intervals | Curve | None) -> Vary:
    """Return the family that is asked for, or that of the curves that are given; "scale" by default."""
    curves = [model for model in models if isinstance(model, Curve)]
    if any(curve.tails == "none" for curve in curves):
        raise ArgumentError("curves must have tails='scale' here: without tails some rows are never captured")
    families = {curve.vary for curve in curves}
    if vary is not None:
        family_of(vary)
        families.add(vary)
    if len(families) > 1:
        raise ArgumentError(f"curves and `vary` must agree, got {' and '.join(map(repr, sorted(families)))}")
    return families.pop() if families else "scale"


def _plain(intervals: Intervals, kept: Any, family: Family) -> Intervals:
    columns = intervals.rows.columns._replace(weight=None, lower=None, upper=None)
    columns = columns if family.nested else columns._replace(nested=None)
    columns = columns.map(lambda column: to_numpy(column)[kept])
    return intervals.with_rows(columns if columns.y_true.ndim == 1 else columns.flatten())


def stack_rows(a: Intervals, b: Intervals) -> Intervals:
    """Lay the rows of two plain models one below the other; nested pairs have the same levels."""

    def stack(mine: Any, theirs: Any) -> np.ndarray:
        return np.concatenate([mine, theirs])

    first, second = a.rows.columns, b.rows.columns
    pairs, other = first.nested, second.nested
    if pairs is not None and other is not None:
        lower, upper = map(stack, pairs.lower, other.lower), map(stack, pairs.upper, other.upper)
        center = stack(pairs.center, other.center)
        pairs = pairs._replace(center=center, lower=tuple(lower), upper=tuple(upper))
    y_true, y_pred, lower_band = map(stack, first[:3], second[:3])
    is_symmetric = first.upper_band is second.upper_band is None
    upper_band = None if is_symmetric else stack(a.upper_band, b.upper_band)
    return a.with_rows(RowArrays(y_true, y_pred, lower_band, upper_band, None, side=a.side, nested=pairs))


def _at_widths(data: Reweighted, shares: np.ndarray, largest: float) -> Intervals:
    """Return the same nested intervals with pairs where the mean half-width is a share of the largest one."""
    plain, nested = data.presorted.intervals, data.presorted.intervals.rows.columns.nested
    assert nested is not None  # noqa: S101 - otherwise the rows are refused
    bands = [nested.bands_at(np, at, tails=True) for at in data.parameters_of(shares * largest)]
    lower = tuple(nested.center - below for below, _ in bands)
    upper = tuple(nested.center + above for _, above in bands)
    pairs = nested._replace(levels=tuple(shares.tolist()), lower=lower, upper=upper)
    below, above = bands[-1]
    columns = plain.rows.columns._replace(lower_band=below, upper_band=above, nested=pairs)
    return plain.with_rows(columns)
