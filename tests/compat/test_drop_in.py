"""How the drop-in behaves: what it takes and returns, what stays set, what it refuses and draws."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import norm
from sklearn.metrics import r2_score, root_mean_squared_error

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex
from uccurve.compat import uq360
from uccurve.compat.uq360 import UCCRecalibration, UncertaintyCharacteristicsCurve


def made_rows(n=30):
    rng = np.random.default_rng(1)
    pred, band = rng.normal(size=n), rng.lognormal(size=n)
    return np.stack([pred, band, 2 * band], axis=1), pred + band * rng.normal(size=n)


def flat(matrix):
    return np.stack([matrix[:, 0], 1 + 0 * matrix[:, 0], 1 + 0 * matrix[:, 0]], axis=1)


def test_one_model_answers_alone_and_two_in_a_list():
    """As in UQ360: floats, tuples of four and dictionaries."""
    matrix, gt = made_rows()
    one = UncertaintyCharacteristicsCurve().fit(matrix, gt)
    two = UncertaintyCharacteristicsCurve().fit([matrix, flat(matrix)], gt)
    for name, options, kind in (
        ("get_AUUCC", {}, float),
        ("get_OP", {}, tuple),
        ("get_specific_operating_point", {"req_y_axis_value": 0.1}, dict),
        ("minimize_cost", {}, dict),
    ):
        alone, together = (getattr(ucc, name)(**options) for ucc in (one, two))
        assert isinstance(alone, kind)
        assert (type(together), len(together), together[0]) == (list, 2, alone)


@pytest.mark.parametrize("kind", [np.ndarray.tolist, pd.DataFrame, torch.tensor, lambda m: m.astype("f4")])
def test_matrices_come_in_many_forms(kind):
    """Lists of rows, frames, tensors and other types; observations as a list, a series or a column."""
    matrix, gt = made_rows()
    matrix = matrix.astype("f4").astype("f8")
    wanted = UncertaintyCharacteristicsCurve().fit(matrix, gt).get_AUUCC()
    for observed in (gt.tolist(), pd.Series(gt), gt[:, None]):
        ucc = UncertaintyCharacteristicsCurve()
        assert ucc.fit(kind(matrix), observed).get_AUUCC() == wanted
        assert ucc.fit([kind(matrix), kind(matrix)], observed).get_AUUCC() == [wanted, wanted]


def test_no_input_is_changed_and_nothing_is_printed(capsys):
    """Zero bands are replaced in a copy, with a warning that counts them. Later changes change nothing."""
    matrix, gt = made_rows()
    matrix[:2, 1], matrix[5, 0] = 0.0, 0.0
    kept = matrix.copy(), gt.copy()
    with pytest.warns(ex.RepairedInputWarning) as caught:
        ucc = UncertaintyCharacteristicsCurve().fit(matrix, gt)
    assert caught[0].filename == __file__
    area = ucc.get_AUUCC()
    assert np.array_equal(matrix, kept[0])
    assert np.array_equal(gt, kept[1])
    assert ucc.d[0][5] == gt[5]  # UQ360 overwrites predictions of zero as well
    assert ucc.lb[0][0] == np.min(matrix[2:, 1])
    matrix[:], gt[:] = 1.0, 2.0
    assert ucc.get_AUUCC() == area
    assert capsys.readouterr() == ("", "")


def test_coordinates_stay_as_they_were_set():
    """Only what is named changes; a miss rate has no unit; None leaves the normalization."""
    matrix, gt = made_rows()
    ucc = UncertaintyCharacteristicsCurve().fit(matrix, gt)
    unit = ucc.std_unit
    assert (ucc.x_axis_idx, ucc.y_axis_idx) == (3, 1)
    assert ucc.get_OP()[2:] == (unit, 1.0)
    ucc.set_coordinates(normalize=True)
    assert ucc.get_OP()[2:] == (unit, 1.0)
    ucc.set_coordinates(y_axis_name="deficit")
    assert ucc.get_OP()[2:] == (unit, unit)
    ucc.set_coordinates(x_axis_name="bandwidth", normalize=False)
    assert ucc.get_OP()[2:] == (1.0, unit)
    ucc.set_std_unit(4.0)
    assert ucc.fit(matrix, gt).get_OP()[2:] == (1.0, 4.0)
    ucc.set_std_unit()
    assert ucc.get_OP()[2:] == (1.0, unit)


def test_attributes_are_those_of_uq360():
    """Notebooks read them."""
    matrix, gt = made_rows()
    ucc = UncertaintyCharacteristicsCurve(precompute_bias_data=False)
    assert ucc.d is ucc.lb is ucc.ub is ucc.gt is ucc.std_unit is None
    ucc.fit(matrix, gt)
    assert np.array_equal(ucc.d[0], gt - matrix[:, 0])
    assert np.array_equal(ucc.ub[0], matrix[:, 2])
    assert ucc.axes_name2idx["deficit"] == 4
    assert ucc.axes_idx2descr[1] == "Missrate"
    assert ucc.plotdata_for_scale[0][0][:2] == (0.0, 1.0)
    assert len(ucc.plotdata_for_scale[0]) == 31
    assert ucc.plotdata_for_bias == []


def test_where_observations_do_not_vary_the_unit_is_one():
    """A printed line of UQ360 is a warning here; units below 1e-8 are units."""
    matrix, gt = made_rows()
    for level in (1.0, 21.781):  # of which NumPy finds a deviation of 4e-15
        with pytest.warns(ex.RepairedInputWarning):
            assert UncertaintyCharacteristicsCurve().fit(matrix, np.full(30, level)).std_unit == 1.0
    tiny = UncertaintyCharacteristicsCurve().fit(1e-12 * matrix, 1e-12 * gt)
    assert tiny.get_AUUCC() == pytest.approx(UncertaintyCharacteristicsCurve().fit(matrix, gt).get_AUUCC())


def test_bad_rows_are_refused_with_their_number():
    """UQ360 takes negative bands, NaN and masked values as they come."""
    ucc = UncertaintyCharacteristicsCurve()
    matrix, gt = made_rows()
    negative, zero, masked = matrix.copy(), matrix.copy(), np.ma.array(matrix)
    negative[7, 1], zero[:, 2], masked[[7, 9], 1] = -1.0, 0.0, np.ma.masked
    with pytest.raises(ex.NegativeBandError):
        ucc.fit(negative, gt)
    with raises(ex.ArgumentError, "X"):
        ucc.fit(zero, gt)
    for rows in (masked, [matrix, masked], list(masked), masked.filled(np.inf)):
        with raises(ex.NonFiniteError, "X", count=2, first=7):
            ucc.fit(rows, gt)
    for bad in (matrix[:, :2], matrix[:5], np.zeros(3), [matrix, matrix[:5]]):
        with raises(ex.ShapeError, "X"):
            ucc.fit(bad, gt)
    for ragged in ([[1.0, 2.0], [3.0]], "text", matrix.astype(str), matrix > 0, matrix + 1j):
        with raises(ex.NotNumericError, "X"):
            ucc.fit(ragged, gt)
    for odd in (np.ones((30, 2)), None):
        with raises(ex.ShapeError, "gt"):
            ucc.fit(matrix, odd)
    with raises(ex.IndexMismatchError, "X", count=30):
        ucc.fit([pd.DataFrame(matrix)[::-1]], pd.Series(gt))
    with raises(ex.NotNumericError, "gt"):
        ucc.fit(matrix, pd.date_range("2024-01-01", periods=30))
    assert ucc.d is None


def test_bad_arguments_are_named():
    """Errors are ValueErrors, as UQ360's were where it had any."""
    ucc = UncertaintyCharacteristicsCurve(precompute_bias_data=False)
    for call in (ucc.get_AUUCC, ucc.get_OP, ucc.minimize_cost, ucc.plot_UCC, ucc.set_std_unit):
        with raises(ex.NotFittedError):
            call()
    ucc.fit(*made_rows())
    for call, argument in (
        (lambda: ucc.get_AUUCC(vary_bias=True), "precompute_bias_data"),
        (ucc.minimize_cost, "precompute_bias_data"),
        (lambda: ucc.minimize_cost(search="shift"), "search"),
        (lambda: ucc.get_AUUCC(aucfct="romb"), "aucfct"),
        (lambda: ucc.get_AUUCC(partial_x=(0, 1), partial_y=(0, 1)), "partial_x"),
        (lambda: ucc.get_AUUCC(partial_y=(0.5, 0.1)), "partial_y"),
        (ucc.get_specific_operating_point, "req_x_axis_value"),
        (lambda: ucc.get_specific_operating_point(0.1, 0.1), "req_x_axis_value"),
        (lambda: ucc.get_specific_operating_point(req_y_axis_value=5), "req_y_axis_value"),
        (lambda: ucc.get_specific_operating_point("0.1"), "req_x_axis_value"),
        (lambda: ucc.set_coordinates("coverage"), "x_axis_name"),
        (lambda: ucc.plot_UCC(markers=[]), "markers"),
    ):
        with raises(ex.ArgumentError, argument):
            call()


class Model:
    """Bands of 1 and 2 around zero, in the shape of its input."""

    def predict(self, rows):
        zero = np.zeros(np.shape(rows))
        return zero, zero - 1, zero + 2, "more"


def test_recalibration_misses_no_more_than_asked_for():
    """In the shape that the base model has; UQ360's nearest point may miss more."""
    y = np.concatenate([np.linspace(0.05, 4, 25), -np.linspace(0.05, 1.9, 5)])[:, None]
    for missrate in (0.0, 0.05, 0.1, 0.25, 0.5):
        found = UCCRecalibration(Model()).fit(y, y).predict(y, missrate=missrate)
        assert type(found).__name__ == "res"
        assert found._fields == ("y_mean", "y_lower", "y_upper")
        assert found.y_upper.shape == y.shape
        missed = np.mean((y > found.y_upper + 1e-9) | (y < found.y_lower - 1e-9))
        assert missrate - 1 / 30 < missed <= missrate


def test_recalibration_checks_its_arguments():
    """Its parameters can be read, as those of an estimator."""
    recalibrated = UCCRecalibration(model := Model())
    assert recalibrated.get_params() == {"base_model": model}
    with pytest.raises(ex.NotFittedError):
        recalibrated.predict([1.0])
    model.predict = lambda rows: (rows, rows - 1, np.ma.array(rows + 1, mask=rows == 3))
    with raises(ex.NonFiniteError, "zhatu", count=1, first=3):
        recalibrated.fit(np.arange(5.0), np.arange(5.0))
    model.predict = lambda rows: (rows, rows - 1, rows + 1)
    with raises(ex.ArgumentError, "missrate"):
        recalibrated.fit(np.arange(5.0), np.arange(5.0)).predict([1.0], missrate=5)


# -- metrics --------------------------------------------------------------------------------------


def made_bounds(n=50):
    rng = np.random.default_rng(2)
    mean, band = rng.normal(size=n), rng.lognormal(size=n)
    return mean + band * rng.normal(size=n), mean, mean - band, mean + 1.5 * band


def test_each_number_is_that_of_the_usual_library():
    """All of them at once, one, or some; a column is taken as such."""
    true, mean, lower, upper = rows = made_bounds()
    std = (upper - lower) / 4
    wanted = {
        "rmse": root_mean_squared_error(true, mean),
        "nll": float(np.mean(-norm.logpdf(true, mean, std))),
        "auucc_gain": uc.auucc_gain(true, lower, upper, y_pred=mean, x="excess"),
        "picp": uc.coverage(true, lower, upper),
        "mpiw": 2 * uc.bandwidth(lower, upper),
        "r2": r2_score(true, mean),
    }
    found = uq360.compute_regression_metrics(*rows)
    assert list(found) == list(wanted)
    assert found == pytest.approx(wanted, rel=1e-12)
    assert all(type(value) is float for value in found.values())
    assert uq360.compute_regression_metrics(*(row[:, None] for row in rows)) == pytest.approx(wanted)
    assert list(uq360.compute_regression_metrics(*rows, option=["r2", "picp"])) == ["picp", "r2"]
    given = uq360.compute_regression_metrics(*rows, option="nll", nll_fn=lambda y: y**2)
    assert given == {"nll": pytest.approx(np.mean(true**2))}


def test_several_outputs_are_averaged_as_scikit_learn_does():
    """Points and squares; the curve takes one output."""
    true, mean, lower, upper = rows = [np.stack([row, 3 * row], axis=1) for row in made_bounds()]
    found = uq360.compute_regression_metrics(*rows, option=["rmse", "r2", "picp", "mpiw"])
    assert found["rmse"] == pytest.approx(root_mean_squared_error(true, mean))
    assert found["r2"] == pytest.approx(r2_score(true, mean))
    assert found["picp"] == pytest.approx(np.mean((true >= lower) & (true <= upper)))
    with pytest.raises(ex.ShapeError):
        uq360.auucc_gain(*rows)
    for mean in ([1.0, 1.0], [1.0, 2.0]):  # of observations that do not vary
        found = uq360.compute_regression_metrics([1.0, 1.0], mean, [0.0, 0.0], [2.0, 2.0], option="r2")
        assert found == {"r2": r2_score([1.0, 1.0], mean)}


def test_bad_values_are_refused_or_counted():
    """A column beside rows would be compared with all of them; NaN is no miss; crossed bounds are no width."""
    true, mean, lower, upper = made_bounds()
    for call in (lambda: uq360.picp(true[:, None], lower, upper), lambda: uq360.mpiw(lower, upper[:5])):
        with pytest.raises(ex.ShapeError):
            call()
    bad = np.ma.array(true, mask=np.arange(50) == 3)
    with raises(ex.NonFiniteError, "y_true", count=1, first=3):
        uq360.picp(bad, lower, upper)
    with raises(ex.NonFiniteError, "y_true", count=1, first=3):
        uq360.compute_regression_metrics(bad, mean, lower, upper)
    with pytest.warns(ex.RepairedInputWarning):
        assert uq360.mpiw(upper, lower) == pytest.approx(np.mean(upper - lower))
    with pytest.warns(ex.RepairedInputWarning):
        assert uq360.picp(true, upper, lower) == 0
    with raises(ex.IndexMismatchError, "y_lower", count=50):
        uq360.picp(pd.Series(true), pd.Series(lower)[::-1], upper)
    assert np.isnan(uq360.negative_log_likelihood_Gaussian(mean, mean, mean, mean))
    assert np.isnan(uq360.auucc_gain(mean, mean, mean - 1, mean + 1))  # nothing to save
    with raises(ex.ArgumentError, "option"):
        uq360.compute_regression_metrics(mean, mean, lower, upper, option="PICP")


def test_the_null_reference_is_a_constant_band_around_the_same_predictions():
    """Its size is UQ360's, and no obstacle where predictions do not vary."""
    true, mean, lower, upper = made_bounds()
    ucc = uq360.fitted_ucc_w_nullref(true, mean, lower, upper)
    assert np.array_equal(ucc.ub[1], np.full(50, np.std(mean)))
    assert np.array_equal(ucc.d[0], ucc.d[1])
    for level in (0.0, 21.781):
        lift = level - mean
        still = uq360.fitted_ucc_w_nullref(true - mean, mean + lift, lower + lift, upper + lift)
        assert np.allclose(still.lb[1], np.mean(upper - lower) / 2)


# -- figures --------------------------------------------------------------------------------------


def test_curves_are_drawn_with_their_area_and_operating_point():
    """Two models, their names, UQ360's words for the axes; areas and points come back."""
    matrix, gt = made_rows()
    ucc = UncertaintyCharacteristicsCurve().fit([matrix, matrix], gt)
    options = {"titlestr": "Both", "syslabel": ["a", "b"], "markers": ["o", "s"], "xlim": (0, 2)}
    areas, points = ucc.plot_UCC(**options, linewidth=3)
    assert (areas, points) == (ucc.get_AUUCC(), ucc.get_OP())
    (ax,) = plt.gcf().axes
    curve, ring, _, _ = ax.lines
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == points[0][:2]
    assert (curve.get_marker(), curve.get_linewidth()) == ("o", 3)
    x, y = curve.get_data()
    assert (x[0], y[0]) == (0.0, 1.0)
    assert np.trapezoid(y, x) == pytest.approx(areas[0])
    assert ax.get_legend().get_texts()[0].get_text() == f"a (AUC={areas[0]:.3f})"
    assert (ax.get_title(), ax.get_xlim()) == ("Both", (0, 2))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Excess [in std deviations]", "Missrate (raw)")


def test_a_file_is_written_and_the_figure_closed(tmp_path, monkeypatch):
    """Without a file, the figure is shown."""
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gca().get_xlabel()))
    ucc = UncertaintyCharacteristicsCurve().fit(*made_rows())
    ucc.set_std_unit(2.0)
    ucc.plot_UCC(outfn=tmp_path / "curve", vary_bias=True)
    assert (tmp_path / "curve.png").stat().st_size > 1000
    assert (plt.get_fignums(), shown) == ([], [])
    ucc.plot_UCC()
    assert shown == ["Excess [in units of 2]"]
