"""Bounds beside their prediction: ``NAME_lower`` and ``NAME_upper``, or short ``NAME_lo`` and ``NAME_hi``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uccurve.columns import _column_names
from uccurve.columns._column_choice import ModelColumns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SUFFIXES = ("_lower", "_upper")
_SHORT_SUFFIXES = (("_lo", "_hi"), ("_low", "_high"))
"""They end other names as well, such as that of the lowest price of a day."""


def suffixed_models(present: Sequence[str], *, short: bool) -> list[ModelColumns]:
    """Return the models with bounds beside NAME or NAME_pred, in the order of their lower bounds.

    A model whose bounds are there with two suffixes is there twice.

    Parameters
    ----------
    present : sequence of str
        The columns of the table.
    short : bool
        Whether short suffixes count as well.
    """
    pairs = (_SUFFIXES, *(_SHORT_SUFFIXES if short else ()))
    found = [model for pair in pairs for model in _with_suffixes(present, pair)]
    places = {column: place for place, column in enumerate(present)}
    return sorted(found, key=lambda model: places[str(model.lower)])


def is_short_part(column: str, present: Sequence[str]) -> bool:
    """Whether a column is a bound or the prediction of a model with short suffixes."""
    return any(
        column in model.arguments.values()
        for pair in _SHORT_SUFFIXES
        for model in _with_suffixes(present, pair)
    )


def _with_suffixes(present: Sequence[str], pair: tuple[str, str]) -> Iterator[ModelColumns]:
    known = frozenset(present)
    for column in present:
        name, upper = column.removesuffix(pair[0]), f"{column.removesuffix(pair[0])}{pair[1]}"
        y_pred = next((c for c in (f"{name}_pred", name) if c in known), None)
        observed = _column_names.is_common(name, "y_true") and y_pred == name
        if name not in (column, "") and upper in known and y_pred is not None and not observed:
            yield ModelColumns(name=name, y_pred=y_pred, lower=column, upper=upper)
