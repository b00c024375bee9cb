"""What is said about infinite parameters: at the fit, and where intervals cannot be infinite."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uccurve._base.caller_warnings import warn_caller
from uccurve.calibration._conformal_rank import rows_needed
from uccurve.exceptions import ArgumentError, InfiniteParameterWarning

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from fractions import Fraction

    from uccurve.calibration._fitted_parameters import Fit, GroupFit

_MOST_LABELS = 6
_ZERO_BANDS = "too many calibration rows{} have a band of zero, which no scale widens"


def listed(labels: Sequence[str]) -> str:
    """List labels; of many only the first ones."""
    shown = ", ".join(labels[:_MOST_LABELS])
    return f"{shown} and {len(labels) - _MOST_LABELS} more" if len(labels) > _MOST_LABELS else shown


def warn_of_infinite(fit: Fit) -> None:
    """Warn, once for a fit, of parameters that are infinite, with what it would take."""
    if fit.by_label is not None:
        text = _about_labels(fit, fit.by_label)
    elif math.isinf(fit.pooled.parameter):
        reason = _ZERO_BANDS.format("")
        if _too_few(fit.pooled, fit.coverage):
            reason = f"{_need(fit.coverage)}, got {fit.pooled.rows}"
        text = f"{reason}: the new bounds will be infinite."
    else:
        text = ""
    if text:
        warn_caller(text, InfiniteParameterWarning)


def _about_labels(fit: Fit, by_label: Mapping[Hashable, GroupFit]) -> str:
    """Say which labels have an infinite parameter, and why; nothing if none has."""
    infinite = {label: group for label, group in by_label.items() if math.isinf(group.parameter)}
    if not infinite:
        return ""
    few = [f"{label!r} ({group.rows})" for label, group in infinite.items() if _too_few(group, fit.coverage)]
    zero = [repr(label) for label, group in infinite.items() if not _too_few(group, fit.coverage)]
    reasons = []
    if few:
        have = "has" if len(few) == 1 else "have"
        counted = _counted(few, len(by_label))
        reasons.append(f"{_need(fit.coverage)}, but {counted} {have} fewer: {listed(few)}")
    if zero:
        whose = f" of {_counted(zero, len(by_label))}"
        reasons.append(f"{_ZERO_BANDS.format(whose)}: {listed(zero)}")
    whose = "Its" if len(infinite) == 1 else "Their"
    sentences = [f"{'; '.join(reasons)}. {whose} new bounds will be infinite."]
    if fit.unseen == "pooled":
        infinite_too = math.isinf(fit.pooled.parameter)
        sentences.append(
            "Those of unseen labels will be as well."
            if infinite_too
            else "The parameter of all rows is for unseen labels only."
        )
    return " ".join(sentences)


def infinite_bounds(group: GroupFit, coverage: Fraction, label: Hashable | None) -> ArgumentError:
    """Return the error for bounds that would be infinite, which intervals cannot have.

    The label is None where the fit is to all rows.
    """
    whose = "" if label is None else f" of the label {label!r}"
    reason = _ZERO_BANDS.format(whose)
    if _too_few(group, coverage):
        needed = rows_needed(coverage)
        reason = (
            f"too few calibration rows{whose}: a coverage of {float(coverage):g} needs at least {needed}, "
            f"got {group.rows}"
        )
    return ArgumentError(f"the new bounds would be infinite: {reason}")


def _too_few(group: GroupFit, coverage: Fraction) -> bool:
    return group.rows < rows_needed(coverage)


def _need(coverage: Fraction) -> str:
    needed = rows_needed(coverage)
    return f"a coverage of {float(coverage):g} needs at least {needed} calibration row{'s' * (needed > 1)}"


def _counted(labels: Sequence[str], total: int) -> str:
    return f"{len(labels)} of {total} label{'s' * (total > 1)}"
