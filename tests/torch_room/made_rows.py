"""Rows for the tests of metrics: asymmetric bands, ties, zero residuals, weights."""

from __future__ import annotations

import torch


def made_rows(n=400, outputs=None, seed=0, dtype=torch.float64):
    """Return y_true, lower, upper, y_pred, on a grid of 1/8: exact also in half precision."""
    generator = torch.Generator().manual_seed(seed)
    shape = (n,) if outputs is None else (n, outputs)
    y_pred = torch.randint(-8, 9, shape, generator=generator) / 8
    y_true = y_pred + torch.randint(-24, 25, shape, generator=generator) / 8
    lower = y_pred - torch.randint(1, 17, shape, generator=generator) / 8
    upper = y_pred + torch.randint(1, 17, shape, generator=generator) / 8
    return tuple(column.to(dtype) for column in (y_true, lower, upper, y_pred))


def made_weights(n=400, seed=1):
    """Return weights, a tenth of them 0."""
    generator = torch.Generator().manual_seed(seed)
    return (torch.randint(0, 10, (n,), generator=generator) / 4).to(torch.float64)


def fill(metric, columns, weight=None, sizes=(150, 1, 0, 249)):
    """Update a metric batch by batch."""
    for number, parts in enumerate(zip(*(column.split(list(sizes)) for column in columns), strict=True)):
        own = None if weight is None else weight.split(list(sizes))[number]
        metric.update(*parts, sample_weight=own)
    return metric
