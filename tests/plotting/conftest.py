"""Figures are drawn without a window, and closed after each test."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _figures():
    plt.switch_backend("agg")
    yield
    plt.close("all")
