"""What a comparison says in Python: the verdict of the command line and the page, and findings that cannot be misread."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from limited_rows import BOTH, LOWER, SENTENCE, UPPER
from limited_rows import compared as compare_limits
from uccurve import exceptions as ex


@pytest.fixture(scope="module")
def compared(crossing):
    return uc.compare(crossing, n_resamples=99, rng=0)


@pytest.fixture(scope="module")
def sketched(crossing):
    return uc.compare({name: rows.sketch() for name, rows in crossing.items()})


def test_the_summary_and_print_begin_with_the_verdict(compared):
    """On short lines; one table follows after a blank line, and then how to see more."""
    assert compared.summary().splitlines() == [compared.verdict, *compared.findings]
    first, table, more = str(compared).split("\n\n")
    assert first.replace("\n", " ") == compared.verdict
    assert [line.split()[0] for line in table.splitlines()[1:4]] == ["model", "sharp", "damped"]
    assert more.startswith("More: .findings, ")


LONG = {f"gradient_boosting_with_quantile_loss_of_version_{k}_tuned": 1 - 0.15 * k for k in range(6)}


@pytest.mark.parametrize("how", ["six", "one", "sketches"])
def test_a_printed_comparison_fits_100_columns(how):
    """Long names lose their middle, in the table that answers and in all others; what is left tells them apart."""
    rng = np.random.default_rng(1)
    scale = rng.lognormal(sigma=0.6, size=400)
    y = scale * rng.normal(size=400)
    models = {
        name: uc.Intervals.from_bands(y, 0.1 * power * y, scale**power, nominal=0.9)
        for name, power in list(LONG.items())[: 1 if how == "one" else 6]
    }
    options = {"by": np.repeat(list("ABCD"), 100), "vary": "shift"}
    if how == "sketches":
        models, options = {name: rows.sketch() for name, rows in models.items()}, {}
    found = uc.compare(models, n_resamples=99, rng=0, **options)
    tables = [found.scores, found.tests, found.regimes, found.segments]
    for text in (str(found), *map(repr, tables)):
        assert max(map(len, text.splitlines())) <= 100
    table = str(found).split("\n\n")[1]
    assert len({line.split()[0] for line in table.splitlines() if line[:5] == "gradi"}) == len(models)


def test_a_notebook_shows_the_verdict_first_and_the_repr_stays_short(crossing, compared):
    """Names that users gave are escaped there, too."""
    html = compared._repr_html_()
    assert html.startswith("<p><strong>At 90% coverage, ")
    assert "\n" not in repr(compared)
    with raises(ex.ArgumentError, "criterion"):
        compared.judged_by("width")
    evil = uc.compare({"<img src=x>": crossing["sharp"]}, n_resamples=9, rng=0)
    assert "<img" not in evil._repr_html_()
    assert "&lt;img" in evil._repr_html_().split("</p>")[0]


def test_constant_widths_show_no_interval_of_their_gain(compared, sketched):
    """It is 0 by definition: "[0.0, 0.0]" looks like a finding."""
    for comparison in (compared, sketched):
        assert "[0.0, 0.0]" not in str(comparison)
        assert "[0.0, 0.0]" not in comparison._repr_html_()
        assert comparison.scores[-1].gain.low == comparison.scores[-1].gain.high == 0
    assert "[" in repr(compared.scores)
    assert "[" not in repr(sketched.scores)


def test_segments_in_place_of_models_are_explained():
    """Sketches as `scan` returns them with `by`, also of equal size: the message names keys, and a way out."""
    y = np.random.default_rng(0).normal(size=60)
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(60))
    found = {("gbm", label): part.sketch() for label, part in rows.by(["DE", "FR"] * 30).items()}
    with raises(ex.ArgumentError, "models", got=[("gbm", "DE"), ("gbm", "FR")]) as caught:
        uc.compare(found)
    assert "add up the sketches of each model" in caught.value.hint
    assert uc.compare({"gbm": sum(found.values())}).scores[0].n == 60


@pytest.mark.parametrize(("side", "models"), [("upper", UPPER), ("lower", LOWER)])
def test_findings_end_with_what_the_numbers_of_limits_mean(side, models):
    """Once, behind the answers, of rows and of sketches; intervals have no such sentence."""
    for given in (models, {name: rows.sketch() for name, rows in models.items()}):
        comparison = compare_limits(given)
        assert comparison.side == side
        assert comparison.findings[-1] == SENTENCE.format(side)
        assert sum("limit" in finding for finding in comparison.findings) == 1
    assert f"60 rows of {side} limits, areas" in repr(compare_limits(models))
    intervals = compare_limits(BOTH)
    assert intervals.side == "both"
    assert "limit" not in repr(intervals) + intervals.summary()
