"""Two models, compared once for all tests."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from two_models import N, models
from uccurve.datasets import make_crossing


@pytest.fixture(scope="session")
def comparison():
    return uc.compare(models(), n_resamples=999, rng=0, by=np.where(np.arange(N) % 2, "odd", "even"))


@pytest.fixture(scope="session")
def crossing():
    """Models of which each is the narrowest somewhere."""
    return make_crossing().models
