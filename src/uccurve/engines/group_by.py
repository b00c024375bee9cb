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

    from uccurve.engines.select import Columns

# The kinds of rows, each with its own bins.
SCALE, ERROR, SWITCH, INVALID = range(4)
# The bins of infinity and of 0, beyond all others.
NEVER_CODE = PER_OCTAVE * max(state.ERROR_OCTAVES, state.SCALE_OCTAVES) + 2
ZERO_CODE = -NEVER_CODE
# The code of rows without weight, in place of a broken rule.
WEIGHTLESS = -1
# A key is model * MODEL_SPAN + kind * KIND_SPAN + MIDDLE + bin; kinds and models never overlap.
MIDDLE = 1 << NEVER_CODE.bit_length()
KIND_SPAN, MODEL_SPAN = 2 * MIDDLE, 8 * MIDDLE


class Layout(NamedTuple):
    """What is added up, and what the largest is taken of, for each kind, in this order.

    The columns of the result are ``sum0``, ``sum1``, … and ``max0``, ``max1``, …, whatever the kind.
    """

    sums: dict[int, list[str]]
    tops: dict[int, list[str]]

    @classmethod
    def of(cls, models: Sequence[Columns]) -> Layout:
        """Return the layout for models; without weights, numbers of rows take their place."""
        sums = {
            SCALE: ["active", "error", "scale", "moment"],
            ERROR: ["error", "root", "square", "width", "touching"],
            SWITCH: ["drop", "error"],
        }
        tops = {
            SCALE: ["largest scale", "asymmetry", "minus_narrowest"],
            ERROR: ["largest error", "widest"],
            SWITCH: ["largest switch"],
        }
        if any(columns.sample_weight is not None for columns in models):
            sums[SCALE] += ["weight"]
            sums[ERROR] += ["weight", "weight_squares"]
            tops[SCALE] += ["heaviest"]
            tops[ERROR] += ["minus_lightest"]
        return cls(sums, tops)


def summarize(frame: Any, models: Sequence[Columns], groups: Sequence[str]) -> Any:
    """Return a frame with one row for each segment and key.

    Parameters
    ----------
    frame : narwhals.LazyFrame or narwhals.DataFrame
        The rows.
    models : sequence of Columns
        The models, told apart by their places; their columns are of float64.
    groups : sequence of str
        The columns whose values are the segments.
    """
    import narwhals as nw  # noqa: PLC0415

    is_in_memory = isinstance(frame, nw.DataFrame)
    if is_in_memory and frame.implementation is nw.Implementation.POLARS:
        frame = frame.lazy()  # Polars then does in one step what would take many columns in between
    layout = Layout.of(models)
    sums = [f"sum{place}" for place in range(max(map(len, layout.sums.values())))]
    tops = [f"max{place}" for place in range(max(map(len, layout.tops.values())))]
    parts: list[Any] = []
    for place, columns in enumerate(models):
        rows = _measure(frame.select(*groups, *select_roles(columns)), columns, groups)
        values = _list_values(columns)
        for kind, kept, key in _bin_rows(rows, columns, place * MODEL_SPAN + MIDDLE):
            added = _pad(sums, [values[name] for name in layout.sums[kind]])
            most = _pad(tops, [values[name] for name in layout.tops[kind]])
            parts.append(kept.select(*groups, key.alias("key"), *added, *most))
    added = [nw.col(name).sum() for name in sums]
    most = [nw.col(name).max() for name in tops]

    def group(part: Any) -> Any:
        return part.group_by(*groups, "key").agg(nw.len().alias("count"), *added, *most)

    # Keys of different kinds never meet: where rows are at hand, kinds are grouped one after the other.
    if is_in_memory or frame.implementation.is_duckdb():
        return nw.concat([group(part) for part in parts], how="vertical")
    return group(nw.concat(parts, how="vertical"))


def select_roles(columns: Columns) -> list[Any]:
    """Select the columns of a model, named by role."""
    import narwhals as nw  # noqa: PLC0415

    return [nw.col(name).alias(role) for role, name in columns.roles().items()]


def _pad(names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Give values their names; names without a value are 0."""
    import narwhals as nw  # noqa: PLC0415

    padded = [*values, *(nw.lit(0.0) for _ in names[len(values) :])]
    return [value.alias(name) for name, value in zip(names, padded, strict=True)]


def _measure(rows: Any, columns: Columns, groups: Sequence[str]) -> Any:
    """Add absolute errors, bands, critical scales and switches, as the formulas define them."""
    import narwhals as nw  # noqa: PLC0415

    col, when, lit = nw.col, nw.when, nw.lit
    valid = rules.valid_expression(nw, columns.roles())
    rows = rows.with_columns(valid=valid, rule=rules.first_broken_expression(nw, columns.roles()))
    if columns.y_pred is None:
        rows = rows.with_columns(y_pred=col("lower") + (col("upper") - col("lower")) / 2)
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
    rows = rows.select(*groups, "valid", "rule", w=weight, residual=residual, down=down, up=up)
    above = col("residual") >= 0
    rows = rows.select(
        *(*groups, "valid", "rule", "w"),
        abs_error=when("valid").then(col("residual").abs()).otherwise(lit(0.0)),
        active=when(above).then(col("up")).otherwise(col("down")),
        passive=when(above).then(col("down")).otherwise(col("up")),
    )
    flat = col("active") == 0
    drop = col("active") - col("passive")
    return rows.with_columns(
        scale=col("abs_error") / when(flat).then(lit(1.0)).otherwise(col("active")),
        never=flat & (col("abs_error") > 0),
        drop=drop,
        switch=2 * col("abs_error") / when(drop > 0).then(drop).otherwise(lit(1.0)),
    )


def _list_values(columns: Columns) -> dict[str, Any]:
    """Return what is added up, or what the largest is taken of, by name."""
    import narwhals as nw  # noqa: PLC0415

    when, lit = nw.when, nw.lit
    w, e, a, p, drop = (nw.col(name) for name in ("w", "abs_error", "active", "passive", "drop"))
    scale = when("never").then(lit(0.0)).otherwise(nw.col("scale"))
    sums = {
        "active": a,
        "error": e,
        "scale": scale,
        "moment": e * scale,
        "touching": when(scale == 1).then(lit(1.0)).otherwise(lit(0.0)),
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
        "largest scale": scale,
        "largest error": e,
        "largest switch": nw.col("switch"),
        "asymmetry": drop.abs(),
        "heaviest": w,
        "widest": nw.max_horizontal(a, p),
        "minus_lightest": w * -1.0,
        "minus_narrowest": nw.min_horizontal(a, p) * -1.0,
    }
    return sums | tops


def _bin_rows(rows: Any, columns: Columns, base: int) -> list[tuple[int, Any, Any]]:
    """Return each kind, its rows, and their key."""
    import narwhals as nw  # noqa: PLC0415

    col, when, lit = nw.col, nw.when, nw.lit

    def key(kind: int, bin_: Any) -> Any:
        return bin_.cast(nw.Int64) + (base + kind * KIND_SPAN)

    usable = col("valid") if columns.sample_weight is None else col("valid") & (col("w") > 0)
    good = rows.filter(usable)
    scaled = _add_bin(good, "scale", state.SCALE_OCTAVES)
    bin_ = when("never").then(lit(float(NEVER_CODE))).otherwise(col("bin"))
    # All rows, good or not: those that are not are counted by what is wrong with them.
    every = _add_bin(rows, "abs_error", state.ERROR_OCTAVES)
    fault = when(col("rule") >= 0).then(col("rule").cast(nw.Float64)).otherwise(lit(float(WEIGHTLESS)))
    either = when(usable).then(key(ERROR, col("bin"))).otherwise(key(INVALID, fault))
    kinds = [(SCALE, scaled, key(SCALE, bin_)), (ERROR, every, either)]
    if not columns.symmetric:
        turning = good.filter((col("drop") > 0) & (col("switch") < 2.0**state.SCALE_OCTAVES))
        turning = _add_bin(turning, "switch", state.SCALE_OCTAVES)
        kinds.append((SWITCH, turning, key(SWITCH, col("bin"))))
    return kinds


def _add_bin(rows: Any, name: str, octaves: int) -> Any:
    """Add the bin of a column, the same to the last bit on every engine.

    A logarithm may be off by a rounding, which can put a number right at a power of two into the
    octave beside its own. The formula then still gives its bin: with a mantissa just below 1, the bin
    before the first, and with one of 2 or just above it, the bin behind the last.
    """
    import narwhals as nw  # noqa: PLC0415

    col, when, lit = nw.col, nw.when, nw.lit
    value, edge = col(name), 2.0**octaves
    inside = (value >= 1 / edge) & (value < edge)
    rows = rows.with_columns(cut=when(inside).then(value).otherwise(lit(1.0)))
    rows = rows.with_columns(octave=col("cut").log(base=2).floor())
    mantissa = col("cut") / (lit(2.0) ** col("octave"))
    below = when(value < 1).then(lit(-octaves * PER_OCTAVE - 1.0)).otherwise(lit(octaves * PER_OCTAVE + 0.0))
    outside = when(value == 0).then(lit(float(ZERO_CODE))).otherwise(below)
    inner = col("octave") * PER_OCTAVE + ((mantissa - 1) * PER_OCTAVE).floor()
    return rows.with_columns(bin=when(inside).then(inner).otherwise(outside))
