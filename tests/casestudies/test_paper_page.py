"""The page on the paper: every point of care is on it, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from casestudies.__main__ import read_results

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def page():
    return (DOCS / "paper.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("The curve", ['"Each curve intercepts both axes" holds as long as no band is zero']),
        ("The area, and Proposition 1", ["mean(b) − max(b)/N", "O(N²)"]),
        (
            "The null reference, and the gain",
            [
                "lets the lower and the upper constant differ",
                "`intervals.constant(sides=True)`",
                "`curve.gain(reference=other_curve)`",
                "Negative gains indicate an issue with the model",
                "divides by the *model's* area, and its x axis is the **excess**",
            ],
        ),
        ("Part of the curve", ["72.7% beside 6.1%", "72.7% is 42.1%"]),
        (
            "Costs, and the interval score",
            [
                "right if it weighs the **deficit**",
                "factor of 2, because the bandwidth is a half width",
                "called a confidence level, but is the **miss** level",
            ],
        ),
        (
            "Proposition 2",
            ["Q is the largest excess", "A(excess–deficit) = A(bandwidth–deficit) − ½·(mean|e|)²"],
        ),
        (
            "Case study: a network with a gap",
            [
                "| miss rate 0.7 | A | C | | miss rate 0.2 | B | D |",
                '"similar to" those of Yao et al. 2019',
                "1906.09686",
                "y = 0.1x³ with noise of 0.25",
            ],
        ),
        ("Case study: traffic", ['"Joint-Meta"', "2007.01350", "does not say which it shows"]),
        (
            "What else is in it",
            [
                "conformal section",
                "(howto/calibrate.md)",
                "significance test",
                "`uc.permutation_test`",
                "Lemma 1 and Corollary 1",
                "isocost lines",
                "−c/(1 − c)",
                "several dimensions",
                "(howto/groups.md#segments-and-several-outputs)",
                "calibration curves",
                "`curve.reliability()`",
                "train by the area",
                "(training.md#a-loss-that-learns-bands)",
            ],
        ),
        ("REC curves", ["J. Bi and K. P. Bennett", "ICML 2003", "miss rate = 1 − REC(bandwidth)"]),
        ("The log-likelihood", ["the curve cannot see", "the NLL cannot"]),
    ],
)
def test_each_section_holds_its_points_of_care(page, heading, words):
    """A reader who compares numbers with the paper's needs all of them."""
    section = " ".join(page.split(f"\n## {heading}\n")[1].split("\n## ")[0].split())
    for one in words:
        assert one in section


def test_what_is_said_of_the_cited_function_is_what_came_out(page):
    """The page has no numbers of the study, but it has this claim."""
    found = read_results("bnn-gap")["cited"]["priors"].values()
    none_clear = not any(part["holds"]["crosses"] for part in found)
    assert ("[no clear cross-over on any of them]" in page) is none_clear


def test_every_link_and_path_leads_somewhere(page):
    """Files move, and headings change."""
    headings = {
        re.sub(r"[^\w\- ]", "", line.removeprefix("## ").lower()).replace(" ", "-")
        for line in page.splitlines()
        if line.startswith("## ")
    }
    for target in re.findall(r"\]\(([^)]+)\)", page):
        name, _, anchor = target.partition("#")
        if target.startswith("https://"):
            continue
        assert not name or (DOCS / name).exists(), target
        assert name or anchor in headings, target
    paths = re.findall(r"`((?:src|docs)/[^`]+)`", page)
    assert paths
    for path in paths:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", ["README.md", "docs/mathematics.md", "docs/cases/README.md"])
def test_the_page_is_linked_where_readers_look(name):
    """A page that nothing leads to is not read."""
    assert "paper.md" in (ROOT / name).read_text(encoding="utf-8")
