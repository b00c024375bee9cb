"""A loss that learns bands: the area of their curve, which has a gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

from uccurve._base import arguments
from uccurve._base.arrays import namespace
from uccurve.exceptions import ArgumentError
from uccurve.formulas import areas
from uccurve.formulas import rows as kernel
from uccurve.intervals import rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uccurve._base.type_aliases import Y

Form = Literal["area", "log", "additive"]
Reduction = Literal["mean", "sum", "none"]

# Bands below this share of the mean residual or band count as that much: gradients stay finite.
_FLOOR = 1e-6

# What the argument is called.
_BAND = {"lower_band": "band"}


def auucc_loss(
    y_true: Tensor,
    *,
    y_pred: Tensor,
    band: Tensor,
    upper_band: Tensor | None = None,
    y: Y = "deficit",
    form: Form = "area",
    sample_weight: Tensor | None = None,
    reduction: Reduction = "mean",
    validate: bool = True,
) -> Tensor:
    r"""Return the area of bandwidth against deficit or miss rate, as a loss for training bands.

    With residuals :math:`e = y - \hat y`, the band :math:`a` that faces the observation and the mean band
    :math:`z` of both sides, the area is :math:`A = \tfrac12\,\bar z\,\overline{e^2 / a}` against the
    deficit, and :math:`A = \bar z\,\overline{|e| / a}` against the miss rate. It is that of
    ``uccurve.UCC(...).area(y=...)``, up to the rounding of the tensors.

    The best band against the *deficit* is the root mean square of the error given the inputs, whatever the
    distribution of errors. With two bands, each follows the errors on its side. Against the *miss rate* it is
    :math:`\sqrt{E(|e|\,|\,x)}`, which is flatter than the error: it wins that area, and it does
    not follow the scale of errors. Both areas leave a common factor free: multiply the bands afterwards,
    by `uccurve.ConformalScaler`.

    Parameters
    ----------
    y_true, y_pred, band : tensor of shape (n,) or (n, outputs)
        Observations, predictions, and the distance, 0 or more, from the prediction to the bounds.
    upper_band : tensor, same shape, optional
        The distance to the upper bound, where it differs; ``band`` is then that to the lower one.
    y : {"deficit", "miss_rate"}
        The vertical axis.
    form : {"area", "log", "additive"}
        What is returned.

        * "area" is :math:`A` itself. As a loss, batches with large errors weigh most.
        * "log" is :math:`\log A`. A batch with one huge error has a large mean, which divides its
          gradient. The form to train with, in batches of 100 rows or more.
        * "additive" is :math:`\tfrac12\,\overline{z + e^2 / a} \ge \sqrt{2 A}`, or
          :math:`\tfrac12\,\overline{z + |e| / a} \ge \sqrt{A}`: a mean over rows, whatever
          the batches. It fixes the common factor, too: its best band against the
          deficit is the root mean square error itself. Against the miss rate, the factor depends on the
          unit of y. Its gradient against the deficit is half that of the :math:`\beta`-NLL with
          :math:`\beta = \tfrac12`, for predictions without a gradient.
    sample_weight : tensor of shape (n,), optional
        Weights, 0 or more.
    reduction : {"mean", "sum", "none"}
        Several outputs have an area each, which are averaged, added up or returned. The additive form
        has a value for each row and output; its mean over rows is weighted.
    validate : bool
        Refuse negative bands and weights. It takes one truth value off the device; False saves that, and
        serves ``torch.func``, which cannot decide anything by values.

    Returns
    -------
    tensor
        A scalar; with ``reduction="none"`` of shape (outputs,), or for the additive form of the shape
        of ``y_true``. Half precision is computed in float32.

    Raises
    ------
    ShapeError, EmptyInputError
        If shapes differ, or there are no rows.
    InvalidRowsError
        If bands or weights are negative, and ``validate``.
    ArgumentTypeError
        If an argument is not a tensor.
    ArgumentError
        If an option has a value outside its rule; or if the weights do not have a positive sum, and
        ``validate``.

    See Also
    --------
    uccurve.auucc : The area of arrays.
    AUUCC : The area as a metric.

    Notes
    -----
    Bands below a millionth of the mean absolute residual, or of the mean band, count as that much, with a
    gradient that widens them. NaN in, NaN out, as in the losses of PyTorch.

    References
    ----------
    M. Seitzer, A. Tavakoli, D. Antic, G. Martius, "On the Pitfalls of Heteroscedastic Uncertainty
    Estimation with Probabilistic Neural Networks", ICLR 2022, for the :math:`\beta`-NLL.

    Examples
    --------
    >>> import torch
    >>> from uccurve.torch import auucc_loss
    >>> band = torch.tensor([1.0, 1.0, 2.0, 4.0], requires_grad=True)
    >>> loss = auucc_loss(torch.tensor([1.0, 2.0, 3.0, 4.0]), y_pred=torch.zeros(4), band=band)
    >>> loss.backward()
    >>> loss.item(), band.grad.tolist()
    (3.375, [0.171875, -0.578125, -0.140625, 0.171875])
    """
    arguments.option("y", y, ("deficit", "miss_rate"))
    arguments.option("form", form, ("area", "log", "additive"))
    arguments.option("reduction", reduction, ("mean", "sum", "none"))
    columns = {"y_true": y_true, "y_pred": y_pred, "lower_band": band}
    if upper_band is not None:
        columns["upper_band"] = upper_band
    given = columns if sample_weight is None else {**columns, "sample_weight": sample_weight}
    for role, value in given.items():
        arguments.instance(_BAND.get(role, role), value, Tensor, "a torch tensor")
    arguments.row_shapes(given, _BAND)
    columns = {name: _single_precision(column) for name, column in columns.items()}
    weight = None
    if sample_weight is not None:
        weight = _single_precision(sample_weight).reshape(-1, *[1] * (y_true.ndim - 1))
    if validate:
        _check_signs({n: c for n, c in columns.items() if n.endswith("band")}, sample_weight)
    error = (columns["y_true"] - columns["y_pred"]).detach().abs()
    bands = [columns[name] for name in ("lower_band", "upper_band") if name in columns]
    bands = [_floored(z, error, weight) for z in bands]
    lower, upper = bands[0], bands[1] if upper_band is not None else None
    rows = kernel.make(namespace(error), columns["y_true"], columns["y_pred"], lower, upper, None)
    width = lower if upper is None else (lower + upper) / 2
    needed = rows.abs_error / rows.active
    own = rows.abs_error * needed if y == "deficit" else needed
    if form == "additive":
        loss: Tensor = (width + own) / 2
        if reduction == "mean":
            return _mean(loss, weight).mean()
        loss = loss if weight is None else loss * weight
    else:
        loss = areas.closed_area(_mean(width, weight), _mean(own, weight), deficit=y == "deficit")
        if form == "log":
            loss = loss.clamp(min=torch.finfo(loss.dtype).tiny).log()
        if reduction == "mean":
            return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def _single_precision(column: Tensor) -> Tensor:
    """Return a column of float32 or float64, in which squares have room."""
    return column if column.dtype in (torch.float32, torch.float64) else column.float()


def _check_signs(bands: Mapping[str, Tensor], weight: Tensor | None) -> None:
    negative = torch.stack([(band < 0).any() for band in bands.values()]).any()
    if weight is not None:
        negative = negative | (weight < 0).any() | ~(weight.sum() > 0)
    if not bool(negative):
        return
    columns = {name: band.detach() for name, band in bands.items()}
    rules.enforce({**columns, "sample_weight": weight}, names=_BAND, rules=rules.ORDER)
    raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0 or NaN")


def _floored(band: Tensor, error: Tensor, weight: Tensor | None) -> Tensor:
    """Raise tiny bands to a floor, and pass their gradients through."""
    weight = None if weight is None else weight.detach()
    least = _FLOOR * torch.maximum(_mean(error, weight), _mean(band.detach(), weight))
    least = least.clamp(min=torch.finfo(band.dtype).tiny)
    return band + (torch.maximum(band.detach(), least) - band.detach())


def _mean(column: Tensor, weight: Tensor | None) -> Tensor:
    """Return the weighted mean over rows, for each output."""
    return column.mean(dim=0) if weight is None else (column * weight).sum(dim=0) / weight.sum()
