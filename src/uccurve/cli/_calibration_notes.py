"""What ``uccurve calibrate`` says about its results, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.cli._bound_names import own_bounds
from uccurve.cli._calibrated_table import FITTING_ROWS
from uccurve.cli._group_coverage import group_notes
from uccurve.cli._target_coverage import DEFAULT_RATE, coverage_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._calibrated_table import CalibratedModel
    from uccurve.columns import ModelColumns

_MOST_SEGMENTS = 6


def level_notes(
    models: Sequence[ModelColumns],
    calibrated: Sequence[CalibratedModel],
    miss_rate: float | None,
    vary: Vary = "scale",
) -> Iterator[str]:
    """Say which target comes from the names of columns, and where bounds for another one are."""
    for model, result in zip(models, calibrated, strict=True):
        if model.level is None:
            continue
        rate, (lower, upper) = result.miss_rate, result.columns
        if miss_rate is None and rate != DEFAULT_RATE:
            words = coverage_in_words(rate)
            yield f"{model.name}: {words}, from {model.lower!r}; --coverage chooses another."
        if vary == "level":
            yield (
                f"{model.name}: the bounds for {coverage_in_words(rate)} are in {lower!r} and {upper!r}; "
                "the columns that they come from stay as they are."
            )
        elif own_bounds(model, rate) != (model.lower, model.upper):
            yield (
                f"{model.name}: the bounds for {coverage_in_words(rate)} are in {lower!r} and {upper!r}; "
                f"{model.lower!r} and {model.upper!r} stay as they are."
            )


def result_notes(calibrated: Iterable[CalibratedModel], vary: Vary, by: str | None = None) -> Iterator[str]:
    """Say what was fitted on what, and what came of it, in each segment too."""
    for result in calibrated:
        bands, verb, width = "bands", "widened by", "half-width"
        if result.side != "both":
            bands = f"distances from the prediction to the {result.side} limit"
            verb, width = "increased by", "mean distance"
        verb = "multiplied by" if vary == "scale" else verb
        if vary == "level":
            bands, verb = "level taken for", coverage_in_words(result.miss_rate) + ":"
        yield (
            f"{result.model}: {bands} {verb} {_parameter(result, vary)}, fitted on {result.fitted_rows} rows "
            f"of {result.fitted_on}."
        )
        yield from (f"{result.model}: {warning}" for warning in result.warnings)
        if result.before is not None and result.after is not None:
            which = "the" if result.judged_on == FITTING_ROWS else f"{result.judged_rows:,}"
            yield (
                f"{result.model}: coverage {100 * result.before.coverage:.1f}% → "
                f"{100 * result.after.coverage:.1f}%, {width} {result.before.bandwidth:.4g} → "
                f"{result.after.bandwidth:.4g} (on {which} {result.judged_on})."
            )
        yield from group_notes(result.model, by or "", result.groups)


def _parameter(result: CalibratedModel, vary: Vary) -> str:
    if not isinstance(result.parameter, dict):
        return _shown(result.parameter, vary, result.nominal)
    nominals = result.nominal if isinstance(result.nominal, dict) else {}
    shown = {label: _shown(value, vary, nominals.get(label)) for label, value in result.parameter.items()}
    if len(shown) <= _MOST_SEGMENTS:
        return ", ".join(f"{text} ({label})" for label, text in shown.items())
    ranked = sorted(shown, key=result.parameter.__getitem__)
    return f"{shown[ranked[0]]} to {shown[ranked[-1]]}"


def _shown(parameter: float, vary: Vary, nominal: object) -> str:
    """Show what bands were moved by; a level in percent or, beyond the widest, how much that was widened."""
    if vary != "level":
        return f"{parameter:.4g}"
    if isinstance(nominal, float):
        return f"{100 * nominal:.4g}%"
    return f"the widest, multiplied by {parameter:.4g}"
