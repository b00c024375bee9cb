"""Compare models on the same rows."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve._base.progress import StepBar
from uccurve.comparison._area_tests import tested_areas
from uccurve.comparison._checked_models import checked_models, claimed_miss_rate
from uccurve.comparison._compare_options import DEFAULT_MISS_RATE, CompareOptions
from uccurve.comparison._comparison import Comparison
from uccurve.comparison._constant_bands import constant_bands, own_constant_bands, rivals
from uccurve.comparison._readable_tables import STAR
from uccurve.comparison._record_table import RecordTable
from uccurve.comparison._scoring import Scorer
from uccurve.comparison._sentences import Sentences
from uccurve.comparison._standings import Standings
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.curve import Curve
    from uccurve.inference import Criterion

_NOT_PRINTED_OF_SEGMENTS = ("deficit_ceiling",)
"""They have their coverage in its place: a terminal has room for no more."""
_DEFICIT_COLUMNS = (
    "deficit_gain",
    "deficit_gain_low",
    "deficit_gain_high",
    "deficit_gain_reliable",
    "deficit_ceiling",
)
_AREA_COLUMNS = ("area_difference", "area_low", "area_high", "area_pvalue", "area_pvalue_holm")


def compare(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch],
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    coverage: float | None = None,
    miss_rate: float | None = None,
    rank_by: Criterion = "interval_score",
    test_areas: bool = False,
    partial_range: tuple[float, float] = (0.0, 0.5),
    n_resamples: int | None = None,
    blocks: ArrayLike | int | None = None,
    by: ArrayLike | None = None,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare models on the same rows, with each other and with constant width.

    All of them are moved to the same coverage, ranked and tested there. By default they are ranked by the
    interval score: half-width, plus the distance of misses at its price. On average over new rows no
    intervals score better than the true quantiles. The half-width alone is smallest for intervals that miss
    noisy rows more often than quiet ones.

    Parameters
    ----------
    models : mapping of name to Intervals, or to UCCSketch
        At least one model; all on the same observations, with the same weights. Sketches have no rows
        left to pair: they are compared without tests and intervals.
    x, y : str
        The axes of areas and gains.
    vary : {"scale", "shift", "level"}
        What moves intervals to a coverage.
    coverage, miss_rate : float, optional
        The point of the comparison, given by either of them. By default the coverage that all models claim,
        if they claim the same; else 90%.
    rank_by : {"interval_score", "bandwidth"}
        What models are ranked, tested and recommended by. "bandwidth" is the comparison of widths alone.
    test_areas : bool
        Test the areas of all pairs as well, in a family of tests of their own.
    partial_range : pair of float
        Miss rates of the partial gains.
    n_resamples : int, optional
        Number of permutations per test. The default is large enough for the smallest adjusted p-value to
        reach a tenth of the level of significance: at least 1,999 at the chosen coverage, 9,999 for areas
        that need no sorting, and at most 99,999. Bootstraps take at most 499 or 999. All pairs share the
        permutations: each test is valid as it is, and Holm's adjustment does not need independent tests.
    blocks : int or array of shape (n,), optional
        Which rows depend on each other, as in `permutation_test`. A number cuts the rows into blocks of so
        many consecutive rows: they must be in time order, which is not checked. What is left at the end is a
        smaller block of its own. An array holds the label of each row's block, in any order of rows.
    by : array of shape (n,), optional
        Labels of segments, to be scored on their own as well.
    confidence_level : float
        Confidence level of intervals, and 1 minus the level of significance.
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
    >>> comparison = uc.compare(models, rng=0)
    >>> [score.model for score in comparison.scores]
    ['truth', 'damped', 'constant width']
    >>> print(comparison.verdict)  # doctest: +ELLIPSIS
    At 90% coverage, use truth: its interval score is ...
    """
    if miss_rate is None and coverage is None:
        miss_rate = claimed_miss_rate(models)
    options = CompareOptions(
        x=x,
        y=y,
        vary=vary,
        miss_rate=arguments.miss_rate_of(coverage, miss_rate, DEFAULT_MISS_RATE),
        rank_by=rank_by,
        test_areas=test_areas,
        partial_range=partial_range,
        n_resamples=n_resamples,
        blocks=blocks,
        by=by,
        confidence_level=confidence_level,
    )
    return compared(checked_models(models, options), options, rng, progress=progress)


def compared(
    models: Mapping[str, Intervals | UCCSketch],
    options: CompareOptions,
    rng: np.random.Generator | int | None,
    *,
    progress: bool,
) -> Comparison:
    """Compare models that were checked, with options that were checked."""
    generator = arguments.generator(rng)
    rows = {
        name: UCC(model, vary=options.vary) for name, model in models.items() if isinstance(model, Intervals)
    }
    curves: dict[str, Curve] = {
        name: model.curve() if isinstance(model, UCCSketch) else rows[name] for name, model in models.items()
    }
    constants = constant_bands(curves)
    taken = [name for name in curves if name in constants]
    if taken:
        raise ArgumentError(
            argument="models", rule=f"not use the name {taken[0]!r}", hint="The reference has it."
        )
    own = own_constant_bands(curves, constants)
    ranked = rivals(curves, constants)
    bar = StepBar("scoring models", len(curves | constants), show=progress)
    scores = Scorer(options, generator, bar.step).scores(curves | constants)
    standings = Standings.of(ranked, own, options, generator, progress=progress)
    if options.test_areas:
        standings = tested_areas(standings, ranked, options, generator)
    segments = () if options.by is None else Scorer(options, generator).segments(rows, options.by)
    ranges, crossings = standings.regimes(), standings.crossings()
    words = Sentences(
        models=curves,
        constants=constants,
        scores=scores,
        standings=standings,
        regimes=ranges,
        crossings=crossings,
        options=options,
    )
    table = partial(RecordTable, library=next(iter(curves.values())).library, point=options.point)
    # with the deficit on the vertical axis, its gain is the gain
    doubled = _DEFICIT_COLUMNS if options.y == "deficit" else ()
    marked = f"Segments; {STAR} covers significantly more or less than all rows"
    title = f"Scores, areas on {options.axes}, intervals varied by {options.vary}"
    number = "interval scores" if options.rank_by == "interval_score" else "half-widths"
    return Comparison(
        models=MappingProxyType(curves),
        constant_bands=MappingProxyType(constants),
        own_constant_band=MappingProxyType(own),
        options=options,
        scores=table(scores, title, left_out=doubled),
        tests=table(
            standings.tests.values(),
            f"Ratios of {number} at {options.point} coverage, paired permutation tests",
            left_out=() if options.test_areas else _AREA_COLUMNS,
        ),
        regimes=table(ranges, "Who is best by miss rate"),
        crossings=table(crossings, "Where models swap order"),
        segments=None
        if options.by is None
        else table(segments, marked, left_out=doubled, not_printed=_NOT_PRINTED_OF_SEGMENTS),
        recommendation=words.recommendation(),
        findings=words.findings(),
        answers=tuple(words.answers()),
        standings=standings,
    )
