"""Two models, compared once for all tests."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from two_models import N, models


@pytest.fixture(scope="session")
def comparison():
    return uc.compare(models(), n_resamples=999, rng=0, by=np.where(np.arange(N) % 2, "odd", "even"))
