"""The constant widths of a comparison: one for each way of predicting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve.curve import Curve

CONSTANT = "constant width"


def constant_bands(models: Mapping[str, Curve]) -> dict[str, Curve]:
    """Return the constant band by its name, or one for each way of predicting."""
    distinct: dict[str, Curve] = {}
    for name, curve in models.items():
        if not any(curve.has_same_constant(other) for other in distinct.values()):
            distinct[name] = curve
    if len(distinct) == 1:
        (curve,) = distinct.values()
        return {CONSTANT: curve.reference}
    return {f"{CONSTANT} of {name}": curve.reference for name, curve in distinct.items()}


def own_constant_bands(models: Mapping[str, Curve], constants: Mapping[str, Curve]) -> dict[str, str]:
    """Return the name of the constant band around the same predictions, for each model."""
    return {
        name: next(
            other
            for other, band in constants.items()
            if band is curve.reference or curve.has_same_constant(band)
        )
        for name, curve in models.items()
    }


def rivals(models: Mapping[str, Curve], constants: Mapping[str, Curve]) -> dict[str, Curve]:
    """Return all that is ranked: the models, and constant widths that no model has already."""
    flat = [curve for curve in models.values() if curve.reference is curve]
    others = {
        name: band
        for name, band in constants.items()
        if not any(curve.has_same_constant(band) for curve in flat)
    }
    return {**models, **others}
