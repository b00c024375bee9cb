"""What is made of the sums that a GPU adds up in one read: the same numbers as those of plain formulas."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import uccurve as uc
from uccurve.formulas import gpu as gpu_sums


@np.errstate(all="ignore")
def written_by_the_kernel(columns, width, *, single):
    """Add up in NumPy what `gpu_kernel.add_rows` writes, as if one program had all rows."""
    y_true, y_pred, lower, *upper = (column.numpy() for column in columns)
    residual = (y_true - y_pred).astype(np.float64)
    below, above = (c.astype(np.float64) for c in (lower, upper[0] if upper else lower))
    error, active = np.abs(residual), np.where(residual >= 0, above, below)
    apart = np.abs(above - below)
    bad = ~(np.isfinite(error) & (below >= 0) & (above >= 0) & np.isfinite(below) & np.isfinite(above))
    for size in () if single else map(np.abs, (y_true, y_pred, below, above)):
        bad |= ~((size == 0) | ((size >= 1e-100) & (size <= 1e100)))
    critical = error / active
    beyond = 0.0 if single else active - width
    columns = [bad, error, below, above, *[0 * error] * 5, active == 0, critical]
    columns += [critical * beyond, error * critical, error * critical * beyond, error**2]
    sums = [float(np.sum(column)) for column in columns]
    return sums, [below.min(), above.min()], [below.max(), above.max(), apart.max()]


@pytest.fixture
def gpu(monkeypatch):
    """Rows that are summed as if they were on a GPU with Triton."""
    monkeypatch.setattr(gpu_sums, "_readable", lambda _: True)
    monkeypatch.setattr(gpu_sums, "_kernel", lambda: "a kernel")
    monkeypatch.setattr(gpu_sums, "_launched", written_by_the_kernel)


def made_columns(*, asymmetric, dtype=torch.float64, n=5000):
    generator = torch.Generator().manual_seed(0)
    y_pred, noise = torch.randn(2, n, generator=generator, dtype=dtype)
    bands = torch.rand(2, n, generator=generator, dtype=dtype) + 0.1
    return y_pred + bands[0] * noise, y_pred, *bands[: 2 if asymmetric else 1]


def answers(columns):
    intervals = uc.Intervals.from_bands(*columns)
    curve, summary = intervals.ucc(), intervals.rows.summary._replace(areas=None)
    numbers = [getattr(curve, ask)(y=y) for ask in ("area", "gain") for y in ("miss_rate", "deficit")]
    return [*numbers, *summary[:5], *summary.band_means[0]], summary[5:9], intervals.rows.summary.areas


@pytest.mark.parametrize("asymmetric", [False, True])
def test_areas_gains_and_summaries_are_those_of_plain_formulas(request, asymmetric):
    columns = made_columns(asymmetric=asymmetric)
    plain, plain_flags, no_sums = answers(columns)
    request.getfixturevalue("gpu")
    fused, fused_flags, sums = answers(columns)
    assert no_sums is None
    assert sums is not None
    assert fused == pytest.approx(plain, rel=1e-10)
    assert fused_flags == plain_flags


@pytest.mark.usefixtures("gpu")
def test_columns_of_float32_need_no_width_of_their_own():
    """Differences of their sums keep all digits, so that the width is 0."""
    columns = made_columns(asymmetric=False, dtype=torch.float32)
    sums = gpu_sums.row_sums(*columns, None).areas
    error, band = (columns[0] - columns[1]).double().abs().numpy(), columns[2].double().numpy()
    k, width = error / band, band.mean()
    assert sums.width == 0
    for found, own in ((sums.miss_rate, k), (sums.deficit, error * k)):
        assert found.saved - width * found.own == pytest.approx(np.sum(own * (band - width)), rel=1e-9)


@pytest.mark.usefixtures("gpu")
def test_rows_that_are_not_plain_are_left_to_plain_formulas():
    """Bad rows have no sums: the rules say what is wrong. Zero bands have no sums of areas."""
    y_true, y_pred, band = made_columns(asymmetric=False)
    for value in (-1.0, torch.nan, torch.inf, 1e101, 1e-101):
        band[17] = value
        with pytest.raises(uc.exceptions.InvalidRowsError) as caught:
            uc.Intervals.from_bands(y_true, y_pred, band)
        assert caught.value.first == 17
    band[17] = 0
    assert uc.Intervals.from_bands(y_true, y_pred, band).rows.summary.areas is None
