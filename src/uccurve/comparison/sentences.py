"""A comparison in words: verdict, findings, segments and notes, for Python, the terminal and the page.

Everything said here was computed before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import cell, limits, listed, printable, short_percent, whole_percent
from uccurve.comparison.records import Recommendation, SegmentScore
from uccurve.comparison.scoring import FEWEST_FOR_INTERVAL, divide
from uccurve.formulas.tolerances import SAME_SHARE, SAME_SUM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uccurve.comparison.compare import Comparison
    from uccurve.comparison.records import Regime

# Models or segments that a sentence names one by one; the tables list more of them.
_NAMED = 3
# Ranges of a model that a title names: the widest, and that of the chosen coverage.
_MOST_RANGES = 2
_HALF = 0.5
# Digits behind the point that tell two ends apart, and a number from what it differs from.
_ENOUGH_DIGITS, _MOST_DIGITS = 4, 16
# Distance from the chosen coverage that is none in whole percent.
_AS_ASKED = 0.005
_SMALLEST_P = 0.001


class Sentences:
    """Words for the numbers of a comparison."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.options = comparison.options
        self.models = comparison.models
        self.standings = comparison.standings
        self.standing = self.standings.at_place(self.standings.chosen)
        self.ranked = [name for name in self.standing.order if name in self.models]
        # more than was asked for where many rows are tied
        rate = self.options.miss_rate
        self.overall = {name: self.models[name].at(miss_rate=rate).coverage for name in self.ranked}
        self.scores = {score.model: score for score in comparison.scores}
        self.clear_ranges = [one for one in comparison.regimes if one.clear and one.high > one.low]

    def recommendation(self) -> Recommendation:
        """Answer at the chosen coverage, look elsewhere, and say what holds as supplied."""
        best = self.standing.best
        return Recommendation(
            best=None if best is None else printable(best),
            answer=printable(self.answer(self.standings.chosen)),
            beside=printable(" ".join(self._beside())),
            elsewhere=printable(self._elsewhere()),
            segments=printable(" ".join(self._segments(self.ranked[:1]))),
            as_supplied=printable(" ".join(self._as_supplied())),
            cautions=tuple(map(printable, self._cautions())),
        )

    def findings(self) -> tuple[str, ...]:
        """Say one thing in each sentence: pairs, each model's own widths, ranges, segments, areas."""
        order = self.standing.order
        lines = [self.answer(self.standings.chosen), *self._beside()]
        lines += [self._pair(order[0], name) for name in self.ranked if name not in {order[0], *self._told()}]
        lines += [*self._own_constants(), *self._ranges(), *self._crossings(), *self._segments(self.ranked)]
        lines += [*self._as_supplied(), describe_limits(self.comparison.side)]
        return tuple(dict.fromkeys(printable(line) for line in lines if line))

    # -- the answer -----------------------------------------------------------------------------

    def answer(self, place: int) -> str:
        """Answer at a miss rate in one sentence: by tests at the chosen one, elsewhere by the band."""
        standing, is_chosen = self.standings.at_place(place), self.standings.is_tested_at(place)
        point = _exact(standing.coverage)
        if not any(name in self.models for name in standing.order):
            return f"No model reaches {point} coverage: some intervals have no width."
        first, *others = standing.order
        if len(self.standings.names) == 1:
            return f"{first} has constant width: there is nothing to compare it with."
        if not others:
            return f"At {point} coverage, there is only {first}: no other intervals can be moved there."
        needs = {name: self._needs(first, name) for name in standing.close if is_chosen}
        undecided = [name for name, why in needs.items() if why]
        close = [name for name in standing.close if name not in undecided]
        same = f"{self.comparison.measure}s are the same to 0.05%"
        if standing.best is not None:
            use = f"use {first}" if self.options.by_score else f"{first} is narrowest"
            answer = use if is_chosen else self._is_best(first)
            lead = self._leads(first, others, place)
        elif self._is_untested(place):
            why = "too few rows to be sure" if self.standings.has_rows else "not tested"
            answer, lead = f"{first} leads ({why})", self._leads(first, others, place)
            rival = self._rivals(others)[0]
            if self._is_same(first, rival, place):
                answer, lead = f"{first} and {rival} are alike ({why})", f"their {same}"
        elif close:
            answer, rival = f"{self._list([first, *close])} are too close to call", self._rivals(close)[0]
            lead = self._lead(first, rival, place, p=is_chosen)
            if len(close) == 1 and self._is_same(first, rival, place):
                lead = f"their {same}"
            lead += f"; against {self._list(undecided)} it is not decided" if undecided else ""
        else:
            rival = self._rivals(undecided)[0]
            answer, lead = "not decided", f"{self._lead(first, rival, place)}, but {needs[rival]}"
        return f"At {point} coverage, {answer}: {lead}{self._ahead(place)}."

    def _list(self, names: Sequence[str]) -> str:
        """Name models, but not very many of them; several constant widths are only counted."""
        models = [name for name in names if name in self.models]
        constants = [name for name in names if name not in models]
        if models and len(constants) > 1:
            constants = [f"{len(constants)} constant widths"]
        if len(models) > _NAMED:
            models = [*models[: _NAMED - 1], f"{len(models) - _NAMED + 1} other models"]
        return listed([*models, *constants])

    def _rivals(self, others: Sequence[str]) -> list[str]:
        """Return the closest model, and a constant width that is closer still."""
        model = next((name for name in others if name in self.models), others[0])
        return list(dict.fromkeys([model, others[0]]))

    def _told(self) -> list[str]:
        """Return those whom the answer holds the first against."""
        order, close = self.standing.order, self.standing.close
        decided = [name for name in close if not self._needs(order[0], name)]
        rivals = self._rivals(decided or close or order[1:]) if order[1:] else []
        return rivals[:1] if close and not self._is_untested(self.standings.chosen) else rivals

    def _is_untested(self, place: int) -> bool:
        """Whether neither tests nor a band tell models apart at a miss rate."""
        has_band = self.standings.at_place(place).tested
        return not self.standings.has_rows or not (self.standings.is_tested_at(place) or has_band)

    def _leads(self, first: str, others: Sequence[str], place: int) -> str:
        """Say how much better the first is than its rivals."""
        subjects = ["its interval score is " if self.options.by_score else "", ""]
        rivals = zip(self._rivals(others), subjects, strict=False)
        return ", and ".join(self._lead(first, name, place, its=subject) for name, subject in rivals)

    def _ahead(self, place: int) -> str:
        """Say how far the best model is ahead of the next, if that is clear where the best of all is not."""
        standing = self.standings.at_place(place)
        models = [name for name in standing.order if name in self.models]
        if standing.close and models[1:] and self.standings.is_clear(models[0], models[1], place):
            return f"; {self._lead(models[0], models[1], place)}"
        return ""

    def _needs(self, first: str, second: str) -> str:
        """Say why two cannot be told apart, however much they differ; nothing where that was decided."""
        test = self.standings.test(first, second)
        if test.needs is None:
            return ""
        more = f"more {test.needs} are needed"
        if math.isnan(self.standings.quantile):
            few = f"fewer than {FEWEST_FOR_INTERVAL} independent rows"
            return f"{few} are missed there, or captured: {more}"
        if not test.ratio.has_interval:
            zero = {0.0: first, math.inf: second}.get(self.standings.ratio(first, second).value)
            return f"{f'the {self.comparison.measure} of {zero} is 0: ' if zero else ''}the ratio has no CI"
        few = "so few resamples" if test.needs == "resamples" else f"{test.n_units} {test.needs}"
        return f"with {few} no p below {_bound(test.smallest_pvalue_holm)} is possible: {more}"

    def _lead(
        self, first: str, second: str, place: int | None = None, *, its: str | None = None, p: bool = False
    ) -> str:
        """Say how much better one model is than another, with the interval or the band that decides."""
        lead, constants = self.standings.lead(first, second, place), self.comparison.constant_bands
        share, whose, other = short_percent(abs(lead.value)), first, second
        if self.options.by_score:
            whose = f"{_possessive(first)} interval score"
            if first in constants:
                whose = f"the interval score of {first}"
            other = f"that of {second}" if second in constants else _possessive(second)
        if self._is_same(first, second, place):
            if its is not None:
                return f"{its}{'the same' if self.options.by_score else 'as wide'} to 0.05% as {other}"
            return f"the {self.comparison.measure}s of {first} and {second} are the same to 0.05%"
        if self.options.by_score:
            words = f"{share} {'better' if lead.value > 0 else 'worse'} than {other}"
        else:
            words = f"{share} {'narrower' if lead.value > 0 else 'wider'} than {second}"
        words = f"{whose} is {words}" if its is None else its + words
        inside = []
        if lead.has_interval:
            chosen = self.standings.chosen if place is None else place
            kind = "CI" if self.standings.is_tested_at(chosen) else "band"
            ends = sorted(math.copysign(1, lead.value) * end for end in (lead.low, lead.high))
            inside.append(f"{self.options.confidence} {kind} {format_range(*ends)}")
        pvalue = self.standings.test(first, second).pvalue_holm
        if p and not math.isnan(pvalue):
            level = self.options.level
            shown = (f"{pvalue:.{digits}g}" for digits in range(2, 18))
            shown = (text for text in shown if pvalue <= level or float(text) > level)
            inside.append("p < 0.001" if pvalue < min(_SMALLEST_P, level) else f"p = {next(shown)}")
        return f"{words} ({'; '.join(inside)})" if inside else words

    def _begin(self, name: str) -> str:
        """Begin a sentence with a name: those of constant widths are words, those of models are not."""
        return f"{name[0].upper()}{name[1:]}" if name in self.comparison.constant_bands else name

    def _is_same(self, first: str, second: str, place: int | None = None) -> bool:
        return abs(self.standings.lead(first, second, place).value) < SAME_SHARE

    # -- beside it ------------------------------------------------------------------------------

    def _beside(self) -> Iterator[str]:
        """Say how the half-widths compare, and what the widest and the narrowest intervals cover."""
        if not self.standing.order:
            return
        first, *others = (self.scores[name] for name in self.standing.order)
        if others and self.options.by_score:
            narrowest = min(others, key=lambda score: score.bandwidth_at)
            saved = 1 - divide(narrowest.bandwidth_at, first.bandwidth_at)
            rival, *more = self._rivals(self.standing.order[1:])
            saves = 1 - divide(first.bandwidth_at, self.scores[rival].bandwidth_at)
            if saved >= SAME_SHARE:
                clear = self.standings.test(first.model, narrowest.model).clear
                far = ", but its misses lie farther outside" if clear else ""
                other = self._begin(narrowest.model)
                yield f"{other} is {short_percent(saved)} narrower than {first.model}{far}."
            elif saves >= SAME_SHARE and self.standing.best:
                yield f"It is also {short_percent(saves)} narrower{f' than {rival}' if more else ''}."
        elif others:
            best = min((first, *others), key=lambda score: score.score_at)
            if best.score_at < first.score_at * (1 - SAME_SHARE):
                score = f"{self._begin(best.model)} is wider but has the best interval score"
                yield f"{score}: its misses lie less far outside."
        narrow, wide = first.narrow_coverage, first.wide_coverage
        if narrow.significant or wide.significant:
            yield (
                f"At {self._reached(first.model)} overall, {first.model} covers {whole_percent(wide.value)} "
                f"of the quarter of rows with the widest intervals and {whole_percent(narrow.value)} of the "
                f"quarter with the narrowest."
            )

    # -- one by one -----------------------------------------------------------------------------

    def _pair(self, first: str, second: str) -> str:
        """Compare two at the chosen coverage, and say whether that is clear, where it was tested."""
        decision = "" if self._is_same(first, second) else self.standings.test(first, second).decision
        needs = self._needs(first, second)
        said = f": {decision}{f' ({needs})' if needs else ''}" if decision else ""
        return f"At {self.options.point} coverage, {self._lead(first, second, p=True)}{said}."

    def _own_constants(self) -> Iterator[str]:
        """Hold each model against constant width around its own predictions, which tells if widths help."""
        order, told = self.standing.order, self._told()
        for name, own in self.comparison.own_constant_band.items():
            if self.models[name].reference is self.models[name]:
                yield f"{name} has constant width."
            elif {own, name} <= set(order) and {own, name} not in [{order[0], rival} for rival in told]:
                yield self._pair(name, own)

    def _ranges(self) -> Iterator[str]:
        """Say who is clearly best in which ranges of coverage."""
        for regime in self.clear_ranges:
            ends, least = _show_ends(regime.low, regime.high, " to "), short_percent(regime.saved)
            best = self._is_best(regime.best)
            yield f"From {ends} coverage, {best}, at least {least} ahead on these rows."

    def leaders(self) -> str:
        """Say in one line who is clearly the best from where to where: the widest ranges of each.

        At the chosen coverage a test decides, so that somebody may be best there alone.
        """
        has_rows, names = self.standings.has_rows, self.standings.names
        if len(names) == 1:
            return f"{printable(names[0])} is the only model"
        rate, ranges = self.options.miss_rate, self.comparison.regimes
        seen = [one for one in ranges if one.low < _HALF or rate >= _HALF]  # charts begin there, too
        found = [one for one in seen if one in self.clear_ranges] or [one for one in seen if one.clear]
        if not has_rows:  # nothing is clear: who leads at the chosen coverage
            found = [one for one in seen if one.best and one.low <= rate <= one.high]
        found += [one for one in seen if one.clear and one.low <= rate <= one.high and one not in found]
        kept: dict[str | None, list[Regime]] = {}
        for one in sorted(found, key=lambda one: (one.low > rate or one.high < rate, one.low - one.high)):
            kept.setdefault(one.best, []).append(one)
        places = {
            name: [_show_range(one) for one in sorted(where[:_MOST_RANGES], key=lambda one: -one.high)]
            for name, where in kept.items()
        }
        if not places:
            return (
                f"No lead is clear {'above 50%' if any(one.clear for one in ranges) else 'at any'} coverage"
            )
        praise = "best" if self.options.by_score else "narrowest"
        verb = f"is clearly {praise}" if has_rows else "leads"
        texts = [
            f"{name} {'' if i else f'{verb} '}{listed(where)}"
            for i, (name, where) in enumerate(places.items())
        ]
        is_plain = all(len(where) == 1 for where in places.values())
        return printable(f"{listed(texts) if is_plain else ', '.join(texts)} coverage")

    def _elsewhere(self) -> str:
        """Name the ranges of coverage in which somebody else is clearly better."""
        rate, ranges = self.options.miss_rate, dict[str | None, list[str]]()
        for one in self.clear_ranges:
            if one.best != self.standing.best and not one.low < rate < one.high:
                ranges.setdefault(one.best, []).append(f"from {_show_ends(one.low, one.high, ' to ')}")
        text = "; ".join(f"{listed(found)} coverage, {self._is_best(name)}" for name, found in ranges.items())
        return f"{text[0].upper()}{text[1:]}." if text else ""

    def _is_best(self, name: str | None) -> str:
        return f"{name} is clearly {'best' if self.options.by_score else 'narrowest'}"

    def _crossings(self) -> Iterator[str]:
        """Say where two models swap order."""
        for one in self.comparison.crossings:
            overtaken = one.b if one.better_above == one.a else one.a
            name, coverage = self._begin(one.better_above), whole_percent(one.coverage)
            swap = f"{name} overtakes {overtaken} at about {coverage} coverage"
            yield f"{swap}, between {_show_ends(one.miss_rate_low, one.miss_rate_high, ' and ')}."

    # -- segments -------------------------------------------------------------------------------

    def _segments(self, names: Sequence[str]) -> Iterator[str]:
        """Say which segments of models are significantly off the chosen coverage, best evidence first."""
        judged = [one for one in self.comparison.segments or () if not math.isnan(one.coverage_at.value)]
        total = len({one.segment for one in judged})
        if total < 2:  # noqa: PLR2004 - all rows are one segment, or none was judged
            return
        off = sorted(filter(self._evidence, judged), key=self._evidence, reverse=True)
        for name in names:
            own = [one for one in off if one.score.model == name]
            share, point = self.overall[name], self._reached(name)
            point = point if point == self.options.point else f"the {point} of all rows"
            for direction in ("below", "above"):
                found = [one for one in own if (one.coverage_at.value < share) == (direction == "below")]
                if found:
                    texts = [self._segment(one) for one in found[:_NAMED]]
                    texts += [f"and {len(found) - _NAMED} more"] if len(found) > _NAMED else []
                    count = f"{len(found)} of {total} segments {'is' if len(found) == 1 else 'are'}"
                    yield f"{count} significantly {direction} {point}: {'; '.join(texts)}."
            if not own and name == names[0]:
                none = f"With {name}, none" if off else "None"
                yield f"{none} of the {total} segments differs significantly from {point}."

    def _segment(self, one: SegmentScore) -> str:
        """Name a segment with its coverage, and the model where there are several."""
        share, point = one.coverage_at, self.overall[one.score.model]
        of = f", {one.score.model}" if len(self.models) > 1 else ""
        value = f"{100 * share.value:.{_digits([share.value], point, 1.0)}f}%"
        ends = f"{self.options.confidence} CI {format_range(share.low, share.high, point)}"
        return f"{one.segment}{of} {value} ({ends})"

    def _evidence(self, one: SegmentScore) -> float:
        """Return how far the nearer end of an interval is from what all rows cover; 0 if that is chance."""
        share, point = one.coverage_at, self.overall[one.score.model]
        return max(point - share.high, share.low - point, 0.0) if share.significant else 0.0

    def _reached(self, name: str) -> str:
        """Show what all rows of a model cover at the point."""
        share, point = self.overall[name], self.options.coverage
        shown = f"{100 * share:.{_digits([share], point, 1.0)}f}%"
        return self.options.point if abs(share - point) < SAME_SHARE else shown

    # -- as supplied ----------------------------------------------------------------------------

    def _as_supplied(self) -> Iterator[str]:
        """Say what the best models cover as supplied, and what moves them to the chosen coverage."""
        shown = [name for name in self.ranked if self.models[name].reference is not self.models[name]]
        shown = shown if len(shown) <= _NAMED else shown[:1]
        if not shown:
            return
        covers = listed([self._covers(name, is_first=name == shown[0]) for name in shown])
        if all(abs(self.scores[name].coverage - self.options.coverage) < _AS_ASKED for name in shown):
            yield f"As supplied, {covers}, as requested."
        else:
            yield f"As supplied, {covers}."
            yield f"To reach {self.options.point} on these rows, {self._moves(shown)}."
        yield "For new data, calibrate on held-out rows."

    def _covers(self, name: str, *, is_first: bool) -> str:
        claimed, covered = self.models[name].nominal, whole_percent(self.scores[name].coverage)
        claim = "" if claimed is None else f" (claimed {whole_percent(claimed)})"
        return f"{name} {'covers ' if is_first else ''}{covered}{claim}"

    def _moves(self, names: Sequence[str]) -> str:
        """Say what moves models to the chosen coverage: "scale damped by 2.12 and sharp by 1.68"."""
        moves: dict[str, list[str]] = {}
        for name in names:
            curve = self.models[name]
            point, family = curve.at(miss_rate=self.options.miss_rate), curve.data.family
            verb = "widen each side of" if family.in_units_of_y else "scale"
            verb += " the outermost quantiles of" if family.nested else ""
            text = f"{name} by {cell(float(f'{point.parameter:.3g}'))}"
            if family.nested and point.nominal is not None:
                verb, text = "take", f"the {whole_percent(point.nominal)} interval of {name}"
            moves.setdefault(verb, []).append(text)
        return listed([f"{verb} {listed(texts)}" for verb, texts in moves.items()])

    def _cautions(self) -> Iterator[str]:
        """Say what limits the answer: rows that no factor captures, with the remedy, and no tests."""
        for name, curve in self.models.items():
            if curve.data.floor == 0:
                continue
            reached, rows = whole_percent(arguments.complement(curve.data.floor)), "some rows are"
            if curve.source is not None:
                critical = to_numpy(curve.source.critical(vary=curve.vary))
                missed = int(np.count_nonzero(np.isinf(critical)))
                rows = f"{missed:,} of {critical.size:,} values {'is' if missed == 1 else 'are'}"
            yield (
                f"{name} covers at most {reached}: {rows} missed by intervals of zero width. "
                f'No factor widens these: give them a positive width, or shift the bounds (vary="shift").'
            )
        if not self.standings.has_rows:
            yield "Sketches keep no rows: differences are not tested."


def describe_limits(side: str) -> str:
    """Say in a sentence what the numbers of one-sided limits mean; nothing for intervals."""
    if side == "both":
        return ""
    return (
        f"All bounds are {limits(side)}: the bandwidth is the mean distance from the prediction to the "
        f"limit, and constant width has the same distance in every row."
    )


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def format_range(low: float, high: float, point: float = 0.0) -> str:
    """Show an interval: "4–10%", or "−2 to 5%" below 0; ends that differ from a point look different."""
    digits = _digits([low, high], point)
    ends = [f"{100 * end:.{digits}f}" for end in (low, high)]
    return f"{(' to ' if low < 0 else '–').join(ends).replace('-', '−')}%"


def _digits(shares: Sequence[float], *points: float) -> int:
    """Return how many digits tell shares apart, and all of them from points, in percent."""
    for digits in range(_MOST_DIGITS):
        shown = {round(100 * share, digits) for share in shares}
        avoided = {round(100 * point, digits) for point in points if point not in shares}
        if not shown & avoided and (len(shown) == len(shares) or digits >= _ENOUGH_DIGITS):
            return digits
    return _MOST_DIGITS


def _exact(share: float) -> str:
    return f"{100 * share:.12g}%"


def _show_ends(low: float, high: float, between: str) -> str:
    """Show a range of miss rates as one of coverages."""
    return between.join(_exact(arguments.complement(rate)) for rate in (high, low))


def _show_range(regime: Regime) -> str:
    """Say where a range of coverage lies, which may be a single one."""
    if regime.low == regime.high:
        return f"at {_exact(arguments.complement(regime.low))}"
    return f"from {_show_ends(regime.low, regime.high, ' to ')}"


def _bound(p: float) -> str:
    """Show a lower bound with two digits, rounded down so that it stays one."""
    scale = 10.0 ** (1 - math.floor(math.log10(p)))
    return f"{math.floor(p * scale + SAME_SUM) / scale:.2g}"
