"""The loss is the area of the curve, its gradients are right and finite, and its best bands are known."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from hypothesis import given

import uccurve as uc
from errors import raises
from strategies import cases
from uccurve import exceptions as ex
from uccurve.torch import auucc_loss

FORMS = ("area", "log", "additive")
AXES = ("deficit", "miss_rate")
forms = pytest.mark.parametrize("form", FORMS)
axes = pytest.mark.parametrize("y", AXES)


def made_batch(n=30, *, outputs=None, seed=0, dtype=torch.float64):
    """Return observations, predictions, two bands and weights."""
    generator = torch.Generator().manual_seed(seed)
    shape = (n,) if outputs is None else (n, outputs)
    y_true, y_pred = (torch.randn(shape, generator=generator, dtype=dtype) for _ in range(2))
    lower, upper = (0.3 + torch.rand(shape, generator=generator, dtype=dtype) for _ in range(2))
    return y_true, y_pred, lower, upper, torch.rand(n, generator=generator, dtype=dtype)


def loss_of(y_true, y_pred, band, upper_band=None, **options):
    """Return the loss of columns in the order of a batch."""
    return auucc_loss(y_true, y_pred=y_pred, band=band, upper_band=upper_band, **options)


@axes
@given(case=cases(units=[1.0, 2.0**-30, 2.0**30]))
def test_the_loss_is_the_area_of_the_curve(y, case):
    """Symmetric and asymmetric bands, ties, zero residuals, weights: one area, two libraries."""
    columns = [torch.tensor(c, dtype=torch.float64) for c in (case.y, case.p, case.lower_band)]
    upper = None if case.symmetric else torch.tensor(case.upper_band, dtype=torch.float64)
    weight = None if case.weight is None else torch.tensor(case.weight, dtype=torch.float64)
    expected = uc.UCC(case.intervals()).area(y=y)
    found = loss_of(*columns, upper, y=y, form="area", sample_weight=weight)
    assert found.item() == pytest.approx(expected, rel=1e-12)
    if expected > 0:
        log = loss_of(*columns, upper, y=y, form="log", sample_weight=weight)
        assert log.item() == pytest.approx(math.log(expected), rel=1e-12, abs=1e-12)


@axes
def test_the_additive_form_bounds_the_area(y):
    """Its least value over a common factor of the bands is the bound: the arithmetic mean is the geometric."""
    y_true, y_pred, lower, upper, weight = made_batch()
    options = {"y": y, "sample_weight": weight}
    area = loss_of(y_true, y_pred, lower, upper, form="area", **options)
    bound = (2 * area if y == "deficit" else area).sqrt()
    factors = torch.logspace(-1, 1, 500)
    values = [loss_of(y_true, y_pred, k * lower, k * upper, form="additive", **options) for k in factors]
    assert min(values) >= bound * (1 - 1e-12)
    assert min(values).item() == pytest.approx(bound.item(), rel=1e-4)


@forms
@axes
@pytest.mark.parametrize(("sides", "weighted", "outputs"), [(1, False, None), (2, True, None), (2, False, 2)])
def test_gradients_are_those_of_differences(form, y, sides, weighted, outputs):
    """Of predictions and of both bands, first and second ones."""
    y_true, y_pred, lower, upper, weight = made_batch(12, outputs=outputs)
    inputs = [y_pred.requires_grad_(), lower.requires_grad_()] + [upper.requires_grad_()] * (sides == 2)

    def loss(*tensors):
        return loss_of(y_true, *tensors, y=y, form=form, sample_weight=weight if weighted else None)

    assert torch.autograd.gradcheck(loss, inputs)
    assert torch.autograd.gradgradcheck(loss, inputs)


@forms
@axes
@pytest.mark.parametrize(
    ("band", "residual", "dtype"), [(0.0, 1e6, torch.bfloat16), (1e-40, 0.0, torch.float32)]
)
def test_gradients_stay_finite(form, y, band, residual, dtype):
    """A head that begins with bands of almost nothing must get out of there."""
    y_true = torch.full((8,), residual, dtype=dtype)
    y_pred = torch.zeros(8, dtype=dtype, requires_grad=True)
    z = torch.full((8,), band, dtype=dtype, requires_grad=True)
    loss = loss_of(y_true, y_pred, z, y=y, form=form)
    loss.backward()
    assert loss.isfinite()
    assert y_pred.grad.isfinite().all()
    assert z.grad.isfinite().all()
    if form == "additive" and residual >= 1 and band < 1e-9:
        assert (z.grad < 0).all()  # wider bands are better


@axes
def test_some_rows_do_not_spoil_the_others(y):
    """One band of 0 has a gradient that widens it; rows without weight do not matter, however wrong."""
    y_true, y_pred, lower, upper, weight = made_batch()
    y_true[0], lower[1], weight[:2] = 1e20, 1e20, 0
    y_true[2], lower[2] = y_pred[2] - 1, 0
    columns = (y_true, y_pred, lower.requires_grad_(), upper)
    found = loss_of(*columns, y=y, sample_weight=weight)
    left = loss_of(*(column[2:] for column in columns), y=y, sample_weight=weight[2:])
    assert found.item() == pytest.approx(left.item(), rel=1e-12)
    left.backward()
    assert lower.grad.isfinite().all()
    assert lower.grad[2] < 0


def test_the_best_band_against_the_deficit_is_the_rms_error():
    """Up to a factor for areas, which the additive form fixes; flatter against the miss rate."""
    generator = torch.Generator().manual_seed(0)
    sigma = torch.tensor([0.5, 1.0, 4.0], dtype=torch.float64)
    error = torch.randn((4000, 3), generator=generator, dtype=torch.float64) * sigma
    rms, root = error.square().mean(0).sqrt(), error.abs().mean(0).sqrt()
    for form, y in itertools.product(FORMS, AXES):
        log_band = torch.zeros(3, dtype=torch.float64, requires_grad=True)
        steps = torch.optim.LBFGS(
            [log_band], max_iter=200, line_search_fn="strong_wolfe", tolerance_grad=1e-12
        )

        def closure(log_band=log_band, steps=steps, form=form, y=y):
            steps.zero_grad()
            band = log_band.exp().expand(4000, 3).reshape(-1)
            loss = loss_of(error.reshape(-1), torch.zeros(12000, dtype=torch.float64), band, y=y, form=form)
            loss.backward()
            return loss

        steps.step(closure)
        found, best = log_band.detach().exp(), rms if y == "deficit" else root
        if form != "additive":
            found, best = found / found[0], best / best[0]
        assert found.tolist() == pytest.approx(best.tolist(), rel=1e-3), (form, y)


def test_each_side_learns_its_own_errors():
    """zᵘ = sqrt(2 E(e⁺)²) and zˡ = sqrt(2 E(e⁻)²), which are the RMS error where errors are symmetric."""
    generator = torch.Generator().manual_seed(0)
    error = torch.randn(5000, generator=generator, dtype=torch.float64).exp() - 1.5
    best = [(2 * error.clamp(min=0).square().mean()).sqrt(), (2 * error.clamp(max=0).square().mean()).sqrt()]
    bands = torch.tensor([best[1], best[0]], requires_grad=True)
    zeros = torch.zeros(5000, dtype=torch.float64)
    loss_of(error, zeros, bands[0].expand(5000), bands[1].expand(5000), form="additive").backward()
    assert bands.grad.abs().max() < 1e-12


@forms
def test_reductions(form):
    """Outputs have an area each, rows a value each in the additive form."""
    y_true, y_pred, lower, upper, weight = made_batch(outputs=3)
    rest = {"form": form, "sample_weight": weight}
    each = [loss_of(*(c[:, j] for c in (y_true, y_pred, lower, upper)), **rest) for j in range(3)]
    columns = (y_true, y_pred, lower, upper)
    assert loss_of(*columns, **rest).item() == pytest.approx(torch.stack(each).mean().item())
    kept = loss_of(*columns, reduction="none", **rest)
    assert kept.shape == ((30, 3) if form == "additive" else (3,))
    assert loss_of(*columns, reduction="sum", **rest).item() == pytest.approx(kept.sum().item())


@forms
def test_half_precision_is_computed_in_float32(form):
    """Squares of 300 leave float16."""
    columns = [torch.full((4,), number, dtype=torch.float16) for number in (300.0, 0.0, 100.0)]
    found = loss_of(*columns, form=form)
    assert found.dtype == torch.float32
    assert found.isfinite()


@forms
def test_the_loss_runs_under_transforms(form):
    """torch.func maps it over members of an ensemble, where nothing may be decided by values."""
    y_true, y_pred, lower, _, _ = made_batch()
    bands = torch.stack([lower, 2 * lower])

    def loss(band):
        return loss_of(y_true, y_pred, band, form=form, validate=False)

    found = torch.func.vmap(torch.func.grad(loss))(bands)
    assert torch.allclose(found[0], torch.func.grad(loss)(lower))


GOOD = {"y_true": torch.ones(3), "y_pred": torch.zeros(3), "band": torch.ones(3)}
BAD = {
    "negative": ({"band": torch.tensor([1.0, -2.0, 1.0])}, ex.NegativeBandError, "band"),
    "weights": ({"sample_weight": torch.tensor([1.0, -1.0, 1.0])}, ex.NegativeWeightError, "sample_weight"),
    "no weight": ({"sample_weight": torch.zeros(3)}, ex.ArgumentError, "sample_weight"),
    "a column": ({"band": torch.ones(3, 1)}, ex.ShapeError, "band"),
    "no rows": ({name: torch.empty(0) for name in GOOD}, ex.EmptyInputError, "y_true"),
    "a list": ({"band": [1.0, 1.0, 1.0]}, ex.ArgumentTypeError, "band"),
}


@pytest.mark.parametrize(("change", "error", "argument"), BAD.values(), ids=BAD)
def test_bad_input_is_named(change, error, argument):
    """Shapes that would broadcast above all."""
    with raises(error, argument):
        auucc_loss(**(GOOD | change))
