"""Numbers that others published, computed again by public functions.

Each source yields pairs: what uccurve computes, and the number as it is printed there. They must agree in every
printed digit. ``python tests/test_numbers_of_others.py`` prints how many do.
"""

from __future__ import annotations

import warnings
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf, isclose
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scoringrules
from scipy.stats import norm

import uccurve as uc
from migration_tables import check, prepared, same_numbers, section

OTHERS = Path(__file__).parent / "others"
KEYS = (
    "model",
    "target",
    "location",
    "target_end_day",
    "forecast_day",
    "reference_day",
    "horizon",
    "observed",
)


def agrees(ours, printed):
    """Whether a number rounds to the printed one; an exact number agrees up to 1e-13."""
    if not isinstance(printed, str):
        return isclose(ours, printed, rel_tol=1e-13)
    exponent = Decimal(printed).as_tuple().exponent
    return abs(Decimal(float(ours)) - Decimal(printed)) <= Decimal("0.5000001").scaleb(exponent)


def one_row_each(table):
    """Return a row for each forecast, with a column for each level."""
    keys = [key for key in KEYS if key in table.columns]
    return table.sort("level").pivot("level", index=keys, values="predicted", maintain_order=True)


def quantiles(table):
    """Return the levels of such rows, and the table of quantiles."""
    names = [name for name in table.columns if name not in KEYS]
    return [float(name) for name in names], table.select(names).to_numpy()


def european_hub():
    """WIS and its parts, and coverages, of scoringutils' example: three significant digits."""
    printed = {
        ("EuroCOVIDhub-ensemble", "Cases"): "1.79e4 1.00e4 4.24e3 3.66e3 .391 .805",
        ("EuroCOVIDhub-ensemble", "Deaths"): "41.4 7.14 4.1 30.2 .875 1",
        ("EuroCOVIDhub-baseline", "Cases"): "2.85e4 1.41e4 1.03e4 4.10e3 .328 .820",
        ("EuroCOVIDhub-baseline", "Deaths"): "159 65.9 2.1 91.4 .664 1",
        ("epiforecasts-EpiNow2", "Cases"): "2.08e4 1.19e4 3.26e3 5.66e3 .469 .789",
        ("epiforecasts-EpiNow2", "Deaths"): "66.6 18.9 15.9 31.9 .420 .908",
        ("UMass-MechBayes", "Deaths"): "52.7 8.98 16.8 26.9 .461 .875",
    }
    table = pl.read_csv(OTHERS / "eu_covid_hub_quantiles.csv.gz")
    for (model, target), numbers in printed.items():
        rows = one_row_each(table.filter(model=model, target=target))
        levels, predicted = quantiles(rows)
        y = rows["observed"].to_numpy()
        parts = uc.weighted_interval_score(y, predicted, levels, decompose=True)
        half, most = (
            uc.coverage(y, rows[low].to_numpy(), rows[high].to_numpy())
            for low, high in (("0.25", "0.75"), ("0.05", "0.95"))
        )
        ours = parts.score, parts.overprediction, parts.underprediction, parts.width, half, most
        yield from zip(ours, numbers.split(), strict=True)


def flu_hub():
    """WIS, coverage and CRPS of the flu hub's example, as hubEvals prints them."""
    rows = one_row_each(pl.read_csv(OTHERS / "flusight_quantiles.csv.gz"))
    wis = {"Flusight-baseline": "329.4545", "MOBS-GLEAM_FLUH": "315.2393", "PSI-DICE": "227.9527"}
    covered = {"Flusight-baseline": (0, 0.125), "MOBS-GLEAM_FLUH": (0.5, 0.5625), "PSI-DICE": (0.5, 0.5)}
    for model, printed in wis.items():
        part = rows.filter(model=model)
        levels, predicted = quantiles(part)
        y = part["observed"].to_numpy()
        yield uc.weighted_interval_score(y, predicted, levels), printed
        for (low, high), share in zip((("0.1", "0.9"), ("0.05", "0.95")), covered[model], strict=True):
            yield uc.coverage(y, part[low].to_numpy(), part[high].to_numpy()), share
    by_place = {
        25: (179.944642857143, 162.6875, 139.369642857143),
        48: (478.964285714286, 467.791071428571, 316.535714285714),
    }
    for place, scores in by_place.items():
        for model, score in zip(wis, scores, strict=True):
            part = rows.filter(model=model, location=place)
            levels, predicted = quantiles(part)
            yield uc.weighted_interval_score(part["observed"].to_numpy(), predicted, levels), score
    draws = pl.read_csv(OTHERS / "flusight_samples.csv.gz")
    keys = [key for key in KEYS if key in draws.columns]
    crps = {"Flusight-baseline": "351.5887", "MOBS-GLEAM_FLUH": "347.1502", "PSI-DICE": "247.3640"}
    for model, printed in crps.items():
        part = draws.filter(model=model).group_by(keys, maintain_order=True).agg("sample")
        yield uc.crps(part["observed"].to_numpy(), np.array(part["sample"].to_list()), axis=1), printed


def uncertainty_toolbox():
    """Scores of three Gaussian predictions in its tests."""
    y, center, std = np.array([1.5, 3, 2]), np.array([1.0, 2, 3]), np.array([0.1, 0.5, 1])
    levels = np.linspace(0.01, 0.99, 99)
    table = norm.ppf(levels, center[:, None], std[:, None])
    yield uc.pinball_loss(y, table, levels), "0.29801437"
    scores = [uc.interval_score(y, *norm.interval(level, center, std), coverage=level) for level in levels]
    yield float(np.mean(scores)), "3.20755701"
    claims = np.linspace(0, 1, 100)
    curve = uc.UCC(uc.Intervals.from_std(y, center, std))
    covered = [
        curve.at(parameter=norm.ppf((1 + claim) / 2)).coverage if claim < 1 else 1.0 for claim in claims
    ]
    gaps = np.array(covered) - claims
    yield float(np.mean(np.abs(gaps))), "0.37333333"
    yield float(np.sqrt(np.mean(gaps**2))), "0.41657575"
    draws = norm.ppf((np.arange(2_000_000) + 0.5) / 2_000_000, center[:, None], std[:, None])
    yield uc.crps(y, draws, axis=1), "0.59080611"


def yardstick():
    """The weighted interval score in its tests."""
    y, levels = [3.3, 7.1], [0.2, 0.4, 0.6, 0.8]
    yield uc.weighted_interval_score(y, [[1, 2, 3, 4], [8, 9, 10, 11]], levels), "1.275"


def scores():
    """The tutorial on interval scores of the library scores, with its weights."""
    rng = np.random.RandomState(42)
    sizes = (13, 15), (20, 23), (12, 15), (20, 22), (10, 24)
    low90, high90, low50, high50, y = (rng.uniform(*ends, size=(10, 20, 24)) for ends in sizes)
    flat = y.ravel(), low50.ravel(), high50.ravel()
    table = np.stack(flat[1:], axis=1)
    # The weighted interval score of one pair is the interval score times half its miss rate.
    parts = uc.weighted_interval_score(flat[0], table, [0.25, 0.75], decompose=True)
    yield from (
        (4 * parts.width, "7.517"),
        (4 * parts.overprediction, "1.770"),
        (4 * parts.underprediction, "1.402"),
    )
    yield uc.interval_score(*flat, coverage=0.5), "10.69"
    hours = [
        uc.interval_score(*(part[..., hour].ravel() for part in (y, low90, high90)), coverage=0.9)
        for hour in range(24)
    ]
    yield from zip([*hours[:3], *hours[-2:]], ("22.85", "22.23", "23.51", "21.23", "25.73"), strict=True)
    weight = np.ones_like(y)
    weight[:, -4:, -4:] = weight[:, -6:-4, -6:-4] = 3
    weighted = uc.interval_score(*flat, coverage=0.5, sample_weight=weight.ravel())
    yield weighted, "10.680"
    yield weighted * weight.mean(), "11.57028458"  # before 2.3.0 weights were not divided by their mean


def model_diagnostics():
    """Its example of quantile regression: Pareto noise around x sin(x)."""
    rng, level = np.random.RandomState(42), 0.75
    x = np.linspace(0, 10, 200)
    mean = 10 + x * np.sin(x) / 2
    y = [mean + 10 * (rng.pareto(5, 200) - 1 / 4) for _ in range(2)][1]
    truth = mean + 10 * ((1 - level) ** (-1 / 5) - 1 - 1 / 4)
    constant = np.full(200, np.quantile(y, level, method="inverted_cdf"))
    yield uc.pinball_loss(y, truth[:, None], [level]), ".900112"
    yield uc.pinball_loss(y, constant[:, None], [level]), "1.075195"


def forecasting_principles():
    """Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd edition, section 5.9."""
    yield uc.interval_score([741.84], [744.54], [773.22], coverage=0.8), "55.68"
    yield 2 * uc.pinball_loss([741.84], [[744.54]], [0.1]), "4.86"


def conformal_ranks():
    """The rank of conformal prediction, in exact arithmetic: the ⌈(n + 1)c⌉-th score, none beyond n."""
    tenths = [f"0.{tenth}" for tenth in range(1, 10)]
    coverages = ["0.07", "0.25", "0.55", "0.75", "0.85", *tenths, "0.975", "0.99"]
    for n in (*range(1, 201), 599, 999, 1249, 1999, 1000):
        rows = uc.Intervals.from_bands(np.arange(1.0, n + 1), np.zeros(n), np.ones(n))
        for written in coverages:
            rank = ceil((n + 1) * Fraction(written))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", uc.exceptions.InfiniteParameterWarning)
                found = uc.ConformalScaler(coverage=float(written)).fit(rows).parameter_
            yield found, float(rank) if rank <= n else inf


def clear():
    """NCIW and AUC of CLEAR (arXiv 2507.08150), by the definitions of its ``metrics.py``."""
    rng = np.random.default_rng(5)
    for n in (7, 200, 1000):
        center, half = rng.normal(size=n), rng.lognormal(sigma=0.5, size=n)
        y = center + half * rng.standard_t(4, size=n)
        scales, width = np.sort(np.abs(y - center) / half), 2 * half.mean() / np.ptp(y)
        shares = np.arange(1, n + 1) / n
        rows = uc.Intervals.from_bands(y, center, half)
        curve, spread = uc.UCC(rows), np.ptp(y)
        for coverage in (0.8, 0.9, 0.95):
            nciw = scales[np.searchsorted(shares, coverage)] * width
            yield 2 * curve.at(coverage=coverage).bandwidth / spread, nciw
        widest = curve.at(coverage=1).bandwidth
        ours = 2 * (widest - curve.area()) / spread + width * (scales[-1] - scales[0]) / (2 * n)
        yield ours, float(np.trapezoid(shares, scales * width))


SOURCES = {
    "European COVID-19 Forecast Hub, as scoringutils prints it": european_hub,
    "US FluSight hub, as hubEvals prints it": flu_hub,
    "uncertainty-toolbox, tests": uncertainty_toolbox,
    "yardstick, tests": yardstick,
    "scores, tutorial on interval scores": scores,
    "model-diagnostics, quantile example": model_diagnostics,
    "Forecasting: Principles and Practice, 5.9": forecasting_principles,
    "conformal ranks in exact arithmetic": conformal_ranks,
    "CLEAR, by its definitions": clear,
}
EXPECTED = (42, 18, 5, 1, 11, 2, 2, 3280, 12)


@pytest.mark.parametrize(("source", "expected"), list(zip(SOURCES, EXPECTED, strict=True)), ids=list(SOURCES))
def test_every_number_agrees(source, expected):
    """In every digit that is printed there, and none is passed over."""
    pairs = list(SOURCES[source]())
    assert [pair for pair in pairs if not agrees(*pair)] == []
    assert len(pairs) == expected


@pytest.mark.parametrize(
    ("ours", "printed"), [(1.2345, "1.23"), (17949.9, "1.79e4"), (0.25, 0.25), (inf, inf)]
)
def test_agreement_is_that_of_the_printed_digits(ours, printed):
    """One more of the last digit is too much."""
    assert agrees(ours, printed)
    assert not agrees(ours * 1.01 if ours < inf else 1e300, printed)


# -- the tables of docs/migration.md that need no other library ----------------------------------------

TABLES = (same_numbers(), section("scoringrules"), section("UQ360"))
ROWS = [(code, pair) for code, pairs in TABLES for pair in pairs]
assert len(ROWS) == 38, "a page that is laid out otherwise must not pass unread"


@pytest.mark.parametrize(("code", "pair"), ROWS, ids=[f"{pair.name}: {pair.old}" for _, pair in ROWS])
def test_the_same_number_elsewhere(code, pair):
    """Both calls of a row give the same number; UQ360's are those of the drop-in."""
    check(pair, prepared(code))


def test_numbers_of_r_are_those_that_it_prints(monkeypatch):
    """R does not run here; the page has the numbers that scoringutils prints in its third column."""
    monkeypatch.chdir(OTHERS.parents[1])
    code, pairs = section("scoringutils and hubEvals")
    names = prepared(code)
    found = [agrees(eval(pair.new, names), pair.name) for pair in pairs]  # noqa: S307 - of the page
    assert found == [True] * 7


def test_one_outlier_decides_clear_s_area():
    """The example of the page: nine rows at the critical scale 1, and one at 1,000 or at 10."""
    center, areas = np.arange(10) * 1e4, []
    for worst in (10, 1000):  # in the middle, where it does not change the range of y
        y = center + np.where(np.arange(10) == 5, worst, 1)
        curve = uc.Intervals.from_bands(y, center, 1.0).ucc()
        areas.append(curve.at(coverage=1).bandwidth - curve.area() + (worst - 1) / (2 * 10))  # as in its row
    assert areas[1] == pytest.approx(111 * areas[0])


def test_scoringrules_adds_the_median_itself():
    """The example of the page; a version that is mended makes its sentence untrue."""
    ends = [np.array([end]) for end in (8.0, 12.0)]
    y, median = np.array([10.0]), np.array([10.0])
    theirs = scoringrules.weighted_interval_score(
        y, median, ends[0][None], ends[1][None], np.array([0.2]), backend="numpy"
    )
    assert float(theirs) == pytest.approx(3.6)
    assert uc.weighted_interval_score(y, [[8, 10, 12]], [0.1, 0.5, 0.9]) == pytest.approx(0.4 / 1.5)


def main():
    """Print how many numbers of each source agree."""
    total = 0
    for name, source in SOURCES.items():
        pairs = list(source())
        right = sum(agrees(*pair) for pair in pairs)
        total += right
        print(f"{right:5,} of {len(pairs):5,}  {name}")  # noqa: T201
    print(f"{total:5,} numbers of {len(SOURCES)} sources agree")  # noqa: T201


if __name__ == "__main__":
    main()
