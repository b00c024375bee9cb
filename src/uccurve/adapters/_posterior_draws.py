"""Draws of the posterior predictive distribution: NumPyro, and what ArviZ holds, as of PyMC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base.arrays import as_arrays, to_numpy
from uccurve.adapters._levels import intervals_of_draws
from uccurve.adapters._pairs import shape_of
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Invalid
    from uccurve.intervals import Intervals

_CHAIN_AND_DRAW = 2
_PREDICTIVE = "posterior_predictive"
_SAMPLE_DIMS = ("chain", "draw")


def from_numpyro(
    y_true: ArrayLike,
    output: Any,
    *,
    variable: str | None = None,
    levels: Sequence[float] | None = None,
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read posterior predictive draws of NumPyro.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : mapping of str to array, or array, of shape (draws, n) or (chains, draws, n)
        What ``Predictive(model, samples)(key, X)`` returns. Draws of the observations are needed, not those
        of a mean.
    variable : str, optional
        The site of the observations; not needed if the output has one site only.
    levels : sequence of float, optional
        The quantiles to read, for ``vary="level"``; those of `Intervals.from_distribution`, as far as the
        draws reach, if not given.
    coverage : float, optional
        Read one central interval instead.
    sample_weight, invalid
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import numpy as np
    >>> from uccurve.adapters import from_numpyro
    >>> draws = np.random.default_rng(0).normal(size=(500, 3))
    >>> from_numpyro([0.5, -1.0, 2.0], {"obs": draws}, coverage=0.9)
    Intervals(n=3, bandwidth=1.612, asymmetric)
    """
    if isinstance(output, Mapping):
        output = output[_chosen(variable, list(output), "output")]
    elif variable is not None:
        raise ArgumentError(argument="variable", rule="not be passed beside one array of draws")
    draws = to_numpy(as_arrays(output=output)["output"])
    return _intervals(y_true, draws, levels, coverage, sample_weight, invalid)


def from_arviz(
    y_true: ArrayLike,
    output: Any,
    *,
    variable: str | None = None,
    group: str = _PREDICTIVE,
    levels: Sequence[float] | None = None,
    coverage: float | None = None,
    sample_weight: ArrayLike | None = None,
    invalid: Invalid = "raise",
) -> Intervals:
    """Read posterior predictive draws that ArviZ holds, such as those of PyMC.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : InferenceData or DataTree
        What ``pymc.sample_posterior_predictive`` returns, or what ArviZ made of the draws of another library.
    variable : str, optional
        The observed variable; not needed if the group has one variable only.
    group : str
        The group with the draws: ``"predictions"`` if PyMC was told ``predictions=True``.
    levels, coverage, sample_weight, invalid
        As in `from_numpyro`.
    """
    if group == "posterior":
        raise ArgumentError(
            argument="group",
            rule="hold draws of observations",
            got="'posterior', which holds parameters and means",
            hint="Their intervals are not meant to cover observations.",
        )
    groups = _groups(output)
    if group not in groups:
        raise ArgumentError(
            argument="group",
            rule=f"be a group of the output, which has {', '.join(groups) or 'none'}",
            got=repr(group),
            hint="Draw from the posterior predictive distribution first.",
        )
    dataset = output[group]
    array = dataset[_chosen(variable, [str(name) for name in dataset.data_vars], f"group {group}")]
    if not set(_SAMPLE_DIMS) <= set(array.dims):
        raise ShapeError(argument="output", rule="have draws along 'chain' and 'draw'", got=tuple(array.dims))
    draws = np.asarray(array.transpose(*_SAMPLE_DIMS, ...).values)
    return _intervals(y_true, draws, levels, coverage, sample_weight, invalid)


def _groups(output: Any) -> list[str]:
    """Return the names of the groups of InferenceData, which is no mapping to the last, or of a DataTree."""
    names = getattr(output, "groups", None)
    if callable(names):
        names = names()
    if names is None or not hasattr(output, "__getitem__"):
        raise ArgumentTypeError(
            argument="output", rule="be InferenceData of ArviZ or a DataTree", got=type(output).__name__
        )
    return [name for name in (str(name).strip("/") for name in names) if name]


def _chosen(variable: str | None, known: list[str], where: str) -> str:
    """Return the variable that is asked for, or the only one."""
    if variable is None and len(known) == 1:
        return known[0]
    if variable not in known:
        raise ArgumentError(
            argument="variable",
            rule=f"name the observed variable in the {where}, which has {', '.join(known) or 'none'}",
            got=repr(variable),
        )
    return str(variable)


def _intervals(
    y_true: ArrayLike,
    draws: np.ndarray,
    levels: Sequence[float] | None,
    coverage: float | None,
    sample_weight: ArrayLike | None,
    invalid: Invalid,
) -> Intervals:
    """Take chains together, and read the quantiles of the draws around their medians."""
    shape = shape_of(y_true)
    if draws.ndim == len(shape) + _CHAIN_AND_DRAW:
        draws = draws.reshape(-1, *draws.shape[_CHAIN_AND_DRAW:])
    if draws.ndim != len(shape) + 1 or draws.shape[1:] != shape:
        rows = ", ".join(map(str, shape))
        raise ShapeError(
            argument="output",
            rule=f"hold draws of the shape (draws, {rows}) or (chains, draws, {rows}), as `y_true` implies",
            got=draws.shape,
        )
    return intervals_of_draws(
        y_true, draws, coverage=coverage, levels=levels, sample_weight=sample_weight, invalid=invalid
    )
