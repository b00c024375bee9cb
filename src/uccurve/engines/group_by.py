"""One GROUP BY that summarizes any frame, the same on every engine that narwhals knows, and what it finds.

Each row of a model becomes up to three: one by its critical scale, one by its absolute residual, and one
by the scale at which its nearer bound changes. What is added up differs from kind to kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve.engines.select import kind_of
from uccurve.exceptions import ArgumentError
from uccurve.formulas.bins import NEVER, PER_OCTAVE, ZERO, BinTable, merge
from uccurve.intervals import is_missing, rules
from uccurve.sketch import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from uccurve._base.type_aliases import Side
    from uccurve.engines.select import Columns

# Expressions by name.
Named = dict[str, Any]
# The kinds of rows, each with its own bins.
SCALE, ERROR, SWITCH, INVALID = range(4)
# The bins of infinity and of 0, beyond all others.
NEVER_CODE = PER_OCTAVE * max(state.ERROR_OCTAVES, state.SCALE_OCTAVES) + 2
ZERO_CODE = -NEVER_CODE
# The code of rows without weight, in place of a broken rule.
WEIGHTLESS = -1
# Values by name, with what stands for those that a kind of rows does not have.
ABSENT = dict.fromkeys(("active", "error", "scale", "moment", "root", "square", "width", "touching"), 0.0)
ABSENT |= dict.fromkeys(("drop", "top", "asymmetry", "minus_narrowest", "widest"), 0.0)
ABSENT |= {"heaviest": 1.0, "minus_lightest": -1.0}
# A key is model * MODEL_SPAN + kind * KIND_SPAN + MIDDLE + bin; kinds and models never overlap.
MIDDLE = 1 << NEVER_CODE.bit_length()
KIND_SPAN, MODEL_SPAN = 2 * MIDDLE, 8 * MIDDLE


# The number of a model, and the labels of a segment.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The states of some of the rows, and the rules that they break.

    Attributes
    ----------
    states : dict
        By the number of the model and the labels of the segment.
    broken : dict
        By the number of the model and of the rule, how many rows break it, and the values of one of them.
    kinds : dict
        By the place of a label in the key and its kind, one of the labels that were added up.
    """

    states: dict[Key, state.State] = field(default_factory=dict)
    broken: dict[tuple[int, int], tuple[int, dict[str, float]]] = field(default_factory=dict)
    kinds: dict[tuple[int, str], Any] = field(default_factory=dict)


def add_parts(parts: Iterable[Part]) -> Part:
    """Add up parts, each as soon as it is there."""
    whole = Part()
    for part in parts:
        for key, each in part.states.items():
            before = whole.states.get(key)
            whole.states[key] = each if before is None else state.add_states([before, each])
            whole.kinds.update({(place, kind_of(label)): label for place, label in enumerate(key)})
        for which, (count, example) in part.broken.items():
            known, first = whole.broken.get(which, (0, example))
            whole.broken[which] = known + count, first
    return whole


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

    if isinstance(frame, nw.DataFrame) and frame.implementation.is_polars():
        frame = frame.lazy()  # Polars then does in one step what would take many columns in between
    absent = {name: nw.lit(value) for name, value in ABSENT.items()}
    absent |= dict.fromkeys(("weight", "weight_squares"), nw.col("count").cast(nw.Float64))
    parts: list[Any] = []
    for place, columns in enumerate(models):
        rows = _measure(frame.select(*groups, *select_roles(columns)), columns, groups)
        for kept, key, sums, largest in _list_kinds(rows, columns, place * MODEL_SPAN + MIDDLE):
            binned = kept.select(*groups, key.alias("key"), **sums, **largest)
            totals = [*(nw.col(name).sum() for name in sums), *(nw.col(name).max() for name in largest)]
            found = binned.group_by(*groups, "key").agg(nw.len().alias("count"), *totals)
            own = {name: nw.col(name) for name in (*sums, *largest)}
            parts.append(found.select(*groups, "key", "count", **{**absent, **own}))
    return nw.concat(parts, how="vertical")


def select_roles(columns: Columns) -> list[Any]:
    """Select the columns of a model, named by role."""
    import narwhals as nw  # noqa: PLC0415

    return [nw.col(name).alias(role) for role, name in columns.roles().items()]


def _measure(rows: Any, columns: Columns, groups: Sequence[str]) -> Any:
    """Add absolute errors, bands, critical scales and switches, as the formulas define them."""
    import narwhals as nw  # noqa: PLC0415

    col, when, lit = nw.col, nw.when, nw.lit
    rows = rows.with_columns(rule=rules.first_broken_expression(nw, columns.roles()))
    rows = rows.with_columns(valid=col("rule") == rules.NO_RULE)
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


def _list_kinds(rows: Any, columns: Columns, base: int) -> Iterator[tuple[Any, Any, Named, Named]]:
    """Yield each kind of rows, their keys, what is added up, and what the largest is taken of, by name."""
    import narwhals as nw  # noqa: PLC0415

    when, lit = nw.when, nw.lit
    w, e, a, p, drop = (nw.col(name) for name in ("w", "abs_error", "active", "passive", "drop"))
    is_weighted = columns.sample_weight is not None
    weights = {"weight": w, "weight_squares": w * w} if is_weighted else {}
    extremes = {"heaviest": w, "minus_lightest": w * -1.0} if is_weighted else {}
    usable = nw.col("valid") & (w > 0) if is_weighted else nw.col("valid")
    good = rows.filter(usable)

    def key(kind: int, bin_: Any) -> Any:
        return bin_.cast(nw.Int64) + (base + kind * KIND_SPAN)

    def weigh(**values: Any) -> Named:
        return {name: w * value for name, value in values.items()} if is_weighted else values

    scaled = _add_bin(good, "scale", state.SCALE_OCTAVES)
    bin_ = when("never").then(lit(float(NEVER_CODE))).otherwise(nw.col("bin"))
    scale = when("never").then(lit(0.0)).otherwise(nw.col("scale"))
    sums = weigh(active=a, error=e, scale=scale, moment=e * scale) | weights
    narrowest, widest = nw.min_horizontal(a, p), nw.max_horizontal(a, p)
    largest = {"top": scale, "asymmetry": drop.abs(), "minus_narrowest": narrowest * -1.0}
    yield scaled, key(SCALE, bin_), sums, largest | extremes

    # All rows, good or not: those that are not are counted by what is wrong with them.
    every = _add_bin(rows, "abs_error", state.ERROR_OCTAVES)
    fault = when(nw.col("rule") >= 0).then(nw.col("rule").cast(nw.Float64)).otherwise(lit(float(WEIGHTLESS)))
    either = when(usable).then(key(ERROR, nw.col("bin"))).otherwise(key(INVALID, fault))
    touching = when(scale == 1).then(lit(1.0)).otherwise(lit(0.0))
    width = a if columns.symmetric else (a + p) / 2
    sums = weigh(error=e, root=e.sqrt(), square=e * e, width=width, touching=touching) | weights
    yield every, either, sums, {"top": e, "widest": widest} | extremes

    if not columns.symmetric:
        turning = good.filter((drop > 0) & (nw.col("switch") < 2.0**state.SCALE_OCTAVES))
        turning = _add_bin(turning, "switch", state.SCALE_OCTAVES)
        yield turning, key(SWITCH, nw.col("bin")), weigh(drop=drop, error=e), {"top": nw.col("switch")}


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


# -- from the rows of the GROUP BY to the states of sketches ----------------------------------------------


def make_states(
    result: Mapping[str, np.ndarray], labels: Sequence[list[Any]], models: Sequence[Columns]
) -> Part:
    """Sort the rows of the GROUP BY by model, segment and kind, and turn them into states.

    Parameters
    ----------
    result : mapping of str to array
        The rows of the GROUP BY, without labels.
    labels : sequence of list
        The columns of labels.
    models : sequence of Columns
        The models.
    """
    model, rest = np.divmod(result["key"].astype(np.int64), MODEL_SPAN)
    kind, place = np.divmod(rest, KIND_SPAN)
    bins = place - MIDDLE
    part = Part()
    wrong = (kind == INVALID) & (bins != WEIGHTLESS)
    for number, rule, count in zip(model[wrong], bins[wrong], result["count"][wrong], strict=True):
        known, example = part.broken.get((int(number), int(rule)), (0, {}))
        part.broken[int(number), int(rule)] = known + int(count), example
    codes: dict[Key, int] = {}
    keys = zip(model.tolist(), *labels, strict=True)
    code = np.array([codes.setdefault(key, len(codes)) for key in keys], dtype=np.int64)
    order = np.flatnonzero(~wrong)
    order = order[np.argsort(code[order], kind="stable")]
    every, values = list(codes), {**result, "kind": kind, "bin": bins}
    for rows in np.split(order, np.flatnonzero(np.diff(code[order])) + 1):
        if rows.size:
            key = every[code[rows[0]]]
            own = {name: column[rows] for name, column in values.items()}
            part.states[key] = _make_state(own, models[key[0]].side)
    return part


def read_labels(column: np.ndarray, name: str, *, blanks: bool) -> list[Any]:
    """Return labels as objects of Python, none of them missing; ``blanks`` says if blank text is one.

    Times and durations are exact to the microsecond, times with a zone are in UTC, and -0.0 is 0.0.
    """
    if column.dtype.kind in "mM":
        column = column.astype(f"{column.dtype.kind}8[us]")
    elif column.dtype.kind == "f":
        column = column + 0.0
    labels: list[Any] = column.tolist()
    for label in set(labels):
        if is_missing(label) or (isinstance(label, str) and not (blanks or label.strip())):
            raise ArgumentError(argument=name, rule="have a label in each row", columns={name: name})
    return labels


def _make_state(rows: Mapping[str, np.ndarray], side: Side) -> state.State:
    """Return the state of the rows of the GROUP BY for one model and segment."""
    scale, error, switch, invalid = (
        {name: values[rows["kind"] == kind] for name, values in rows.items()}
        for kind in (SCALE, ERROR, SWITCH, INVALID)
    )

    def table(of: str, kind: Mapping[str, np.ndarray]) -> BinTable:
        is_zero, is_never = (kind["bin"] == code for code in (ZERO_CODE, NEVER_CODE))
        codes = np.select([is_zero, is_never], [ZERO, NEVER], kind["bin"])
        sums = np.array([kind[name] for name in state.TABLES[of]])
        return merge([BinTable(codes, np.where(is_never, np.inf, kind["top"]), sums)])

    totals = state.Totals(
        rows=float(error["count"].sum() + invalid["count"].sum()),
        **{
            name: float(error[name].sum())
            for name in ("weight_squares", "width", "root", "square", "touching")
        },
        moment=float(scale["moment"].sum()),
        narrowest=-float(scale["minus_narrowest"].max(initial=-np.inf)),
        widest=float(error["widest"].max(initial=0.0)),
        lightest=-float(error["minus_lightest"].max(initial=-np.inf)),
        heaviest=float(error["heaviest"].max(initial=0.0)),
        asymmetry=float(scale["asymmetry"].max(initial=0.0)),
    )
    switches = table("switch", switch)
    switches.sums[1] *= 2  # 2|e|
    return state.State(table("scale", scale), switches, table("error", error), totals, side=side)
