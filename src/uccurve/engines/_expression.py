"""One GROUP BY that summarizes any frame: the same expression on every engine that narwhals knows.

Each row of a model becomes up to three: one by its critical scale, one by its absolute residual, and one
by the scale at which its nearer bound changes. What is added up differs from kind to kind, but goes by
the same names, so that one GROUP BY serves all kinds, models and segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve.formulas.bins import PER_OCTAVE
from uccurve.intervals import rules
from uccurve.sketch import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.engines._model_columns import Columns

SCALE, ERROR, SWITCH, INVALID = range(4)
"""The kinds of rows, each with its own bins."""
NEVER_CODE = PER_OCTAVE * max(state.ERROR_OCTAVES, state.SCALE_OCTAVES) + 2
ZERO_CODE = -NEVER_CODE
"""The bins of infinity and of 0, beyond all others."""
WEIGHTLESS = -1
"""The code of rows without weight, in place of a broken rule."""
MIDDLE = 1 << NEVER_CODE.bit_length()
KIND_SPAN, MODEL_SPAN = 2 * MIDDLE, 8 * MIDDLE
"""A key is ``model * MODEL_SPAN + kind * KIND_SPAN + MIDDLE + bin``; kinds and models never overlap."""

LOWEST = "lowest"
"""The narrowest band, for the kind SCALE."""


class Layout(NamedTuple):
    """What is added up, and what the largest is taken of, for each kind, in this order."""

    sums: dict[int, tuple[str, ...]]
    tops: dict[int, tuple[str, ...]]

    @classmethod
    def of(cls, models: Sequence[Columns]) -> Layout:
        """Return the layout for models; without weights, numbers of rows take their place."""
        weighted = any(columns.sample_weight is not None for columns in models)
        sums: dict[int, tuple[str, ...]] = {
            SCALE: ("active", "error", "scale", "moment"),
            ERROR: ("error", "root", "square", "width", "touching"),
            SWITCH: ("drop", "error"),
        }
        tops: dict[int, tuple[str, ...]] = {
            SCALE: ("largest", "asymmetry"),
            ERROR: ("largest", "widest"),
            SWITCH: ("largest",),
        }
        if weighted:
            sums[SCALE] += ("weight",)
            sums[ERROR] += ("weight", "weight_squares")
            tops[SCALE] += ("heaviest",)
            tops[ERROR] += ("minus_lightest",)
        return cls(sums, tops)

    @property
    def added(self) -> list[str]:
        """Names of the columns that are added up, whatever the kind."""
        return [f"sum{place}" for place in range(max(map(len, self.sums.values())))]

    @property
    def largest(self) -> list[str]:
        """Names of the columns of which the largest is taken."""
        return [f"max{place}" for place in range(max(map(len, self.tops.values())))]


def summarize(frame: Any, models: Sequence[Columns], by: Sequence[str]) -> Any:
    """Return a lazy frame with one row for each segment and key.

    Parameters
    ----------
    frame : narwhals.LazyFrame or narwhals.DataFrame
        The rows.
    models : sequence of Columns
        The models, told apart by their places; their columns are of float64.
    by : sequence of str
        The columns whose values are the segments; they come back as ``group0``, ``group1``, ….
    """
    import narwhals as nw  # noqa: PLC0415

    groups, labels = group_names(by), labels_of_segments(nw, frame, by)
    layout = Layout.of(models)
    parts: list[Any] = []
    for place, columns in enumerate(models):
        rows = _measured(nw, frame.select(*labels, *given(nw, columns)), columns, groups)
        parts += _kinds(nw, rows, columns, groups, place * MODEL_SPAN + MIDDLE, layout)
    added = [nw.col(name).sum() for name in layout.added]
    largest = [nw.col(name).max() for name in layout.largest]

    def grouped(part: Any) -> Any:
        sums = [nw.len().alias("count"), *added, *largest, nw.col(LOWEST).min()]
        return part.group_by(*groups, "key").agg(*sums)

    if frame.implementation is nw.Implementation.DUCKDB:  # quicker there; keys of different kinds never meet
        return nw.concat([grouped(part) for part in parts], how="vertical")
    return grouped(nw.concat(parts, how="vertical"))


def group_names(by: Sequence[str]) -> list[str]:
    """Return the names of the columns of labels."""
    return [f"group{place}" for place in range(len(by))]


def labels_of_segments(nw: Any, frame: Any, by: Sequence[str]) -> list[Any]:
    """Select the columns of labels, under their new names."""
    schema = frame.collect_schema()
    return [
        _label(nw, name, schema[name]).alias(group) for name, group in zip(by, group_names(by), strict=True)
    ]


def _label(nw: Any, name: str, kind: Any) -> Any:
    """Return a column of labels; categories as text, because engines lose missing categories."""
    return nw.col(name).cast(nw.String) if kind in (nw.Categorical, nw.Enum) else nw.col(name)


def given(nw: Any, columns: Columns) -> list[Any]:
    """Select the columns of a model, named by role."""
    return [nw.col(name).alias(role) for role, name in columns.roles().items()]


def _measured(nw: Any, rows: Any, columns: Columns, groups: Sequence[str]) -> Any:
    """Add absolute errors, bands, critical scales and switches, as the kernels define them."""
    col, when, lit = nw.col, nw.when, nw.lit
    rows = rows.with_columns(
        rules.valid_expression(nw, columns.roles()).alias("valid"),
        rules.first_broken_expression(nw, columns.roles()).alias("rule"),
    )
    if columns.y_pred is None:
        rows = rows.with_columns((col("lower") + (col("upper") - col("lower")) / 2).alias("y_pred"))
    if columns.std is not None:
        down = up = col("std")
    elif columns.side != "both":
        down = up = col("upper") - col("y_pred") if columns.side == "upper" else col("y_pred") - col("lower")
    else:
        down, up = col("y_pred") - col("lower"), col("upper") - col("y_pred")
        if columns.y_pred is None:
            down = up = when(down > up).then(down).otherwise(up)
    weight = lit(1.0) if columns.sample_weight is None else col("sample_weight")
    residual = col("y_true") - col("y_pred")
    if columns.side != "both":  # the part that points to the limit
        toward = residual if columns.side == "upper" else residual * -1.0
        residual = when(toward > 0).then(toward).otherwise(lit(0.0))
    rows = rows.select(
        *groups,
        "valid",
        "rule",
        residual.alias("residual"),
        down.alias("down"),
        up.alias("up"),
        weight.alias("w"),
    )
    above = col("residual") >= 0
    rows = rows.select(
        *groups,
        "valid",
        "rule",
        "w",
        when("valid").then(col("residual").abs()).otherwise(lit(0.0)).alias("abs_error"),
        when(above).then(col("up")).otherwise(col("down")).alias("active"),
        when(above).then(col("down")).otherwise(col("up")).alias("passive"),
    )
    flat = col("active") == 0
    drop = col("active") - col("passive")
    return rows.with_columns(
        (col("abs_error") / when(flat).then(lit(1.0)).otherwise(col("active"))).alias("scale"),
        (flat & (col("abs_error") > 0)).alias("never"),
        drop.alias("drop"),
        (2 * col("abs_error") / when(drop > 0).then(drop).otherwise(lit(1.0))).alias("switch"),
    )


def _kinds(
    nw: Any, rows: Any, columns: Columns, groups: Sequence[str], base: int, layout: Layout
) -> list[Any]:
    """Return the rows once for each kind of bin, with what is to be added up there."""
    col, when, lit = nw.col, nw.when, nw.lit
    w, e, a, p, k, drop = (col(name) for name in ("w", "abs_error", "active", "passive", "scale", "drop"))
    usable = col("valid") if columns.sample_weight is None else col("valid") & (w > 0)
    never = col("never")
    known = when(never).then(lit(0.0)).otherwise(k)
    sums = {
        "active": a,
        "error": e,
        "scale": known,
        "moment": e * known,
        "touching": when(known == 1).then(lit(1.0)).otherwise(lit(0.0)),
        "root": e.sqrt(),
        "square": e * e,
        "width": a if columns.symmetric else (a + p) / 2,
        "weight": lit(1.0),
        "weight_squares": w,
        "drop": drop,
    }
    if columns.sample_weight is not None:
        sums = {name: w * value for name, value in sums.items()}
    tops = {
        "asymmetry": drop.abs(),
        "heaviest": w,
        "widest": nw.max_horizontal(a, p),
        "minus_lightest": w * -1.0,
    }

    def laid(part: Any, kind: int, key: Any, largest: Any, lowest: Any) -> Any:
        added = [sums[name] for name in layout.sums[kind]]
        most = [largest, *(tops[name] for name in layout.tops[kind][1:])]
        return part.select(
            *groups,
            key.alias("key"),
            *_named(nw, layout.added, added),
            *_named(nw, layout.largest, most),
            lowest.alias(LOWEST),
        )

    def key(kind: int, bin_: Any) -> Any:
        return bin_.cast(nw.Int64) + (base + kind * KIND_SPAN)

    good = rows.filter(usable)
    bin_ = when(never).then(lit(float(NEVER_CODE))).otherwise(col("bin"))
    narrowest = nw.min_horizontal(a, p)
    scale = laid(_binned(nw, good, "scale", state.SCALE_OCTAVES), SCALE, key(SCALE, bin_), known, narrowest)
    # All rows, good or not: those that are not are counted by what is wrong with them.
    fault = when(col("rule") >= 0).then(col("rule").cast(nw.Float64)).otherwise(lit(float(WEIGHTLESS)))
    either = when(usable).then(key(ERROR, col("bin"))).otherwise(key(INVALID, fault))
    error = laid(_binned(nw, rows, "abs_error", state.ERROR_OCTAVES), ERROR, either, e, e)
    if columns.symmetric:
        return [scale, error]
    turning = good.filter((drop > 0) & (col("switch") < 2.0**state.SCALE_OCTAVES))
    switch = _binned(nw, turning, "switch", state.SCALE_OCTAVES)
    return [scale, error, laid(switch, SWITCH, key(SWITCH, col("bin")), col("switch"), e)]


def _named(nw: Any, names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Give values their names; names without a value are 0."""
    padded = [*values, *(nw.lit(0.0) for _ in names[len(values) :])]
    return [value.alias(name) for name, value in zip(names, padded, strict=True)]


def _binned(nw: Any, rows: Any, name: str, octaves: int) -> Any:
    """Add the bin of a column, the same to the last bit on every engine.

    A logarithm may be off by a rounding, which can put a number right at a power of two into the
    octave beside its own. The formula then still gives its bin: with a mantissa just below 1, the bin
    before the first, and with one of 2 or just above it, the bin behind the last.
    """
    col, when, lit = nw.col, nw.when, nw.lit
    value, edge = col(name), 2.0**octaves
    inside = (value >= 1 / edge) & (value < edge)
    rows = rows.with_columns(when(inside).then(value).otherwise(lit(1.0)).alias("cut"))
    rows = rows.with_columns(col("cut").log(base=2).floor().alias("octave"))
    mantissa = col("cut") / (lit(2.0) ** col("octave"))
    outside = (
        when(value == 0)
        .then(lit(float(ZERO_CODE)))
        .when(value < 1)
        .then(lit(float(-octaves * PER_OCTAVE - 1)))
        .otherwise(lit(float(octaves * PER_OCTAVE)))
    )
    inner = col("octave") * PER_OCTAVE + ((mantissa - 1) * PER_OCTAVE).floor()
    return rows.with_columns(when(inside).then(inner).otherwise(outside).alias("bin"))
