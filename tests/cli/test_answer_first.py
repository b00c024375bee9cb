"""The answer comes first on a terminal and in a pipe, then one table that fits, and notes last."""

from __future__ import annotations

import functools
import json
import re

import numpy as np
import polars as pl
import pytest
from command_runs import forecasts, good, intervals, on_terminal, run

import uccurve as uc

LONG = "gradient_boosting_with_quantile_loss_v2"
NAMES = (LONG, "linear", "forest", "net", "gaussian_process_with_a_long_name", "naive")
QUICK = ("--n-resamples", 49)


@functools.cache
def shown_by_compare(path, file, columns):
    """What a comparison shows on a terminal; several tests look at it."""
    return on_terminal("compare", file, *QUICK, cwd=path, columns=columns)


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    """A file with six models, two of them with long names and the last one of constant width."""
    path, rng, n = tmp_path_factory.mktemp("six"), np.random.default_rng(1), 400
    scale = rng.lognormal(sigma=0.6, size=n)
    columns = {"y": rng.normal(size=n) * scale}
    for place, name in enumerate(NAMES):
        pred, band = rng.normal(size=n) * 0.1 * (place + 1), 1.5 * scale ** (1 - place / 5)
        columns |= {name: pred, f"{name}-lo-90": pred - band, f"{name}-hi-90": pred + band}
    pl.DataFrame(columns).write_csv(path / "six.csv")
    return path


def test_the_verdict_comes_first_and_is_that_of_the_page(folder):
    """The sentences are those of the library, word by word, and nothing stands before them."""
    models = {name: intervals(forecasts(), name, nominal=0.9) for name in ("AutoARIMA", "Naive")}
    found = uc.compare(models, n_resamples=49, rng=0).recommendation
    lines = good("compare", "f.csv", *QUICK, cwd=folder).splitlines()
    assert lines[:2] == [found.answer, found.details]


def test_one_table_ranks_models_by_their_interval_score(six):
    """The best one first, in the words of the page; details only with --all."""
    printed, everything = (
        good("compare", "six.csv", *QUICK, *more, "-q", cwd=six) for more in ((), ("--all",))
    )
    table = printed[printed.index("\nmodel ") :]
    names = [line.split()[0] for line in table.splitlines() if line.strip()]
    scores = json.loads(good("compare", "six.csv", *QUICK, "--json", cwd=six))["scores"]
    found = {score["model"]: score["score_at"] for score in scores if score["model"] in NAMES}
    assert [name for name in names if name in NAMES] == sorted(found, key=found.get)
    details = ("p, Holm", "runner up", "A gain above 0 means narrower")
    assert [words in printed for words in details] == [False] * 3
    assert [words in everything for words in details] == [True] * 3


def test_a_comparison_fits_its_terminal(folder, six):
    """No line is longer, and the whole of it is seen at once; notes come last."""
    for path, file in ((folder, "f.csv"), (six, "six.csv")):
        whole = re.sub(r"\x1b\[[0-9;]*m", "", shown_by_compare(path, file, 80)).rstrip("\n").split("\n")
        lines = [line.rpartition("\r")[2] for line in whole]
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 30, "\n".join(lines)
        assert lines[0].startswith("At 90% coverage")
        assert lines[-1].startswith("note: ")


def test_long_names_are_shortened_in_the_middle_on_a_terminal_only(six):
    """Where there is room they are whole, and so they are in a pipe."""
    narrow, wide = (shown_by_compare(six, "six.csv", columns) for columns in (80, 200))
    (row,) = [line for line in narrow.splitlines() if re.match("gra[^ ]*…", line)]
    assert row.split()[0].endswith("_v2")
    for shown in (wide, good("compare", "six.csv", *QUICK, cwd=six)):
        assert f"\n{LONG} " in shown
        assert "…" not in shown.partition("note: ")[0]


def test_progress_is_drawn_and_removed(folder):
    """A bar for each phase, on one line; with --quiet none, and none in a pipe."""
    shown = shown_by_compare(folder, "f.csv", 80)
    before = shown[: shown.index("At 90% coverage")]
    assert before.count("\n") == 0
    bars = re.findall(r"\r([a-z ]+) █*░* [\d,]+ of ([\d,]+)", before)
    assert [name for name, _ in dict.fromkeys(bars)] == ["scoring models", "testing differences"]
    assert "█" not in on_terminal("compare", "f.csv", *QUICK, "-q", cwd=folder, columns=80)
    assert "█" not in run("compare", "f.csv", *QUICK, cwd=folder).stderr


def test_scores_are_ranked_and_fit_a_terminal(six):
    """One table: the best model at the target first; --all adds the other numbers."""
    shown = on_terminal("score", "six.csv", "-q", cwd=six, columns=80)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert (len(lines), max(map(len, lines)) <= 80) == (9, True)
    records = json.loads(good("score", "six.csv", "--json", cwd=six))["scores"]
    assert [record["model"] for record in records] == list(NAMES)
    best = min(records, key=lambda record: record["score_at"])
    front, back = lines[3].split()[0].split("…")
    assert best["model"].startswith(front)
    assert best["model"].endswith(back)
    assert "deficit gain" not in shown
    assert "deficit gain" in good("score", "six.csv", "-q", "--all", cwd=six)


def test_a_model_that_never_reaches_the_target_has_dashes(tmp_path):
    """Bands without width are named with the option that helps."""
    rows = "".join(f"{i + i % 5 - 2},{i},{i % 4 * 0.8}\n" for i in range(60))
    (tmp_path / "f.csv").write_text(f"y,pred,std\n{rows}")
    printed = good("compare", "f.csv", *QUICK, "-q", cwd=tmp_path)
    assert re.search("^model +50.0% +68% +– +– +– +–$", printed, re.MULTILINE)
    assert "or shift the bounds (--vary shift)." in printed


def test_segments_are_ranked_each_on_its_own(folder):
    """All rows first, and within a segment the best model first; rows are counted."""
    printed = good("score", "f.csv", "--by", "unique_id", "-q", cwd=folder)
    rows = [line.split() for line in printed.splitlines()[3:]]
    assert [row[0] for row in rows] == ["all", "all", "A", "A", "B", "B"]
    records = json.loads(good("score", "f.csv", "--by", "unique_id", "--json", cwd=folder))["scores"]
    for label, shown in ((None, rows[0]), ("A 1", rows[2]), ("B 2", rows[4])):
        part = [record for record in records if record["segment"] == label]
        assert min(part, key=lambda record: record["score_at"])["model"] in shown
    assert "160" in rows[2]
    assert "And 200 more segments" in good("score", "f.csv", "--by", "AutoARIMA", "-q", cwd=folder)
