"""Findings in plain sentences, each derived from the numbers of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.text import about_limits, listed, printable
from uccurve.comparison._regimes import STEP, runs
from uccurve.comparison._resolution import impossible
from uccurve.comparison._ties import EQUAL, disagree, is_tie, order_of, tied_groups
from uccurve.curve._curve_data import floor
from uccurve.curve._ranges import bandwidth_needed
from uccurve.curve._references import saved_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import X, Y
    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._records import ModelScore, PairTest, Regime
    from uccurve.curve import Curve

_WORDS = {-1: "less", 0: "as much", 1: "more"}
_HIGHEST_RATE = 0.95
"""Above it bands are so narrow that their order is noise."""


@dataclass(frozen=True, eq=False)
class Findings:
    """What the sentences are derived from."""

    models: Mapping[str, Curve]
    own: Mapping[str, str]
    """The name of each model's constant band."""
    scores: Sequence[ModelScore]
    tests: Sequence[PairTest]
    regimes: Sequence[Regime]
    options: CompareOptions

    def sentences(self) -> tuple[str, ...]:
        """Return all findings; what users named is shown as text."""
        lines = [*self._at_the_miss_rate(), *self._ranking(), *self._best_ranges()]
        lines.append(about_limits(next(iter(self.models.values())).side))
        return tuple(printable(line) for line in lines if line)

    def _ranking(self) -> Iterator[str]:
        """Say which model has the smallest area, and whether the next one is significantly behind."""
        areas = {score.model: score.area for score in self.scores if score.model in self.models}
        groups = tied_groups({name: area for name, area in areas.items() if not math.isnan(area)})
        ranked = [name for group in groups for name in group]
        if len(ranked) > 1:
            lead = ""
            if len(groups) > 1:
                first, second = (group[0] for group in groups[:2])
                verdict = self._significance(first, second)
                lead = f"; the lead of {first} over {second} {verdict}" if verdict else ""
            yield f"By the area on {self.options.axes} {order_of(groups)}{lead}."
            yield from self._other_order(groups)
        for name in ranked:
            if self.models[name].reference is not self.models[name]:
                yield self._against_its_constant(name, areas[name])
        missing = [name for name in areas if name not in ranked]
        if missing:
            yield f"{', '.join(missing)} cannot be ranked: some rows are never captured."
        caution = self.options.family.caution(self.options.x, self.options.y)
        if caution is not None:
            yield caution

    def _other_order(self, groups: list[list[str]]) -> Iterator[str]:
        """Say so where the area on the other vertical axis ranks models otherwise, and what each rewards."""
        x: X = self.options.x
        y: Y = "deficit" if self.options.y == "miss_rate" else "miss_rate"
        other = tied_groups({name: self.models[name].area(x=x, y=y) for group in groups for name in group})
        if disagree(groups, other):
            axes = f"{x} and {y}".replace("_", " ")
            yield (
                f"By the area on {axes} {order_of(other)}. The two disagree: the area on the "
                f"miss rate favors bands damped toward a constant, the area on the deficit bands that follow "
                f"the size of the errors."
            )

    def _against_its_constant(self, name: str, area: float) -> str:
        constant = self.own[name]
        reference = next(score.area for score in self.scores if score.model == constant)
        if reference == 0:  # all predictions are exact
            return f"The area of the constant band of {name} is 0: no model can be better."
        verdict = self._significance(name, constant)
        word = "smaller" if area < reference else "larger"
        against = f"{100 * abs(1 - area / reference):.1f} % {word} than that"
        if is_tie(area, reference):
            against, verdict = "the same as that", ""
        return (
            f"Over all coverages, from 0 to 100 %, the area of {name} on {self.options.axes} is {against} of "
            f"its constant band{f', which {verdict}' if verdict else ''}{self._unlike_the_point(name)}."
        )

    def _unlike_the_point(self, name: str) -> str:
        """Say so where a model saves bandwidth at the chosen coverage, but not on average, or the other way.

        The area on bandwidth and miss rate is the mean bandwidth over all coverages; others are no such mean.
        """
        options = self.options
        if (options.x, options.y) != ("bandwidth", "miss_rate") or options.family.in_units_of_y:
            return ""
        score = next(score for score in self.scores if score.model == name)
        if score.gain_at > EQUAL and score.gain < -EQUAL:
            return f": it needs less bandwidth at {options.point}, but more on average"
        if score.gain_at < -EQUAL and score.gain > EQUAL:
            return f": it needs more bandwidth at {options.point}, but less on average"
        return ""

    def _significance(self, a: str, b: str, *, at_the_point: bool = False) -> str:
        """Say whether a pair differs significantly; nothing where it was not tested."""
        test = next((test for test in self.tests if {test.a, test.b} == {a, b}), None)
        if test is None:
            return ""
        p, needs, smallest = test.pvalue_holm, test.needs, test.smallest_pvalue_holm
        if at_the_point:
            p, needs, smallest = test.pvalue_at_holm, test.needs_at, test.smallest_pvalue_at_holm
        if math.isnan(p):
            return ""
        if needs is not None:
            return f"is undecided ({impossible(needs, test.n_units, smallest)})"
        verb = "is" if p < 1 - self.options.confidence_level else "is not"
        return f"{verb} significant (p = {p:.2g} after Holm)"

    def _at_the_miss_rate(self) -> Iterator[str]:
        """Hold models against each other and their constant band at the coverage of the comparison."""
        if self.options.family.in_units_of_y:
            return
        needed = {score.model: score.bandwidth_at for score in self.scores if score.model in self.models}
        groups = tied_groups({name: width for name, width in needed.items() if not math.isnan(width)})
        if groups and len(needed) > 1 and len(groups[0]) + len(groups) > 2:  # noqa: PLR2004
            yield self._least_bandwidth(groups, needed)
        for name, curve in self.models.items():
            if floor(curve._data) < self.options.miss_rate:
                yield self._bandwidth_saved(name, curve)

    def _least_bandwidth(self, groups: list[list[str]], needed: Mapping[str, float]) -> str:
        """Name the models that need the least bandwidth, and say how much less than the next one."""
        best = groups[0]
        words = "need the same" if len(best) > 1 else "needs the least"
        sentence = f"At {self.options.point} coverage {listed(best)} {words} bandwidth"
        if len(groups) == 1:
            return f"{sentence}."
        first, second = best[0], groups[1][0]
        verdict = self._significance(first, second, at_the_point=True)
        saved = saved_share(needed[first], needed[second])
        return f"{sentence}, {100 * saved:.1f} % less than {second}{f', which {verdict}' if verdict else ''}."

    def _bandwidth_saved(self, name: str, model: Curve) -> str:
        """Say how much bandwidth a model saves against its constant band, and up to where."""
        constant = model.reference
        if constant is model:
            return f"{name} is a constant band."
        score = next(score for score in self.scores if score.model == name)
        share = score.gain_at
        interval = _interval(share, score.gain_at_low, score.gain_at_high, self.options.confidence_level)
        same = abs(share) < EQUAL
        against = "as much bandwidth as" if same else f"{_share(share)} bandwidth than"
        sentence = f"At {self.options.point} coverage {name} needs {against} its constant band{interval}"
        verdict = "" if same else self._significance(name, self.own[name], at_the_point=True)
        sentence += f", which {verdict}" if verdict else ""
        rates = np.arange(STEP / 2, _HIGHEST_RATE, STEP)
        own, theirs = (bandwidth_needed(curve._data, rates) for curve in (model, constant))
        order = np.where(np.isclose(own, theirs, rtol=EQUAL, atol=0), 0, np.where(own < theirs, -1, 1))
        borders = [_coverage(rates[first] - STEP / 2) for first, _ in runs(order)[1:]]
        below, above = (_WORDS[int(order[place])] for place in (0, -1))
        if not borders:
            return f"{sentence}; it needs {below} at every coverage."
        if len(borders) == 1:
            return f"{sentence}; below {borders[0]} % coverage it needs {above}."
        between = f"there is no clear order between {borders[-1]} % and {borders[0]} % coverage"
        outer = f"{below} above and {above} below" if below != above else f"{below} elsewhere"
        return f"{sentence}; {between}, and it needs {outer}."

    def _best_ranges(self) -> Iterator[str]:
        """Say who is significantly best in which range of miss rates, or why nobody can be."""
        needs = next((regime.needs for regime in self.regimes if regime.needs is not None), None)
        if needs is not None:
            yield f"Who needs the least bandwidth at which coverage is undecided: more {needs} needed."
        for regime in self.regimes:
            if regime.runner_up is not None and regime.significant:
                yield (
                    f"Between {_coverage(regime.high)} % and {_coverage(regime.low)} % coverage "
                    f"{regime.best} needs the least bandwidth, {100 * regime.saved:.1f} % less than "
                    f"{regime.runner_up}."
                )


def _coverage(miss_rate: float) -> str:
    """Return the coverage of a border between cells of miss rates, in whole per cent."""
    return f"{100 * (1 - miss_rate):.0f}"


def _share(share: float) -> str:
    return f"{100 * abs(share):.1f} % {'less' if share >= 0 else 'more'}"


def _interval(share: float, low: float, high: float, level: float) -> str:
    """Put an interval into words: its ends have the sign of the share, or say theirs."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    opening = f" ({100 * level:g} % interval "
    if low < 0 < high:
        return f"{opening}from {_share(low)} to {_share(high)})"
    ends = sorted((abs(low), abs(high))) if share < 0 else (low, high)
    return f"{opening}{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %)"
