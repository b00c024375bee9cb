"""Compare models on the same rows: the door, and what comes out of it."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from uccurve._base import arguments
from uccurve._base.text import LINE, format_table, limits, printable
from uccurve.comparison import records, tables
from uccurve.comparison.scoring import Scorer, Standings
from uccurve.comparison.sentences import Sentences
from uccurve.curve import UCC, Curve, areas, check_pair, choose_miss_rate
from uccurve.exceptions import ArgumentError, PairError
from uccurve.inference import CRITERIA, Criterion
from uccurve.intervals import Intervals
from uccurve.io import name_models
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Side, Vary, X, Y


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison:
    """Models on the same rows: a verdict, tables of records, and findings in sentences.

    A table is a sequence of records; its ``to_frame()`` gives a frame of the user's library.

    Attributes
    ----------
    models : mapping of str to Curve
        The curve of each model.
    constant_bands : mapping of str to Curve
        The curve of constant width, or of one for each way of predicting.
    own_constant_band : mapping of str to str
        The name of the constant width around the same predictions, for each model.
    options : CompareOptions
        What the comparison was made with.
    scores : RecordTable of ModelScore
        One row per model and constant width: costs as supplied, area, gains with intervals and ceilings.
    tests : RecordTable of PairTest
        One row per pair: the ratio at the chosen coverage with its interval, p-values, and whether it is
        clear.
    regimes : RecordTable of Regime
        One row per range of miss rates: which model is clearly best there, or that no lead is clear.
    crossings : RecordTable of PairCrossing
        One row per pair that swaps order, where that is established on both sides.
    segments : RecordTable of SegmentScore or None
        The scores of each segment; None without segments.
    standings : Standings
        The numbers behind them, at every coverage: see `at`.
    other_standings : Standings
        The same by the other criterion, where nothing was tested: see `judged_by`.

    See Also
    --------
    compare : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> models = uc.datasets.make_crossing(n=500, rng=0).models
    >>> comparison = uc.compare(models, coverage=0.9, n_resamples=99, rng=0)
    >>> comparison.findings[0]
    "At 90% coverage, use sharp: its interval score is 20% better than damped's (95% CI 8–30%)."
    """

    models: Mapping[str, Curve]
    constant_bands: Mapping[str, Curve]
    own_constant_band: Mapping[str, str]
    options: records.CompareOptions
    scores: tables.RecordTable[records.ModelScore]
    tests: tables.RecordTable[records.PairTest]
    regimes: tables.RecordTable[records.Regime]
    crossings: tables.RecordTable[records.PairCrossing]
    segments: tables.RecordTable[records.SegmentScore] | None = None
    standings: Standings
    other_standings: Standings

    @property
    def curves(self) -> dict[str, Curve]:
        """The curves of the models and of their constant widths."""
        return {**self.models, **self.constant_bands}

    @property
    def side(self) -> Side:
        """Where all models have a bound: "both", or "upper" or "lower" for one-sided limits."""
        return next(iter(self.models.values())).side

    @property
    def width(self) -> str:
        """What a width is called: a limit has a distance."""
        return "half-width" if self.side == "both" else "distance"

    @property
    def measure(self) -> str:
        """What models are ranked by, in words."""
        return "interval score" if self.options.by_score else self.width

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

    @cached_property
    def recommendation(self) -> records.Recommendation:
        """What to use, in sentences."""
        return Sentences(self).recommendation()

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """The findings in sentences."""
        return Sentences(self).findings()

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The answer at each of ``standings.rates``: what the page says as its slider moves."""
        sentences = Sentences(self)
        return tuple(printable(sentences.answer(place)) for place in range(self.standings.rates.size))

    @cached_property
    def leaders(self) -> str:
        """Who is clearly the best from where to where, in one line: the title of a chart."""
        return Sentences(self).leaders()

    def judged_by(self, criterion: Criterion) -> Comparison:
        """Return the comparison by another criterion, without tests: simultaneous bands decide everywhere.

        Parameters
        ----------
        criterion : {"interval_score", "bandwidth"}
            What models are ranked by.

        Returns
        -------
        Comparison
            The same models by that criterion.

        Raises
        ------
        ArgumentError
            If the criterion is unknown.
        """
        arguments.option("criterion", criterion, CRITERIA)
        if criterion == self.options.rank_by:
            return self
        standings, options = self.other_standings, replace(self.options, rank_by=criterion)
        return replace(
            self,
            options=options,
            tests=replace(self.tests, records=()),
            regimes=replace(self.regimes, records=standings.regimes()),
            crossings=replace(self.crossings, records=standings.crossings()),
            standings=standings,
            other_standings=self.standings,
        )

    def at(self, *, coverage: float | None = None, miss_rate: float | None = None) -> records.Standing:
        """Say which model is best at a coverage, and which may be as good.

        At the coverage of the comparison that is what the verdict says. At any other coverage a lead is clear
        where the simultaneous band of the paired ratio excludes 1.

        Parameters
        ----------
        coverage, miss_rate : float
            The point, given by one of them.

        Returns
        -------
        Standing
            The best model, and those that may be as good.

        Raises
        ------
        ArgumentError
            If not exactly one of the two is passed, or it is not between 0 and 1.
        """
        return self.standings.at(arguments.miss_rate_of(coverage, miss_rate))

    def summary(self) -> str:
        """Return the verdict on one line, then the findings, one or two sentences per line.

        Returns
        -------
        str
            Several lines of text.
        """
        return "\n".join([self.verdict, *self.findings])

    def to_dict(self) -> dict[str, float]:
        """Return the scores and tests as one flat dict of numbers, for experiment trackers.

        Keys are "model/column", "model vs other/column" for tests, and "coverage", the point of the
        comparison. Only finite numbers are in it, so that it is valid JSON.

        Returns
        -------
        dict of str to float
            Such as ``sharp/gain``.

        Examples
        --------
        >>> import uccurve as uc
        >>> from uccurve.datasets import make_crossing
        >>> numbers = uc.compare(make_crossing().models, n_resamples=99, rng=0).to_dict()
        >>> numbers["coverage"], round(numbers["sharp/gain"], 3), numbers["sharp vs damped/pvalue"]
        (0.9, -0.03, 0.01)
        """
        numbers: dict[str, Any] = {"coverage": self.options.coverage}
        for table in (self.scores, self.tests):
            columns = table.columns()
            for row in zip(*columns.values(), strict=True):
                name = " vs ".join(row[: table.keys])
                numbers |= {f"{name}/{column}": value for column, value in zip(columns, row, strict=True)}
        return {
            name: value
            for name, value in numbers.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        }

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the curves of all models, on the comparison's two costs, and return the matplotlib axes.

        Needs the extra ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.
        **options
            Those of `uccurve.plotting.PlotOptions`, such as ``confidence``, ``points`` and ``unit``.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        MissingDependencyError, ArgumentError, TypeError, UnreachableError
            As in `UCC.plot`.
        """
        from uccurve.plotting import UCCDisplay  # noqa: PLC0415 - an optional library behind it

        return UCCDisplay.from_comparison(self, ax=ax, **options).ax_

    def __repr__(self) -> str:
        names, kind = ", ".join(map(repr, self.models)), limits(self.side)
        rows = f"{next(iter(self.models.values())).n} rows{f' of {kind}' if kind else ''}"
        return f"Comparison({names}; {rows}, areas on {self.options.axes}, vary={self.options.vary!r})"

    def __str__(self) -> str:
        answer = textwrap.fill(self.verdict, LINE, break_on_hyphens=False, break_long_words=False)
        columns, note = tables.format_answer(self)
        table = "\n".join(filter(None, [format_table("", columns), note]))
        more = f".scores, .tests, .regimes{', .segments' if self.segments else ''} (each with .to_frame())"
        return "\n\n".join([answer, table, f"More: .findings, {more}, .plot()"])

    def _repr_html_(self) -> str:
        findings = "".join(f"<li>{html.escape(finding)}</li>" for finding in self.findings)
        answer = f"<p><strong>{html.escape(self.verdict)}</strong></p>"
        columns, note = tables.format_answer(self)
        return f"{answer}{tables.format_html(note, columns)}<ul>{findings}</ul>"


def compare(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch] | Intervals | UCCSketch,
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    coverage: float | None = None,
    miss_rate: float | None = None,
    rank_by: Criterion = "interval_score",
    n_resamples: int | None = None,
    blocks: ArrayLike | int | None = None,
    by: ArrayLike | None = None,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare models on the same rows, with each other and with constant width.

    All of them are moved to the same coverage, ranked and tested there. By default they are ranked by the
    interval score: width, plus a penalty for misses. On average over new rows no intervals score better than
    the true quantiles. The half-width alone is smallest for intervals that miss noisy rows more often than
    quiet ones.

    Parameters
    ----------
    models : mapping of name to Intervals, or to UCCSketch
        One or more models on the same observations, with the same weights; a single one needs no name.
        `Models` include segments and blocks. Sketches are compared without tests and CIs.
    x, y : str
        The axes of areas and gains.
    vary : {"scale", "shift", "level"}
        What moves intervals to a coverage.
    coverage, miss_rate : float, optional
        The point of the comparison, given by either of them. By default the coverage that all models claim,
        if they claim the same; else 90%.
    rank_by : {"interval_score", "bandwidth"}
        What models are ranked, tested and recommended by. "bandwidth" is the comparison of widths alone.
    n_resamples : int, optional
        Number of permutations per test. The default is large enough for the smallest adjusted p-value to
        reach a tenth of the level of significance: at least 1,999, and at most 99,999. Bootstraps draw at
        least 99 samples and at most 499 or 999, or up to 9,999 at confidence levels above 99%. All pairs
        share the permutations: each test is valid as it is, and Holm's adjustment does not need independent
        tests.
    blocks : int or array of shape (n,), optional
        Which rows depend on each other, as in `permutation_test`. A number makes blocks of that many
        consecutive rows: they must be in time order, which is not checked. The last block may be smaller. An
        array has the label of each row's block, in any order of rows.
    by : array of shape (n,), optional
        Labels of segments, to be scored on their own as well.
    confidence_level : float
        Confidence level of intervals, and 1 minus the level of significance.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or its seed.
    progress : bool
        Show progress on the terminal.

    Returns
    -------
    Comparison
        The verdict, findings, scores, tests and ranges of coverage.

    Raises
    ------
    PairError
        If models are not on the same rows, with the same weights and bounds on the same sides.
    ArgumentTypeError
        If models are neither all `Intervals` nor all `UCCSketch`.
    ArgumentError
        If an option has a value outside its rule; if there are fewer than two rows or blocks; or if sketches
        are not of as many rows, or are passed with ``by``, ``blocks`` or ``vary``, which need the rows.
    ShapeError
        If ``by`` or ``blocks`` do not have one label per row.

    See Also
    --------
    report : The same as a page.
    ratio_curve : Two models at every coverage.
    permutation_test : One test.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(500, rng=0)
    >>> models = {name: uc.Intervals.from_bands(data.y_true, data.y_pred, data.std**p)
    ...           for name, p in (("damped", 0.5), ("truth", 1))}
    >>> comparison = uc.compare(models, rng=0)
    >>> [score.model for score in comparison.scores]
    ['truth', 'damped', 'constant width']
    >>> print(comparison.verdict)  # doctest: +ELLIPSIS
    At 90% coverage, use truth: its interval score is ...
    """
    models, by, blocks = name_models(models, by, blocks)
    options = records.CompareOptions(
        x=x,
        y=y,
        vary=vary,
        miss_rate=choose_miss_rate(models, coverage, miss_rate),
        rank_by=rank_by,
        n_resamples=n_resamples,
        blocks=blocks,
        by=by,
        confidence_level=confidence_level,
    )
    curves: dict[str, Curve] = {
        name: model.curve() if isinstance(model, UCCSketch) else UCC(model, vary=vary)
        for name, model in _check_models(models, options).items()
    }
    scorer = Scorer(curves, options, arguments.generator(rng), progress=progress)
    scores, (standings, other) = scorer.scores(), scorer.standings()
    first = next(iter(curves.values()))
    headings = {
        "bandwidth": "half-width" if first.side == "both" else "distance",
        "score_at": f"interval score at {options.point}",
        "gain_at": f"gain at {options.point}",
        "coverage_at": f"coverage at {options.point}",
        "pvalue": "p",
        "pvalue_holm": "p, Holm",
        "needs": "needs more",
        "n": "rows",
        "high": "from",
        "low": "to",
    }
    table = partial(tables.RecordTable, headings=headings, library=first.library)
    of = f" of {limits(first.side)}" if first.side != "both" else ""
    title = f"Scores{of}, with areas on {options.axes}, intervals varied by {options.vary}"
    measure = "Interval scores" if options.by_score else "Half-widths"
    tested = f"{measure} of a over b at {options.point} coverage, paired permutation tests"
    marked = f"Segments; {tables.STAR} covers significantly more or less than all rows"
    # with the deficit on the vertical axis, its gain is the gain
    doubled = ("deficit_gain", "deficit_ceiling") if y == "deficit" else ()
    return Comparison(
        models=curves,
        constant_bands=scorer.constants,
        own_constant_band=scorer.own,
        options=options,
        scores=table(scores, title, left_out=doubled),
        tests=table(tuple(standings.tests.values()), tested, kind=records.PairTest),
        regimes=table(standings.regimes(), "Who is best at which coverage"),
        crossings=table(standings.crossings(), "Where models swap order", kind=records.PairCrossing),
        segments=None if by is None else table(scorer.segments(), marked, left_out=doubled),
        standings=standings,
        other_standings=other,
    )


def _check_models(models: Any, options: records.CompareOptions) -> dict[str, Intervals | UCCSketch]:
    """Check that models can be compared with these options, and return them by their names as text."""
    if not isinstance(models, Mapping) or not models:
        raise ArgumentError(argument="models", rule="be Intervals, or map names to Intervals, at least one")
    arguments.distinct(models)
    first_name, first = next(iter(models.items()))
    sketched = any(isinstance(rows, UCCSketch) for rows in models.values())
    if sketched and len({name[1:] for name in models if isinstance(name, tuple)}) > 1:
        hint = "Of segments, choose one, or add up the sketches of each model."
        rule = "contain models of the same rows, not segments of them"
        raise ArgumentError(argument="models", rule=rule, got=list(models)[:2], hint=hint)
    for name, rows in models.items():
        arguments.instance(f"models[{name!r}]", rows, UCCSketch if sketched else Intervals)
        if sketched:
            if rows.rows != first.rows:
                rule = f"be on the same rows, but {first_name!r} has {first.rows} and {name!r} {rows.rows}"
                raise ArgumentError(argument="models", rule=rule)
            areas.check_side("models", first.side, rows.side)
        else:
            try:
                check_pair(first, rows)
            except PairError as error:
                raise error.replaced(where=f"`models[{first_name!r}]` and `models[{name!r}]`") from None
    if not sketched and first.n < 2:  # noqa: PLR2004
        raise ArgumentError(argument="models", rule="have two rows or more to be compared", got="1")
    needs_rows = {"vary": options.vary != "scale"}
    needs_rows |= {name: getattr(options, name) is not None for name in ("blocks", "by")}
    for name, is_passed in needs_rows.items():
        if sketched and is_passed:
            raise ArgumentError(argument=name, rule="not be passed for sketches", hint="It needs the rows.")
    return {str(name): rows for name, rows in models.items()}
