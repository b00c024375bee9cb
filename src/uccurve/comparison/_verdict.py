"""The answer of a comparison in a few sentences: what to use at the chosen coverage, and elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import to_numpy
from uccurve._base.text import listed, printable, short_number, short_percent, whole_percent
from uccurve.comparison._lead import lead as lead_of
from uccurve.comparison._narrower import Saving, narrower, range_in_words
from uccurve.comparison._scoring import parameter_or_nan
from uccurve.curve._curve_data import floor
from uccurve.curve._references import saved_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uccurve.comparison._comparison import Comparison
    from uccurve.comparison._records import ModelScore, Regime
    from uccurve.curve import Curve

_CHANCE = ", which may be chance"
_NAMED = 3
"""Models whose coverage and factor are named one by one; the table lists more of them."""
_AS_ASKED = 0.005
"""Distance from the chosen coverage that is none in whole per cent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """What a comparison recommends, in sentences that are shown as text.

    Attributes
    ----------
    best : str | None
        The name of the model to use at the chosen coverage; None where no model is clearly the narrowest.
    answer : str
        The answer at the chosen coverage, in one sentence.
    elsewhere : str
        Who is significantly narrower at other coverages; empty where nobody is.
    as_delivered : str
        What the intervals cover as given, and what to do about it.
    cautions : tuple of str
        What limits the answer: few rows, too few blocks, no tests.
    """

    best: str | None
    answer: str
    elsewhere: str
    as_delivered: str
    cautions: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences, those that are empty left out."""
        return tuple(filter(None, (self.answer, self.elsewhere, self.as_delivered, *self.cautions)))


def verdict(comparison: Comparison) -> Recommendation:
    """Put a comparison into a few sentences.

    Parameters
    ----------
    comparison : Comparison
        What `compare` returned.
    """
    return _Judge(comparison).recommendation()


@dataclass(frozen=True, eq=False)
class _Judge:
    comparison: Comparison

    def recommendation(self) -> Recommendation:
        """Answer at the chosen coverage, look elsewhere, and say what holds as delivered."""
        best, answer = self._answer()
        before, kind, after = answer.partition(self._kind)
        answer = before + kind + after.replace(self._kind, "")  # said once
        return Recommendation(
            best=None if best is None else printable(best),
            answer=printable(answer),
            elsewhere=printable(self._elsewhere(best)),
            as_delivered=printable(self._as_delivered()),
            cautions=tuple(map(printable, self._cautions())),
        )

    @property
    def _at(self) -> str:
        return f"{self.comparison.options.point} coverage"

    @property
    def _tested(self) -> bool:
        """Whether there are rows, and thus tests."""
        return next(iter(self.comparison.models.values()))._rows is not None

    @property
    def _ranked(self) -> list[ModelScore]:
        """The models that reach the chosen coverage, the narrowest first."""
        scores = [score for score in self.comparison.scores if score.model in self.comparison.models]
        return sorted((s for s in scores if not math.isnan(s.bandwidth_at)), key=lambda s: s.bandwidth_at)

    def _answer(self) -> tuple[str | None, str]:
        """Return the model to use, if one is clearly the best, and the sentence."""
        ranked = self._ranked
        if not ranked:
            return None, f"No model reaches {self._at}: some bands have no width."
        first, others = ranked[0], ranked[1:]
        if self._is_constant(first):
            return self._constant_leads(first, others)
        if first.gain_at < 0:
            return None, self._constant_wins(first)
        against = self._against_constant(first)
        unclear = [other for other in others if not self._clear(first.model, other.model)]
        if self._tested and unclear:
            return None, self._too_close(first, unclear, against)
        if self._tested and not others and not self._clear(first.model, self._constant_of(first)):
            return None, f"At {self._at} {first.model} is {against}."
        return first.model, self._clear_lead(first, others, against)

    def _clear_lead(self, first: ModelScore, others: list[ModelScore], against: str) -> str:
        """Answer where one model is the narrowest, and not by chance as far as that was tested."""
        lead = self._lead(first, others[0]) if others else ""
        if not self._tested:
            numbers = ", ".join(filter(None, (lead, against)))
            return f"At {self._at} {first.model} leads (not tested): {numbers}."
        use = f"For {self._at} use {first.model}"
        if lead and not self._clear(first.model, self._constant_of(first)):
            gain = f"{narrower(first.gain_at)}{self._interval(first)}"
            return f"{use}: {lead}. Its lead over a constant band may be chance: {gain}."
        return f"{use}: {', '.join(filter(None, (lead, against)))}."

    def _too_close(self, first: ModelScore, unclear: list[ModelScore], against: str) -> str:
        """Answer where the lead of the narrowest model may be chance."""
        names = [other.model for other in unclear]
        if len(names) > _NAMED:
            names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} others"]
        widest = saved_share(first.bandwidth_at, unclear[-1].bandwidth_at)
        lead = f"by {'at most ' if unclear[1:] else ''}{short_percent(widest)}"
        if not unclear[1:]:
            lead += self._range_of(lead_of(self.comparison, first.model, unclear[0].model))
        return (
            f"At {self._at} no model is clearly the narrowest: {first.model} leads "
            f"{listed(names)} {lead}, which may be chance. "
            f"{first.model} is {against}."
        )

    def _constant_wins(self, first: ModelScore) -> str:
        """Answer where the constant band needs less than the narrowest model."""
        subject = first.model if len(self.comparison.models) == 1 else f"the narrowest model, {first.model},"
        wider = f"{subject} is {narrower(first.gain_at)}{self._interval(first)}"
        if self._tested and not self._clear(first.model, self._constant_of(first)):
            return f"At {self._at} no model beats a constant band: {wider}{_CHANCE}."
        return f"For {self._at} a constant band is narrowest: {wider}."

    def _constant_leads(self, first: ModelScore, others: list[ModelScore]) -> tuple[str | None, str]:
        """Answer where the narrowest model is a constant band itself."""
        if not others:
            return None, f"{first.model} is a constant band: there is nothing to compare it with."
        chance = self._tested and not self._clear(first.model, others[0].model)
        return None if chance else first.model, (
            f"For {self._at} a constant band is narrowest: {first.model} is one, "
            f"{self._lead(first, others[0])}{_CHANCE if chance else ''}."
        )

    def _lead(self, first: ModelScore, second: ModelScore) -> str:
        """Say how much narrower than the next one a model is, with its interval where that is tested."""
        saving = lead_of(self.comparison, first.model, second.model)
        return f"{narrower(saving.share)} than {second.model}{self._range_of(saving) if self._tested else ''}"

    def _against_constant(self, score: ModelScore) -> str:
        """Say how much narrower or wider than a constant band a model is, with its interval."""
        chance = self._tested and not self._clear(score.model, self._constant_of(score))
        return (
            f"{narrower(score.gain_at)} than a constant band{self._interval(score)}"
            f"{_CHANCE if chance else ''}"
        )

    def _interval(self, score: ModelScore) -> str:
        """Put the interval of a gain into words; its ends are counted in the direction of the gain."""
        return self._range_of(Saving.of_score(score))

    def _range_of(self, saving: Saving) -> str:
        range_ = range_in_words(saving)
        doubt = "" if saving.reliable else ", from few rows"
        return f" ({self._kind}{range_}{doubt})" if range_ else ""

    @property
    def _kind(self) -> str:
        return f"{100 * self.comparison.options.confidence_level:g} % interval "

    def _elsewhere(self, best: str | None) -> str:
        """Name the ranges of coverage in which somebody else is significantly narrower."""
        rate = self.comparison.options.miss_rate
        others = [one for one in self.comparison.regimes if one.significant and one.best != best]
        text = "; ".join(self._range(one) for one in others if not one.low < rate < one.high)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    def _range(self, regime: Regime) -> str:
        low, high = (whole_percent(arguments.complement(rate)) for rate in (regime.high, regime.low))
        where = f"between {low} and {high}"
        if regime.low <= 0:
            where = "at every coverage" if regime.high >= 1 else f"above {low}"
        elif regime.high >= 1:
            where = f"below {high}"
        if regime.best in self.comparison.constant_bands:
            return f"{where} a constant band is narrowest"
        return f"{where} use {regime.best}"

    def _as_delivered(self) -> str:
        """Say what the narrowest models cover as given, and what moves them to the chosen coverage."""
        ranked = [score for score in self._ranked if not self._is_constant(score)]
        shown = ranked if len(ranked) <= _NAMED else ranked[:1]
        if not shown:
            return ""
        rate, curves = self.comparison.options.miss_rate, self.comparison.models
        covers = listed([self._covers(score) for score in shown])
        if all(abs(score.coverage - arguments.complement(rate)) < _AS_ASKED for score in shown):
            return f"As delivered {covers}, as asked; check that on other data."
        vary = self.comparison.options.vary
        if vary == "level":
            what = levels_to_take([curves[score.model] for score in shown], rate)
        else:
            moves = listed([short_number(parameter_or_nan(curves[score.model], rate)) for score in shown])
            what = f"multiply by {moves}" if vary == "scale" else f"add {moves} to each band"
        point = self.comparison.options.point
        return f"As delivered {covers}: for {point} {what}, then calibrate on other data."

    def _covers(self, score: ModelScore) -> str:
        claimed = self.comparison.models[score.model]._nominal
        claim = "" if claimed is None else f" claims {whole_percent(claimed)} and"
        return f"{score.model}{claim} covers {whole_percent(score.coverage)}"

    def _cautions(self) -> Iterator[str]:
        """Say what limits the answer."""
        for name, curve in self.comparison.models.items():
            if floor(curve._data) > 0:
                yield _zero_bands(name, curve)
        if not self._tested:
            yield "Sketches keep no rows: differences are not tested."
        first = next(iter(self._ranked), None)
        if first is not None and not first.gain_at_reliable and math.isfinite(first.gain_at_low):
            yield f"Few rows decide the interval of {first.model}: it may be too short."
        needs = sorted({test.needs_at for test in self.comparison.tests if test.needs_at is not None})
        if needs:
            yield f"Some differences cannot be decided without more {' or '.join(needs)}."

    def _is_constant(self, score: ModelScore) -> bool:
        curve = self.comparison.models[score.model]
        return curve.reference is curve

    def _constant_of(self, score: ModelScore) -> str:
        return self.comparison.own_constant_band[score.model]

    def _clear(self, a: str, b: str) -> bool:
        """Whether two bandwidths at the chosen coverage differ significantly."""
        test = next((test for test in self.comparison.tests if {test.a, test.b} == {a, b}), None)
        if test is None or test.needs_at is not None:
            return False
        return test.pvalue_at_holm < 1 - self.comparison.options.confidence_level


def levels_to_take(curves: Sequence[Curve], miss_rate: float) -> str:
    """Say which intervals of nested quantiles have a miss rate, or what the outermost are multiplied by."""
    points = [curve.at(miss_rate=miss_rate) for curve in curves]
    within = [whole_percent(point.nominal) for point in points if point.nominal is not None]
    beyond = [short_number(point.parameter) for point in points if point.nominal is None]
    plural = "s" if len(points) > 1 else ""
    if not beyond:
        return f"take the {listed(within)} interval{plural}"
    if not within:
        return f"multiply the outermost pair{plural} by {listed(beyond)}"
    each = [
        f"multiply the outermost pair by {short_number(point.parameter)}"
        if point.nominal is None
        else f"take the {whole_percent(point.nominal)} interval"
        for point in points
    ]
    return listed(each)


def _zero_bands(name: str, curve: Curve) -> str:
    """Count the rows that no factor captures, and say the remedy."""
    reached = whole_percent(arguments.complement(floor(curve._data)))
    rows = "some rows"
    if curve._rows is not None:
        critical = to_numpy(curve._rows.critical(vary=curve.vary))
        rows = f"{np.count_nonzero(np.isinf(critical))} of {critical.size} values"
    return (
        f"{name} covers at most {reached}: {rows} are missed by bands of zero width, which no factor widens. "
        f'Give them a positive band, or shift the bands (vary="shift").'
    )
