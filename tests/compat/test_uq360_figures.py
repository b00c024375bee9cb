"""The figures: what is drawn is what was computed, and nothing is left open."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")
from matplotlib import pyplot as plt
from scipy.stats import norm

from errors import raises
from uccurve import exceptions as ex
from uccurve.compat import uq360


@pytest.fixture(autouse=True)
def _closed():
    plt.close("all")
    yield
    plt.close("all")


def made_rows(n=200):
    rng = np.random.default_rng(3)
    pred, band = rng.normal(size=n), rng.lognormal(size=n)
    return np.stack([pred, band, 2 * band], axis=1), pred + band * rng.normal(size=n)


@pytest.mark.parametrize("as_published", [False, True])
def test_curves_are_drawn_with_their_area_and_operating_point(as_published):
    """Two models, their names, UQ360's words for the axes; areas and points come back."""
    matrix, gt = made_rows()
    ucc = uq360.UncertaintyCharacteristicsCurve(as_published=as_published).fit([matrix, matrix], gt)
    areas, points = ucc.plot_UCC(
        titlestr="Both", syslabel=["a", "b"], markers=["o", "s"], xlim=(0, 2), ylim=(0, 1), linewidth=3
    )
    assert (areas, points) == (ucc.get_AUUCC(), ucc.get_OP())
    (ax,) = plt.gcf().axes
    curve, ring, *_ = ax.lines
    assert len(ax.lines) == 4
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == points[0][:2]
    assert (curve.get_marker(), curve.get_linewidth()) == ("o", 3)
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == [f"a (AUC={areas[0]:.3f})", f"b (AUC={areas[1]:.3f})", "OP"]
    assert (ax.get_title(), ax.get_xlim(), ax.get_ylim()) == ("Both", (0, 2), (0, 1))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Excess [in std deviations]", "Missrate (raw)")


def test_names_are_shown_as_they_are():
    """Dollars start no formula, and an underscore hides no name."""
    matrix, gt = made_rows()
    ucc = uq360.UncertaintyCharacteristicsCurve().fit([matrix, matrix], gt)
    ucc.plot_UCC(titlestr="$x_", syslabel=["_a", "$b_{"])
    plt.gcf().canvas.draw()
    words = [text.get_text() for text in plt.gca().get_legend().get_texts()]
    assert words[0].strip().startswith("_a (AUC=")
    assert words[1].startswith(r"\$b_{ (AUC=")


def test_the_drawn_line_encloses_the_area():
    """The exact curve has steps, and starts at bands of zero."""
    ucc = uq360.UncertaintyCharacteristicsCurve().fit(*made_rows())
    area, _ = ucc.plot_UCC()
    x, y = plt.gca().lines[0].get_data()
    assert (x[0], y[0]) == (0.0, 1.0)
    assert np.trapezoid(y, x) == pytest.approx(area)


def test_long_curves_are_thinned_below_what_can_be_seen():
    """A few thousand points, both ends among them."""
    ucc = uq360.UncertaintyCharacteristicsCurve().fit(*made_rows(100_000))
    area, _ = ucc.plot_UCC()
    x, y = plt.gca().lines[0].get_data()
    assert x.size <= 5000
    assert np.trapezoid(y, x) == pytest.approx(area, rel=1e-3)
    assert x[-1] == pytest.approx(max(point.excess for point in ucc.plotdata_for_scale[0]) / ucc.std_unit)


def test_a_file_is_written_and_the_figure_closed(tmp_path):
    """Matplotlib appends the ending where there is none."""
    ucc = uq360.UncertaintyCharacteristicsCurve().fit(*made_rows())
    ucc.set_std_unit(2.0)
    ucc.set_coordinates(normalize=True)
    ucc.plot_UCC(outfn=tmp_path / "curve", vary_bias=True)
    assert (tmp_path / "curve.png").stat().st_size > 1000
    assert plt.get_fignums() == []
    assert ucc._axis_words() == ["Excess [in units of 2]", "Missrate (raw)"]


def test_figures_appear_where_they_can(monkeypatch):
    """`plt.show` is called where there is a screen, as in UQ360, and not where it would warn."""
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(1))
    ucc = uq360.UncertaintyCharacteristicsCurve().fit(*made_rows())
    ucc.plot_UCC()
    assert shown == []
    monkeypatch.setattr(plt, "get_backend", lambda: "QtAgg")
    ucc.plot_UCC()
    assert shown == [1]


def test_coverage_is_drawn_over_bins_of_equal_size():
    """UQ360's last bin holds the largest value alone."""
    x = np.arange(100.0)
    y, lower, upper = 0 * x, 0 * x - 1, np.where(x < 50, 1.0, -0.5)
    ax = uq360.plot_picp_by_feature(x, y, lower, upper, num_bins=4, xlabel="x", ylims=(0, 1))
    drawn = ax.lines[0].get_ydata()
    assert np.array_equal(np.unique(drawn, return_counts=True)[1], [50, 50])
    assert ax.get_title() == "Test data overall PICP: 0.50 MPIW: 1.25"
    few = uq360.plot_picp_by_feature(x % 2, y, lower, upper, title="few")
    assert few.lines[0].get_ydata().tolist() == [0.5, 0.5]


def test_bounds_are_drawn_where_they_are():
    """Asymmetric ones do not look symmetric; means over rows with the same value."""
    x = np.array([[1.0], [1.0], [2.0]])
    ax = uq360.plot_uncertainty_by_feature(x, x, x - 1, x + np.array([[2.0], [4.0], [5.0]]), x - 0.5, x + 0.5)
    total, model = (poly.get_paths()[0].vertices for poly in ax.collections)
    assert total[:, 1].max() == 7.0
    assert np.isclose(total[:, 1], 4.0).any()
    assert model[:, 1].max() == 2.5
    assert uq360.plot_uncertainty_by_feature(x, x, x - 1, x + 1, ax=ax) is ax


def test_a_density_has_its_quantiles_as_dots():
    """The same ones each time."""
    ax = uq360.plot_uncertainty_distribution(norm(1, 2), show_quantile_dots=True, figsize=(4, 3), color="k")
    again = uq360.plot_uncertainty_distribution(norm(1, 2), show_quantile_dots=True)
    assert len(ax.collections[0].get_offsets()) == 20
    assert np.array_equal(ax.collections[0].get_offsets(), again.collections[0].get_offsets())
    with raises(ex.ArgumentTypeError, "figsize"):
        uq360.plot_uncertainty_distribution(norm(), figsize=4)
