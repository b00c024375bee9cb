"""One model with one seed: its training and assessment; and tests between the models of a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

import uccurve as uc
from casestudies.traffic import assessment, boosting
from casestudies.traffic.assessment import Scored, scored
from casestudies.traffic.boosting import Boosting
from casestudies.traffic.hourly import Hourly, hour_of_day, hourly, read_traffic
from casestudies.traffic.training import NETWORKS, Schedule, train
from casestudies.traffic.windows import Parts, split

MAIN, ASYMMETRIC = tuple(NETWORKS)[:2]
BY_HOUR = "constant by hour"
MODELS = (*NETWORKS, boosting.NAME, BY_HOUR)
"""All models, in the order of tables and figures."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the study."""

    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    schedule: Schedule = field(default_factory=Schedule)
    boosting: Boosting = field(default_factory=Boosting)
    n_resamples: int = 499
    n_exchanges: int = 9999
    data: str | None = None
    """A local copy of the data; downloaded if None."""


LIGHT = Settings(
    seeds=(0, 1),
    schedule=Schedule(epochs=1, stride=12),
    boosting=Boosting(every=2, rounds=5),
    n_resamples=49,
    n_exchanges=99,
)
"""A trial that takes seconds instead of minutes; its numbers mean nothing."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Outcome:
    """The outcome of one model with one seed."""

    test: dict[str, Scored]
    """Its intervals of the test hours; the main model brings the constant bands by hour along."""
    assessed: dict[str, dict[str, Any]]
    training: dict[str, Any]


@lru_cache(maxsize=1)
def prepared(data: str | None, stride: int) -> tuple[Hourly, Parts]:
    """Read the data and cut the windows, once per process."""
    hours = hourly(read_traffic(data))
    return hours, split(hours, stride=stride)


def trained_and_assessed(name: str, seed: int, settings: Settings) -> Outcome:
    """Train one model and assess it."""
    hours, parts = prepared(settings.data, settings.schedule.stride)
    if name == boosting.NAME:
        to_calibrate, to_test, crossed = boosting.boost(parts, settings.boosting, seed)
        training: dict[str, Any] = {"crossed": crossed}
    else:
        trained = train(name, parts, settings.schedule, seed)
        to_calibrate, to_test = trained.calibrate, trained.test
        training = {"epoch": trained.epoch, "losses": trained.losses, "weights": trained.weights}
    calibrate, test = scored(parts, parts.calibrate, to_calibrate), scored(parts, parts.test, to_test)
    if name == boosting.NAME:
        training |= boosting.narrow(test)
    tests = {name: test}
    assessed = {name: assessment.assessed(calibrate, test, settings.n_resamples)}
    if name == MAIN:
        tests[BY_HOUR] = assessment.constant_by_hour(calibrate, test, hour_of_day(hours.time))
        assessed[BY_HOUR] = assessment.assessed(None, tests[BY_HOUR], settings.n_resamples)
    return Outcome(test=tests, assessed=assessed, training=training)


def tested(models: dict[str, Scored], settings: Settings, seed: int) -> dict[str, Any]:
    """Return paired block permutation tests of one seed: against constant bands, and between models."""
    main = models[MAIN]

    def test(a: uc.Intervals, b: uc.Intervals, y: Any) -> dict[str, float]:
        result = uc.permutation_test(a, b, y=y, blocks=main.weeks, n_resamples=settings.n_exchanges, rng=seed)
        return {"difference": result.statistic, "p_value": result.pvalue}

    return {
        "constant": {
            name: {y: test(rows.intervals, rows.intervals.constant(), y) for y in ("miss_rate", "deficit")}
            for name, rows in models.items()
        },
        "main": {
            name: {y: test(rows.intervals, main.intervals, y) for y in ("miss_rate", "deficit")}
            for name, rows in models.items()
            if name != MAIN
        },
        "weeks": int(np.unique(main.weeks).size),
    }
