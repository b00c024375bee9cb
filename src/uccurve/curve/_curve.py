"""What every curve answers, exact or sketched: areas, gains, operating points, costs, crossings."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from uccurve._base import arguments
from uccurve.curve import _confidence_band, _curve_areas, _reliability, _swaps
from uccurve.curve._curve_arrays import CurveArrays
from uccurve.curve._level_widths import parameter_of_nominal
from uccurve.curve._ranges import on_axes, one_of, solve
from uccurve.curve._references import (
    check_reference,
    check_side,
    gains_nothing,
    null_reference,
    saved_share,
)
from uccurve.curve._results import CostOptimum, OperatingPoint, OperatingPoints
from uccurve.exceptions import ArgumentError
from uccurve.formulas import costs
from uccurve.intervals import check_nominal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Partial, X, Y
    from uccurve.curve._confidence_band import BandKind, CurveBand
    from uccurve.curve._reliability import Reliability
    from uccurve.curve._results import Crossing
    from uccurve.plotting._plot_options import PlotOptions


class Curve(CurveArrays):
    """The questions that a curve answers, whatever its data are kept in.

    `UCC` is the exact curve of rows, `SketchedUCC` the curve of a sketch.
    """

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

        Raises
        ------
        UnreachableError
            If rows with a zero band would have to be captured by scaling.
        """
        self._check_axes(x, y)
        arguments.option("partial", partial, ("strip", "mean"))
        range_ = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = one_of("a range", range_, required=False)
        partial = "strip" if axis is None else partial  # the whole is the whole in either definition
        return _curve_areas.area(self._data, x, y, partial, axis, range_)

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
        """Return the share of the constant band's area that these bands save; 0.05 is 5%.

        The constant band, the same for all rows and both sides, is judged on the same axes and the
        same range. It gains exactly 0. The gain is negative where the bands do worse, and NaN where
        the constant band's area is 0. It is relative to the constant band around the SAME
        predictions: compare models that predict differently by their areas.
        Takes the parameters of `area`. What each gain rewards, and what it cannot say, is in the
        documentation; compare it with the `ceiling`.

        Parameters
        ----------
        x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
            As in `area`.
        reference : Curve, optional
            Another curve of the same rows to measure against, such as that of the model in use today or of
            ``intervals.constant(sides=True)``; by default the constant band, `reference`.
        """
        self._check_axes(x, y)
        arguments.option("partial", partial, ("strip", "mean"))
        range_ = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        if reference is not None:
            check_reference(self, reference)
        elif not range_ and _curve_areas.has_closed_form(self._data, x):
            return _curve_areas.closed_gain(self._data, y)
        elif not range_ and gains_nothing(self, x):
            return 0.0
        area = self.area(x=x, y=y, partial=partial, **range_)
        against = null_reference(self, range_) if reference is None else reference
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

        It answers "is the model better than a constant band at 95% coverage?". Both are moved to the
        narrowest point with at least that coverage. The constant band gains exactly 0.

        Parameters
        ----------
        coverage, miss_rate : float
            The point, given by one of them.
        x : {"bandwidth", "excess"}
            The cost that is saved.
        reference : Curve, optional
            Another curve of the same rows to measure against; by default the constant band, `reference`.

        Returns
        -------
        float
            0 where both need the same, negative where these bands need more; minus infinity where the
            reference needs nothing.

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
            check_reference(self, reference)
        own, theirs = (
            getattr(curve.at(miss_rate=miss_rate, coverage=coverage), x)
            for curve in (self, reference or self.reference)
        )
        return saved_share(own, theirs)

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
        miss_rate, coverage, bandwidth, excess, deficit, parameter, nominal : float
            Exactly one of them: the narrowest point with at most that miss rate, or at least that
            coverage; the widest with that bandwidth or excess; the narrowest with that deficit; or the
            point at that parameter. ``nominal`` is the coverage that quantiles claim, under ``vary="level"``.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
        >>> curve.at(coverage=0.75).parameter
        1.5
        """
        if nominal is not None:
            others = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
            parameter = parameter_of_nominal(nominal, self._levels, others)
        target = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = str(one_of("an operating point", target, required=True))
        return self._data.at(solve(self._data, axis, target[axis]))

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

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]))
        >>> curve.points(coverage=[0.5, 0.75, 1]).parameter
        array([1. , 1.5, 2. ])
        """
        targets = on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
        targets |= {} if nominal is None else {"nominal": nominal}
        axis = str(one_of("operating points", targets, required=True))
        values = arguments.sequence(axis, targets[axis])
        return OperatingPoints.of([self.at(**{axis: value}) for value in values], self._library)

    @cached_property
    def original(self) -> OperatingPoint:
        """The operating point of the intervals as given."""
        return self._data.at(self._data.family.as_given)

    def minimize_cost(self, c: float, *, x: X = "bandwidth", y: Y = "miss_rate") -> CostOptimum:
        """Find the operating point with the least cost ``c * x + (1 - c) * y``, exactly.

        All breakpoints are candidates, the start with its zero bands among them. Mind the units:
        bandwidth, excess and deficit are in units of y, the miss rate is a fraction, so that c
        weighs one against the other; excess and deficit share their unit.
        """
        c = arguments.number("c", c, 0, 1)
        self._check_axes(x, y)
        data = self._data
        candidates, xs, ys = _curve_areas.cost_candidates(data, x, y)
        best = int(data.xp.argmin(c * xs + (1 - c) * ys))
        point = data.at(float(candidates[best]))

        def cost(at: OperatingPoint) -> float:
            return float(c * getattr(at, x) + (1 - c) * getattr(at, y))

        return CostOptimum(cost=cost(point), point=point, original_cost=cost(self.original))

    def crossings(self, other: Curve, *, x: X = "bandwidth", y: Y = "miss_rate") -> tuple[Crossing, ...]:
        """Find where this curve and another one swap order, by rising y.

        At each y the better curve is the one that needs less x. Empirical curves may swap often
        where they run close to each other.
        """
        self._check_axes(x, y)
        arguments.instance("other", other, Curve, "UCC")
        check_side("other", self.side, other.side)
        return _swaps.swaps(self._data, other._data, x, y)

    def confidence_band(
        self, *, confidence_level: float = 0.95, kind: BandKind = "simultaneous"
    ) -> CurveBand:
        """Return a band that covers the true miss rate at each scale or shift, for independent rows.

        Parameters
        ----------
        confidence_level : float
            Probability of covering.
        kind : {"simultaneous", "pointwise"}
            The whole curve at once (Dvoretzky-Kiefer-Wolfowitz), or each point for itself (Wilson).
        """
        return _confidence_band.confidence_band(self._data, confidence_level, kind)

    def reliability(self, nominal: float | None = None, *, confidence_level: float = 0.95) -> Reliability:
        """Return claimed against observed coverage: the calibration curve of the same intervals.

        It says whether intervals keep what they promise, not whether they are of use: a constant
        band with the right coverage is as reliable as any other. What it costs is what the UCC says.
        Under ``vary="level"`` quantiles claim their own levels, and no shape of errors is assumed. Under
        "scale" the intervals make one claim, as supplied: all other claims follow from it if errors are
        Gaussian. That holds for quantiles as well. A one-sided limit claims from 0.5 on, the limit at the
        prediction.

        Parameters
        ----------
        nominal : float, optional
            The coverage that the intervals as given claim; by default their own claim, `Intervals.nominal`.
            Without either it is an error. Quantiles under ``vary="level"`` need none.
        confidence_level : float
            Probability that the true coverages lie within the band of the result, all at once.

        Examples
        --------
        >>> import uccurve as uc
        >>> curve = uc.UCC(uc.Intervals.from_std([1, 2, 3, 4], [0, 0, 0, 0], std=[2, 2, 2, 2]))
        >>> found = curve.reliability()
        >>> found.nominal[90], found.coverage[90]
        (np.float64(0.9), np.float64(0.75))
        """
        claim = None if nominal is None else check_nominal(nominal)
        if claim is None and not self._levels:
            claim = self._nominal
        return _reliability.reliability(self._data, claim, self._levels, self.side, confidence_level)

    def plot(
        self,
        ax: Any = None,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        label: str | None = None,
        color: str | None = None,
        **options: Unpack[PlotOptions],
    ) -> Any:
        """Draw the curve with the constant band, the limit line and the original operating point.

        Returns the matplotlib axes, to draw further curves on; needs the extra ``plot``. The options
        are those of `uccurve.plotting.plot_ucc`: ``confidence``, ``cost``, ``unit`` and others.
        """
        from uccurve.plotting import plot_ucc  # noqa: PLC0415 - an optional library behind it

        return plot_ucc(self, ax=ax, x=x, y=y, label=label, color=color, **options)

    def _check_axes(self, x: str, y: str) -> None:
        arguments.option("x", x, ("bandwidth", "excess"))
        arguments.option("y", y, ("miss_rate", "deficit"))
