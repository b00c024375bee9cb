"""What ``uccurve calibrate`` says about its results, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.cli._bound_names import own_bounds
from uccurve.cli._target_coverage import DEFAULT_RATE, coverage_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._calibrated_table import CalibratedModel
    from uccurve.intervals._column_detection import ModelColumns

_MOST_SEGMENTS = 6


def level_notes(
    models: Sequence[ModelColumns], calibrated: Sequence[CalibratedModel], miss_rate: float | None
) -> Iterator[str]:
    """Say which target comes from the names of columns, and where bounds for another one are."""
    for model, result in zip(models, calibrated, strict=True):
        if model.level is None:
            continue
        rate, (lower, upper) = result.miss_rate, result.columns
        if miss_rate is None and rate != DEFAULT_RATE:
            words = coverage_in_words(rate)
            yield f"{model.name}: {words}, from {model.lower!r}; --coverage chooses another."
        if own_bounds(model, rate) != (model.lower, model.upper):
            yield (
                f"{model.name}: the bounds for {coverage_in_words(rate)} are in {lower!r} and {upper!r}; "
                f"{model.lower!r} and {model.upper!r} stay as they are."
            )


def result_notes(calibrated: Iterable[CalibratedModel], vary: Vary) -> Iterator[str]:
    """Say what was fitted on what, and what came of it."""
    for result in calibrated:
        bands, verb, width = "bands", "widened by", "bandwidth"
        if result.side != "both":
            bands = f"distances from the prediction to the {result.side} limit"
            verb, width = "increased by", "mean distance"
        verb = "multiplied by" if vary == "scale" else verb
        yield (
            f"{result.model}: {bands} {verb} {_parameter(result)}, fitted on {result.fitted_rows} rows "
            f"of {result.fitted_on}."
        )
        yield from (f"{result.model}: {warning}" for warning in result.warnings)
        if result.before is not None and result.after is not None:
            yield (
                f"{result.model}: coverage from {100 * result.before.coverage:.1f} % to "
                f"{100 * result.after.coverage:.1f} %, {width} from {result.before.bandwidth:.4g} to "
                f"{result.after.bandwidth:.4g}, on the {result.judged_rows} {result.judged_on}."
            )


def _parameters(result: CalibratedModel) -> list[float]:
    return list(result.parameter.values()) if isinstance(result.parameter, dict) else [result.parameter]


def _parameter(result: CalibratedModel) -> str:
    if not isinstance(result.parameter, dict):
        return f"{result.parameter:.4g}"
    if len(result.parameter) <= _MOST_SEGMENTS:
        return ", ".join(f"{value:.4g} ({label})" for label, value in result.parameter.items())
    return f"{min(_parameters(result)):.4g} to {max(_parameters(result)):.4g}"
