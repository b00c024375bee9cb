"""The figures beside UQ360's metrics: coverage and bounds over a feature, and a predictive density."""

from __future__ import annotations

from typing import Any

import numpy as np

from uccurve._base import arguments
from uccurve.compat.uq360._drawing import pyplot
from uccurve.compat.uq360._regression_metrics import _one_output, _same_shape, mpiw, picp
from uccurve.exceptions import ArgumentTypeError

_FEW_VALUES = 10


def plot_picp_by_feature(  # noqa: PLR0917 - UQ360's arguments
    x_test: Any,
    y_test: Any,
    y_test_pred_lower_total: Any,
    y_test_pred_upper_total: Any,
    num_bins: int = 10,
    ax: Any = None,
    figsize: tuple[float, float] | None = None,
    dpi: float | None = None,
    xlims: tuple[float, float] | None = None,
    ylims: tuple[float, float] | None = None,
    xscale: str | None = "linear",
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Any:
    """Draw the coverage over the values of a feature; needs the extra ``plot``.

    Parameters
    ----------
    x_test, y_test, y_test_pred_lower_total, y_test_pred_upper_total : array of shape (n,) or (n, 1)
        The feature, observations and bounds.
    num_bins : int
        How many bins of equal size more than ten different values are put into. (UQ360 leaves its last bin to
        the largest value alone.)
    ax, figsize, dpi
        Axes to draw on, or size and resolution of a new figure.
    xlims, ylims, xscale, title, xlabel, ylabel
        As matplotlib knows them. The usual title gives coverage and mean width.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> ax = plot_picp_by_feature([1, 1, 2, 2], [0, 2, 0, 0], [-1, -1, -1, -1], [1, 1, 1, 1])
    >>> ax.lines[0].get_ydata().tolist()
    [0.5, 1.0]
    """
    feature, true, lower, upper = map(
        _one_output,
        _same_shape(
            x_test=x_test,
            y_test=y_test,
            y_test_pred_lower_total=y_test_pred_lower_total,
            y_test_pred_upper_total=y_test_pred_upper_total,
        ),
    )
    values, place = np.unique(feature, return_inverse=True)
    if values.size > _FEW_VALUES:
        bins = arguments.whole("num_bins", num_bins, 1)
        edges = np.quantile(feature, np.arange(1, bins) / bins)
        bin_of_value = np.digitize(values, edges)
    else:
        bin_of_value = np.arange(values.size)
    coverage = _means((true >= lower) & (true <= upper), bin_of_value[place])[bin_of_value]
    ax = _axes(ax, figsize, dpi)
    ax.plot(values, coverage, label="PICP")
    ax.axhline(0.95, linestyle="--", label="95%")
    ax.legend(loc="best")
    if title is None:
        title = f"Test data overall PICP: {picp(true, lower, upper):.2f} MPIW: {mpiw(lower, upper):.2f}"
    return _dressed(ax, xlims, ylims, xscale, title, xlabel, ylabel or "PICP")


def plot_uncertainty_by_feature(  # noqa: PLR0917 - UQ360's arguments
    x_test: Any,
    y_test_pred_mean: Any,
    y_test_pred_lower_total: Any,
    y_test_pred_upper_total: Any,
    y_test_pred_lower_epistemic: Any = None,
    y_test_pred_upper_epistemic: Any = None,
    ax: Any = None,
    figsize: tuple[float, float] | None = None,
    dpi: float | None = None,
    xlims: tuple[float, float] | None = None,
    xscale: str | None = "linear",
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Any:
    """Draw predictions and bounds over the values of a feature, as means; needs the extra ``plot``.

    Bounds are drawn where they are. (UQ360 draws two deviations around the mean, a quarter of the width each:
    asymmetric bands look symmetric.)

    Parameters
    ----------
    x_test, y_test_pred_mean, y_test_pred_lower_total, y_test_pred_upper_total : array of shape (n,) or (n, 1)
        The feature, predictions and bounds.
    y_test_pred_lower_epistemic, y_test_pred_upper_epistemic : array, optional
        Bounds for the model's part of the uncertainty.
    ax, figsize, dpi, xlims, xscale, title, xlabel, ylabel
        As in `plot_picp_by_feature`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> ax = plot_uncertainty_by_feature([1, 1, 2], [0, 2, 4], [-1, 1, 3], [3, 3, 6], xlabel="x")
    >>> ax.lines[0].get_ydata().tolist()
    [1.0, 4.0]
    """
    named = {
        "x_test": x_test,
        "y_test_pred_mean": y_test_pred_mean,
        "y_test_pred_lower_total": y_test_pred_lower_total,
        "y_test_pred_upper_total": y_test_pred_upper_total,
    }
    epistemic = y_test_pred_lower_epistemic is not None and y_test_pred_upper_epistemic is not None
    if epistemic:
        named["y_test_pred_lower_epistemic"] = y_test_pred_lower_epistemic
        named["y_test_pred_upper_epistemic"] = y_test_pred_upper_epistemic
    feature, *columns = map(_one_output, _same_shape(**named))
    values, place = np.unique(feature, return_inverse=True)
    mean, *bounds = (_means(column, place) for column in columns)
    ax = _axes(ax, figsize, dpi)
    ax.plot(values, mean, "-b", lw=2, label="mean prediction")
    for lower, upper, label in zip(
        bounds[::2], bounds[1::2], ("total uncertainty", "model uncertainty"), strict=False
    ):
        ax.fill_between(values, lower, upper, alpha=0.3, label=label)
    ax.legend(loc="best")
    return _dressed(ax, xlims, None, xscale, title, xlabel, ylabel)


def plot_uncertainty_distribution(
    dist: Any,
    show_quantile_dots: bool = False,
    qd_sample: int = 20,
    qd_bins: int = 7,
    ax: Any = None,
    figsize: tuple[float, float] | None = None,
    dpi: float | None = None,
    title: str | None = "Predicted Distribution",
    xlims: tuple[float, float] | None = None,
    xlabel: str | None = "Prediction",
    ylabel: str | None = "Density",
    **kwargs: Any,
) -> Any:
    """Draw the density of a predictive distribution; needs the extra ``plot``.

    Parameters
    ----------
    dist : frozen distribution of SciPy
        Anything with ``ppf`` and ``pdf``.
    show_quantile_dots : bool
        Stack a dot for each of ``qd_sample`` equally likely quantiles on top, in ``qd_bins`` columns. UQ360
        draws them at random.
    qd_sample, qd_bins : int
        Numbers of dots and of columns.
    ax, figsize, dpi, title, xlims, xlabel, ylabel
        As in `plot_picp_by_feature`.
    **kwargs
        Passed on to matplotlib's ``plot``.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from scipy.stats import norm
    >>> plot_uncertainty_distribution(norm(1, 2)).get_title()
    'Predicted Distribution'
    """
    ax = _axes(ax, figsize, dpi)
    x = np.linspace(dist.ppf(0.01), dist.ppf(0.99), 100)
    ax.plot(x, dist.pdf(x), **kwargs)
    if show_quantile_dots:
        dots = arguments.whole("qd_sample", qd_sample, 1)
        columns = arguments.whole("qd_bins", qd_bins, 1)
        counts, edges = np.histogram(dist.ppf((np.arange(dots) + 0.5) / dots), bins=columns)
        middle, height = (edges[1:] + edges[:-1]) / 2, np.max(dist.pdf(x)) / counts.max()
        stacked = [
            (at, (dot + 0.5) * height) for at, n in zip(middle, counts, strict=True) for dot in range(n)
        ]
        ax.scatter(*np.transpose(stacked), alpha=0.4)
    return _dressed(ax, xlims, None, None, title, xlabel, ylabel)


def _means(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the mean of the values at each place."""
    return np.asarray(np.bincount(place, weights=values) / np.maximum(np.bincount(place), 1))


def _axes(ax: Any, figsize: Any, dpi: Any) -> Any:
    if ax is not None:
        return ax
    if figsize is not None and not (isinstance(figsize, tuple) and len(figsize) == 2):  # noqa: PLR2004
        raise ArgumentTypeError(argument="figsize", rule="be a pair (width, height)", got=repr(figsize))
    return pyplot().subplots(figsize=figsize, dpi=dpi)[1]


def _dressed(ax: Any, xlims: Any, ylims: Any, xscale: Any, title: Any, xlabel: Any, ylabel: Any) -> Any:
    """Set what was asked for; None leaves it as it is."""
    given = {
        "xscale": xscale,
        "title": title,
        "xlabel": xlabel,
        "ylabel": ylabel,
        "xlim": xlims,
        "ylim": ylims,
    }
    ax.set(**{name: value for name, value in given.items() if value is not None})
    return ax
