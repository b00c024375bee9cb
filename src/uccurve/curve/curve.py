"""What every curve answers, exact or sketched: areas, gains, operating points, costs, crossings."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import frozen, to_numpy
from uccurve.curve import areas, limits, reliability
from uccurve.curve.ranges import check_axes, on_axes, one_of, solve
from uccurve.curve.results import CostOptimum, OperatingPoint, OperatingPoints
from uccurve.exceptions import ArgumentError
from uccurve.formulas import costs
from uccurve.intervals import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, Partial, Side, Tails, Vary, X, Y
    from uccurve.curve.reliability import Reliability
    from uccurve.curve.results import Crossing, CurveBand, Frontier
    from uccurve.curve.sorted_rows import CurveData
    from uccurve.intervals import Intervals


class Curve(ABC):
    """The questions that a curve answers, whatever its data are kept in.

    `UCC` is the exact curve of rows, `SketchedUCC` the curve of a sketch.

    Attributes
    ----------
    vary : Vary
        What moves the operating point.
    tails : Tails
        What "level" does beyond the outermost quantiles.
    source : Intervals | None
        The intervals, under "level" around the center of their quantiles; a sketch keeps none.
    """

    vary: Vary
    tails: Tails = "scale"
    source: Intervals | None

    @property
    @abstractmethod
    def data(self) -> CurveData:
        """What the answers are computed from: operating points and costs, sorted once."""

    @property
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1% of the mean band."""
        return self.data.summary.symmetric

    @property
    @abstractmethod
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def reference(self) -> Self:
        """The curve that gains are measured against: of constant width around the same predictions."""

    @property
    @abstractmethod
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass."""

    def ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate", asymmetric: bool = False) -> float:
        """Return the largest full gain that bands around these predictions could have in hindsight.

        On bandwidth and miss rate it depends on the family: bands under "scale", any nested intervals under
        "level", which can gain more. Do not compare shares of the ceiling between families.

        Parameters
        ----------
        x, y : str
            The axes.
        asymmetric : bool
            Bands may differ on the two sides; the default is the ceiling of symmetric bands,
            which asymmetric ones can exceed. It has no effect on a one-sided limit, which has one side.

        Returns
        -------
        float
            0.15 is 15%.

        Raises
        ------
        ArgumentError
            If an axis is unknown.
        """
        check_axes(x, y)
        return limits.ceiling(self, x, y, asymmetric=asymmetric)

    @property
    def levels(self) -> tuple[float, ...]:
        """The nominal coverages of nested quantiles, where they move the operating point; else none."""
        return self.data.levels

    @property
    @abstractmethod
    def nominal(self) -> float | None:
        """The coverage that the intervals claim."""

    @property
    def library(self) -> str | None:
        """The frame library that the rows came from."""
        return None

    @abstractmethod
    def has_same_constant(self, other: Curve) -> bool:
        """Whether another curve is measured against the same constant width."""

    # -- the operating points -------------------------------------------------------------------

    @property
    def parameter(self) -> Array:
        """The distinct operating points, rising from where every band is zero; shape (m,)."""
        return self.data.steps.parameter

    @property
    def miss_rate(self) -> Array:
        """Share of the weight that is missed at each operating point, shape (m,)."""
        return self.data.steps.miss_rate

    @cached_property
    def coverage(self) -> Array:
        """Share of the weight that is captured at each operating point, shape (m,)."""
        return frozen(self.data.coverages())

    @cached_property
    def bandwidth(self) -> Array:
        """Mean half-width at each operating point, in units of y, shape (m,).

        Of a one-sided limit, the mean distance from the prediction to the limit.
        """
        return frozen(self.data.at_points("bandwidth"))

    @cached_property
    def excess(self) -> Array:
        """Mean over all rows of the distance of a hit to the nearer bound, in units of y, shape (m,).

        Of a one-sided limit, from the limit down to the observation or the prediction, whichever is nearer.
        """
        return frozen(self.data.at_points("excess"))

    @cached_property
    def deficit(self) -> Array:
        """Mean over all rows of the distance of a miss to the nearer bound, in units of y, shape (m,)."""
        return frozen(self.data.at_points("deficit"))

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the operating points as a frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library. By default the one the intervals came from, else one that is installed, in
            this order, else a dict of arrays.

        Returns
        -------
        frame
            One row per operating point.

        Raises
        ------
        ArgumentError
            If ``backend`` is unknown.
        ImportError
            If that library is not installed.
        """
        _ = self.data.lines  # first, so that one argsort serves all costs
        names = ("parameter", "miss_rate", "bandwidth", "excess", "deficit")
        columns = {name: to_numpy(getattr(self, name)) for name in names}
        if self.levels:
            within = columns["parameter"] <= 1
            nominal = np.where(within, columns["parameter"] * self.levels[-1], np.nan)
            columns = {"nominal": nominal, **columns}
        return frames.table(columns, backend or self.library)

    # -- areas and gains ------------------------------------------------------------------------

    def area(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        partial: Partial = "mean",
        miss_rate: tuple[float, float] | None = None,
        coverage: tuple[float, float] | None = None,
        bandwidth: tuple[float, float] | None = None,
        excess: tuple[float, float] | None = None,
        deficit: tuple[float, float] | None = None,
        parameter: tuple[float, float] | None = None,
    ) -> float:
        r"""Return the area under the curve (AUUCC), in the unit of x times the unit of y.

        Parameters
        ----------
        x, y : str
            The axes: bandwidth or excess, and miss_rate or deficit.
        partial : {"mean", "strip"}
            What an area over a part of the curve means. "mean" is the mean x over the y values of the
            range: for miss rates :math:`\frac{1}{r_1 - r_0}\int_{r_0}^{r_1} x(r)\,dr`. "strip" integrates
            y over x along the part of the curve inside the range, as UQ360 and the paper do.
        miss_rate, coverage, bandwidth, excess, deficit, parameter : pair of float, optional
            The part of the curve, as ``(low, high)`` on one of these axes; by default the whole area,
            whatever ``partial`` says.

        Returns
        -------
        float
            In the unit of x times that of y; lower is better.

        Raises
        ------
        UnreachableError
            If rows with a zero band would have to be captured by scaling.
        ArgumentError
            If an axis or ``partial`` is unknown, several ranges are passed, or one is not ``(low, high)``
            within its axis.
        """
        range_ = check_axes(x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter)
        return areas.area(self.data, x, y, partial, range_)

    def gain(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        partial: Partial = "mean",
        reference: Curve | None = None,
        miss_rate: tuple[float, float] | None = None,
        coverage: tuple[float, float] | None = None,
        bandwidth: tuple[float, float] | None = None,
        excess: tuple[float, float] | None = None,
        deficit: tuple[float, float] | None = None,
        parameter: tuple[float, float] | None = None,
    ) -> float:
        """Return the share of constant width's area that these bands save; 0.05 is 5%.

        Constant width, the same in all rows and on both sides, is judged on the same axes and the
        same range. It gains exactly 0. The gain is negative where the bands do worse, and NaN where
        the area of constant width is 0. It is relative to constant width around the SAME
        predictions: compare models that predict differently by their areas.
        Takes the parameters of `area`. What each gain rewards, and what it cannot say, is in the
        documentation; compare it with the `ceiling`.

        Parameters
        ----------
        x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
            As in `area`.
        reference : Curve, optional
            Another curve of the same rows to measure against, such as that of the model in use today or of
            ``intervals.constant(sides=True)``; by default constant width, `reference`.

        Returns
        -------
        float
            At most 1; 0 for constant width.

        Raises
        ------
        UnreachableError
            As in `area`.
        ArgumentError
            As in `area`, or if ``reference`` is not a curve of the same kind, with bounds on the same sides.
        PairError
            If ``reference`` is a curve of other rows or weights.
        """
        range_ = check_axes(x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter)
        if reference is not None:
            areas.check_reference(self, reference)
        elif not range_ and x == "bandwidth" and self.data.family.proportional:
            return areas.closed_gain(self.data, y)
        elif not range_ and x == "bandwidth" and self.reference is self and self.data.summary.error > 0:
            return 0.0
        area = self.area(x=x, y=y, partial=partial, **range_)
        against = areas.null_reference(self, range_) if reference is None else reference
        theirs = against.area(x=x, y=y, partial=partial, **range_)
        return (theirs - area) / theirs if theirs > 0 else math.nan

    def gain_at(
        self,
        *,
        coverage: float | None = None,
        miss_rate: float | None = None,
        x: X = "bandwidth",
        reference: Curve | None = None,
    ) -> float:
        """Return the share of bandwidth that these bands save at one coverage; 0.05 is 5%.

        It answers "is the model better than constant width at 95% coverage?". Both are moved to the
        narrowest point with at least that coverage. Constant width gains exactly 0.

        Parameters
        ----------
        coverage, miss_rate : float
            The point, given by one of them.
        x : {"bandwidth", "excess"}
            The cost that is saved.
        reference : Curve, optional
            Another curve of the same rows to measure against; by default constant width, `reference`.

        Returns
        -------
        float
            0 where both need the same, negative where these bands need more; minus infinity where the
            reference needs nothing.

        Raises
        ------
        UnreachableError
            If scaling does not reach the coverage, because rows have zero bands.
        ArgumentError
            If not exactly one of ``coverage`` and ``miss_rate`` is passed, or it is not from 0 to 1; if ``x``
            is unknown; or if ``reference`` is not a curve of the same kind.
        PairError
            If ``reference`` is a curve of other rows or weights.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1.5, 2, 2.5]))
        >>> curve.gain_at(coverage=0.75), curve.gain_at(coverage=0.25)
        (0.125, -0.75)
        """
        arguments.option("x", x, ("bandwidth", "excess"))
        if (miss_rate is None) == (coverage is None):
            raise ArgumentError(argument="coverage", rule="be passed, or `miss_rate`")
        if reference is not None:
            areas.check_reference(self, reference)
        own, theirs = (
            getattr(curve.at(miss_rate=miss_rate, coverage=coverage), x)
            for curve in (self, reference or self.reference)
        )
        return costs.share_saved(own, theirs)

    def score_at(self, *, coverage: float | None = None, miss_rate: float | None = None) -> float:
        r"""Return the interval score at one coverage, in units of y; the lower, the better.

        The intervals are moved to the narrowest point with at least that coverage :math:`1 - \alpha`, and
        scored there: :math:`2 (\beta + \delta / \alpha)`, the mean width plus the mean distance of misses
        from the nearer bound, priced at :math:`2 / \alpha`. A one-sided limit has
        :math:`\beta + \delta / \alpha`.

        On average over new rows, no intervals score better than the true quantiles, at any coverage. A
        smaller width at the same coverage is no such proof: it can be had by missing noisy rows more often.

        Parameters
        ----------
        coverage, miss_rate : float
            The point, given by one of them; between 0 and 1.

        Returns
        -------
        float
            In units of y.

        Raises
        ------
        UnreachableError
            If scaling does not reach the coverage, because rows have zero bands.
        ArgumentError
            If not exactly one of the two is passed, or it is not between 0 and 1.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1.5, 2, 2.5]))
        >>> curve.score_at(coverage=0.75)  # bands times 1.5; the last row is missed by 0.25
        5.75
        """
        rate = arguments.miss_rate_of(coverage, miss_rate)
        point = self.at(miss_rate=rate)
        return float(costs.interval_score(point.bandwidth, point.deficit, rate, self.side))

    def share_of_ceiling(self, *, x: X = "bandwidth", y: Y = "miss_rate") -> float:
        """Return the full gain as a share of its `ceiling`, which compares across data sets better.

        The ceiling is that of symmetric bands where these are `symmetric`, else that of asymmetric ones.
        NaN where nothing can be gained.

        Parameters
        ----------
        x, y : str
            As in `area`.

        Returns
        -------
        float
            At most 1.

        Raises
        ------
        UnreachableError
            As in `area`.
        ArgumentError
            If an axis is unknown.
        """
        ceiling = self.ceiling(x=x, y=y, asymmetric=not self.symmetric)
        return self.gain(x=x, y=y) / ceiling if ceiling > 0 else math.nan

    # -- operating points -----------------------------------------------------------------------

    def at(
        self,
        *,
        miss_rate: float | None = None,
        coverage: float | None = None,
        bandwidth: float | None = None,
        excess: float | None = None,
        deficit: float | None = None,
        parameter: float | None = None,
        nominal: float | None = None,
    ) -> OperatingPoint:
        """Return the operating point with a given miss rate, coverage, cost or parameter.

        Parameters
        ----------
        miss_rate : float
            The narrowest point with at most this miss rate. Pass exactly one argument.
        coverage : float
            The narrowest point with at least this coverage.
        bandwidth : float
            The widest point with this mean half-width.
        excess : float
            The widest point with this excess.
        deficit : float
            The narrowest point with this deficit.
        parameter : float
            The point at this factor, shift or level.
        nominal : float
            The point at this coverage that quantiles claim, under ``vary="level"``.

        Returns
        -------
        OperatingPoint
            Its parameter, miss rate, coverage, half-width, excess, deficit and nominal coverage.

        Raises
        ------
        UnreachableError
            If no parameter reaches it, because rows have zero bands or ``tails="none"`` ends the curve.
        ArgumentError
            If not exactly one value is passed, it is outside its range, or ``nominal`` is passed without
            ``vary="level"``.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
        >>> curve.at(coverage=0.75).parameter
        1.5
        """
        target = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter, nominal)
        axis = str(one_of("an operating point", target, required=True))
        return self.data.at(solve(self.data, axis, target[axis]))

    def points(
        self,
        *,
        miss_rate: Sequence[float] | None = None,
        coverage: Sequence[float] | None = None,
        bandwidth: Sequence[float] | None = None,
        excess: Sequence[float] | None = None,
        deficit: Sequence[float] | None = None,
        parameter: Sequence[float] | None = None,
        nominal: Sequence[float] | None = None,
    ) -> OperatingPoints:
        """Return several operating points as one record, which becomes a frame by ``to_frame()``.

        Parameters
        ----------
        miss_rate, coverage, bandwidth, excess, deficit, parameter, nominal : sequence of float
            Exactly one of them, with values as in `at`.

        Returns
        -------
        OperatingPoints
            The points as columns.

        Raises
        ------
        UnreachableError
            As in `at`.
        ArgumentError
            As in `at`, or if the values are not a sequence.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
        >>> curve.points(coverage=[0.5, 0.75, 1]).parameter
        array([1. , 1.5, 2. ])
        """
        targets = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter, nominal)
        axis = str(one_of("operating points", targets, required=True))
        values = arguments.sequence(axis, targets[axis])
        return OperatingPoints.of([self.at(**{axis: value}) for value in values], self.library)

    @cached_property
    def original(self) -> OperatingPoint:
        """The operating point of the intervals as supplied."""
        return self.data.at(self.data.family.as_given)

    def minimize_cost(self, c: float, *, x: X = "bandwidth", y: Y = "miss_rate") -> CostOptimum:
        """Find the operating point with the least cost ``c * x + (1 - c) * y``, exactly.

        All breakpoints are candidates, the start with its zero bands among them. Mind the units:
        bandwidth, excess and deficit are in units of y, the miss rate is a fraction, so that c
        weighs one against the other; excess and deficit share their unit.

        Parameters
        ----------
        c : float
            The weight of x, from 0 to 1.
        x, y : str
            As in `area`.

        Returns
        -------
        CostOptimum
            The cheapest point, and what the intervals cost as supplied.

        Raises
        ------
        ArgumentError
            If ``c`` is not from 0 to 1, or an axis is unknown.
        """
        c = arguments.number("c", c, 0, 1)
        check_axes(x, y)
        data = self.data
        candidates, xs, ys = areas.corners(data, x, y)
        best = int(data.xp.argmin(c * xs + (1 - c) * ys))
        point = data.at(float(candidates[best]))

        def cost(at: OperatingPoint) -> float:
            return float(c * getattr(at, x) + (1 - c) * getattr(at, y))

        return CostOptimum(cost=cost(point), point=point, original_cost=cost(self.original))

    def crossings(self, other: Curve, *, x: X = "bandwidth", y: Y = "miss_rate") -> tuple[Crossing, ...]:
        """Find where this curve and another one swap order, by rising y.

        At each y the better curve is the one that needs less x. Empirical curves may swap often
        where they run close to each other.

        Parameters
        ----------
        other : UCC
            The curve of another model.
        x, y : str
            As in `area`.

        Returns
        -------
        tuple of Crossing
            By rising y.

        Raises
        ------
        ArgumentTypeError
            If ``other`` is not a curve.
        ArgumentError
            If an axis is unknown, or the other curve has bounds on another side.
        """
        check_axes(x, y)
        arguments.instance("other", other, Curve, "UCC")
        areas.check_side("other", self.side, other.side)
        return areas.find_crossings(self.data, other.data, x, y)

    def confidence_band(self, *, confidence_level: float = 0.95) -> CurveBand:
        """Return a band that covers the true miss rate at all scales or shifts at once, for independent rows.

        Parameters
        ----------
        confidence_level : float
            Probability of covering (Dvoretzky-Kiefer-Wolfowitz). At one scale alone the interval is narrower:
            ``uccurve.confidence_interval(intervals.scaled(k), "miss_rate")``.

        Returns
        -------
        CurveBand
            The miss rate at each parameter, with its band.

        Raises
        ------
        ArgumentError
            If ``confidence_level`` is not between 0 and 1.
        """
        return reliability.confidence_band(self.data, confidence_level)

    def reliability(self, nominal: float | None = None, *, confidence_level: float = 0.95) -> Reliability:
        """Return claimed against observed coverage: the calibration curve of the same intervals.

        It says whether intervals keep what they promise, not whether they are useful: constant width
        with the right coverage is as reliable as any other. The UCC says what that costs.
        Under ``vary="level"`` quantiles claim their own levels, and no shape of errors is assumed. Under
        "scale" the intervals make one claim, as supplied: all other claims follow from it if errors are
        Gaussian. That holds for quantiles as well. A one-sided limit claims from 0.5 on, the limit at the
        prediction.

        Parameters
        ----------
        nominal : float, optional
            The coverage that the intervals claim as supplied; by default `Intervals.nominal`.
            Without either it is an error. Quantiles under ``vary="level"`` need none.
        confidence_level : float
            Probability that the true coverages lie within the band of the result, all at once.

        Returns
        -------
        Reliability
            Claimed and observed coverages, with a band.

        Raises
        ------
        ArgumentError
            If there is no claim, it is not from 0.5 to below 1, or it is passed where quantiles claim their
            levels; if ``vary="shift"``; or if ``confidence_level`` is not between 0 and 1.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_std([1, 2, 3, 4], [0, 0, 0, 0], std=[2, 2, 2, 2]))
        >>> found = curve.reliability()
        >>> found.nominal[90], found.coverage[90]
        (np.float64(0.9), np.float64(0.75))
        """
        claim = None if nominal is None else checks.check_nominal(nominal)
        if claim is None and not self.levels:
            claim = self.nominal
        return reliability.reliability(self.data, claim, self.levels, self.side, confidence_level)

    def plot(
        self,
        ax: Any = None,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        label: str | None = None,
        color: str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the curve with constant width, the limit line and the point as supplied: needs ``plot``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on new axes.
        x, y : str
            As in `area`.
        label, color : str, optional
            The name and the color of the line.
        **options
            As in `uccurve.plotting.PlotOptions`; others, such as ``linewidth``, are for the line.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.
        ArgumentError
            If an option has a value outside its rule, or the axes show other costs.
        TypeError
            If a keyword is neither an option nor one of ``Line2D``.
        UnreachableError
            If scaling does not reach a coverage of ``points``, because rows have zero bands.
        """
        from uccurve.plotting import plot_ucc  # noqa: PLC0415 - an optional library behind it

        return plot_ucc(self, ax=ax, x=x, y=y, label=label, color=color, **options)
