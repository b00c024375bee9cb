"""On an NVIDIA card: what the CPU says in float64, within the bounds that the docs state. Run by `make bench-gpu`."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import uccurve as uc
from uccurve.formulas import gpu

CARD = torch.device("cuda")
N = 300_000


def rows(seed=0, n=N, asymmetric=True, dtype=torch.float64):
    rng = np.random.default_rng(seed)
    y_pred = 3 + rng.normal(size=n)
    low, high = rng.lognormal(sigma=0.7, size=(2, n))
    y = y_pred + low * rng.normal(size=n)
    return [torch.tensor(column).to(dtype) for column in (y, y_pred, low, *([high] if asymmetric else []))]


def both(given):
    """The same rows on the card, and widened on the CPU."""
    on_card = uc.Intervals.from_bands(*(column.to(CARD) for column in given))
    on_cpu = uc.Intervals.from_bands(*(column.to(torch.float64).numpy() for column in given))
    return on_card, on_cpu


BOUNDS = {torch.float64: 1e-12, torch.float32: 2e-7, torch.bfloat16: 2e-7, torch.float16: 2e-7}


@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize("asymmetric", [False, True])
def test_areas_gains_and_points_agree_with_the_cpu(dtype, asymmetric):
    card, cpu = both(rows(asymmetric=asymmetric, dtype=dtype))
    assert card.y_true.is_cuda
    assert card.y_true.dtype == (torch.float64 if dtype == torch.float64 else torch.float32)
    bound = BOUNDS[dtype]
    a, b = card.ucc(), cpu.ucc()
    for y in ("miss_rate", "deficit"):
        assert a.area(y=y) == pytest.approx(b.area(y=y), rel=bound)
        assert a.gain(y=y) == pytest.approx(b.gain(y=y), rel=10 * bound, abs=bound)
    for x in ("bandwidth", "excess"):
        assert a.area(x=x, coverage=(0.8, 0.95)) == pytest.approx(
            b.area(x=x, coverage=(0.8, 0.95)), rel=20 * bound
        )
    for coverage in (0.5, 0.9, 0.99):
        assert a.at(coverage=coverage).bandwidth == pytest.approx(
            b.at(coverage=coverage).bandwidth, rel=10 * bound
        )
    assert a.original.miss_rate == pytest.approx(b.original.miss_rate, abs=2 / N)
    for name in ("weight", "width", "error", "narrowest", "widest", "symmetric", "constant"):
        assert getattr(card.rows.summary, name) == pytest.approx(getattr(cpu.rows.summary, name), rel=bound)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_constant_bands_gain_exactly_nothing(dtype):
    y = torch.randn(N, device=CARD, dtype=dtype)
    flat = uc.Intervals.from_bands(y, torch.zeros_like(y), torch.full_like(y, 0.3))
    assert flat.ucc().gain() == 0
    bounds = uc.Intervals.from_bounds(
        y, torch.full_like(y, 7.1) - 0.3, torch.full_like(y, 7.1) + 0.3, y_pred=torch.full_like(y, 7.1)
    )
    assert bounds.ucc().gain() == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_rows_do_not_follow_the_caller_s_tensors(dtype):
    """They are copied: an optimizer may write to its buffers again."""
    given = [column.to(CARD) for column in rows(dtype=dtype)]
    intervals = uc.Intervals.from_bands(*given)
    before = intervals.ucc().area()
    for column in given:
        column.zero_()
    assert intervals.ucc().at(coverage=0.9).bandwidth > 0
    assert uc.UCC(intervals).area() == before


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_bounds_that_touch_are_hits(dtype):
    y = 1000 * torch.randn(N, device=CARD, dtype=dtype)
    p = y + torch.rand(N, device=CARD, dtype=dtype)
    touched = uc.Intervals.from_bounds(y, y, p + 1, y_pred=p)
    assert touched.ucc().original.miss_rate == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("asymmetric", [False, True])
def test_sketches_are_those_of_the_cpu(dtype, asymmetric):
    given = rows(asymmetric=asymmetric, dtype=dtype)
    card, cpu = both(given)
    mine, theirs = uc.UCCSketch.of(card), uc.UCCSketch.of(cpu)
    if dtype == torch.float64:
        assert mine == theirs
    assert mine.rows == theirs.rows == N
    assert mine.curve().gain(y="deficit") == pytest.approx(theirs.curve().gain(y="deficit"), rel=1e-5)
    half = uc.UCCSketch.of(card[: N // 2]) + uc.UCCSketch.of(card[N // 2 :])
    assert half == mine


def test_zero_bands_and_zero_errors_are_sketched_and_answered():
    y, p, low = (column.clone() for column in rows(asymmetric=False))
    low[:100] = 0
    y[:50] = p[:50]
    card, cpu = both([y, p, low])
    assert card.ucc().at(coverage=0.9).bandwidth == pytest.approx(
        cpu.ucc().at(coverage=0.9).bandwidth, rel=1e-12
    )
    assert uc.UCCSketch.of(card) == uc.UCCSketch.of(cpu)
    with pytest.raises(uc.exceptions.UnreachableError):
        card.ucc().area()


@pytest.mark.parametrize(("row", "value"), [(7, float("nan")), (N - 1, float("inf")), (0, -1.0)])
def test_bad_rows_are_named_as_on_the_cpu(row, value):
    given = rows()
    given[2][row] = value
    messages = []
    for kind in (lambda column: column.to(CARD), lambda column: column.numpy()):
        with pytest.raises(uc.exceptions.InvalidRowsError) as caught:
            uc.Intervals.from_bands(*map(kind, given))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_raw_tensors_of_metrics():
    y, p, low = rows(asymmetric=False, dtype=torch.float32)
    on_card = [column.to(CARD) for column in (y, p, low)]
    expected = uc.auucc(y.double().numpy(), y_pred=p.double().numpy(), std=low.double().numpy())
    assert uc.auucc(on_card[0], y_pred=on_card[1], std=on_card[2]) == pytest.approx(expected, rel=2e-7)


def test_everything_else_still_works_on_the_card():
    card, cpu = both(rows(n=2000, dtype=torch.float32))
    assert uc.confidence_interval(card, "gain", rng=0, n_resamples=99).estimate == pytest.approx(
        uc.confidence_interval(cpu, "gain", rng=0, n_resamples=99).estimate, rel=1e-4, abs=1e-6
    )
    assert card.standardized().ucc().area() == pytest.approx(cpu.standardized().ucc().area(), rel=1e-5)
    assert card.scaled(2.0).ucc().original.coverage == pytest.approx(
        cpu.scaled(2.0).ucc().original.coverage, abs=1e-3
    )
    assert uc.compare({"a": card, "b": card.constant()}, n_resamples=99, rng=0).findings
    scaler = uc.ConformalScaler(coverage=0.9).fit(card)
    assert scaler.parameter_ == pytest.approx(uc.ConformalScaler(coverage=0.9).fit(cpu).parameter_, rel=1e-6)
    for kind in ("shift", "scale"):
        assert card.ucc(vary=kind).area(y="deficit") == pytest.approx(
            cpu.ucc(vary=kind).area(y="deficit"), rel=1e-5
        )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_costs_along_the_curve_are_those_of_the_cpu(dtype):
    """Also where rows share a critical scale, or have no error."""
    y, p, low = (column.clone() for column in rows(asymmetric=False, dtype=dtype))
    y[:100], p[100:5000], y[100:5000], low[100:5000] = p[:100], p[100], y[100], low[100]
    card = uc.Intervals.from_bands(*(column.to(CARD) for column in (y, p, low)))
    # The difference is taken in the precision of the rows.
    cpu = uc.Intervals.from_bands((y - p).double().numpy(), np.zeros(N), low.double().numpy())
    a, b = card.ucc(), cpu.ucc()
    for name in ("deficit", "excess", "bandwidth", "miss_rate", "parameter"):
        mine, theirs = getattr(a, name).cpu().numpy(), getattr(b, name)
        assert mine == pytest.approx(theirs, rel=1e-12, abs=0), name
        assert (np.diff(mine) <= 0).all() if name in ("deficit", "miss_rate") else (np.diff(mine) >= 0).all()
    for x in ("bandwidth", "excess"):
        for y_axis in ("miss_rate", "deficit"):
            mine, theirs = (c.area(x=x, y=y_axis, coverage=(0.3, 0.9)) for c in (a, b))
            assert mine == pytest.approx(theirs, rel=1e-9)
    assert a.at(excess=0.5).parameter == pytest.approx(b.at(excess=0.5).parameter, rel=1e-10)


def test_rows_that_are_never_captured_make_no_point():
    """Their critical scale is infinite."""
    y, p, low = (column.clone() for column in rows(asymmetric=False))
    low[:1000] = 0
    a, b = (c.ucc() for c in both([y, p, low]))
    for name in ("parameter", "miss_rate", "deficit", "excess"):
        assert getattr(a, name).cpu().numpy() == pytest.approx(getattr(b, name), rel=1e-10)


@pytest.mark.parametrize("asymmetric", [False, True])
def test_without_triton_the_numbers_are_the_same(monkeypatch, asymmetric):
    """It comes with PyTorch for CUDA, but need not be there."""
    given = [column.to(CARD) for column in rows(asymmetric=asymmetric, dtype=torch.float32)]
    fused = uc.Intervals.from_bands(*given)
    assert fused.rows.summary.areas is not None
    expected = [
        fused.ucc().area(),
        fused.ucc().gain(),
        fused.ucc().area(y="deficit"),
        fused.rows.summary.width,
    ]
    flat = torch.full_like(given[0], 0.3)
    monkeypatch.setattr(gpu, "_kernel", lambda: None)
    plain = uc.Intervals.from_bands(*given)
    assert plain.rows.summary.areas is None
    found = [plain.ucc().area(), plain.ucc().gain(), plain.ucc().area(y="deficit"), plain.rows.summary.width]
    assert found == pytest.approx(expected, rel=1e-12)
    assert uc.Intervals.from_bands(*given[:2], flat).ucc().gain() == 0
    with pytest.raises(uc.exceptions.InvalidRowsError):
        uc.Intervals.from_bands(*given[:2], -flat)
