"""A summary of intervals that adds: one pass, constant memory, and almost everything a curve answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve.curve import areas
from uccurve.exceptions import ArgumentError, ArgumentTypeError, SketchFormatError
from uccurve.formulas.bins import FRACTION_BITS, NEVER, PER_OCTAVE
from uccurve.intervals import Intervals
from uccurve.sketch.curve import SketchedUCC
from uccurve.sketch.state import SCALE_OCTAVES, State, add_states, are_same, coarsen, summarize_outputs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve._base.type_aliases import Side

# How many bins an octave can have in a coarse sketch.
_POWERS = {1 << bits for bits in range(FRACTION_BITS + 1)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """The distance between two curves.

    Attributes
    ----------
    statistic : float
        The difference in coverage, first minus second, that is largest in size over all scales.
    parameter : float
        The scale at which it occurs.
    pvalue : float
        Upper bound on the probability of a gap this large if both samples come from the same source and
        rows are independent.

    See Also
    --------
    UCCSketch.drift : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> before = uc.Intervals.from_std([0.5, 1.5, 1], [0, 0, 0], [1, 1, 1]).sketch()
    >>> today = uc.Intervals.from_std([0.5, 1.5, 3], [0, 0, 0], [1, 1, 1]).sketch()
    >>> round(today.drift(before).statistic, 2)
    -0.33
    """

    statistic: float
    parameter: float
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class UCCSketch:  # noqa: PLW1641 - equal up to rounding: not to be hashed
    """A summary of intervals for their curve: sums over 256 bins for each octave of the critical scale.

    Sketches add: of chunks, files, days, machines. Whatever the order, the sum is the sketch of all
    rows, up to the rounding of sums. A billion rows take no more memory than a million.

    Each bin keeps its largest breakpoint, so that every bin is an exact point of the curve. The full
    areas of bandwidth against miss rate and deficit, their gains and ceilings, and the point as supplied
    are exact as well. Between the points, at most 0.4% of the scale apart,
    `SketchedUCC.error_bound` says how far an area can be off.

    Several outputs are pooled in the curve, but each has its own constant width. Sketches add where they have
    the same number of outputs.

    Attributes
    ----------
    outputs : tuple of State
        The sums that are kept of each output.
    nominal : float | None
        The coverage that the intervals claim. A sum keeps it where all its rows make the same claim. It is
        not part of `to_bytes`, nor of equality.

    See Also
    --------
    scan : Makes sketches of files and frames.
    sketch.SketchFile : Keeps sketches of several models.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(10_000, rng=0)
    >>> rows = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    >>> sketch = sum((uc.UCCSketch.of(part) for part in rows.by(data.x > 0.5).values()), uc.UCCSketch())
    >>> sketch
    UCCSketch(rows=10000, bandwidth=1.197, bins=3752)
    >>> sketch == uc.UCCSketch.of(rows)
    True
    >>> abs(sketch.curve().gain(y="deficit") - rows.ucc().gain(y="deficit")) < 1e-12
    True
    """

    outputs: tuple[State, ...] = ()
    nominal: float | None = field(default=None, kw_only=True)

    @classmethod
    def of(cls, intervals: Intervals) -> UCCSketch:
        """Summarize intervals, in one pass and without a sort.

        Parameters
        ----------
        intervals : Intervals
            The rows.

        Returns
        -------
        UCCSketch
            Their sums.

        Raises
        ------
        ArgumentTypeError
            If ``intervals`` are not `Intervals`.
        """
        arguments.instance("intervals", intervals, Intervals)
        return cls(summarize_outputs(intervals), nominal=intervals.nominal)

    @classmethod
    def sum(cls, sketches: Iterable[UCCSketch]) -> UCCSketch:
        """Add sketches at once, which is quicker than one by one.

        Parameters
        ----------
        sketches : iterable of UCCSketch
            Sketches of parts.

        Returns
        -------
        UCCSketch
            The sketch of all rows.

        Raises
        ------
        ArgumentError
            If sketches have different numbers of outputs, or bounds on different sides.
        """
        filled = [sketch for sketch in sketches if sketch.rows]
        kinds = sorted({(len(sketch.outputs), sketch.side) for sketch in filled})
        if len(kinds) > 1:
            raise ArgumentError(
                "sketches must have the same number of outputs and the same side to be added",
                got=f"{kinds[0]} and {kinds[1]}",
            )
        claims = {sketch.nominal for sketch in filled}
        outputs = zip(*(sketch.outputs for sketch in filled), strict=True)
        return cls(tuple(map(add_states, outputs)), nominal=claims.pop() if len(claims) == 1 else None)

    @cached_property
    def state(self) -> State:
        """The sums that are kept of all outputs together; a row and its weight count once."""
        whole, first = add_states(self.outputs), add_states(self.outputs[:1]).totals
        once = whole.totals._replace(rows=first.rows, weight_squares=first.weight_squares)
        return whole._replace(totals=once)

    @property
    def rows(self) -> int:
        """Number of rows, those without weight included."""
        return int(self.state.totals.rows)

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.state.side

    @property
    def bins(self) -> int:
        """Number of bins that are filled."""
        return sum(table.bins.size for output in self.outputs for table in output.tables)

    @property
    def overflow(self) -> dict[str, float]:
        r"""Weight of the rows outside the range of the bins.

        ``below`` and ``above``: with a critical scale beyond :math:`2^{\pm 40}`, in one bin each;
        ``never``: with a band of zero and a residual that is not, which no scale captures.
        """
        table, edge = self.state.scale, SCALE_OCTAVES * PER_OCTAVE
        places = {"below": -edge - 1, "above": edge, "never": NEVER}
        return {name: float(table.sums[0, table.bins == place].sum()) for name, place in places.items()}

    def __add__(self, other: object) -> UCCSketch:
        if not isinstance(other, UCCSketch):
            return NotImplemented
        return self.sum([self, other])

    def __radd__(self, other: object) -> UCCSketch:
        return self if other == 0 else NotImplemented  # what sum() begins with

    def __eq__(self, other: object) -> bool:
        """Whether two sketches are of the same rows, up to the order in which sums were added."""
        if not isinstance(other, UCCSketch):
            return NotImplemented
        return len(self.outputs) == len(other.outputs) and all(map(are_same, self.outputs, other.outputs))

    def __repr__(self) -> str:
        if not self.state.error.bins.size:
            return f"UCCSketch(rows={self.rows}, without weight)" if self.rows else "UCCSketch()"
        width = self.curve().data.summary.width
        outputs = "" if len(self.outputs) == 1 else f"outputs={len(self.outputs)}, "
        limit = "" if self.side == "both" else f", {self.side} limit"
        return f"UCCSketch(rows={self.rows}, {outputs}bandwidth={width:.4g}{limit}, bins={self.bins})"

    def coarsened(self, bins: int) -> UCCSketch:
        """Return a smaller sketch of the same rows, to be kept or sent.

        What is exact stays so, but points of the curve lie farther apart: with 16 bins per octave by up to 6%
        of the scale, in some ten kilobytes. Add and compare only sketches that are equally coarse: points
        inside coarse bins are not exact in a sum with finer ones.

        Parameters
        ----------
        bins : int
            How many bins an octave of the critical scale has: a power of two, at most 256.

        Returns
        -------
        UCCSketch
            Its sums, over fewer bins.

        Raises
        ------
        ArgumentError
            If ``bins`` is no such number, or the sketch has several outputs: their constant widths would be
            less exact than promised.

        Examples
        --------
        >>> import uccurve as uc
        >>> from uccurve.datasets import make_heteroscedastic
        >>> data = make_heteroscedastic(10_000, rng=0)
        >>> sketch = uc.Intervals.from_std(data.y_true, data.y_pred, data.std).sketch()
        >>> small = sketch.coarsened(16)
        >>> len(sketch.to_bytes()) // 1000, len(small.to_bytes()) // 1000
        (148, 15)
        >>> small.curve().gain() == sketch.curve().gain()
        True
        """
        if arguments.whole("bins", bins, 1) not in _POWERS:
            raise ArgumentError(argument="bins", rule="be a power of two from 1 to 256", got=bins)
        if len(self.outputs) > 1:
            raise ArgumentError("only sketches of one output can be coarsened", got=len(self.outputs))
        return replace(self, outputs=tuple(coarsen(output, bins) for output in self.outputs))

    def to_bytes(self) -> bytes:
        """Write the sketch as bytes that any machine can read: a `SketchFile` of one model without a name.

        Returns
        -------
        bytes
            A versioned format with a checksum.
        """
        from uccurve.sketch.file import SketchFile  # noqa: PLC0415 - a file holds sketches

        return SketchFile(sketches={("", None): UCCSketch(self.outputs)}).to_bytes()

    @classmethod
    def from_bytes(cls, blob: bytes) -> UCCSketch:
        """Read a sketch from bytes, or from those of a file that holds one sketch.

        Parameters
        ----------
        blob : bytes
            What `to_bytes` returned, or the content of a sketch file.

        Returns
        -------
        UCCSketch
            The same sketch.

        Raises
        ------
        SketchFormatError
            If the bytes are not a sketch, are truncated or damaged, or have an unknown version; or if a file
            holds several sketches.
        ArgumentTypeError
            If ``blob`` is not bytes.
        """
        from uccurve.sketch.file import SketchFile  # noqa: PLC0415 - a file holds sketches

        if not isinstance(blob, (bytes, bytearray, memoryview)):
            raise ArgumentTypeError(argument="blob", rule="be bytes", got=type(blob).__name__)
        sketches = list(SketchFile.from_bytes(bytes(blob)).sketches.values())
        if len(sketches) != 1:
            raise SketchFormatError(
                f"the sketch file holds {len(sketches)} sketches instead of one",
                hint="Read it by SketchFile.from_bytes.",
            )
        return sketches[0]

    def curve(self) -> SketchedUCC:
        """Return the curve, which has the methods of `UCC`.

        Returns
        -------
        SketchedUCC
            The curve of all rows.

        Raises
        ------
        EmptyInputError
            If there are no rows with weight.
        """
        return SketchedUCC(self)

    def drift(self, other: UCCSketch) -> Drift:
        r"""Measure how far the curve has moved: the largest gap in coverage at the same scale.

        The p-value bounds how often sketches of independent rows from one source would lie as far
        apart somewhere: :math:`\exp(1 - 2 g^2 n m / (n + m))` at a gap of :math:`g`, the
        Dvoretzky-Kiefer-Wolfowitz inequality for two samples with the constant of Wei and Dudley
        (2012), proven for samples of equal size and checked by computer for others. The gap is
        measured where bins end.

        Parameters
        ----------
        other : UCCSketch
            The sketch to compare with, such as yesterday's.

        Returns
        -------
        Drift
            The gap, where it is, and a bound on its p-value.

        Raises
        ------
        EmptyInputError
            If one of the two has no rows with weight.
        ArgumentTypeError
            If ``other`` is not a sketch.
        ArgumentError
            If it has bounds on another side.
        """
        arguments.instance("other", other, UCCSketch)
        n, m = (sketch.curve().data.effective_rows for sketch in (self, other))
        areas.check_side("other", self.side, other.side)
        tables = (self.state.scale, other.state.scale)
        bins = np.union1d(tables[0].bins, tables[1].bins)
        captured = []
        for table in tables:
            up_to = np.cumsum(np.append(0.0, table.sums[0]))
            captured.append(up_to[np.searchsorted(table.bins, bins, side="right")] / up_to[-1])
        gaps = captured[0] - captured[1]
        place = int(np.argmax(np.abs(gaps)))
        gap = float(gaps[place])
        largest = [table.largest[table.bins <= bins[place]].max(initial=0.0) for table in tables]
        pvalue = min(1.0, math.exp(1 - 2 * gap**2 * n * m / (n + m)))
        return Drift(statistic=gap, parameter=float(max(largest)), pvalue=pvalue)
