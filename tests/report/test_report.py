"""The report page in a real browser: what it shows is what the library says, and nothing leaves it."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from browser import chromium
from playwright.sync_api import expect

import uccurve as uc
from uccurve.exceptions import ArgumentError, MissingDependencyError, ShapeError
from uccurve.report import _page

HOSTILE = "<img src=x onerror=alert(1)>"
ENDING = "</script><script>alert(2)</script>"
FOLDER = Path(_page.__file__).parent


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium; `make test` installs it where it is missing."""
    with chromium() as browser:
        yield browser


@dataclass
class Opened:
    """A page in the browser, and whatever it complained about or asked for."""

    tab: object
    troubles: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def number(self, table, model, column):
        """Read a number of a table in full."""
        heads = [head.partition(" (")[0] for head in self.heads(table)]
        row = self.tab.locator(f"#{table} tbody tr", has=self.tab.get_by_text(model, exact=True))
        cell = row.locator("td").nth(heads.index(column) - 1)
        return float(cell.get_attribute("data-value") or "nan")

    def heads(self, table):
        """Read the headings of a table, with their units."""
        return self.tab.locator(f"#{table} thead th").all_text_contents()

    def saved(self, target, kind):
        """Save a chart or a table as a reader would; return the file."""
        with self.tab.expect_download() as download:
            self.tab.locator(f'[data-target="{target}"][data-export="{kind}"]').click()
        return Path(download.value.path())

    def slide(self, name, value):
        """Set a slider as a reader would, by its value."""
        self.tab.locator(f"#{name}").evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", str(value)
        )


def opened(browser, path, **context):
    tab = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}).new_page()
    page = Opened(tab)
    tab.on("console", lambda message: page.troubles.append(message.text))
    tab.on("pageerror", lambda error: page.troubles.append(str(error)))
    tab.on("dialog", lambda dialog: (page.troubles.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda request: page.requests.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_selector("body.ready")
    return page


@dataclass(frozen=True)
class Case:
    models: dict
    segments: np.ndarray
    path: Path

    def curve(self, name, *, standardized=False):
        rows = self.models[name]
        return (rows.standardized() if standardized else rows).ucc()


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """Asymmetric bands, weights, ties, two ways of predicting, segments, and a column of times."""
    rng = np.random.default_rng(5)
    n = 700
    scale = rng.lognormal(sigma=0.6, size=n)
    y = 10 + np.round(scale * rng.normal(size=n), 1)
    weight = rng.integers(1, 4, size=n).astype(float)
    shape = {"sample_weight": weight}
    models = {
        "scaled": uc.Intervals.from_bands(y, np.full(n, 10.0), scale, 1.3 * scale, **shape),
        "damped": uc.Intervals.from_bands(y, np.full(n, 10.0), np.sqrt(scale), **shape),
        "other": uc.Intervals.from_bands(y, np.full(n, 10.2), np.sqrt(scale), 0.2 + scale, **shape),
    }
    segments = rng.choice(["north", "south"], size=n)
    path = tmp_path_factory.mktemp("report") / "page.html"
    times = np.datetime64("2026-01-01") + np.arange(n).astype("timedelta64[h]")
    uc.report(
        models,
        path,
        title="Loads",
        unit="kWh",
        by=segments,
        against={"scale": scale, "hour": times},
        n_resamples=49,
        rng=0,
    )
    return Case(models, segments, path)


@pytest.fixture
def page(browser, case):
    page = opened(browser, case.path)
    yield page
    assert page.troubles == []
    assert page.requests == [case.path.as_uri()]
    page.tab.context.close()


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f8")


def plot_of(page):
    """Return where the plot of the curves is, on the screen."""
    page.tab.locator("#ucc-chart").scroll_into_view_if_needed()
    return page.tab.locator("#ucc-chart rect.background").bounding_box()


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


# -- the operating point -------------------------------------------------------------------------


def check_point(page, case, rate, *, standardized=False):
    for name in case.models:
        point = case.curve(name, standardized=standardized).at(miss_rate=rate)
        assert page.number("points-table", name, "bands") == near(point.parameter)
        for cost in ("miss rate", "bandwidth", "excess", "deficit"):
            assert page.number("points-table", name, cost) == near(getattr(point, cost.replace(" ", "_")))


def test_the_page_begins_at_the_nominal_miss_rate(page, case):
    """With every model's operating point, as the library finds it, and the words that go with it."""
    check_point(page, case, 0.1)
    expect(page.tab.locator("#rate-value")).to_have_text("at most 10 %")
    factor = case.curve("scaled").at(miss_rate=0.1).parameter
    expect(page.tab.locator("#rows-note")).to_contain_text(f"scaled: multiply the bands by {factor:.4g}.")
    saved = page.number("points-table", "other", "bandwidth saved")
    other = case.curve("other")
    constant = other.reference.at(miss_rate=0.1).bandwidth
    assert saved == near(1 - other.at(miss_rate=0.1).bandwidth / constant)


@pytest.mark.parametrize(("place", "rate"), [(0, 0.0), (37, 0.037), (140, 0.3), (280, 1.0)])
def test_the_slider_moves_every_model(page, case, place, rate):
    """To the ends, and to rates between."""
    page.slide("rate", place)
    check_point(page, case, rate)
    assert float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow")) == rate


def test_the_point_can_be_dragged_along_its_curve(page, case):
    """All models follow to the same miss rate."""
    handle = page.tab.get_by_role("slider", name="operating point of damped")
    plot_of(page)
    start = handle.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x - 40, y - 90, steps=5)
    page.tab.mouse.up()
    end = handle.bounding_box()
    assert end["y"] < start["y"] - 30
    rate = float(handle.get_attribute("aria-valuenow"))
    assert 0.2 < rate < 0.6
    check_point(page, case, rate)


def test_the_point_can_be_moved_with_keys(page, case):
    """Arrows by one step, pages by ten, to both ends; also on the slider itself."""
    handle = page.tab.get_by_role("slider", name="operating point of other")
    handle.focus()
    for key, rate in (
        ("ArrowUp", 0.105),
        ("PageUp", 0.155),
        ("ArrowLeft", 0.15),
        ("Home", 0.0),
        ("End", 1.0),
    ):
        page.tab.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == rate
        check_point(page, case, rate)
    slider = page.tab.get_by_role("slider", name="Miss rate", exact=True)
    slider.focus()
    page.tab.keyboard.press("ArrowLeft")
    check_point(page, case, 0.995)
    assert slider.get_attribute("aria-valuetext") == "at most 99.5 %"


def test_a_click_on_the_plot_chooses_the_miss_rate_there(page, case):
    """The quickest way."""
    box = plot_of(page)
    page.tab.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.6 * box["height"])
    check_point(page, case, float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow")))
    assert abs(float(page.tab.locator("#rate").input_value()) - 160) < 3


def test_a_click_may_tremble_and_other_buttons_are_left_alone(page, case):
    """A range is not lost by a pixel, nor changed by a context menu."""
    box = plot_of(page)
    x, y = box["x"] + 0.9 * box["width"], box["y"] + 0.95 * box["height"]
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x + 1, y + 1)
    page.tab.mouse.up()
    expect(page.tab.locator("#high-value")).to_have_text("50 %")
    rate = float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow"))
    assert rate == pytest.approx(0.05, abs=0.01)
    page.tab.mouse.move(x, box["y"] + 20)
    page.tab.mouse.down(button="right")
    page.tab.mouse.move(x, box["y"] + 90, steps=3)
    page.tab.mouse.up(button="right")
    expect(page.tab.locator("#high-value")).to_have_text("50 %")
    page.tab.select_option("#y-axis", "deficit")
    page.tab.mouse.click(box["x"] + 0.1 * box["width"], box["y"] + 0.3 * box["height"])
    moved = float(page.tab.locator("circle.handle").first.get_attribute("aria-valuenow"))
    assert moved > rate
    check_point(page, case, moved)


def test_keys_with_a_modifier_belong_to_the_browser(page):
    """Alt and an arrow go back, they do not move the point."""
    handle = page.tab.get_by_role("slider", name="operating point of other")
    handle.focus()
    for key in ("Control+Home", "Control+ArrowUp"):
        page.tab.keyboard.press(key)
        assert float(handle.get_attribute("aria-valuenow")) == 0.1


def test_hovering_shows_an_operating_point_of_the_curve(page, case):
    """Whichever curve is nearest."""
    plot_of(page)
    box = page.tab.get_by_role("slider", name="operating point of damped").bounding_box()
    page.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    text = page.tab.locator("#tip").inner_text()
    name, rates, width = text.splitlines()[:3]
    rate = float(re.search(r"miss rate ([\d.]+) %", rates).group(1)) / 100
    curve = {
        **{n: case.curve(n) for n in case.models},
        "constant band of scaled": case.curve("scaled").reference,
    }[name]
    assert curve.at(miss_rate=rate + 0.0006).bandwidth == pytest.approx(float(width.split()[1]), rel=0.02)


# -- axes, units, models -------------------------------------------------------------------------


@pytest.mark.parametrize("x", ["bandwidth", "excess"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_the_axes_can_be_chosen(page, case, x, y):
    """The point on the chart lies where the numbers of the table say."""
    page.tab.select_option("#x-axis", x)
    page.tab.select_option("#y-axis", y)
    labels = page.tab.locator("#ucc-chart .label").all_text_contents()
    assert labels[0].startswith(x)
    assert labels[1].startswith(y.replace("_", " "))
    assert "(kWh)" in labels[0]
    box = plot_of(page)
    handles = {
        name: page.tab.get_by_role("slider", name=f"operating point of {name}") for name in case.models
    }
    boxes = {name: handle.bounding_box() for name, handle in handles.items()}
    points = {name: case.curve(name).at(miss_rate=0.1) for name in case.models}
    across = {name: place["x"] + place["width"] / 2 - box["x"] for name, place in boxes.items()}
    ratio = across["scaled"] / across["damped"]
    assert ratio == pytest.approx(getattr(points["scaled"], x) / getattr(points["damped"], x), rel=0.02)
    up = {name: box["y"] + box["height"] - place["y"] - place["height"] / 2 for name, place in boxes.items()}
    wanted = getattr(points["scaled"], y) / getattr(points["damped"], y)
    assert up["scaled"] / up["damped"] == pytest.approx(wanted, rel=0.05)


def test_units_can_be_standard_deviations(page, case):
    """Costs change, scales and miss rates do not."""
    page.tab.select_option("#units", "standardized")
    check_point(page, case, 0.1, standardized=True)
    expect(page.tab.locator("#ucc-chart .label").first).to_contain_text("standard deviations of y")


def test_headings_name_the_unit(page):
    """Of numbers in units of y, which follow the choice; those of the comparison stay as they were made."""
    assert page.heads("points-table")[1:6] == [
        "bands",
        "miss rate",
        "bandwidth (kWh)",
        "excess (kWh)",
        "deficit (kWh)",
    ]
    assert page.heads("cost-table")[3:] == ["cost", "as given"]
    page.tab.select_option("#units", "standardized")
    page.tab.select_option("#y-axis", "deficit")
    assert page.heads("points-table")[3] == "bandwidth (standard deviations)"
    assert page.heads("cost-table")[3:] == ["cost (standard deviations)", "as given (standard deviations)"]
    assert {"bandwidth (kWh)", "area (kWh)"} <= set(page.heads("scores-table"))
    assert "difference (kWh)" in page.heads("tests-table")
    assert not any("_" in head for head in page.tab.locator("th").all_text_contents())


def test_what_does_not_apply_to_the_axes_is_disabled(page):
    """And says why; the choice comes back with the axes."""
    boxes = {name: page.tab.locator(f"#show-{name}") for name in ("constant", "limit", "band")}
    assert all(box.is_enabled() for box in boxes.values())
    page.tab.select_option("#x-axis", "excess")
    page.tab.select_option("#y-axis", "deficit")
    assert [box.is_enabled() for box in boxes.values()] == [True, False, False]
    assert (
        page.tab.locator("label", has=boxes["limit"]).get_attribute("title") == "Needs the bandwidth across."
    )
    expect(page.tab.locator(".card", has=page.tab.locator("#range-table"))).to_contain_text(
        "Gains on excess and deficit"
    )
    page.tab.select_option("#x-axis", "bandwidth")
    assert boxes["limit"].is_checked()
    assert boxes["limit"].is_enabled()


def test_labels_of_axes_fit(browser, case):
    """The shorter words where there is no room for the longer ones: nothing is cut."""
    for width in (1280, 375):
        page = opened(browser, case.path, viewport={"width": width, "height": 800})
        page.tab.select_option("#units", "standardized")
        page.tab.select_option("#x-axis", "excess")
        page.tab.select_option("#y-axis", "deficit")
        across, up = page.tab.locator("#ucc-chart .label").all_text_contents()
        assert across.startswith("excess")
        assert up == f"deficit (standard deviations{' of y' if width == 1280 else ''})"
        assert "…" not in across + up
        page.tab.context.close()


def test_factors_are_said_to_describe_these_rows(page):
    """They were found on them."""
    card = page.tab.locator(".card", has=page.tab.locator("#points-table"))
    expect(card).to_contain_text(
        "These factors describe these rows; for new rows calibrate (uc.ConformalScaler, uccurve calibrate)."
    )


def test_constant_bands_and_limits_belong_to_their_models(page):
    """They have the colour of the first model they serve, and go with the last."""

    def strokes(kind):
        return page.tab.evaluate(
            "kind => [...document.querySelectorAll('#ucc-chart path.' + kind)].map((n) => n.getAttribute('stroke'))",
            kind,
        )

    assert strokes("reference") == ["var(--curve-0)", "var(--curve-2)"]
    assert set(strokes("limit")) == {"var(--curve-0)", "var(--curve-2)"}
    page.tab.get_by_role("button", name="scaled", exact=True).click()
    assert strokes("reference") == ["var(--curve-0)", "var(--curve-2)"]  # damped still needs it
    page.tab.get_by_role("button", name="other", exact=True).click()
    assert strokes("reference") == ["var(--curve-0)"]
    assert strokes("limit") == ["var(--curve-0)"]
    look = "n => [getComputedStyle(n).strokeDasharray, getComputedStyle(n).strokeWidth]"
    assert page.tab.locator("line.isocost").evaluate(look) == ["none", "0.9px"]
    expect(page.tab.locator(".hint", has_text="equal cost")).to_be_visible()


def test_models_can_be_hidden(page):
    """All but one."""
    for name in ("scaled", "damped", "other"):
        page.tab.get_by_role("button", name=name, exact=True).click()
    assert page.tab.locator("circle.handle").count() == 1
    assert page.tab.get_by_role("button", name="other", exact=True).get_attribute("aria-pressed") == "true"
    for box in ("constant", "limit", "band"):
        page.tab.locator(f"#show-{box}").uncheck()
    assert page.tab.locator("#ucc-chart path.curve").count() == 1
    assert page.tab.locator("#ucc-chart path.limit, #ucc-chart path.confidence").count() == 0


# -- cost and range ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "axes", [("bandwidth", "miss_rate"), ("excess", "deficit"), ("bandwidth", "deficit")]
)
@pytest.mark.parametrize("units", ["raw", "standardized"])
def test_the_cost_slider_finds_the_library_s_optimum(page, case, axes, units):
    """On the chosen axes and in the chosen units, for several weights."""
    x, y = axes
    page.tab.select_option("#x-axis", x)
    page.tab.select_option("#y-axis", y)
    page.tab.select_option("#units", units)
    for place in (120, 180, 215):
        page.slide("cost", place)
        c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
        for name in case.models:
            best = case.curve(name, standardized=units == "standardized").minimize_cost(c, x=x, y=y)
            assert page.number("cost-table", name, "cost") == near(best.cost)
            assert page.number("cost-table", name, "cheapest") == near(best.point.parameter)
            assert page.number("cost-table", name, "as given") == near(best.original_cost)
        expect(page.tab.locator("#cost-note")).to_contain_text(
            f"other: multiply the bands by {best.point.parameter:.4g}"
        )


def test_the_isocost_line_touches_the_curve_at_the_optimum(page):
    """And has the slope that the weight gives it."""
    line = page.tab.locator("line.isocost").first
    x1, y1, x2, y2 = (float(line.get_attribute(name)) for name in ("x1", "y1", "x2", "y2"))
    star = page.tab.locator("path.optimum").first.get_attribute("transform")
    x, y = (float(part) for part in re.findall(r"[-\d.]+", star))
    assert y == pytest.approx(y1 + (y2 - y1) * (x - x1) / (x2 - x1), abs=0.5)


def check_range(page, case, low, high, x="bandwidth", y="miss_rate"):
    for name in case.models:
        curve = case.curve(name)
        for partial in ("strip", "mean"):
            wanted = curve.gain(x, y, partial=partial, miss_rate=(low, high))
            assert page.number("range-table", name, f"{partial} gain") == pytest.approx(
                wanted, rel=1e-7, abs=1e-9, nan_ok=True
            )


@pytest.mark.parametrize("axes", [("bandwidth", "miss_rate"), ("excess", "miss_rate"), ("excess", "deficit")])
def test_partial_gains_follow_the_range(page, case, axes):
    """Both definitions, from the two sliders."""
    page.tab.select_option("#x-axis", axes[0])
    page.tab.select_option("#y-axis", axes[1])
    check_range(page, case, 0, 0.5, *axes)
    page.slide("low", 20)
    page.slide("high", 110)
    check_range(page, case, 0.02, 0.15, *axes)
    page.slide("low", 180)
    check_range(page, case, 0.5, 0.505, *axes)


def test_a_range_can_be_brushed_on_the_chart(page, case):
    """With the mouse over the plot, and its ends with the mouse and with keys."""
    box = plot_of(page)
    x = box["x"] + 0.8 * box["width"]
    page.tab.mouse.move(x, box["y"] + 0.7 * box["height"])
    page.tab.mouse.down()
    page.tab.mouse.move(x, box["y"] + 0.2 * box["height"], steps=4)
    page.tab.mouse.up()
    ends = [page.tab.get_by_role("slider", name=f"{end} end of the range") for end in ("lower", "upper")]
    low, high = (float(end.get_attribute("aria-valuenow")) for end in ends)
    assert (low, high) == pytest.approx((0.3, 0.8), abs=0.02)
    check_range(page, case, low, high)
    ends[0].focus()
    page.tab.keyboard.press("PageDown")
    check_range(page, case, float(ends[0].get_attribute("aria-valuenow")), high)
    grip = ends[1].locator("rect").bounding_box()
    page.tab.mouse.move(grip["x"] + 5, grip["y"] + 8)
    page.tab.mouse.down()
    page.tab.mouse.move(grip["x"] + 5, box["y"] + 0.5 * box["height"], steps=3)
    page.tab.mouse.up()
    top = float(ends[1].get_attribute("aria-valuenow"))
    assert top == pytest.approx(0.5, abs=0.02)
    check_range(page, case, float(ends[0].get_attribute("aria-valuenow")), top)


# -- rows, tables --------------------------------------------------------------------------------


def test_hits_and_misses_follow_the_operating_point(page, case):
    """All carried rows are shown, and each is marked as the curve counts it."""
    page.tab.select_option("#rows-most", "1000")
    for place, rate in ((100, 0.1), (200, 0.6)):
        page.slide("rate", place)
        curve = case.curve("scaled")
        missed = int(np.count_nonzero(curve._data.critical() > curve.at(miss_rate=rate).parameter))
        note = page.tab.locator("#rows-note").inner_text()
        assert f"Of these 700 rows {missed} are missed" in note
        crosses = page.tab.locator("path.rows-misses").get_attribute("d")
        dots = page.tab.locator("path.rows-hits").get_attribute("d")
        assert (crosses.count("M"), dots.count("M")) == (missed, 700 - missed)


def test_rows_can_be_drawn_against_a_column(page):
    """A number, and a time with its own axis."""
    page.tab.select_option("#rows-order", label="against scale")
    expect(page.tab.locator("#rows-chart .label").first).to_have_text("scale")
    page.tab.select_option("#rows-order", label="against hour")
    expect(page.tab.locator("#rows-chart .axis").first).to_contain_text("Jan 11")
    page.tab.select_option("#rows-model", label="constant band of scaled")
    expect(page.tab.locator("#rows-note")).to_contain_text("constant band of scaled")


def test_rows_of_one_segment_can_be_shown(page, case):
    """Each is marked as for all rows, and the note says what is shown and what was missed there."""
    page.tab.select_option("#rows-most", "1000")
    options = page.tab.locator("#rows-segment option").all_text_contents()
    assert options == ["all", "north", "south"]
    page.tab.select_option("#rows-segment", label="south")
    curve = case.curve("scaled")
    here = case.segments == "south"
    parameter = curve.at(miss_rate=0.1).parameter
    missed = int(np.count_nonzero(kernel_critical(case.models["scaled"])[here] > parameter))
    expect(page.tab.locator("#rows-note")).to_contain_text(
        f"Of these {here.sum()} rows of south {missed} are missed."
    )
    page.tab.select_option("#rows-most", "50")
    part = case.models["scaled"].by(case.segments)["south"].ucc().at(parameter=parameter)
    expect(page.tab.locator("#rows-note")).to_contain_text(
        f"; of all {here.sum()} there, {100 * part.miss_rate:.1f} %"
    )


def kernel_critical(rows):
    """Return what each row would need the bands multiplied by."""
    error = rows.y_true - rows.y_pred
    band = np.where(error >= 0, rows.upper_band, rows.lower_band)
    return np.abs(error) / band


def test_rows_can_follow_each_other(page):
    """A stretch, which a slider moves."""
    expect(page.tab.locator("#rows-from")).to_be_hidden()
    page.tab.select_option("#rows-pick", "row")
    page.tab.select_option("#rows-most", "50")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 50 rows in a row (0 to 49)")
    slider = page.tab.get_by_role("slider", name="From").first
    slider.focus()
    page.tab.keyboard.press("End")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 50 rows in a row (650 to 699)")
    assert slider.get_attribute("aria-valuetext") == "row 650"
    page.tab.keyboard.press("ArrowLeft")
    expect(page.tab.locator("#rows-start-value")).to_have_text("row 649")
    page.tab.select_option("#rows-order", label="against hour")
    dots = page.tab.locator("path.rows-hits").get_attribute("d").count("M")
    crosses = page.tab.locator("path.rows-misses").get_attribute("d").count("M")
    assert dots + crosses == 50


def test_many_rows_are_carried_for_every_purpose(browser, tmp_path):
    """Some spread evenly, some in a row, some of each of the twenty largest segments."""
    n = 5000
    labels = np.sort(np.random.default_rng(0).zipf(1.6, size=n) % 30)
    path = uc.report({"mine": one(n=n)}, tmp_path / "page.html", by=labels, n_resamples=9, rng=0)
    page = opened(browser, path)
    rows = json.loads(page.tab.locator("#numbers").text_content())["rows"]
    index = unpacked(rows["index"]).astype(int)
    assert len(index) == rows["carried"] <= 1000
    assert (np.diff(index) > 0).all()
    spread, stretch = (index[np.array(list(rows[name])) == "1"] for name in ("spread", "stretch"))
    assert (len(spread), len(stretch)) == (500, 200)
    assert np.ptp(np.diff(spread)) <= 1
    assert set(np.diff(stretch)) == {1}
    sizes = dict(zip(*np.unique(labels, return_counts=True), strict=True))
    largest = sorted(sizes, key=lambda label: -sizes[label])[:20]
    assert [part["name"] for part in rows["segments"]] == [str(label) for label in sorted(largest)]
    for code, part in enumerate(rows["segments"]):
        held = index[(np.array(rows["segment"]) == code) & (np.array(list(rows["own"])) == "1")]
        assert len(held) >= min(part["n"], 12)
        assert (labels[held] == int(part["name"])).all()
        steps = np.diff(np.searchsorted(np.flatnonzero(labels == int(part["name"])), held))
        assert steps.max() <= 2.5 * part["n"] / len(held) + 1  # over the whole segment
    smallest = str(largest[-1])
    page.tab.select_option("#rows-segment", label=smallest)
    expect(page.tab.locator("#rows-note")).to_contain_text(f"rows of {smallest}")
    page.tab.select_option("#rows-pick", "row")  # none of them is in the stretch
    expect(page.tab.locator("#rows-note")).to_contain_text(f"rows of {smallest}")
    note = page.tab.locator(".hint", has_text="The page carries")
    expect(note).to_contain_text("500 spread evenly, 200 in a row, and more of each segment.")
    expect(note).to_contain_text(f"20 of {len(sizes)} segments can be shown on their own.")
    assert page.troubles == []
    page.tab.context.close()


def test_chosen_rows_are_all_that_is_carried(browser, tmp_path):
    """In whichever order they were chosen."""
    labels = np.repeat(["a", "b", "c"], 100)
    path = uc.report(
        {"mine": one()}, tmp_path / "page.html", by=labels, rows=[120, 20, 110], n_resamples=9, rng=0
    )
    page = opened(browser, path)
    assert page.tab.locator("#rows-segment option").all_text_contents() == ["all", "a", "b"]
    page.tab.select_option("#rows-pick", "row")
    expect(page.tab.locator("#rows-note")).to_contain_text("Of these 3 rows in a row (20 to 120)")
    expect(page.tab.locator(".hint", has_text="The page carries")).to_contain_text(
        "The page carries 3 of 300 rows, as chosen. 2 of 3 segments can be shown on their own."
    )
    page.tab.context.close()


def test_segments_show_gain_and_their_coverage_at_the_chosen_point(page, case):
    """The bands are moved for all rows; each segment is then counted on its own."""
    for place, rate in ((100, 0.1), (160, 0.4)):
        page.slide("rate", place)
        for row in page.tab.locator("#segments-table tbody tr").all():
            segment = row.locator("th").inner_text()
            cells = row.locator("td")
            name = cells.nth(0).inner_text()
            part = case.models[name].by(case.segments)[segment].ucc()
            parameter = case.curve(name).at(miss_rate=rate).parameter
            assert float(cells.last.get_attribute("data-value")) == near(
                part.at(parameter=parameter).coverage
            )
            heads = page.tab.locator("#segments-table thead th").all_inner_texts()
            gain = cells.nth(heads.index("gain") - 1)
            assert float(gain.get_attribute("data-value")) == near(part.gain())
            assert gain.inner_text().startswith(f"{100 * part.gain():.1f} % [")


def test_the_tables_show_the_comparison(page, case):
    """Scores with their ceilings, pairs, regimes, and the findings word for word."""
    comparison = uc.compare(case.models, n_resamples=49, by=case.segments, rng=0)
    scores = comparison.tables["scores"]
    for place, name in enumerate(scores["model"]):
        for column in ("area", "gain", "ceiling", "deficit_gain", "deficit_ceiling"):
            shown = page.number("scores-table", name, column.replace("_", " "))
            assert shown == near(scores[column][place])
    tests = comparison.tables["tests"]
    shown = [
        [cell.get_attribute("data-value") for cell in row.locator("td").all()]
        for row in page.tab.locator("#tests-table tbody tr").all()
    ]
    assert [float(row[1]) for row in shown] == tests["difference"]
    assert [float(row[3]) for row in shown] == tests["p_holm"]
    assert page.tab.locator("#regimes-table tbody tr").count() == len(comparison.tables["regimes"]["best"])
    assert page.tab.locator(".findings li").all_inner_texts() == comparison.summary().splitlines()
    assert page.tab.locator("#regimes-chart g.regime").count() == len(comparison.tables["regimes"]["best"])


def test_what_a_gain_cannot_say_is_one_click_away(page):
    """Closed at first."""
    text = page.tab.get_by_text("the true scale gains exactly 0")
    expect(text).to_be_hidden()
    page.tab.get_by_text("What these numbers can and cannot say").click()
    expect(text).to_be_visible()


def texts_of(drawing):
    """Return the texts of a drawing, those of lines joined."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawing)).replace("\u00a0", " ")


def test_saved_curves_explain_themselves(page, case):
    """Title, caption, a key to every line and mark that is there; nothing that only a hand could use."""
    drawing = page.saved("ucc-chart", "svg").read_text()
    said = texts_of(drawing)
    factor = case.curve("scaled").at(miss_rate=0.1).parameter
    for words in (
        "Loads",
        "Miss rate against bandwidth.",
        f"at most 10 %: scaled × {factor:.4g}",
        "constant band of other",
        "limit, symmetric bands",
        "limit, bands on one side",
        "operating point",
        "as given",
        "cheapest, c = ",
        "equal cost",
        "95 % band",
        "miss rates of 0 % to 50 %",
    ):
        assert words in said
    grip = page.tab.locator(".grip").first
    assert f'rx="{grip.get_attribute("rx")}"' not in drawing
    assert "crosshair" not in drawing
    for box in ("limit", "band", "constant"):
        page.tab.locator(f"#show-{box}").uncheck()
    page.tab.get_by_role("button", name="damped", exact=True).click()
    said = texts_of(page.saved("ucc-chart", "svg").read_text())
    assert not any(words in said for words in ("limit", "constant band", "95 % band", "damped"))


def test_saved_intervals_and_regimes_explain_themselves(page, case):
    """The factor, what is captured and what is missed; and the full names of the models."""
    said = texts_of(page.saved("rows-chart", "svg").read_text())
    note = page.tab.locator("#rows-note").inner_text().replace("\u202f", " ")
    for words in ("Loads", "at most 10 %", "captured", "missed", "predicted", "interval of scaled"):
        assert words in said
    assert note in said.replace("\u202f", " ")
    best = {name for name in uc.compare(case.models, n_resamples=49, rng=0).tables["regimes"]["best"] if name}
    said = texts_of(page.saved("regimes-chart", "svg").read_text())
    assert all(name in said for name in best)
    assert "least bandwidth" in said


def test_long_names_are_wrapped_in_pictures(browser, tmp_path):
    """Whole, and inside the picture."""
    name = "a model with a very long name, " * 6 + "x" * 150
    page = opened(browser, uc.report({name: one()}, tmp_path / "page.html", n_resamples=9, rng=0))
    for target in ("ucc-chart", "regimes-chart"):
        drawing = page.saved(target, "svg").read_text()
        parts = re.findall(r"\bx+\b", texts_of(drawing))
        assert sum(map(len, parts)) % 150 == 0
        assert len(parts) > 0
        width = float(re.search(r'viewBox="0 0 ([\d.]+) ', drawing).group(1))
        tab = page.tab.context.new_page()
        tab.set_content(drawing)
        ends = tab.evaluate(
            "[...document.querySelectorAll('text')].map((n) => n.getBoundingClientRect().right)"
        )
        left = tab.evaluate("document.querySelector('svg').getBoundingClientRect().left")
        assert max(ends) - left <= width
        tab.close()
    assert page.troubles == []
    page.tab.context.close()


def test_charts_and_tables_can_be_saved(page, case, tmp_path):
    """As SVG and PNG of their own, and as CSV with all digits."""
    saved = {}
    for name, kind in (
        ("ucc-chart", "svg"),
        ("ucc-chart", "png"),
        ("rows-chart", "png"),
        ("scores-table", "csv"),
        ("points-table", "csv"),
    ):
        with page.tab.expect_download() as download:
            page.tab.locator(f'[data-target="{name}"][data-export="{kind}"]').click()
        saved[name, kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name, kind])
    drawing = saved["ucc-chart", "svg"].read_text()
    assert drawing.startswith("<svg")
    assert "var(" not in drawing
    assert "class=" not in drawing
    assert all(f">{name}</text>" in drawing for name in [*case.models, "constant band of scaled"])
    for name in ("ucc-chart", "rows-chart"):
        picture = saved[name, "png"].read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 10_000
    rows = list(csv.DictReader(io.StringIO(saved["scores-table", "csv"].read_text())))
    assert [row["model"] for row in rows][:3] == list(case.models)
    assert float(rows[0]["area (kWh)"]) == case.curve("scaled").area()
    assert rows[0]["gain low"] != ""
    assert float(rows[0]["gain low"]) < float(rows[0]["gain"]) < float(rows[0]["gain high"])
    rows = list(csv.DictReader(io.StringIO(saved["points-table", "csv"].read_text())))
    assert float(rows[1]["bandwidth (kWh)"]) == near(case.curve("damped").at(miss_rate=0.1).bandwidth)


# -- looks, names, safety ------------------------------------------------------------------------


def test_light_and_dark_follow_the_system_and_the_button(browser, case):
    """The button wins."""
    dark = opened(browser, case.path, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert dark.tab.evaluate(ground) == "rgb(18, 22, 28)"
    button = dark.tab.locator("#theme")
    expect(button).to_have_accessible_name("Light")  # what it switches to
    button.click()
    expect(button).to_have_accessible_name("Dark")
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    dark.tab.reload()  # the choice is remembered
    dark.tab.wait_for_selector("body.ready")
    assert dark.tab.evaluate(ground) == "rgb(244, 245, 247)"
    expect(button).to_have_accessible_name("Dark")
    assert dark.troubles == []
    dark.tab.context.close()


def test_a_page_without_storage_works_too(browser, case):
    """Inside a frame, or from a file in a strict browser, asking for it may fail."""
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });"
    )
    tab = context.new_page()
    troubles = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(case.path.as_uri())
    tab.wait_for_selector("body.ready")
    tab.locator("#theme").click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    assert troubles == []
    context.close()


def test_a_phone_needs_no_sideways_scrolling(browser, case):
    """Wide tables scroll in their own frame."""
    phone = opened(browser, case.path, viewport={"width": 375, "height": 800}, has_touch=True, is_mobile=True)
    assert phone.tab.evaluate("document.documentElement.scrollWidth") <= 375
    handle = phone.tab.get_by_role("slider", name="operating point of scaled")
    assert handle.bounding_box()["width"] >= 20
    phone.slide("rate", 150)
    check_point(phone, case, 0.35)
    handle.scroll_into_view_if_needed()
    box, scrolled = handle.bounding_box(), phone.tab.evaluate("scrollY")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.tab.context.new_cdp_session(phone.tab)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        points = [{"x": x - 2 * step, "y": y - 6 * step}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    rate = float(handle.get_attribute("aria-valuenow"))
    assert rate > 0.45
    assert phone.tab.evaluate("scrollY") == scrolled
    check_point(phone, case, rate)
    assert phone.troubles == []
    phone.tab.context.close()


@pytest.mark.parametrize("width", [1280, 375])
def test_what_scrolls_shows_that_there_is_more(browser, case, width):
    """A shadow at the edge, gone at the end; what scrolls can be reached by keyboard."""
    page = opened(browser, case.path, viewport={"width": width, "height": 800})
    tables = page.tab.locator(".scroll").all()
    cut = [node for node in tables if node.evaluate("n => n.scrollWidth > n.clientWidth + 1")]
    assert (len(cut) > 3) == (width == 375)
    shadow = "n => getComputedStyle(n).boxShadow"
    for node in cut:
        assert node.get_attribute("tabindex") == "0"
        assert "more-right" in node.get_attribute("class")
        before = node.evaluate(shadow)
        node.evaluate("n => { n.scrollLeft = 1e6; }")
        expect(node).to_have_class(re.compile("more-left"))
        expect(node).not_to_have_class(re.compile("more-right"))
        assert node.evaluate(shadow) != before
    assert page.troubles == []
    page.tab.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_prints_on_white(browser, case, scheme):
    """Whatever the screen shows, and whoever darkened it."""
    page = opened(browser, case.path, color_scheme=scheme)
    if scheme == "light":
        page.tab.get_by_role("button", name="Dark").click()
    page.tab.emulate_media(media="print")
    assert page.tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.tab.locator("#theme")).to_be_hidden()
    for hidden in ("#x-axis", "#rows-most", "#rate", ".grip", ".hint .screen"):
        expect(page.tab.locator(hidden).first).to_be_hidden()
    for shown in (
        "◇ as given · ★ cheapest",
        "captured",
        "Operating points at a miss rate of at most 10 %: scaled",
    ):
        expect(page.tab.locator(".hint", has_text=shown)).to_be_visible()
    chosen = page.tab.locator(".tools").first.locator(".chosen").all_inner_texts()
    assert chosen == ["bandwidth", "miss rate", "raw"]
    page.tab.context.close()


def test_everything_that_can_be_used_has_a_name(page):
    """For screen readers: no control without a label, no duplicate id, headings in order."""
    nameless = page.tab.evaluate(
        """[...document.querySelectorAll('button, select, input, [role=slider], svg[role]')].filter((node) =>
            !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length)).length"""
    )
    assert nameless == 0
    ids = page.tab.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))
    assert page.tab.locator("h1").count() == 1
    stops = page.tab.evaluate(
        "[...document.querySelectorAll('[role=slider]')].every((node) => node.tabIndex === 0)"
    )
    assert stops
    page.slide("rate", 120)
    expect(page.tab.locator("#live")).to_contain_text("Miss rate at most 20 %.")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Names that would run if they were ever taken for anything but text."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    models = {
        HOSTILE: uc.Intervals.from_bands(y, np.zeros(60), rng.exponential(size=60) + 0.2),
        ENDING: uc.Intervals.from_bands(y, np.zeros(60), 1.0 + rng.uniform(size=60)),
        "=1+1 \u2028 {{ 7 * 7 }} ${8} '\"`": uc.Intervals.from_bands(
            y, np.zeros(60), 1.0 + rng.uniform(size=60)
        ),
    }
    labels = rng.choice([HOSTILE, ENDING, "&amp;"], size=60)
    path = tmp_path_factory.mktemp("hostile") / "page ' \" # %3C.html"
    return models, uc.report(
        models,
        path,
        title=HOSTILE,
        unit=ENDING,
        by=labels,
        against={HOSTILE: y, ENDING: y},
        n_resamples=9,
        rng=0,
    )


def test_hostile_names_are_shown_as_text(browser, hostile):
    """Model, column and segment names, title and unit."""
    models, path = hostile
    page = opened(browser, path)
    tab = page.tab
    assert tab.locator("img").count() == 0
    assert tab.locator("script").count() == 2
    expect(tab.locator("h1")).to_have_text(HOSTILE)
    for name in list(models)[:2]:
        expect(tab.get_by_role("button", name=name, exact=True)).to_be_visible()
        assert tab.locator("#scores-table tbody th", has_text=name).count() == 1
    assert tab.locator("#segments-table tbody th", has_text=HOSTILE).count() == 3
    tab.select_option("#rows-order", label=f"against {ENDING}")
    expect(tab.locator("#rows-chart .label").first).to_have_text(ENDING)
    tab.locator("#rows-chart").scroll_into_view_if_needed()
    box = tab.locator("#rows-chart").bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tab.locator("#tip")).to_contain_text(ENDING)
    with tab.expect_download() as download:
        tab.locator('[data-target="ucc-chart"][data-export="svg"]').click()
    assert "<img" not in Path(download.value.path()).read_text()
    with tab.expect_download() as download:
        tab.locator('[data-target="scores-table"][data-export="csv"]').click()
    assert not re.search(r"^=", Path(download.value.path()).read_text(), re.MULTILINE)
    assert page.troubles == []
    assert page.requests == [path.as_uri()]
    tab.context.close()


def test_the_page_forbids_what_it_does_not_need(browser, case):
    """A script that got in all the same would not run, and nothing could be fetched."""
    page = opened(browser, case.path)
    page.tab.evaluate(
        """() => {
            const node = document.createElement('script'); node.textContent = 'window.ran = true';
            document.body.append(node);
        }"""
    )
    assert page.tab.evaluate("window.ran") is None
    assert page.tab.evaluate("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"
    page.tab.context.close()


@pytest.mark.parametrize(
    ("vary", "words"), [("scale", "not reachable: some bands are zero"), ("shift", "add")]
)
def test_zero_bands_are_explained(browser, tmp_path, vary, words):
    """A curve with a floor has no operating point below it; shifting has."""
    rng = np.random.default_rng(1)
    band = rng.exponential(size=80)
    band[:20] = 0.0
    rows = uc.Intervals.from_bands(rng.normal(size=80), np.zeros(80), band)
    path = uc.report({"mine": rows}, tmp_path / "page.html", vary=vary, n_resamples=9, rng=0)
    page = opened(browser, path)
    page.slide("rate", 50)
    expect(page.tab.locator("#rows-note")).to_contain_text(words)
    page.slide("rate", 150)
    point = rows.ucc(vary).at(miss_rate=0.35)
    assert page.number("points-table", "mine", "bands" if vary == "scale" else "each band") == near(
        point.parameter
    )
    page.slide("low", 120)
    wanted = rows.ucc(vary).gain(miss_rate=(0.2, 0.5)) if vary == "shift" else None
    if wanted is not None:
        assert page.number("range-table", "mine", "strip gain") == pytest.approx(wanted, rel=1e-7)
    assert page.troubles == []
    page.tab.context.close()


def test_outputs_are_pooled_and_their_rows_marked_right(browser, tmp_path):
    """Two outputs with different scales: standard deviations are then no one unit."""
    rng = np.random.default_rng(3)
    band = np.array([1.0, 10.0]) * rng.exponential(size=(60, 2))
    rows = uc.Intervals.from_bands(band * rng.normal(size=(60, 2)), np.zeros((60, 2)), band, 2 * band)
    path = uc.report(
        {"both": rows}, tmp_path / "page.html", against={"x": np.arange(60.0)}, n_resamples=9, rng=0
    )
    page = opened(browser, path)
    page.tab.select_option("#rows-most", "150")
    point = rows.ucc().at(miss_rate=0.1)
    assert page.number("points-table", "both", "excess") == near(point.excess)
    wide = rows.scaled(point.parameter * (1 + 1e-12))
    missed = int(np.count_nonzero((rows.y_true < wide.lower) | (rows.y_true > wide.upper)))
    expect(page.tab.locator("#rows-note")).to_contain_text(f"Of these 120 values {missed} are missed")
    assert page.tab.locator("#units").is_disabled()
    carried = json.loads(page.tab.locator("#numbers").text_content())["rows"]
    y, (pred, lower, upper, critical) = unpacked(carried["y"]), map(unpacked, carried["curves"][0].values())
    assert np.abs(y - pred) / np.where(y >= pred, upper, lower) == pytest.approx(critical)
    assert page.troubles == []
    page.tab.context.close()


@pytest.mark.parametrize("n", [2, 3])
def test_a_few_rows_make_a_page_too(browser, tmp_path, n):
    """Numbers that do not exist are dashes, not errors."""
    rows = uc.Intervals.from_bands(np.arange(n) * 1e-30, np.full(n, 1e-30), np.full(n, 2e-30))
    page = opened(browser, uc.report({"tiny": rows}, tmp_path / "page.html", n_resamples=9, rng=0))
    for place in (0, 100, 280):
        page.slide("rate", place)
    assert page.number("points-table", "tiny", "bandwidth") == 0
    assert page.troubles == []
    page.tab.context.close()


def one(unit=1.0, n=300, seed=3, **options):
    """One model with asymmetric bands."""
    rng = np.random.default_rng(seed)
    scale = unit * rng.lognormal(sigma=0.6, size=n)
    return uc.Intervals.from_bands(scale * rng.normal(size=n), np.zeros(n), scale, 1.5 * scale, **options)


@pytest.mark.parametrize("unit", [1e-9, 2e4, 1e12])
def test_the_cost_slider_and_the_axes_serve_every_unit(browser, tmp_path, unit):
    """Weights are centred on the errors, and ticks show a power of ten in the label."""
    rows = one(unit)
    page = opened(
        browser, uc.report({"mine": rows}, tmp_path / "page.html", unit="EUR", n_resamples=9, rng=0)
    )
    assert 0.02 < page.number("cost-table", "mine", "miss rate") < 0.3
    seen = set()
    for place in range(100, 301, 20):
        page.slide("cost", place)
        c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
        best = rows.ucc().minimize_cost(c)
        assert page.number("cost-table", "mine", "cheapest") == near(best.point.parameter)
        seen.add(best.point.parameter)
    assert len(seen) > 5
    ticks = page.tab.locator("#ucc-chart .axis .tick text, #rows-chart .axis .tick text").all_text_contents()
    assert max(map(len, ticks)) <= 6
    assert f"(10{ {1e-9: '⁻⁹', 2e4: '³', 1e12: '¹²'}[unit] } EUR)" in (
        page.tab.locator("#ucc-chart .label").first.text_content()
    )
    assert page.troubles == []
    page.tab.context.close()


def test_rows_without_weight_do_no_harm(browser, tmp_path):
    """They count for nothing, and are marked like all others."""
    weight = np.ones(300)
    weight[:50] = 0
    rows = one(sample_weight=weight)
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", n_resamples=9, rng=0))
    page.tab.select_option("#rows-most", "400")
    carried = json.loads(page.tab.locator("#numbers").text_content())["rows"]
    y, (pred, lower, upper, critical) = unpacked(carried["y"]), map(unpacked, carried["curves"][0].values())
    assert np.abs(y - pred) / np.where(y >= pred, upper, lower) == pytest.approx(critical)
    parameter = rows.ucc().at(miss_rate=0.1).parameter
    missed = int(np.count_nonzero(critical > parameter))
    expect(page.tab.locator("#rows-note")).to_contain_text(f"Of these 300 rows {missed} are missed")
    page.tab.context.close()


def test_the_page_carries_the_rates_that_were_asked_for(browser, tmp_path):
    """Also between those of the grid, and ranges within one step of it."""
    rows = one()
    path = uc.report(
        {"mine": rows}, tmp_path / "page.html", miss_rate=0.1234, partial_range=(0.0123, 0.333), n_resamples=9
    )
    page = opened(browser, path)
    assert page.number("points-table", "mine", "bandwidth") == near(rows.ucc().at(miss_rate=0.1234).bandwidth)
    expect(page.tab.locator("#low-value")).to_have_text("1.23 %")
    wanted = rows.ucc().gain(partial="mean", miss_rate=(0.0123, 0.333))
    assert page.number("range-table", "mine", "mean gain") == pytest.approx(wanted, rel=1e-7)
    path = uc.report({"mine": rows}, tmp_path / "two.html", partial_range=(0, 0.0004), n_resamples=9)
    other = opened(browser, path)
    expect(other.tab.locator("#high-value")).to_have_text("0.04 %")
    assert page.troubles + other.troubles == []
    page.tab.context.close()
    other.tab.context.close()


def test_many_models_are_told_apart(browser, tmp_path):
    """By colour or by dashes: no two are alike."""
    models = {f"model {i}": one(seed=3).scaled(1 + i) for i in range(8)}
    path = uc.report(models, tmp_path / "page.html", n_resamples=9, rng=0)
    page = opened(browser, path)
    looks = page.tab.evaluate(
        """[...document.querySelectorAll('#legend line')].map((line) =>
            getComputedStyle(line).stroke + ' ' + line.getAttribute('stroke-dasharray'))"""
    )
    assert len(looks) == len(set(looks)) == 8
    page.tab.context.close()


def test_each_kind_of_band_has_its_own_limit(browser, tmp_path):
    """A model with bands on one side may pass the limit of symmetric ones."""
    rows = one()
    both = {
        "one-sided": rows,
        "symmetric": uc.Intervals.from_bands(rows.y_true, rows.y_pred, rows.lower_band),
    }
    page = opened(browser, uc.report(both, tmp_path / "page.html", n_resamples=9, rng=0))
    assert page.tab.locator("#ucc-chart path.limit").count() == 2
    page.tab.get_by_role("button", name="symmetric", exact=True).click()
    assert page.tab.locator("#ucc-chart path.limit").count() == 1
    page.tab.context.close()


def test_shifts_follow_the_unit(browser, tmp_path):
    """A shift is an amount of y, and the advice names its unit."""
    rows = one()
    path = uc.report({"mine": rows}, tmp_path / "page.html", vary="shift", unit="kWh", n_resamples=9)
    page = opened(browser, path)
    shift = rows.ucc("shift").at(miss_rate=0.1).parameter
    expect(page.tab.locator("#rows-note")).to_contain_text(f"add {shift:.4g} kWh to each band")
    page.tab.select_option("#units", "standardized")
    wanted = rows.standardized().ucc("shift").at(miss_rate=0.1).parameter
    assert page.number("points-table", "mine", "each band") == near(wanted)
    page.tab.context.close()


def test_a_band_is_as_wide_as_the_library_s_on_a_curve_with_a_high_floor(browser, tmp_path):
    """Where one of its ends is cut at 1."""
    rows = one()
    band = np.where(np.arange(300) < 290, 0.0, rows.lower_band)
    rows = uc.Intervals.from_bands(rows.y_true, rows.y_pred, band)
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", n_resamples=9, rng=0))
    curve = json.loads(page.tab.locator("#numbers").text_content())["curves"][0]
    wanted = rows.ucc().confidence_band()
    assert curve["margin"] == near(float(np.max(wanted.miss_rate - wanted.low)))
    handle = page.tab.get_by_role("slider", name="operating point of mine")
    handle.focus()
    page.tab.keyboard.press("Home")
    assert handle.get_attribute("aria-valuetext") == "0 % is not reachable"
    page.tab.keyboard.press("End")
    assert float(handle.get_attribute("aria-valuenow")) == 1.0
    page.tab.context.close()


def test_columns_may_be_times_of_any_kind(browser, tmp_path):
    """Dates, times with a zone, and a column without values, which leaves nothing to draw."""
    import datetime as dt

    import pandas as pd

    rows = one(n=40)
    zone = dt.timezone(dt.timedelta(hours=2))
    columns = {
        "date": [dt.date(2026, 1, 1) + dt.timedelta(days=i) for i in range(40)],
        "zoned": pd.Series(pd.date_range("2026-01-01", periods=40, tz=zone)),
        "none": np.full(40, np.nan),
        "whole": np.arange(40),
    }
    page = opened(browser, uc.report({"mine": rows}, tmp_path / "page.html", against=columns, n_resamples=9))
    carried = {
        c["name"]: c for c in json.loads(page.tab.locator("#numbers").text_content())["rows"]["columns"]
    }
    first = dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp() * 1000
    assert unpacked(carried["date"]["values"])[0] == first
    assert unpacked(carried["zoned"]["values"])[0] == first - 2 * 3600 * 1000
    assert [carried[name]["time"] for name in columns] == [True, True, False, False]
    page.tab.select_option("#rows-order", label="against none")
    expect(page.tab.locator("#rows-note")).to_contain_text("No row has a value there.")
    assert page.troubles == []
    page.tab.context.close()


def test_segments_whose_labels_read_alike_stay_apart(tmp_path):
    """The number 1 and the text 1, say: each has its own coverage."""

    class Label(str):
        """A label that hides what it is."""

        __slots__ = ()

        def __str__(self):
            return "same"

    rows = one(n=60)
    labels = [Label("a")] * 30 + [Label("b")] * 30
    text = uc.report({"mine": rows}, tmp_path / "page.html", by=labels, n_resamples=9).read_text()
    assert re.findall(r'data-live-segment="(\d+)"', text) == ["0", "1"]
    assert "largest of" not in text


def test_sketches_make_a_page_without_rows(browser, tmp_path):
    """The curves, costs and ranges are there; what needs rows is not, and says so."""
    rows = one(n=3000)
    sketch = rows.sketch()
    page = opened(browser, uc.report({"mine": sketch}, tmp_path / "page.html", title="Large"))
    curve = sketch.curve()
    for place, rate in ((100, 0.1), (30, 0.03)):
        page.slide("rate", place)
        point = curve.at(miss_rate=rate)
        assert page.number("points-table", "mine", "bands") == near(point.parameter)
        assert page.number("points-table", "mine", "excess") == near(point.excess)
    page.slide("low", 20)
    for partial in ("mean", "strip"):
        wanted = curve.gain(partial=partial, miss_rate=(0.02, 0.5))
        assert page.number("range-table", "mine", f"{partial} gain") == pytest.approx(wanted, rel=1e-7)
    c = float(page.tab.locator("#cost-value").inner_text().removeprefix("c = "))
    assert page.number("cost-table", "mine", "cost") == near(curve.minimize_cost(c).cost)
    assert page.tab.locator("#rows-chart, #tests-table").count() == 0
    expect(page.tab.locator(".about")).to_contain_text("from sketches")
    assert page.troubles == []
    page.tab.context.close()
    with pytest.raises(ArgumentError, match="`against` must not be given for sketches: it needs the rows"):
        uc.report({"mine": sketch}, tmp_path / "other.html", against={"x": rows.y_true})


# -- the file ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_three_models_and_a_hundred_thousand_rows_fit_into_a_mail(tmp_path):
    """At most one and a half megabytes, with segments and columns."""
    rng = np.random.default_rng(0)
    n = 100_000
    y, scale = rng.normal(size=n), rng.lognormal(size=n)
    models = {
        f"model {i}": uc.Intervals.from_bands(y, rng.normal(size=n) * 0.1, scale ** (i / 2), scale)
        for i in range(3)
    }
    page = uc.report(
        models, tmp_path / "page.html", by=rng.integers(0, 10, n), against={"y": y}, n_resamples=9, rng=0
    )
    assert page.stat().st_size <= 1.5e6


def test_the_same_seed_writes_the_same_page(case, tmp_path):
    """Byte for byte: no clock and no address in it."""
    pages = [
        uc.report(case.models, tmp_path / f"{i}.html", n_resamples=9, rng=3).read_bytes() for i in range(2)
    ]
    assert pages[0] == pages[1]
    assert str(tmp_path).encode() not in pages[0]


def test_a_comparison_can_be_shown_without_making_it_again(case, tmp_path):
    """Its own tables, segments included."""
    comparison = uc.compare(case.models, by=case.segments, n_resamples=9, rng=1)
    text = uc.report(comparison, tmp_path / "page.html").read_text()
    assert text.count("data-live-segment=") == 6
    assert comparison.summary().splitlines()[0].split(";")[0] in text


def test_ranges_without_an_order_are_nobody_s(browser, case, tmp_path):
    """Neither on the map nor in its key does a model have them."""
    comparison = uc.compare(case.models, n_resamples=9, rng=1)
    regimes = {
        "low": [0.0, 0.4],
        "high": [0.4, 1.0],
        "best": [None, "damped"],
        "runner_up": [None, "other"],
        "saved": [np.nan, 0.1],
        "p_holm": [np.nan, 0.01],
        "significant": [False, True],
    }
    made = replace(comparison, tables={**comparison.tables, "regimes": regimes})
    page = opened(browser, uc.report(made, tmp_path / "page.html"))
    unordered = page.tab.locator("#regimes-chart rect").first
    assert (unordered.get_attribute("class"), unordered.get_attribute("fill")) == ("unsure", "var(--line)")
    label = page.tab.locator("#regimes-chart").get_attribute("aria-label")
    assert "0 % to 40 %: no order is known. 40 % to 100 %: damped, 10.0 % less than other" in label
    expect(page.tab.locator(".note", has_text="grey ones have no known order")).to_be_visible()
    said = texts_of(page.saved("regimes-chart", "svg").read_text())
    assert "no order is known" in said
    assert "may be chance" not in said
    assert page.troubles == []
    page.tab.context.close()


def test_a_comparison_has_its_own_options(case, tmp_path):
    """Others would be ignored."""
    comparison = uc.compare(case.models, n_resamples=9, rng=1)
    with pytest.raises(ArgumentError, match="`by` must not be given with a Comparison"):
        uc.report(comparison, tmp_path / "page.html", by=case.segments)
    with pytest.raises(ArgumentError, match="`vary` must not be given"):
        uc.report(comparison, tmp_path / "page.html", vary="shift")


def test_one_row_is_too_few(tmp_path):
    """There is nothing to compare by."""
    with pytest.raises(ArgumentError, match="`models` must have two rows or more to be compared, got 1"):
        uc.report({"mine": one(n=1)}, tmp_path / "page.html")


def test_names_keep_their_letters(browser, tmp_path):
    """Spaces that do not break, and joiners of scripts and pictures; not what turns text around."""
    name = "Pr\u00e9vu\u00a0: \u0645\u06cc\u200c\u0631\u0648\u062f \u202eabc"
    page = opened(browser, uc.report({name: one(n=30)}, tmp_path / "page.html", title=name, n_resamples=9))
    shown = "Pr\u00e9vu : \u0645\u06cc\u200c\u0631\u0648\u062f \ufffdabc"
    expect(page.tab.locator("h1")).to_have_text(shown)
    assert page.tab.locator("#legend button").text_content() == shown
    assert page.tab.locator("#scores-table tbody th").first.text_content() == shown
    page.tab.context.close()


def test_a_page_that_cannot_be_written_leaves_nothing(case, tmp_path):
    """Neither the page nor a part of it; an old page stays."""
    with pytest.raises(FileNotFoundError):
        uc.report(case.models, tmp_path / "absent" / "page.html", n_resamples=9)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        uc.report(case.models, tmp_path / "folder", n_resamples=9)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"against": [1, 2]}, ArgumentError, "`against` must map names to columns, got list."),
        ({"against": {"x": [1, 2]}}, ShapeError, "`against['x']` must have the shape (700,), got (2,)."),
        (
            {"against": {"x": ["a"] * 700}},
            ArgumentError,
            "`against['x']` must hold numbers or times, got <U1.",
        ),
        ({"against": {"x": np.ones(700) * 1j}}, ArgumentError, "must hold numbers or times, got complex128."),
        ({"rows": slice(0, 0)}, ArgumentError, "`rows` must choose 1 to 1000 rows, got 0."),
        ({"title": None}, ArgumentError, "`title` must be text, got NoneType."),
        ({"unit": 5}, ArgumentError, "`unit` must be text, got int."),
        (
            {"partial_range": (0.5, 0.1)},
            ArgumentError,
            "`partial_range` must be a pair with low < high within [0, 1], got (0.5, 0.1).",
        ),
        ({"by": [1, 2]}, ShapeError, "`by` must have the shape (700,), one label a row, got (2,)."),
        ({"rows": [800]}, ArgumentError, "`rows` must be a slice or places of rows below 700, got [800]."),
    ],
)
def test_wrong_arguments_are_named(case, tmp_path, options, error, message):
    """And no page is written."""
    with pytest.raises(error, match=re.escape(message)):
        uc.report(case.models, tmp_path / "page.html", n_resamples=9, **options)
    assert list(tmp_path.iterdir()) == []


def test_vendored_scripts_are_what_the_record_says():
    """Name, version, licence and hash of each; nothing unrecorded beside them."""
    records = json.loads((FOLDER / "vendor" / "vendor.json").read_text())
    for record in records:
        script = (FOLDER / "vendor" / f"{record['package']}.min.js").read_bytes()
        assert sha256(script).hexdigest() == record["sha256"]
        assert f"v{record['version']} " in script[:200].decode()
        assert record["licence"] == "ISC"
        assert (FOLDER / "vendor" / f"{record['package']}.LICENSE").read_text().startswith("Copyright")
    assert {path.name.removesuffix(".min.js") for path in (FOLDER / "vendor").glob("*.js")} == {
        record["package"] for record in records
    }


def test_every_module_of_the_page_is_in_it_and_behind_what_it_imports():
    """The order is written down once."""
    sources = {path.stem: path.read_text() for path in (FOLDER / "js").glob("*.js")}
    assert set(sources) == set(_page.MODULES)
    for place, name in enumerate(_page.MODULES):
        for wanted in re.findall(r'from "\./(\w+)\.js"', sources[name]):
            assert wanted in _page.MODULES[:place]
    with pytest.raises(ValueError, match="not understood"):
        _page._wrapped("odd", 'import * as all from "./data.js";')


def test_without_jinja_the_page_says_what_to_install(case, tmp_path, monkeypatch):
    """The extra that has it."""
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(MissingDependencyError, match=re.escape("pip install 'uccurve[report]'")):
        uc.report(case.models, tmp_path / "page.html", n_resamples=9)
