"""What cards do in plain operations of PyTorch: the same on the CPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import uccurve as uc
from uccurve._cuda import row_sums, sorted_curve
from uccurve._kernels import points


def single_rows(n=5000):
    """Return y_true, y_pred and bands of float32, and the same intervals with differences taken in float32."""
    generator = torch.Generator().manual_seed(0)
    y_pred, noise = torch.randn(2, n, generator=generator)
    band = torch.rand(n, generator=generator) + 0.1
    y_true = y_pred + band * noise
    errors = (y_true - y_pred).double().numpy()
    return (y_true, y_pred, band), uc.Intervals.from_bands(errors, np.zeros(n), band.double().numpy())


@pytest.mark.parametrize("new", [True, False])
def test_sums_without_triton_are_those_of_the_rows(monkeypatch, new):
    """In blocks, the last of them smaller; also where PyTorch has no norm of lists in another precision."""
    monkeypatch.setattr(row_sums, "kernels", lambda: None)
    monkeypatch.setattr(row_sums, "_PLAIN_BLOCK", 700)
    if not new:
        monkeypatch.delattr(torch, "_foreach_norm")
    columns, rows = single_rows()
    found, summary = row_sums.row_sums(*columns, None, 1e-7), rows._summary
    sums = rows.ucc()._data.miss_rate_sums
    assert (found.error / rows.n, found.bands[0] / rows.n) == pytest.approx((summary.error, summary.width))
    assert (*found.lowest, *found.highest) == (summary.narrowest, summary.widest)
    assert found.areas.critical == pytest.approx(sums.critical, rel=1e-13)
    assert found.areas.saved(summary.width) == pytest.approx(sums.saved, rel=1e-9)


@pytest.mark.parametrize("value", [-1.0, torch.nan, torch.inf])
def test_bad_rows_have_no_sums_without_triton(monkeypatch, value):
    """The rules then say what is wrong."""
    monkeypatch.setattr(row_sums, "kernels", lambda: None)
    (y_true, y_pred, band), _ = single_rows()
    band[17] = value
    assert row_sums.row_sums(y_true, y_pred, band, None, 1e-7) is None
    band[17] = 0
    assert row_sums.row_sums(y_true, y_pred, band, None, 1e-7).areas is None


@pytest.mark.parametrize("never_captured", [0, 3])
def test_distinct_points_need_no_sorted_values(never_captured):
    """Exactly the points of sorted values, with ties and with rows that are never captured."""
    generator = torch.Generator().manual_seed(0)
    critical = torch.randint(0, 50, (300,), generator=generator).to(torch.float64) / 7
    critical[:never_captured] = torch.inf
    start = torch.zeros(1, dtype=torch.float64)
    found = sorted_curve.distinct_points(torch.cat([start, critical]))
    rising = np.concatenate([[0.0], np.sort(critical.numpy())])
    expected = points.distinct(np, rising, None)
    assert found.parameter.tolist() == expected.parameter.tolist()
    assert found.miss_rate.tolist() == expected.miss_rate.tolist()
