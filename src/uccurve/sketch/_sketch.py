"""A summary of intervals that adds: one pass, constant memory, and almost everything a curve answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, ClassVar

from uccurve._base import arguments
from uccurve.curve import check_side
from uccurve.exceptions import ArgumentTypeError, EmptyInputError
from uccurve.formulas.bins import NEVER, PER_OCTAVE
from uccurve.intervals import Intervals
from uccurve.sketch import _bytes, _state
from uccurve.sketch._binned_data import BinnedData
from uccurve.sketch._drift import Drift, drift
from uccurve.sketch._sketched_curve import SketchedUCC
from uccurve.sketch._summing import state_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uccurve._base.type_aliases import Side
    from uccurve.sketch._state import State


@dataclass(frozen=True, eq=False, repr=False)
class UCCSketch:  # noqa: PLW1641 - equal up to rounding: not to be hashed
    """What remains of intervals for their curve: sums over 256 bins for each octave of the critical scale.

    Sketches add: of chunks, files, days, machines. Whatever the order, the sum is the sketch of all
    rows, up to the rounding of sums. A thousand million rows take no more memory than a million.

    Each bin keeps its largest breakpoint, so that every bin is an exact point of the curve. The full
    areas of bandwidth against miss rate and deficit, their gains and ceilings, and the point as given
    are exact as well. Between the points, at most 0.4% of the scale apart,
    `SketchedUCC.error_bound` says how far an area can be off.

    Several outputs are pooled in the curve, but each has its own constant band. Sketches add where they have
    the same number of outputs.

    Attributes
    ----------
    nominal : float | None
        The coverage that the intervals claim. A sum keeps it where all its rows make the same claim. It is
        no part of `to_bytes`, and sketches that differ in nothing else are equal.

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

    __signature__: ClassVar[Signature] = Signature(
        [Parameter("nominal", Parameter.KEYWORD_ONLY, default=None, annotation="float | None")]
    )
    """What help and completion show: the state is no argument of users."""

    _state: State = field(default_factory=_state.nothing)
    nominal: float | None = field(default=None, kw_only=True)

    @classmethod
    def of(cls, intervals: Intervals) -> UCCSketch:
        """Summarize intervals, in one pass and without a sort."""
        arguments.instance("intervals", intervals, Intervals)
        return cls(state_of(intervals), nominal=intervals.nominal)

    @property
    def rows(self) -> int:
        """Number of rows, those without weight included."""
        return int(self._state.totals.rows)

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self._state.side

    @property
    def bins(self) -> int:
        """Number of bins that are filled."""
        return sum(table.bins.size for table in self._state.tables)

    @property
    def overflow(self) -> dict[str, float]:
        r"""Weight of the rows outside the range of the bins.

        ``below`` and ``above``: with a critical scale beyond :math:`2^{\pm 40}`, in one bin each;
        ``never``: with a band of zero and a residual that is not, which no scale captures.
        """
        table, edge = self._state.scale, _state.SCALE_OCTAVES * PER_OCTAVE
        places = {"below": -edge - 1, "above": edge, "never": NEVER}
        return {name: float(table.sums[0, table.bins == place].sum()) for name, place in places.items()}

    def __add__(self, other: object) -> UCCSketch:
        if not isinstance(other, UCCSketch):
            return NotImplemented
        return self._added([self, other])

    def __radd__(self, other: object) -> UCCSketch:
        return self if other == 0 else NotImplemented  # what sum() begins with

    @classmethod
    def _added(cls, sketches: Iterable[UCCSketch]) -> UCCSketch:
        """Add sketches at once, which is quicker than one by one."""
        sketches = list(sketches)
        claims = {sketch.nominal for sketch in sketches if sketch.rows}
        nominal = claims.pop() if len(claims) == 1 else None
        return cls(_state.merged([sketch._state for sketch in sketches]), nominal=nominal)

    def __eq__(self, other: object) -> bool:
        """Whether two sketches are of the same rows, up to the order in which sums were added."""
        if not isinstance(other, UCCSketch):
            return NotImplemented
        return _state.same(self._state, other._state)

    def __repr__(self) -> str:
        if not self._state.error.bins.size:
            return f"UCCSketch(rows={self.rows}, without weight)" if self.rows else "UCCSketch()"
        width = BinnedData(self._state).summary.width
        outputs = "" if self._state.n_outputs == 1 else f"outputs={self._state.n_outputs}, "
        limit = "" if self.side == "both" else f", {self.side} limit"
        return f"UCCSketch(rows={self.rows}, {outputs}bandwidth={width:.4g}{limit}, bins={self.bins})"

    def to_bytes(self) -> bytes:
        """Write the sketch as bytes that any machine can read."""
        return _bytes.write(self._state)

    @classmethod
    def from_bytes(cls, blob: bytes) -> UCCSketch:
        """Read a sketch from bytes.

        Raises
        ------
        SketchFormatError
            If the bytes are not a sketch, cut short or damaged, or of a version that is not known.
        """
        if not isinstance(blob, (bytes, bytearray, memoryview)):
            raise ArgumentTypeError(argument="blob", rule="be bytes", got=type(blob).__name__)
        return cls(_bytes.read(bytes(blob)))

    def curve(self) -> SketchedUCC:
        """Return the curve, to ask it what one asks a `UCC`."""
        return SketchedUCC(self)

    def drift(self, other: UCCSketch) -> Drift:
        r"""Measure how far the curve has moved: the largest gap in coverage at the same scale.

        The p-value bounds how often sketches of independent rows from one source would lie as far
        apart somewhere: :math:`\exp(1 - 2 g^2 n m / (n + m))` at a gap of :math:`g`, the
        Dvoretzky-Kiefer-Wolfowitz inequality for two samples with the constant of Wei and Dudley
        (2012), which holds for small samples too. The gap is looked at where bins end.

        Parameters
        ----------
        other : UCCSketch
            The sketch to compare with, such as yesterday's.
        """
        arguments.instance("other", other, UCCSketch)
        mine, theirs = self._filled(), other._filled()
        check_side("other", mine.side, theirs.side)
        return drift(mine, theirs)

    def _filled(self) -> State:
        """Return the state of a sketch that has rows with weight."""
        if not self._state.error.bins.size:
            raise EmptyInputError("the sketch must have rows with weight, got none")
        return self._state
