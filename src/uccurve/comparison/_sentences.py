"""A comparison in words: the verdict, and findings one by one. Everything said here was computed before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import cell, limits, listed, printable, short_percent, whole_percent
from uccurve.comparison._resolution import bound_text
from uccurve.comparison._standings import FEWEST_FOR_INTERVAL, SAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, Regime, Standing
    from uccurve.comparison._standings import Lead, Standings
    from uccurve.curve import Curve

_NAMED = 3
"""Models that a sentence names one by one; the table lists more of them."""
_ENOUGH_DIGITS, _MOST_DIGITS = 4, 16
"""Digits behind the point that tell two ends apart, and those that keep an end that is not 0 from it."""
_AS_ASKED = 0.005
"""Distance from the chosen coverage that is none in whole percent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """What a comparison recommends, in sentences that are shown as text.

    Attributes
    ----------
    best : str | None
        The name of the model that is clearly the best at the chosen coverage; None where it is too close to
        call.
    answer : str
        The answer at the chosen coverage.
    beside : str
        What to know beside it: half-widths, and what the widest and narrowest intervals cover.
    elsewhere : str
        Who is clearly better at other coverages; empty where nobody is.
    as_supplied : str
        What the intervals cover as supplied, and what moves them to the chosen coverage.
    cautions : tuple of str
        What limits the answer: few rows, too few blocks, no tests.
    """

    best: str | None
    answer: str
    beside: str
    elsewhere: str
    as_supplied: str
    cautions: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences, those that are empty left out."""
        parts = (self.answer, self.beside, self.elsewhere, self.as_supplied, *self.cautions)
        return tuple(filter(None, parts))


@dataclass(frozen=True, kw_only=True, eq=False)
class Sentences:
    """Words for the numbers of a comparison."""

    models: Mapping[str, Curve]
    constants: Mapping[str, Curve]
    scores: Sequence[ModelScore]
    standings: Standings
    regimes: Sequence[Regime]
    crossings: Sequence[PairCrossing]
    options: CompareOptions

    def recommendation(self) -> Recommendation:
        """Answer at the chosen coverage, look elsewhere, and say what holds as supplied."""
        standing = self._standing
        best = standing.best
        return Recommendation(
            best=None if best is None else printable(best),
            answer=printable(self.answer_at(standing)),
            beside=printable(" ".join(filter(None, self._beside(standing)))),
            elsewhere=printable(self._elsewhere(best)),
            as_supplied=printable(self._as_supplied(standing)),
            cautions=tuple(map(printable, self._cautions())),
        )

    def findings(self) -> tuple[str, ...]:
        """Say one thing in each sentence: pairs, each model's own widths, ranges, areas."""
        standing = self._standing
        lines = [self.answer_at(standing), *self._beside(standing)]
        lines += [self._pair(standing.order[0], name) for name in standing.order[2:] if name in self.models]
        lines += self._own_constants(standing)
        lines += self._ranges()
        lines += [self._crossing(crossing) for crossing in self.crossings]
        lines += [*self._as_supplied_sentences(standing), *self._areas()]
        lines.append(about_limits(next(iter(self.models.values())).side))
        return tuple(dict.fromkeys(printable(line) for line in lines if line))

    # -- the answer -----------------------------------------------------------------------------

    def answer_at(self, standing: Standing) -> str:
        """Answer at the chosen coverage, in one sentence."""
        point = _exact(standing.coverage)
        at = f"At {point} coverage"
        if not any(name in self.models for name in standing.order):
            return f"No model reaches {point} coverage: some intervals have no width."
        first, *others = standing.order
        if not others:
            return self._alone(first, at)
        if standing.best is not None:
            return f"{at}, {self._recommended(first)}: {self._lead(first, others[0], named=False)}."
        if not self.standings.has_rows:
            return f"{at}, {first} leads (not tested): {self._lead(first, others[0], named=False)}."
        undecided = [name for name in standing.close if self._needs(first, name) is not None]
        close = [name for name in standing.close if name not in undecided]
        if close:
            open_ = f"; against {_named(undecided)} it is not decided" if undecided else ""
            lead = self._lead(first, close[0], p=True)
            return f"{at}, {_named([first, *close])} are too close to call: {lead}{open_}."
        lead, why = self._lead(first, undecided[0]), self._needs(first, undecided[0])
        return f"{at}, not decided: {lead}, but {why}."

    def _alone(self, name: str, at: str) -> str:
        """Say why there is nothing to compare a model with."""
        if len(self.standings.names) == 1:
            return f"{name} has constant width: there is nothing to compare it with."
        return f"{at}, there is only {name}: no other intervals can be moved there."

    def answers(self) -> list[str]:
        """Answer at each miss rate that was looked at."""
        return [printable(self._answer_at_place(place)) for place in range(self.standings.rates.size)]

    def _answer_at_place(self, place: int) -> str:
        """Answer at any coverage: by the band for all of them, where it is not the chosen one."""
        standing = self.standings.at_place(place)
        if place == self.standings.chosen or len(standing.order) < 2:  # noqa: PLR2004
            return self.answer_at(standing)
        first, second = standing.order[0], (standing.close or standing.order[1:])[0]
        at, lead = f"At {_exact(standing.coverage)} coverage", self._band_lead(first, second, place)
        if standing.best is not None:
            return f"{at}, {self._is_best(first)}: {lead}."
        if not standing.tested:
            why = "too few rows tell" if self.standings.has_rows else "not tested"
            return f"{at}, {first} leads ({why}): {lead}."
        return f"{at}, {_named([first, *standing.close])} are too close to call: {lead}."

    def _band_lead(self, first: str, second: str, place: int) -> str:
        """Say how much better one model is than another away from the chosen coverage, with the band."""
        lead = self.standings.lead_at(first, second, place)
        band = ""
        if math.isfinite(lead.low) and abs(lead.share) >= SAME:
            band = f" ({100 * self.options.confidence_level:g}% band {_range(lead)})"
        return self._words(lead, first, second) + band

    def _recommended(self, name: str) -> str:
        """Say what to do: use a model that is better, or that it is only narrower."""
        return f"use {name}" if self._by_score else f"{name} is narrowest"

    def _needs(self, first: str, second: str) -> str | None:
        """Say why two cannot be told apart, however much they differ; None where that was decided."""
        test = self.standings.test(first, second)
        if test is None or test.needs is None:
            return None
        more = f"more {test.needs} are needed"
        if math.isnan(test.ratio_low):
            return f"fewer than {FEWEST_FOR_INTERVAL} rows are missed there, or captured: {more}"
        few = "so few resamples" if test.needs == "resamples" else f"{test.n_units} {test.needs}"
        return f"with {few} no p below {bound_text(test.smallest_pvalue_holm)} is possible: {more}"

    def _lead(self, first: str, second: str, *, named: bool = True, p: bool = False) -> str:
        """Say how much better one model is than another, with the interval that decides."""
        lead, test = self.standings.lead(first, second), self.standings.test(first, second)
        words = self._words(lead, first, second, named=named)
        return words if abs(lead.share) < SAME else words + self._interval(lead, test if p else None)

    def _words(self, lead: Lead, first: str, second: str, *, named: bool = True) -> str:
        """Say how much better one model is than another."""
        if abs(lead.share) < SAME:
            what = "interval scores" if self._by_score else f"{self._width}s"
            return f"the {what} of {first} and {second} are the same to 0.05%"
        if self._by_score:
            whose = f"{_possessive(first)} interval score" if named else "its interval score"
            if named and first in self.constants:
                whose = f"the interval score of {first}"
            others = f"that of {second}" if second in self.constants else _possessive(second)
            return f"{whose} is {short_percent(abs(lead.share))} {_better(lead)} than {others}"
        who = f"{first} is " if named else ""
        return f"{who}{short_percent(abs(lead.share))} {_narrower(lead.share)} than {second}"

    def _interval(self, lead: Lead, test: PairTest | None) -> str:
        """Put the interval of a lead into brackets, with its p-value if asked for."""
        inside = []
        if math.isfinite(lead.low) and math.isfinite(lead.high):
            inside.append(f"{100 * self.options.confidence_level:g}% CI {_range(lead)}")
        if test is not None and not math.isnan(test.pvalue_holm):
            inside.append(_p_value(test.pvalue_holm))
        return f" ({'; '.join(inside)})" if inside else ""

    # -- beside it ------------------------------------------------------------------------------

    def _beside(self, standing: Standing) -> Iterator[str]:
        """Say how the half-widths compare, and what the widest and the narrowest intervals cover."""
        if not standing.order:
            return
        first = self._score(standing.order[0])
        if self._by_score and len(standing.order) > 1:
            yield self._widths(first, standing)
        elif not self._by_score and len(standing.order) > 1:
            yield from self._not_better(standing)
        if first.narrow_coverage_significant or first.wide_coverage_significant:
            wide, narrow = whole_percent(first.wide_coverage), whole_percent(first.narrow_coverage)
            yield (
                f"At {self.options.point} overall, {first.model} covers {wide} of the quarter of rows with "
                f"the widest intervals and {narrow} of the quarter with the narrowest."
            )

    def _widths(self, first: ModelScore, standing: Standing) -> str:
        """Say who is narrower, and why that does not decide."""
        others = [self._score(name) for name in standing.order[1:]]
        narrowest = min(others, key=lambda score: score.bandwidth_at)
        share = 1 - narrowest.bandwidth_at / first.bandwidth_at if first.bandwidth_at > 0 else 0.0
        if share >= SAME:
            far = (
                ", but its misses lie farther outside" if self._is_clear(first.model, narrowest.model) else ""
            )
            return f"{narrowest.model} is {short_percent(share)} narrower than {first.model}{far}."
        second = self._score(standing.order[1])
        share = 1 - first.bandwidth_at / second.bandwidth_at if second.bandwidth_at > 0 else 0.0
        if share >= SAME:
            return f"Its {self._width} is {short_percent(share)} smaller as well." if standing.best else ""
        return ""

    def _not_better(self, standing: Standing) -> Iterator[str]:
        """Warn where the narrowest model is not the one with the best interval score."""
        scored = [score for score in map(self._score, standing.order) if not math.isnan(score.score_at)]
        best, first = min(scored, key=lambda score: score.score_at), self._score(standing.order[0])
        if best.score_at < first.score_at * (1 - SAME):
            yield (
                f"{best.model} has the best interval score, which also counts how far misses lie outside: "
                f"the narrowest intervals are not always the best."
            )

    def _is_clear(self, a: str, b: str) -> bool:
        return self.standings.is_clear(a, b, self.standings.chosen)

    # -- one by one -----------------------------------------------------------------------------

    def _pair(self, first: str, second: str) -> str:
        """Compare two at the chosen coverage."""
        text = self._lead(first, second, p=True)
        return f"At {self.options.point} coverage, {text}{self._decision(first, second)}."

    def _decision(self, first: str, second: str) -> str:
        """Say whether a lead is clear; nothing where it was not tested, or where there is none."""
        test = self.standings.test(first, second)
        if test is None or math.isnan(test.pvalue) or abs(self.standings.lead(first, second).share) < SAME:
            return ""
        if test.needs is not None:
            return f": not decided ({self._needs(first, second)})"
        return ": clear" if test.clear else ": too close to call"

    def _own_constants(self, standing: Standing) -> Iterator[str]:
        """Hold each model against constant width around its own predictions, which tells if widths help."""
        for name, curve in self.models.items():
            if curve.reference is curve:
                yield f"{name} has constant width."
                continue
            own = next((n for n, band in self.constants.items() if curve.has_same_constant(band)), None)
            reached = own is not None and {own, name} <= set(standing.order)
            if own is not None and reached and {own, name} != set(standing.order[:2]):
                yield self._pair(name, own)

    def _ranges(self) -> Iterator[str]:
        """Say who is clearly best in which ranges of coverage."""
        for regime in self.regimes:
            if regime.clear and regime.best is not None and regime.high > regime.low:
                ahead = f", {short_percent(regime.saved)} ahead or more on these rows"
                over = "" if regime.runner_up is None else ahead
                yield f"{_from_to(regime)} coverage, {self._is_best(regime.best)}{over}."

    def _is_best(self, name: str) -> str:
        return f"{name} {'is clearly best' if self._by_score else 'is clearly narrowest'}"

    def _crossing(self, crossing: PairCrossing) -> str:
        low, high = (arguments.complement(r) for r in (crossing.miss_rate_high, crossing.miss_rate_low))
        other = crossing.b if crossing.better_above == crossing.a else crossing.a
        about = whole_percent(crossing.coverage)
        return (
            f"{crossing.better_above} overtakes {other} at about {about} coverage, between {_exact(low)} and "
            f"{_exact(high)}."
        )

    def _areas(self) -> Iterator[str]:
        """Say what the tests of areas found, if they were asked for."""
        for test in self.standings.tests.values():
            if math.isnan(test.area_pvalue):
                continue
            clear = test.area_pvalue_holm <= self.options.level and not test.area_low <= 0 <= test.area_high
            size = _short_number(abs(test.area_difference))
            word = "smaller" if test.area_difference < 0 else "larger"
            yield (
                f"On {self.options.axes}, the area of {test.a} is {size} {word} than that of {test.b} "
                f"({_p_value(test.area_pvalue_holm)}): {'clear' if clear else 'too close to call'}."
            )

    # -- elsewhere ------------------------------------------------------------------------------

    def _elsewhere(self, best: str | None) -> str:
        """Name the ranges of coverage in which somebody else is clearly better."""
        rate = self.options.miss_rate
        ranges: dict[str, list[str]] = {}
        for one in self.regimes:
            elsewhere = one.high > one.low and not one.low < rate < one.high
            if one.clear and one.best is not None and one.best != best and elsewhere:
                ranges.setdefault(one.best, []).append(_from_to(one).lower())
        texts = [f"{listed(found)} coverage, {self._is_best(name)}" for name, found in ranges.items()]
        text = "; ".join(texts)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    # -- as supplied ----------------------------------------------------------------------------

    def _as_supplied(self, standing: Standing) -> str:
        return " ".join(self._as_supplied_sentences(standing))

    def _as_supplied_sentences(self, standing: Standing) -> Iterator[str]:
        """Say what the best models cover as supplied, and what moves them to the chosen coverage."""
        names = [name for name in standing.order if name in self.models]
        shown = [name for name in names if self.models[name].reference is not self.models[name]]
        shown = shown if len(shown) <= _NAMED else shown[:1]
        if not shown:
            return
        coverages = [self._score(name).coverage for name in shown]
        covers = listed([self._covers(name, place) for place, name in enumerate(shown)])
        rate, point = self.options.miss_rate, self.options.point
        if all(abs(coverage - arguments.complement(rate)) < _AS_ASKED for coverage in coverages):
            yield f"As supplied, {covers}, as asked."
        else:
            yield f"As supplied, {covers}."
            yield f"To reach {point} on these rows, {moves([self.models[n] for n in shown], shown, rate)}."
        yield "For new data, calibrate on held-out rows."

    def _covers(self, name: str, place: int) -> str:
        claimed, covered = self.models[name].nominal, whole_percent(self._score(name).coverage)
        if claimed is not None:
            return f"{name} claims {whole_percent(claimed)} and covers {covered}"
        return f"{name} covers {covered}" if place == 0 else f"{name} {covered}"

    def _cautions(self) -> Iterator[str]:
        """Say what limits the answer."""
        for name, curve in self.models.items():
            if curve.data.floor > 0:
                yield _zero_bands(name, curve)
        if not self.standings.has_rows:
            yield "Sketches keep no rows: differences are not tested."

    @property
    def _standing(self) -> Standing:
        return self.standings.at_place(self.standings.chosen)

    @property
    def _width(self) -> str:
        """What a width is called: a limit has a distance."""
        return "half-width" if next(iter(self.models.values())).side == "both" else "distance"

    @property
    def _by_score(self) -> bool:
        return self.options.rank_by == "interval_score"

    def _score(self, name: str) -> ModelScore:
        return next(score for score in self.scores if score.model == name)


def moves(curves: Sequence[Curve], names: Sequence[str], miss_rate: float) -> str:
    """Say what moves curves to a miss rate: "scale damped by 2.12 and sharp by 1.68"."""
    points = [curve.at(miss_rate=miss_rate) for curve in curves]
    vary = curves[0].vary
    if vary == "level":
        pairs = list(zip(names, points, strict=True))
        beyond = [f"{name} by {_short_number(p.parameter)}" for name, p in pairs if p.nominal is None]
        taken = [
            f"the {whole_percent(p.nominal)} interval of {name}" for name, p in pairs if p.nominal is not None
        ]
        verbs = {"take": taken, "scale the outermost quantiles of": beyond}
        return listed([f"{verb} {listed(each)}" for verb, each in verbs.items() if each])
    each = [f"{name} by {_short_number(point.parameter)}" for name, point in zip(names, points, strict=True)]
    return f"{'scale' if vary == 'scale' else 'widen each side of'} {listed(each)}"


def _named(names: Sequence[str]) -> str:
    """Name models, but not very many of them."""
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} others"]
    return listed(list(names))


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _better(lead: Lead) -> str:
    return "better" if lead.share > 0 else "worse"


def _narrower(share: float) -> str:
    return "narrower" if share > 0 else "wider"


def _range(lead: Lead) -> str:
    """Show an interval in the direction of its number: "4–10%", or "−2 to 5%" where it holds 0."""
    sign = 1 if lead.share >= 0 else -1
    low, high = sorted((sign * lead.low, sign * lead.high))
    ends = [""] * 2
    for digits in range(_MOST_DIGITS):
        ends = [f"{100 * end:.{digits}f}" for end in (low, high)]
        apart = ends[0] != ends[1] or digits >= _ENOUGH_DIGITS
        if apart and all(float(text) or not end for text, end in zip(ends, (low, high), strict=True)):
            break
    return f"{(' to ' if low < 0 else '–').join(ends).replace('-', '−')}%"


def _exact(share: float) -> str:
    return f"{100 * share:.12g}%"


def _from_to(regime: Regime) -> str:
    low, high = (_exact(arguments.complement(rate)) for rate in (regime.high, regime.low))
    return f"From {low} to {high}"


def _p_value(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"  # noqa: PLR2004


def _zero_bands(name: str, curve: Curve) -> str:
    """Count the rows that no factor captures, and say the remedy."""
    reached = whole_percent(arguments.complement(curve.data.floor))
    rows = "some rows are"
    if curve.source is not None:
        critical = to_numpy(curve.source.critical(vary=curve.vary))
        missed = int(np.count_nonzero(np.isinf(critical)))
        rows = f"{missed:,} of {critical.size:,} values {'is' if missed == 1 else 'are'}"
    return (
        f"{name} covers at most {reached}: {rows} missed by intervals of zero width, which no factor "
        f"widens. "
        f'Give them a positive width, or shift the bounds (vary="shift").'
    )


def about_limits(side: str) -> str:
    """Say in a sentence what the numbers of one-sided limits mean; nothing for intervals."""
    if side == "both":
        return ""
    return (
        f"All bounds are {limits(side)}: the bandwidth is the mean distance from the prediction to the "
        f"limit, and constant width has the same distance in every row."
    )


def _short_number(value: float) -> str:
    """Show a number with three digits."""
    return cell(float(f"{value:.3g}"))
