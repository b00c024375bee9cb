"""What `compare` found."""

from __future__ import annotations

import html
import math
import textwrap
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from uccurve._base import arguments
from uccurve._base.text import limits
from uccurve.comparison._readable_tables import DOUBTFUL, doubtful
from uccurve.comparison._standings import curve_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from uccurve._base.type_aliases import Side
    from uccurve.comparison._compare_options import CompareOptions
    from uccurve.comparison._record_table import RecordTable
    from uccurve.comparison._records import ModelScore, PairCrossing, PairTest, Regime, SegmentScore, Standing
    from uccurve.comparison._sentences import Recommendation
    from uccurve.comparison._standings import Standings
    from uccurve.curve import Curve
    from uccurve.plotting._plot_options import PlotOptions

_LINE = 100


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison:
    """Models on the same rows: a verdict, tables of records, and findings in sentences.

    A table is a sequence of records; its ``to_frame()`` gives a frame of the user's library.

    Attributes
    ----------
    models : mapping of str to Curve
        The curve of each model.
    constant_bands : mapping of str to Curve
        The curve of the constant band, or of one for each way of predicting.
    own_constant_band : mapping of str to str
        The name of the constant band around the same predictions, for each model.
    options : CompareOptions
        What the comparison was made with.
    scores : RecordTable of ModelScore
        One row per model and constant band: costs as given, area, gains with intervals and ceilings.
    tests : RecordTable of PairTest
        One row per pair: the ratio at the chosen coverage with its interval, p-values, and whether it is
        clear.
    regimes : RecordTable of Regime
        One row per range of miss rates: who is clearly the best there, or that it is too close to call.
    crossings : RecordTable of PairCrossing
        One row per pair that swaps order, where that is established on both sides.
    segments : RecordTable of SegmentScore or None
        The scores of each segment; None where no segments were asked for.
    recommendation : Recommendation
        What to use, in sentences.
    findings : tuple of str
        The findings in sentences.
    answers : tuple of str
        The answer at each of ``standings.rates``: what the page says as its slider moves.
    standings : Standings
        The numbers behind them, at every coverage: see `at`.
    """

    models: Mapping[str, Curve]
    constant_bands: Mapping[str, Curve]
    own_constant_band: Mapping[str, str]
    options: CompareOptions
    scores: RecordTable[ModelScore]
    tests: RecordTable[PairTest]
    regimes: RecordTable[Regime]
    crossings: RecordTable[PairCrossing]
    segments: RecordTable[SegmentScore] | None = field(default=None)
    recommendation: Recommendation
    findings: tuple[str, ...]
    answers: tuple[str, ...]
    standings: Standings

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for copies and pickles, which cannot hold mappings that are read only."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in values.items()
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, MappingProxyType(value) if isinstance(value, dict) else value)

    @property
    def curves(self) -> dict[str, Curve]:
        """The curves of the models and of their constant bands."""
        return {**self.models, **self.constant_bands}

    @property
    def side(self) -> Side:
        """Where all models have a bound: "both", or "upper" or "lower" for one-sided limits."""
        return next(iter(self.models.values())).side

    @property
    def verdict(self) -> str:
        """What to use at the chosen coverage and elsewhere, what holds as supplied, and what limits that.

        The command line and the report page begin with the same sentences.

        Examples
        --------
        >>> import uccurve as uc
        >>> from uccurve.datasets import make_crossing
        >>> print(uc.compare(make_crossing().models, rng=0).verdict)  # doctest: +ELLIPSIS
        At 90% coverage, use sharp: its interval score is 26% better than damped's (95% CI ...
        """
        return " ".join(self.recommendation.sentences)

    def at(self, *, coverage: float | None = None, miss_rate: float | None = None) -> Standing:
        """Say who is best at a coverage, and who may be as good.

        At the coverage of the comparison that is what the verdict says. At any other coverage a lead is clear
        where the simultaneous band of the paired ratio leaves 1 out.

        Parameters
        ----------
        coverage, miss_rate : float
            The point, given by one of them.
        """
        rate = arguments.miss_rate_of(coverage, miss_rate)
        curves = {name: self.curves[name] for name in self.standings.names}
        return self.standings.at(rate, curve_numbers(curves, np.array([rate]), self.options)[:, 0])

    def summary(self) -> str:
        """Return the verdict on one line, then the findings, one or two sentences per line."""
        return "\n".join([self.verdict, *self.findings])

    def to_dict(self) -> dict[str, float]:
        """Return the scores and tests as one flat dict of numbers, for experiment trackers.

        Keys are "model/column", "model vs other/column" for tests, and "coverage", the point of the
        comparison. Only finite numbers are in it, so that it is valid JSON.

        Examples
        --------
        >>> import uccurve as uc
        >>> from uccurve.datasets import make_crossing
        >>> numbers = uc.compare(make_crossing().models, n_resamples=99, rng=0).to_dict()
        >>> numbers["coverage"], round(numbers["sharp/gain"], 3), numbers["sharp vs damped/pvalue"]
        (0.9, -0.03, 0.01)
        """
        numbers = {"coverage": arguments.complement(self.options.miss_rate)}
        for table in (self.scores, self.tests):
            columns = table.columns()
            names = columns.pop("model", None) or [
                f"{a} vs {b}" for a, b in zip(columns.pop("a", []), columns.pop("b", []), strict=True)
            ]
            for column, values in columns.items():
                numbers |= {f"{name}/{column}": value for name, value in zip(names, values, strict=True)}
        return {
            name: value
            for name, value in numbers.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        }

    def plot(self, ax: Any = None, **options: Unpack[PlotOptions]) -> Any:
        """Draw the curves of all models, on the comparison's two costs, and return the matplotlib axes.

        Needs the extra ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            ``reference``, ``frontier``, ``confidence``, ``original``, ``cost``, ``miss_rate``,
            ``points``, ``area``, ``unit``, ``legend``, ``width`` and ``height``, as in
            `uccurve.plotting.plot_ucc`.
        """
        for name, curve in self.models.items():
            ax = curve.plot(ax, x=self.options.x, y=self.options.y, label=name, **options)
            options = {**options, "width": None, "height": None}  # the figure has its size
        return ax

    def __repr__(self) -> str:
        names, kind = ", ".join(map(repr, self.models)), limits(self.side)
        rows = f"{next(iter(self.models.values())).n} rows{f' of {kind}' if kind else ''}"
        return f"Comparison({names}; {rows}, areas on {self.options.axes}, vary={self.options.vary!r})"

    def __str__(self) -> str:
        note = [DOUBTFUL] if doubtful(self.scores.columns()) else []
        answer = textwrap.fill(self.verdict, _LINE, break_on_hyphens=False)
        return "\n\n".join([answer, *map(repr, self._tables()), *note])

    def _repr_html_(self) -> str:
        findings = "".join(f"<li>{html.escape(finding)}</li>" for finding in self.findings)
        answer = f"<p><strong>{html.escape(self.verdict)}</strong></p>"
        return f"{answer}<ul>{findings}</ul>" + "".join(table._repr_html_() for table in self._tables())

    def _tables(self) -> Iterator[RecordTable[Any]]:
        """Yield the tables that people read, those that are empty left out."""
        tables = (self.scores, self.tests, self.regimes, self.segments)
        return (table for table in tables if table)
