"""What the reader can choose: coverage, view, criterion, reference, segments and rows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from opened_page import numbers_of, opened, unpacked
from pages import IMAGE, LONG, PAGES, SCRIPT, noisy_rows, one_model, write_page
from playwright.sync_api import expect

import uccurve as uc


def test_coverage_is_chosen_by_keys_mouse_and_number(page):
    """On the slider, on the chart and in a field; nothing below the answer jumps."""
    tab, grip = page.tab, page.tab.get_by_role("slider")
    top = tab.locator("#chart").bounding_box()["y"]
    grip.focus()
    for key, coverage in (("ArrowRight", 90.1), ("PageDown", 85.5), ("End", 99.9), ("Home", 0.5)):
        tab.keyboard.press(key)
        assert page.coverage == coverage
        assert tab.locator("#chart").bounding_box()["y"] == top
    box = tab.locator("#chart .background").bounding_box()
    tab.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 20)
    clicked = page.coverage
    assert 80 < clicked < 92
    expect(tab.locator("#answer")).to_contain_text(f"At {clicked:g}% coverage")
    start = grip.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 120, y, steps=4)
    tab.mouse.up()
    assert clicked < page.coverage < 99
    page.choose(72)
    assert page.coverage == 72
    tab.get_by_role("button", name="Back to 90%").click()
    assert page.coverage == 90


def test_a_view_a_criterion_and_a_reference_are_chosen_and_stay_in_the_address(page, pages, browser):
    """Titles say what is found, subtitles what is drawn."""
    tab = page.tab
    tab.select_option("#criterion", "bandwidth")
    tab.select_option("#reference", label="linear")
    expect(tab.locator("#chart-subtitle")).to_contain_text("Half-width against linear")
    assert tab.locator("#chart .names text").all_text_contents().count("linear") == 1
    tab.get_by_role("button", name="Do the widths help?").click()
    expect(tab.locator("#chart-title")).to_contain_text("beat constant width around their own predictions")
    tab.get_by_role("button", name="Characteristics curve").click()
    expect(tab.locator("#chart-title")).to_have_text(
        "Half-width at 90% coverage: 1.827 (linear), 1.998 (boosting)"
    )
    tab.get_by_role("button", name="Reliability").click()
    box = tab.locator("#reliability .zero line").bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=2)
    expect(tab.locator("#chart-title")).to_contain_text("boosting claims 90%, covers")
    expect(tab.locator("#strip")).to_be_hidden()
    page.choose(80)
    expect(tab).to_have_url(re.compile("#coverage=80&view=reliability&by=bandwidth&against=1"))
    other = opened(browser, pages("differing"), tab.evaluate("location.hash"))
    expect(other.tab.locator("input.coverage").first).to_have_value("80")
    top = "document.querySelector('.strip').getBoundingClientRect().top + window.scrollY"
    before = other.tab.evaluate(top)
    other.choose(90)
    assert other.tab.evaluate(top) == before
    expect(other.tab.locator("#reliability")).to_be_visible()
    other.close()


@pytest.mark.parametrize(
    "address", ["#coverage=abc&view=odd&against=9&model=-1", "#coverage=1e9&by=<img>&sort=0"]
)
def test_an_address_that_makes_no_sense_is_ignored(browser, pages, address):
    """Nothing of it is believed."""
    page = opened(browser, pages("differing"), address)
    assert page.coverage == 90
    expect(page.tab.locator("#chart")).to_be_visible()
    page.close()


def test_the_pointer_lists_all_lines_and_colors_a_gray_one(browser, pages):
    """Of more than four models the best two are in color."""
    page = opened(browser, pages("many"))
    box = page.tab.locator("#chart .background").bounding_box()
    strokes = page.tab.locator("#chart .lines path").evaluate_all(
        "n => n.map((d) => d.getAttribute('stroke'))"
    )
    assert sum("curve" in stroke for stroke in strokes) == 2
    dashes = page.tab.locator("#models-table .swatch line").evaluate_all(
        "n => n.map((d) => d.getAttribute('stroke-dasharray'))"
    )
    assert len(set(dashes)) == 7
    page.tab.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30)
    heading, *lines = page.tab.locator("#tip").inner_text().splitlines()
    assert heading.endswith("coverage")
    assert {line.partition(":")[0] for line in lines} == {f"model {i}" for i in range(6)}
    page.tab.locator("#models-table tbody tr").nth(4).hover()
    strokes = page.tab.locator("#chart .lines path").evaluate_all(
        "n => n.map((d) => d.getAttribute('stroke'))"
    )
    assert sum("curve" in stroke for stroke in strokes) == 3
    page.close()


def test_segments_are_ordered_by_evidence_found_and_filtered(browser, pages):
    """The headline counts those that are significantly off for the chosen model, as the facts do."""
    page = opened(browser, pages("many"))
    tab = page.tab
    names = "#segments-table tbody tr:not([hidden]) th"
    assert page.texts(names)[0] == "store 07"
    count = re.match(
        r"(\d+) of 40 segments significantly off for model 0", tab.locator("#segments-title").inner_text()
    )
    assert f"{count[1]} of 40 segments significantly off" in tab.locator("#facts").inner_text()
    page.choose(70)
    tab.locator("#segments-title").scroll_into_view_if_needed()
    count = re.match(r"\d+ of 40", tab.locator("#segments-title").inner_text())
    facts = tab.locator("#facts").inner_text()
    assert facts.endswith(
        (f"{count[0]} segments significantly off", "no segment significantly off")[count[0][0] == "0"]
    )
    page.choose(90)
    count = re.match(r"(\d+) of 40", tab.locator("#segments-title").inner_text())
    tab.locator("#segments-off").check()
    assert len(page.texts(names)) == int(count[1])
    tab.locator("#segments-off").uncheck()
    tab.locator("#segments-find").fill("ORE 1")
    assert sorted(page.texts(names)) == [f"store 1{i}" for i in range(10)]
    tab.locator("#segments-find").fill("")
    tab.select_option("#segments-sort", "label")
    assert page.texts(names) == sorted(page.texts(names))
    tab.select_option("#segments-model", label="model 5")
    expect(tab.locator("#segments-title")).to_contain_text("for model 5")
    page.close()


def test_rows_are_marked_as_the_curve_counts_them(page):
    """Along a column or in order, of one segment or of all."""
    models, options = PAGES["differing"]()
    tab = page.tab
    tab.locator("#rows").scroll_into_view_if_needed()
    tab.select_option("#rows-model", label="linear")
    tab.select_option("#rows-pick", "all")
    for coverage in (90, 40):
        page.choose(coverage)
        curve = models["linear"].ucc()
        missed = np.asarray(models["linear"].critical()) > curve.at(coverage=coverage / 100).parameter
        expect(tab.locator("#rows-note")).to_contain_text(f"{missed.sum()} of these 700 rows are missed")
        assert tab.locator(".rows-misses").get_attribute("d").count("M") == missed.sum()
        assert tab.locator(".rows-hits").get_attribute("d").count("M") == (~missed).sum()
    tab.select_option("#rows-segment", label="south")
    here = missed[options["by"] == "south"]
    expect(tab.locator("#rows-note")).to_contain_text(f"{here.sum()} of these {here.size} rows are missed")
    tab.select_option("#rows-column", label="hour")
    expect(tab.locator("#rows .axis")).to_contain_text("Jan")
    tab.select_option("#rows-pick", "stretch")
    expect(tab.locator("#rows-note")).to_contain_text("rows are missed")
    box = tab.locator("#rows").bounding_box()
    tab.mouse.move(box["x"] + 300, box["y"] + 100)
    expect(tab.locator("#tip")).to_contain_text("observed")


def test_rows_of_quantiles_are_the_intervals_of_the_level(browser, pages):
    """Between two pairs, and beyond the outermost one."""
    models, _ = PAGES["quantiles"]()
    page = opened(browser, pages("quantiles"))
    page.tab.locator("#rows").scroll_into_view_if_needed()
    page.tab.select_option("#rows-pick", "all")
    for coverage in (99, 40):
        page.choose(coverage)
        wanted = models["forest"].at_level(
            models["forest"].ucc(vary="level").at(coverage=coverage / 100).parameter
        )
        strokes = re.findall(
            r"M[-\d.]+,([-\d.]+)V([-\d.]+)", page.tab.locator(".rows-bounds").get_attribute("d")
        )
        lengths = np.sort([abs(float(one) - float(other)) for one, other in strokes])
        ratio = lengths / np.sort(wanted.upper - wanted.lower)
        assert np.median(np.abs(ratio / np.median(ratio) - 1)) < 0.02
    page.close()


def test_hostile_names_are_only_ever_text(browser, pages):
    """And a script that got in all the same would not run."""
    page = opened(browser, pages("hostile"))
    tab = page.tab
    assert (tab.locator("img").count(), tab.locator("script").count()) == (0, 2)
    expect(tab.locator("h1")).to_have_text(IMAGE)
    assert SCRIPT in page.texts("#areas-table tbody th")
    assert IMAGE in page.texts("#segments-table tbody th")
    tab.locator("#rows").scroll_into_view_if_needed()
    tab.select_option("#rows-column", label=IMAGE)
    expect(tab.locator("#rows .axis")).to_contain_text(IMAGE)
    tab.evaluate(
        "() => { const node = document.createElement('script'); node.textContent = 'window.ran = 1';"
        " document.body.append(node); }"
    )
    assert tab.evaluate("window.ran") is None
    assert tab.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"
    tab.context.close()


def extreme(unit, band):
    rng = np.random.default_rng(0)
    std = rng.exponential(size=60) + 0.1
    return uc.Intervals.from_std(unit * std * rng.normal(size=60), np.zeros(60), band * std)


ODD = {
    "tiny": lambda: extreme(1e-98, 1e-98),
    "wide": lambda: extreme(1e-98, 1e95),
    "exact": lambda: uc.Intervals.from_std(np.arange(60.0), np.arange(60.0), 1 + np.arange(60.0) % 3),
    "two rows": lambda: uc.Intervals.from_bands([0.0, 1e-30], [1e-30, 1e-30], [2e-30, 2e-30]),
    "zero bands": lambda: uc.Intervals.from_bands(np.arange(60.0), np.zeros(60), np.arange(60.0) % 3),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_numbers_are_drawn_without_complaints(browser, tmp_path, kind):
    """No number that is none is shown, wherever the slider stands and whatever is chosen."""
    columns = {"x": np.arange(60.0), "none": np.full(60, np.nan)} if kind != "two rows" else {}
    page = opened(
        browser, write_page(tmp_path / "page.html", {"mine": ODD[kind]()}, against=columns, n_resamples=9)
    )
    tab = page.tab
    for coverage in (0.5, 50, 95, 99.9):
        page.choose(coverage)
        for choice in tab.locator("select:visible").all():
            for value in choice.evaluate("node => [...node.options].map((option) => option.value)"):
                choice.select_option(value)
        for view in tab.locator("[data-view]").all():
            view.click()
    attributes = tab.evaluate(
        "[...document.querySelectorAll('svg *')].flatMap((node) => [...node.attributes]).map((a) => a.value)"
    )
    assert not [value for value in attributes if re.search(r"NaN|Infinity", value)]
    assert not re.search("NaN|Infinity|undefined", tab.inner_text("body"))
    page.close()


def test_sketches_make_a_page_without_tests_and_rows(browser, pages):
    """Bands would come from tests: there are none."""
    page = opened(browser, pages("sketches"))
    models, _ = PAGES["sketches"]()
    data = numbers_of(pages("sketches"))
    for curve, model in zip(data["curves"], models.values(), strict=False):
        place = int(np.argmin(np.abs(unpacked(data["rates"]) - 0.1)))
        assert unpacked(curve["numbers"]["bandwidth"])[place] == model.curve().at(coverage=0.9).bandwidth
    expect(page.tab.locator("#answer")).to_contain_text("not tested")
    assert page.tab.locator("#rows, #pairs-table").count() == 0
    assert not [path for path in page.tab.locator(".bands path").all() if path.get_attribute("d")]
    page.close()


def test_a_gray_line_far_from_the_best_leaves_the_chart_with_its_dot(browser, pages):
    """It would flatten the lines in color, and a dot at the edge would be another number."""
    page = opened(browser, pages("hostile"))
    dots = page.tab.locator("#chart .dots circle").evaluate_all(
        "nodes => nodes.map((node) => [Number(node.dataset.value), node.getAttribute('visibility')])"
    )
    far = [value for value, visibility in dots if visibility == "hidden"]
    assert min(far) > 2 * max(value for value, visibility in dots if visibility is None)
    assert far
    page.close()


def test_names_stand_in_the_order_in_which_lines_leave_the_chart(browser, tmp_path):
    """The line that leaves first at the bottom has the lowest name."""
    _, scale, y = noisy_rows(1500, seed=1)
    bands = {"sharp": scale, "damped": np.sqrt(scale), "blunt": scale**0.2}
    models = {name: uc.Intervals.from_bands(y, np.full(1500, 20.0), band) for name, band in bands.items()}
    page = opened(browser, write_page(tmp_path / "page.html", models, rank_by="bandwidth"))
    names = page.tab.locator("#chart .names text").evaluate_all(
        "nodes => nodes.sort((a, b) => a.getAttribute('y') - b.getAttribute('y')).map((node) => node.textContent)"
    )
    assert names == ["constant width", "blunt", "damped", "sharp"]
    page.close()


def test_long_names_differ_in_the_table_and_are_whole_where_the_pointer_is(browser, pages):
    """Their middle is left out, not their end."""
    page = opened(browser, pages("hostile"))
    heads = page.tab.locator("#models-table tbody tr:not([hidden]) th")
    assert len(set(heads.all_text_contents())) == heads.count()
    assert heads.evaluate_all("nodes => nodes.every((node) => node.scrollWidth <= node.clientWidth)")
    assert f"{LONG}beta" in heads.evaluate_all("nodes => nodes.map((node) => node.title)")
    page.close()


def test_a_segment_below_the_axis_is_an_arrow(browser, pages):
    """A dot at its end would be another coverage."""
    page = opened(browser, pages("many"))
    page.tab.locator("#segments-table").scroll_into_view_if_needed()
    marks = page.tab.locator("#segments-table tbody tr:first-child .dots path")
    assert marks.evaluate_all("nodes => nodes.map((node) => node.getAttribute('d').includes('z'))") == [True]
    page.choose(50)
    page.tab.locator("#segments-table").scroll_into_view_if_needed()
    expect(page.tab.locator("#segments-axis")).to_contain_text("0%50%100%")
    assert not page.tab.locator('#segments-table .dots path[d$="z"]').count()
    page.close()


def test_a_phone_has_fewer_rows_and_an_axis_beside_each_segment(browser, pages):
    """What can be told apart."""
    page = opened(browser, pages("demo"), viewport={"width": 390, "height": 844})
    page.tab.locator("#rows").scroll_into_view_if_needed()
    shown = re.search(r"of these (\d+) rows", page.tab.locator("#rows-note").inner_text())
    assert 20 < int(shown[1]) < 100
    assert page.tab.locator("#segments-table .dots").last.get_attribute("data-label") == "50%"
    page.close()


def test_a_long_table_is_folded_and_unfolds(browser, pages):
    """Six rows on a screen, three cards on a phone: the chart is not far below."""
    for width, shown in ((1440, 6), (390, 3)):
        page = opened(browser, pages("many"), viewport={"width": width, "height": 844})
        rows = page.tab.locator("#models-table tbody tr:visible")
        assert rows.count() == shown
        page.tab.get_by_role("button", name="Show all 7").click()
        assert rows.count() == 7
        page.close()


def test_one_way_to_predict_needs_no_second_view(browser, tmp_path):
    """Of models around the same predictions there is one constant width."""
    page = opened(browser, write_page(tmp_path / "page.html", {"a": one_model(), "b": one_model().scaled(2)}))
    assert page.texts("[data-view]") == ["Compare", "Characteristics curve"]
    page.close()
