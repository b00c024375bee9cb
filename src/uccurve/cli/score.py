"""``uccurve score``: how good the intervals of each model are."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from uccurve._base.arguments import complement, miss_rate_of
from uccurve._base.text import (
    align_numbers,
    cell,
    format_parameters,
    limits,
    percent,
    printable,
    short_percent,
    whole_percent,
)
from uccurve.cli import console, inputs
from uccurve.cli.options import (
    DEFAULT_DATA,
    DEFAULT_MESSAGES,
    By,
    Coverage,
    DataOptions,
    Files,
    MessageOptions,
    MissRate,
    Vary,
    flag,
)
from uccurve.comparison import describe_limits, tables
from uccurve.curve import UCC, Curve, ask_curve, choose_miss_rate
from uccurve.formulas.costs import share_saved
from uccurve.formulas.tolerances import SAME_SHARE
from uccurve.io import Models
from uccurve.sketch import SketchFile

AllScores = Annotated[bool, flag("Also print areas, gains, excess and deficit.", "--all")]
_EXACT = (
    "from a sketch, all numbers are exact except those at the target, whose factor is at most 0.4% too large."
)
# What --all shows, with headings, and whether it is a share.
_DETAILS = {
    "bandwidth": ("mean half-width as supplied", cell),
    "excess": ("excess", cell),
    "deficit": ("deficit", cell),
    "area": ("area", cell),
    "gain": ("gain", percent),
    "ceiling": ("ceiling of the gain", percent),
    "deficit_gain": ("deficit gain", percent),
    "deficit_ceiling": ("ceiling of the deficit gain", percent),
}
_MOST_SEGMENTS = 40


class _Scored(NamedTuple):
    """The curve of one model, on all rows or those of a segment, and its numbers."""

    segment: Any
    model: str
    curve: Curve
    numbers: dict[str, Any]


def score(
    files: Files,
    /,
    *,
    data: DataOptions = DEFAULT_DATA,
    by: By = None,
    vary: Vary = "scale",
    coverage: Coverage = None,
    miss_rate: MissRate = None,
    all_: AllScores = False,
    messages: MessageOptions = DEFAULT_MESSAGES,
) -> None:
    """Score each model's intervals: quick, without tests.

    Columns of the table, the best model at the target coverage first
      coverage as supplied
                           share of observations inside their interval
      claims               coverage that column names (Model-lo-90) or std claim
      interval score       mean width plus a penalty for misses, at the target
                           coverage; lower is better
      half-width           mean half-width at the target coverage; for a
                           one-sided limit, mean distance to the prediction
      against constant width
                           how much better or worse the interval score is
      scale by             the factor to the target coverage on these rows;
                           for new rows use uccurve calibrate
      level to take        with --vary level: the claim that covers the target

    With --all
      excess, deficit      mean unused room of hits, mean distance of misses
      area                 mean half-width over all miss rates; lower is better
      gain                 share of constant width's area that is saved
      ceiling              the largest gain that is possible in hindsight
      deficit gain         the gain with the deficit in place of the miss rate

    Examples
    --------
      uccurve score predictions.csv
      uccurve score forecasts.parquet --by unique_id --level 80
      uccurve score forecasts.parquet --vary level
      uccurve score forecasts.parquet --all
      uccurve score predictions.csv --crossed sort
      uccurve score excel.csv --decimal , --encoding cp1252
      uccurve score - --format jsonl --std sd --json < rows.jsonl
      uccurve score 'parts/*.parquet' --scan --checkpoint done
      uccurve score monday.ucc tuesday.ucc
    """
    sketches = inputs.load_sketches(files, data, messages, by=by, vary=vary)
    notes: tuple[str, ...]
    if sketches is None:
        models = inputs.load_models(files[0], data, by=by, vary=vary)
        rate = miss_rate_of(coverage, miss_rate, choose_miss_rate(models))
        curves, notes = _list_rows(models, vary), models.notes
    else:
        rate = miss_rate_of(coverage, miss_rate, choose_miss_rate(sketches.content.whole()))
        curves, notes = _list_sketches(sketches.content), (*sketches.notes, _EXACT)
    details = all_ or messages.json
    scored = [
        _Scored(segment, name, curve, {"n": n, **_measure(curve, rate, details)})
        for segment, name, n, curve in curves
    ]
    warnings = inputs.find_warnings(scored[0].numbers["n"])
    if messages.json:
        target = {"coverage": complement(rate), "miss_rate": rate}
        about = {**inputs.describe_files(files), "vary": vary, "target": target}
        is_segmented = any(one.segment is not None for one in scored)
        records = [
            {**({"segment": one.segment} if is_segmented else {}), "model": one.model, **one.numbers}
            for one in scored
        ]
        console.print_json({**about, "scores": records, "notes": notes, "warnings": warnings})
        return
    _print_scores(scored, files, rate)
    if all_:
        _print_details([one for one in scored if one.segment is None])
    console.print_notes(warnings, messages, "warning")
    console.print_notes(notes, messages)


def _list_rows(models: Models, vary: Vary) -> Iterator[tuple[Any, str, int, Curve]]:
    """Yield segment, model, number of rows and curve: of all rows, and then of the rows of each segment."""
    parts = {} if models.by is None else {name: rows.by(models.by) for name, rows in models.items()}
    for segment in [None, *next(iter(parts.values()), ())]:
        for name, rows in models.items():
            intervals = rows if segment is None else parts[name][segment]
            yield segment, name, intervals.n, UCC(intervals, vary=vary)


def _list_sketches(content: SketchFile) -> Iterator[tuple[Any, str, int, Curve]]:
    """Yield segment, model, number of rows and curve: of all rows, and then of each segment."""
    for name, sketch in content.whole().items():
        yield None, name, sketch.rows, sketch.curve()
    for label in content.segments if content.by is not None else ():
        for name in content.models:
            if (name, label) in content.sketches:
                sketch = content.sketches[name, label]
                yield label, name, sketch.rows, sketch.curve()


def _measure(curve: Curve, rate: float, details: bool) -> dict[str, Any]:
    """Return the numbers of one model; NaN where rows with a zero band can never be captured."""
    numbers: dict[str, Any] = {"side": curve.side}
    for one in (curve, curve.reference):  # first, so that one argsort serves all numbers
        _ = one.excess if details else one.miss_rate
    point, chosen = curve.original, ask_curve(curve.at, otherwise=None, miss_rate=rate)
    score, constant = (ask_curve(one.score_at, miss_rate=rate) for one in (curve, curve.reference))
    costs = ("miss_rate", "coverage", "bandwidth", "excess", "deficit")
    numbers |= {name: getattr(point, name) for name in costs}
    if details:
        asymmetric = not curve.symmetric
        numbers |= {
            "area": ask_curve(curve.area),
            "gain": ask_curve(curve.gain),
            "ceiling": curve.ceiling(asymmetric=asymmetric),
            "deficit_gain": ask_curve(curve.gain, y="deficit"),
            "deficit_ceiling": curve.ceiling(y="deficit", asymmetric=asymmetric),
        }
    numbers |= {
        "parameter": math.nan if chosen is None else chosen.parameter,
        "score_at": score,
        "score_gain_at": math.nan if math.isnan(constant) else share_saved(score, constant),
        "bandwidth_at": math.nan if chosen is None else chosen.bandwidth,
        "gain_at": ask_curve(curve.gain_at, miss_rate=rate),
        "nominal": curve.nominal,
    }
    if curve.vary == "level":
        target = None if chosen is None else chosen.nominal
        numbers |= {"nominal": curve.original.nominal, "nominal_at_target": target}
    return numbers


def _print_scores(scored: Sequence[_Scored], files: Sequence[str], rate: float) -> None:
    """Print one row for each model, the best first; segments stay together, all rows first."""
    segments = list(dict.fromkeys(one.segment for one in scored))
    shown_segments = segments[: _MOST_SEGMENTS + 1]
    ranked = sorted(
        (one for one in scored if one.segment in shown_segments),
        key=lambda one: (segments.index(one.segment), _nan_last(one.numbers["score_at"])),
    )
    counts = {one.numbers["n"] for one in ranked}
    sides = {one.numbers["side"] for one in ranked}
    point = f"{100 * complement(rate):.12g}%"
    width = "half-width" if sides == {"both"} else "distance" if "both" not in sides else "width"
    columns: dict[str, list[str]] = {}
    if len(segments) > 1:
        columns["segment"] = ["all" if one.segment is None else cell(one.segment) for one in ranked]
    columns["model"] = [one.model for one in ranked]
    if sides != {"both"}:
        columns["bounds"] = [limits(one.numbers["side"]) or "both" for one in ranked]
    if len(counts) > 1 or len(segments) > 1:
        columns["rows"] = [f"{one.numbers['n']:,}" for one in ranked]
    columns["coverage\nas supplied"] = [percent(one.numbers["coverage"]) for one in ranked]
    claims = [one.numbers["nominal"] for one in ranked]
    if len(segments) == 1 and any(claim is not None for claim in claims):
        columns["claims"] = ["–" if claim is None else whole_percent(claim) for claim in claims]

    def numbers(name: str) -> list[float]:
        return [one.numbers[name] for one in ranked]

    columns["interval\nscore"] = align_numbers(numbers("score_at"))
    columns[f"{width}\nat {point}"] = align_numbers(numbers("bandwidth_at"))
    columns["against\nconstant width"] = [_describe_gain(share) for share in numbers("score_gain_at")]
    levels = [one.curve.levels for one in ranked]
    columns[tables.MOVES[ranked[0].curve.vary]] = format_parameters(numbers("parameter"), levels)
    count = ranked[0].numbers["n"]
    rows = f" ({count:,} row{'s' if count > 1 else ''})" if len(counts) == len(segments) == 1 else ""
    title = f"Scores of {inputs.name_files(files)}{rows}, best interval score at {point} coverage first"
    console.print_table(columns, names=min(len(segments), 2), title=title)
    if more := len(segments) - len(shown_segments):
        console.print_text(f"And {more:,} more segments; --json has all of them.")
    if sides != {"both"}:
        console.print_text(describe_limits((sides - {"both"}).pop()))


def _nan_last(number: float) -> float:
    return math.inf if math.isnan(number) else number


def _describe_gain(share: float) -> str:
    """Say how much better or worse a score is, by the share of another that it saves."""
    if math.isnan(share):
        return "–"
    if abs(share) < SAME_SHARE:
        return "the same"
    return f"{short_percent(abs(share)):>3} {'better' if share > 0 else 'worse'}"


def _print_details(scored: Sequence[_Scored]) -> None:
    """Print what the first table leaves out, one column for each model."""
    columns = {"": [heading for heading, _ in _DETAILS.values()]}
    for one in scored:
        columns[printable(one.model)] = [show(one.numbers[name]) for name, (_, show) in _DETAILS.items()]
    console.print_text("")
    console.print_table(columns, title="Details of all rows")
