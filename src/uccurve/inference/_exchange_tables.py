"""Paired permutation tests of numbers at one coverage: of many models, by the same exchanges of their rows.

Exchanging two models in some units moves the critical values, widths and deficits of those units from one
model to the other. They are tabulated by unit, at parameters around the quantiles of all models, so that the
sums after an exchange are products with one matrix. If the critical values there are few, the table holds
each of them, and numbers are those of the curve. Otherwise numbers between two parameters are taken as
linear: before exchanges and after them alike, so that the test stays valid.

Very many rows or blocks are put together to units at random. Exchanges of such units are some of the
exchanges of rows, chosen without a look at the outcome, and no less valid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from uccurve.curve import family_of
from uccurve.formulas.tolerances import ROUNDING
from uccurve.inference._at_rates import Units, costs_of_units, deficits
from uccurve.inference._common_levels import with_common_levels
from uccurve.inference._exchanges import Draw, outcome
from uccurve.inference._plain_rows import plain_rows, scaled
from uccurve.inference._presorted import Presorted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from uccurve._base.type_aliases import ArrayLike, Vary
    from uccurve.formulas.bands import Scale as Family
    from uccurve.inference._at_rates import Criterion
    from uccurve.inference._exchanges import Alternative, PermutationTest
    from uccurve.inference._plain_rows import PlainRows
    from uccurve.intervals import Intervals

Name = TypeVar("Name")

_MOST_PARAMETERS = 128
_FEWEST_PARAMETERS = 48
_COLUMNS = 1024
"""About how many models times parameters, so that many models do not take long."""
_DEVIATIONS = 6.0
"""How far quantiles of exchanged rows may lie from those of all rows, in standard deviations."""
_NUMBERS_AT_ONCE = 1 << 22


def exchange_tests(
    models: Mapping[Name, Intervals],
    pairs: Sequence[tuple[Name, Name]],
    *,
    criterion: Criterion,
    miss_rate: float,
    vary: Vary,
    blocks: ArrayLike | int | None,
    n_resamples: int,
    rng: np.random.Generator,
    alternative: Alternative = "two-sided",
    label: str | None = None,
    exchanged: Callable[[int], None] = lambda _: None,
) -> dict[tuple[Name, Name], PermutationTest]:
    """Test the first model of each pair minus the second: interval scores, or bandwidths, at one miss rate.

    Pairs with a model that never gets down to the miss rate are left out. All pairs share the exchanges: each
    test is valid as it is, and Holm's adjustment does not need independent tests. ``exchanged`` is told how
    many exchanges were made, batch by batch.
    """
    family = family_of(vary)
    named = {f"models[{name!r}]": model for name, model in models.items()}
    rows = plain_rows(named, blocks, nested=family.nested)
    one_sided = rows.models[0].side != "both"
    rows = _on_one_scale(rows, family)
    presorted = dict(zip(models, (Presorted(m, family, rows.outputs) for m in rows.models), strict=True))
    reached = {
        name: model
        for name, model in presorted.items()
        if math.isfinite(model.bandwidth_at(rows.weight, miss_rate))
    }
    wanted = [pair for pair in pairs if set(pair) <= set(reached)]
    if not wanted:
        return {}
    units = Units.of(rows.blocks, rng)
    draw = Draw.of(units.number, n_resamples, rng, label)
    table = ExchangeTable.of(list(reached.values()), rows, units, miss_rate, criterion)
    places = {name: place for place, name in enumerate(reached)}
    after = table.differences([(places[a], places[b]) for a, b in wanted], draw, exchanged)
    own = {name: table.exact(place) for name, place in places.items()}
    factor = (1 if criterion == "bandwidth" or one_sided else 2) / rows.factor
    found = {}
    for (a, b), (observed, differences) in zip(wanted, after, strict=True):
        test = outcome(observed, differences, max(own[a], own[b]), units.number, draw, alternative)
        found[a, b] = replace(test, statistic=factor * (own[a] - own[b]))
    return found


def _on_one_scale(rows: PlainRows, family: Family) -> PlainRows:
    """Bring models to one mean width, where their curves do not depend on it."""
    if family.nested:
        return rows._replace(models=with_common_levels(rows.models, rows.weight))
    if not family.proportional:
        return rows
    widths = [Presorted(model, family, rows.outputs).width(rows.weight) for model in rows.models]
    factors = [1 / width if width > 0 else 1.0 for width in widths]
    return rows._replace(
        models=tuple(scaled(model, family, by) for model, by in zip(rows.models, factors, strict=True))
    )


@dataclass(frozen=True, eq=False)
class ExchangeTable:
    """What each unit of each model adds to the sums at parameters around the quantiles of all."""

    models: Sequence[Presorted]
    weight: np.ndarray
    rate: float
    price: float
    """What the deficit is multiplied by."""
    parameter: np.ndarray
    every_value: bool
    """Whether all critical values between the first parameter and the last are among them."""
    captured: np.ndarray
    """Weight: (units, models, parameters)."""
    cost: np.ndarray
    """Half-width plus priced deficit, times weight: (units, models, parameters)."""

    @classmethod
    def of(
        cls,
        models: Sequence[Presorted],
        rows: PlainRows,
        units: Units,
        rate: float,
        criterion: Criterion,
    ) -> ExchangeTable:
        """Tabulate models that reach a miss rate."""
        weight, price = rows.weight, 1 / rate if criterion == "interval_score" else 0.0
        parameter, every_value = _parameters(models, rows, units, rate)
        shape = units.number, len(models), parameter.size
        captured, cost = np.empty(shape), np.empty(shape)
        for place, model in enumerate(models):
            missed = units.sums_of_missed(weight, model.critical, parameter)
            captured[:, place] = units.sums(weight)[:, None] - missed
            cost[:, place] = costs_of_units(model, weight, units, parameter, price)
        return cls(models, weight, rate, price, parameter, every_value, captured, cost)

    def exact(self, place: int) -> float:
        """Return the number of a model as it is: half-width plus priced deficit."""
        model = self.models[place]
        (at,) = model.parameter_at(self.weight, np.array([self.rate]))
        width = float(model.bandwidths_of(self.weight, np.array([at]))[0])
        return width + self.price * float(self.weight @ deficits(model, float(at)) / self.weight.sum())

    def differences(
        self, pairs: Sequence[tuple[int, int]], draw: Draw, exchanged: Callable[[int], None]
    ) -> list[tuple[float, np.ndarray]]:
        """Return the difference of each pair, as it is and after each exchange."""
        units, models, size = self.captured.shape
        flat = [table.reshape(units, models * size) for table in (self.captured, self.cost)]
        whole = [table.sum(axis=0).reshape(models, size) for table in flat]
        own = [float(self._number(*(table[[place]] for table in whole))[0]) for place in range(models)]
        found: list[list[np.ndarray]] = [[] for _ in pairs]
        batch = max(1, _NUMBERS_AT_ONCE // max(units, models * size))
        for chunk in draw.subsets(units):
            for begin in range(0, len(chunk), batch):
                bits = np.unpackbits(chunk[begin : begin + batch], axis=1, count=units, bitorder="little")
                taken = [(bits.astype(float) @ table).reshape(-1, models, size) for table in flat]
                for place, (a, b) in enumerate(pairs):
                    change = [part[:, b] - part[:, a] for part in taken]
                    first = self._number(*(t[a] + moved for t, moved in zip(whole, change, strict=True)))
                    second = self._number(*(t[b] - moved for t, moved in zip(whole, change, strict=True)))
                    found[place].append(first - second)
                exchanged(len(bits))
        return [(own[a] - own[b], np.concatenate(parts)) for (a, b), parts in zip(pairs, found, strict=True)]

    def _number(self, captured: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Return the number at the miss rate, given sums at each parameter: (draws, parameters)."""
        total = float(self.weight.sum())
        wanted = (1 - self.rate - ROUNDING) * total
        place = np.minimum((captured < wanted).sum(axis=1), self.parameter.size - 1)
        draws = np.arange(len(captured))
        here = cost[draws, place]
        if not self.every_value:
            before = np.maximum(place - 1, 0)
            low, high = captured[draws, before], captured[draws, place]
            with np.errstate(divide="ignore", invalid="ignore"):
                share = np.where(high > low, np.clip((wanted - low) / (high - low), 0.0, 1.0), 1.0)
            here = cost[draws, before] + share * (here - cost[draws, before])
        return np.asarray(here / total)


def _parameters(
    models: Sequence[Presorted], rows: PlainRows, units: Units, rate: float
) -> tuple[np.ndarray, bool]:
    """Return rising parameters around the quantiles of all models, and whether they are all there are."""
    weight = rows.weight
    shares = units.sums(weight) / float(weight.sum())
    margin = _DEVIATIONS * math.sqrt(float(shares @ shares) * rate * (1 - rate)) + 2 * float(shares.max())
    ends = np.array([min(rate + margin, 1.0), max(rate - margin, 0.0)])
    around = np.array([model.parameter_at(weight, ends) for model in models])
    values = np.unique(np.concatenate([model.parameter for model in models]))
    values = values[np.isfinite(values)]
    values = values[(values >= around[:, 0].min()) & (values <= around[:, 1].max())]
    most = min(_MOST_PARAMETERS, max(_FEWEST_PARAMETERS, _COLUMNS // len(models)))
    if values.size <= most:
        return values, True
    chosen = np.round(np.linspace(0, values.size - 1, most)).astype(int)
    return values[np.unique(chosen)], False
