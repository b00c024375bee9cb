"""Compare models on the same rows."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from uccurve._base import arguments
from uccurve.comparison._checked_models import checked_models
from uccurve.comparison._compare_options import DEFAULT_MISS_RATE, CompareOptions
from uccurve.comparison._comparison import Comparison
from uccurve.comparison._constant_bands import constant_bands, own_constant_bands
from uccurve.comparison._findings import Findings
from uccurve.comparison._readable_tables import STAR
from uccurve.comparison._record_table import RecordTable
from uccurve.comparison._regimes import regimes
from uccurve.comparison._scoring import Scorer
from uccurve.curve import UCC
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals
from uccurve.sketch import UCCSketch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Vary, X, Y
    from uccurve.curve import Curve

_NOT_PRINTED_OF_SEGMENTS = ("deficit_ceiling",)
"""They have their coverage in its place: a terminal has room for no more."""
_DEFICIT_COLUMNS = (
    "deficit_gain",
    "deficit_gain_low",
    "deficit_gain_high",
    "deficit_gain_reliable",
    "deficit_ceiling",
)


def compare(
    models: Mapping[str, Intervals] | Mapping[str, UCCSketch],
    *,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    coverage: float | None = None,
    miss_rate: float | None = None,
    partial_range: tuple[float, float] = (0.0, 0.5),
    n_resamples: int | None = None,
    blocks: ArrayLike | int | None = None,
    by: ArrayLike | None = None,
    confidence_level: float = 0.95,
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
    coverage, miss_rate : float, optional
        The point of the comparison, given by either of them; 90 % coverage by default. Bandwidths are
        compared and tested at this coverage, beside the areas. It is the nominal coverage of the interval
        score as well.
    partial_range : pair of float
        Miss rates of the partial gains.
    n_resamples : int, optional
        Exchanges of each permutation test. By default so many that the smallest p-value after Holm is a
        tenth of the level of significance, whatever the number of tests: at least 9 999 for areas, at least
        1 999 where rows have to be sorted (for bandwidths at the chosen coverage, and for areas under
        ``shift`` or on the excess), and at most 99 999. Bootstrap samples are at most 999. All pairs share
        the exchanges, which takes less time: each test is valid as it is, and Holm's adjustment does not
        need independent tests.
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
    >>> comparison = uc.compare(models, n_resamples=99, rng=0)
    >>> [score.model for score in comparison.scores]
    ['damped', 'truth', 'constant band']
    >>> print(comparison.verdict)  # doctest: +ELLIPSIS
    At 90 % coverage no model is clearly the narrowest: damped leads truth by 5 % ...
    """
    options = CompareOptions(
        x=x,
        y=y,
        vary=vary,
        miss_rate=arguments.miss_rate_of(coverage, miss_rate, DEFAULT_MISS_RATE),
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
        raise ArgumentError(f"`models` must not use the name {taken[0]!r}: the reference has it.")
    own = own_constant_bands(curves, constants)
    scorer = Scorer(options, generator)
    scores = scorer.scores(curves | constants)
    tests = scorer.tests(curves | constants, own, progress=progress)
    # The constant band takes part in regimes where there is one for all models.
    ranges = regimes(curves | constants if len(constants) == 1 else curves, options, generator)
    crossings = scorer.crossings(curves | constants, own)
    segments = () if options.by is None else scorer.segments(rows, options.by)
    findings = Findings(curves, own, scores, tests, ranges, options)
    table = partial(RecordTable, library=next(iter(curves.values()))._library, point=options.point)
    # with the deficit on the vertical axis, its gain is the gain
    doubled = _DEFICIT_COLUMNS if options.y == "deficit" else ()
    marked = f"Segments; {STAR} covers significantly more or less than all rows"
    title = f"Scores, areas on {options.axes}, bands varied by {options.vary}"
    return Comparison(
        models=MappingProxyType(curves),
        constant_bands=MappingProxyType(constants),
        own_constant_band=MappingProxyType(own),
        options=options,
        scores=table(scores, title, left_out=doubled),
        tests=table(tests, "Differences, paired permutation tests"),
        regimes=table(ranges, "Least bandwidth by miss rate"),
        crossings=table(crossings, "Crossings", names={"x": options.x, "y": options.y}),
        segments=None
        if options.by is None
        else table(segments, marked, left_out=doubled, not_printed=_NOT_PRINTED_OF_SEGMENTS),
        findings=findings.sentences(),
    )
