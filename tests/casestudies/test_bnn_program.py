"""The study of a network with a data gap as a program: a light run, and the words of its page."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from casestudies.bnn_gap import __main__ as program
from casestudies.shared import pages


@pytest.fixture(scope="module", autouse=True)
def still_lighter():
    """Fewer resamples than a light run has: they change no path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "LIGHT", replace(program.LIGHT, n_resamples=9))
        yield


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """A light run, from the command line."""
    output = tmp_path_factory.mktemp("made") / "cases"
    program.main(["--light", "--output", str(output), "--workers", "2"])
    return output


def results_of(output):
    return json.loads((output / "bnn-gap/results.json").read_text())


def test_a_light_run_writes_every_file(light):
    """From the command line to the page, with everything on it that the template asks for."""
    written = sorted(path.relative_to(light).as_posix() for path in light.rglob("*") if path.is_file())
    assert written == [
        "bnn-gap.md",
        "bnn-gap/bands.png",
        "bnn-gap/cited.png",
        "bnn-gap/ratios.png",
        "bnn-gap/report.html",
        "bnn-gap/results.json",
    ]
    page = (light / "bnn-gap.md").read_text()
    assert not any(braces in page for braces in ("{{", "}}", "{%", "%}", "None", "nan"))
    assert "A light run" in page
    assert page == pages.rendered(program.TEMPLATE, results_of(light))


def test_the_words_on_the_page_follow_the_numbers(light):
    """Another run may come out otherwise, and no one would read the page again."""
    found = results_of(light)

    def page(change):
        changed = copy.deepcopy(found)
        change(changed)
        return " ".join(pages.rendered(program.TEMPLATE, changed).split())

    def first(**given):
        return lambda r: r["main"]["seeds"][0]["measures"].update(given)

    at = {"value": 0.25, "low": 0.2, "high": 0.3}
    assert "The curves cross at a miss rate of 0.25" in page(first(clear=True, crossover=at))
    assert "There is no clear cross-over." in page(first(clear=False, crossover=at))
    assert "There is no cross-over." in page(first(clear=False, crossover=None))

    def crossing(seeds, both):
        return lambda r: [
            part["holds"].update(crosses=seeds if prior == "2" else [], both=both if prior == "1" else [])
            for prior, part in r["cited"]["priors"].items()
        ]

    without = page(crossing([], []))
    assert "No data set of the 8 has a clear cross-over, and none of them is narrower" in without
    assert "does not come from 0.1x³" in without
    some = page(crossing([0, 3], [1]))
    assert "**A clear cross-over appears on 2 of 8 data sets**, and 1 of them is narrower" in some
    assert "does not come from" not in some
    largest = page(lambda r: r["cited"]["priors"]["4"]["diagnostics"]["r_hat"].update(high=8.0))
    assert "the largest R̂ is 8.000" in largest


@pytest.mark.usefixtures("numbers_alone")
def test_results_do_not_depend_on_the_number_of_workers(light, tmp_path):
    """More cores take less time, and nothing else."""
    program.main(["--light", "--output", str(tmp_path), "--workers", "1"])
    one, two = (results_of(output) for output in (tmp_path, light))
    assert (one["workers"], two["workers"]) == (1, 2)
    assert one | {"workers": 0, "seconds": 0} == two | {"workers": 0, "seconds": 0}


def test_an_output_that_is_a_file_is_refused_before_any_work(tmp_path, monkeypatch, capsys):
    """Minutes of sampling, and then nowhere to write."""
    monkeypatch.setattr(program, "run_all", lambda *_: pytest.fail("work was done"))
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(SystemExit) as ended:
        program.main(["--light", "--output", str(taken)])
    assert ended.value.code == 1
    assert "taken" in capsys.readouterr().err
    assert taken.read_text() == "mine"


def test_a_piece_that_fails_leaves_no_files(tmp_path, monkeypatch):
    """A page of half of the seeds would look like a result."""

    def failing(part, seed, _settings):
        raise ValueError(f"{part} {seed}")

    monkeypatch.setattr(program, "sampled", failing)
    with pytest.raises(RuntimeError, match=r"^cos\(2x\), seed 0 failed: ValueError: main 0$"):
        program.main(["--light", "--output", str(tmp_path), "--workers", "1"])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
