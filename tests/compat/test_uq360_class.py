"""How the class behaves: what it takes and returns, what stays set, what it refuses."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from errors import raises
from uccurve import exceptions as ex
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
    keys = {"operation", "modvalue", "new_x", "new_y"}
    for ask, kind in (
        (lambda ucc: ucc.get_AUUCC(), float),
        (lambda ucc: ucc.get_OP(), tuple),
        (lambda ucc: ucc.get_specific_operating_point(req_y_axis_value=0.1), dict),
        (lambda ucc: ucc.minimize_cost(), dict),
    ):
        alone, together = ask(one), ask(two)
        assert isinstance(alone, kind)
        assert isinstance(together, list)
        assert len(together) == 2
        assert together[0] == alone
        if kind is dict:
            assert set(alone) in (keys, keys | {"cost", "original_cost"})
        if kind is tuple:
            assert len(alone) == 4


@pytest.mark.parametrize(
    "kind", [np.ndarray.tolist, pd.DataFrame, np.asfortranarray, lambda m: m.astype("f4")]
)
def test_matrices_come_in_many_forms(kind):
    """Lists of rows, frames and other layouts; observations as a list, a series or a column."""
    matrix, gt = made_rows()
    matrix = matrix.astype("f4").astype("f8")
    wanted = UncertaintyCharacteristicsCurve().fit(matrix, gt).get_AUUCC()
    for observed in (gt, gt.tolist(), pd.Series(gt), gt[:, None]):
        ucc = UncertaintyCharacteristicsCurve()
        assert ucc.fit(kind(matrix), observed).get_AUUCC() == wanted
        assert ucc.fit([kind(matrix), kind(matrix)], observed).get_AUUCC() == [wanted, wanted]
        assert ucc.fit((kind(matrix),), observed).get_AUUCC() == wanted


def test_no_input_is_changed_and_nothing_is_printed(capsys):
    """Zero bands are replaced in a copy, with a warning that counts them."""
    matrix, gt = made_rows()
    matrix[:2, 1], matrix[5, 0] = 0.0, 0.0
    kept = matrix.copy(), gt.copy()
    for array in (matrix, gt):
        array.flags.writeable = False
    with pytest.warns(ex.RepairedInputWarning) as caught:
        ucc = UncertaintyCharacteristicsCurve().fit(matrix, gt)
    assert caught[0].filename == __file__
    ucc.get_AUUCC(), ucc.minimize_cost(), ucc.get_OP()
    assert np.array_equal(matrix, kept[0])
    assert np.array_equal(gt, kept[1])
    assert capsys.readouterr() == ("", "")
    assert ucc.d[0][5] == gt[5]  # UQ360 overwrites predictions of zero as well
    assert ucc.lb[0][0] == np.min(matrix[2:, 1])


def test_later_changes_of_an_array_change_nothing():
    """The rows are the drop-in's own."""
    matrix, gt = made_rows()
    ucc = UncertaintyCharacteristicsCurve().fit(matrix, gt)
    before = ucc.get_AUUCC(vary_bias=True)
    matrix[:], gt[:] = 1.0, 2.0
    assert ucc.get_AUUCC(vary_bias=True) == before
    assert ucc.gt[0] != 2.0


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
    ucc.set_coordinates(x_axis_name="excess")
    assert (ucc.norm_x_axis, ucc.norm_y_axis) == (False, True)
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
    matrix, _ = made_rows()
    with pytest.warns(ex.RepairedInputWarning):
        ucc = UncertaintyCharacteristicsCurve().fit(matrix, np.ones(30))
    assert ucc.std_unit == 1.0
    with pytest.warns(ex.RepairedInputWarning):
        assert ucc.fit(matrix, np.full(30, 21.781)).std_unit == 1.0  # NumPy finds a deviation of 4e-15
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tiny = UncertaintyCharacteristicsCurve().fit(1e-12 * matrix, 1e-12 * made_rows()[1])
    assert tiny.get_AUUCC() == pytest.approx(UncertaintyCharacteristicsCurve().fit(*made_rows()).get_AUUCC())


def test_bad_rows_are_refused_with_their_number():
    """UQ360 takes negative bands and NaN as they come."""
    ucc = UncertaintyCharacteristicsCurve()
    matrix, gt = made_rows()
    for column, value, error in ((1, -1.0, ex.NegativeBandError), (0, np.nan, ex.NonFiniteError)):
        bad = matrix.copy()
        bad[7, column] = value
        with pytest.raises(error):
            ucc.fit(bad, gt)
    for column in (1, 2):
        zero = matrix.copy()
        zero[:, column] = 0
        with raises(ex.ArgumentError, "X"):
            ucc.fit(zero, gt)
    for bad in (matrix[:, :2], matrix[:5], np.zeros(3), [matrix, matrix[:5]]):
        with raises(ex.ShapeError, "X"):
            ucc.fit(bad, gt)
    for ragged in ([[1.0, 2.0], [3.0]], [[[1.0], [2.0, 3.0]]], "text", {"a": 1}):
        with raises(ex.NotNumericError, "X"):
            ucc.fit(ragged, gt)
    with raises(ex.NotNumericError, "gt"):
        ucc.fit(matrix, ["a"] * 30)
    with raises(ex.ShapeError, "gt"):
        ucc.fit(matrix, np.ones((30, 2)))
    infinite = matrix.copy()
    infinite[:, 2] = np.inf
    with pytest.raises(ex.NonFiniteError) as caught:
        ucc.fit(infinite, gt)
    assert (caught.value.argument, caught.value.count) == ("X", 30)
    assert ucc.d is None


def test_masked_values_are_missing():
    """In observations, in matrices, in lists of them and in lists of rows."""
    ucc = UncertaintyCharacteristicsCurve()
    matrix, gt = made_rows()
    masked, column = np.ma.array(matrix), np.ma.array(gt)
    masked[[7, 9], 1], column[7], column[9] = np.ma.masked, np.ma.masked, np.ma.masked
    for rows, y, argument in (
        (matrix, column, "gt"),
        (matrix, column[:, None], "gt"),
        (masked, gt, "X"),
        ([matrix, masked], gt, "X"),
        (list(masked), gt, "X"),
    ):
        with raises(ex.NonFiniteError, argument, count=2, first=7):
            ucc.fit(rows, y)
    whole = ucc.fit(np.ma.array(matrix), np.ma.array(gt)).get_AUUCC()
    assert whole == ucc.fit(matrix, gt).get_AUUCC()


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
        (lambda: ucc.minimize_cost(search=()), "search"),
        (lambda: ucc.minimize_cost(-1, 1, search="scale"), "x_axis_cost"),
        (lambda: ucc.get_AUUCC(aucfct="romb"), "aucfct"),
        (lambda: ucc.get_AUUCC(partial_x=(0, 1), partial_y=(0, 1)), "partial_x"),
        (lambda: ucc.get_AUUCC(partial_x=0.5), "partial_x"),
        (lambda: ucc.get_AUUCC(partial_y=(0.5, 0.1)), "partial_y"),
        (ucc.get_specific_operating_point, "req_x_axis_value"),
        (lambda: ucc.get_specific_operating_point(0.1, 0.1), "req_x_axis_value"),
        (lambda: ucc.get_OP(scale=-1), "scale"),
        (lambda: ucc.set_coordinates("coverage"), "x_axis_name"),
        (lambda: ucc.set_std_unit(0), "std_unit"),
        (lambda: ucc.plot_UCC(markers=[]), "markers"),
    ):
        with raises(ex.ArgumentError, argument):
            call()


def test_bias_wins_only_where_it_is_cheaper():
    """Of a constant band, both families have the same points."""
    matrix, gt = made_rows()
    ucc = UncertaintyCharacteristicsCurve(normalize=False).fit(flat(matrix), gt)
    ucc.set_coordinates("bandwidth", "deficit")
    ways = [ucc.minimize_cost(0.2, 0.8, search=way)["cost"] for way in ("scale", "bias")]
    assert ways[0] == pytest.approx(ways[1])
    ucc.fit(matrix, gt)
    both = ucc.minimize_cost(0.2, 0.8)
    each = [ucc.minimize_cost(0.2, 0.8, search=way) for way in ("scale", "bias")]
    assert both == min(each, key=lambda found: found["cost"])


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


def test_recalibration_does_not_depend_on_the_axes_of_its_curve():
    """In UQ360 other coordinates of `ucc` give another factor."""
    y = np.linspace(-2, 4, 30)
    recalibrated = UCCRecalibration(Model()).fit(y, y)
    before = recalibrated.predict(y, missrate=0.2)
    recalibrated.ucc.set_coordinates("missrate", "bandwidth", normalize=False)
    assert np.array_equal(recalibrated.predict(y, missrate=0.2).y_upper, before.y_upper)


def test_recalibration_is_an_estimator_and_checks_its_arguments():
    """Parameters can be read and set."""
    recalibrated = UCCRecalibration(Model())
    other = Model()
    assert recalibrated.set_params(base_model=other).get_params() == {"base_model": other}
    with raises(ex.ArgumentError, "model"):
        recalibrated.set_params(model=1)
    with pytest.raises(ex.NotFittedError):
        recalibrated.predict([1.0])
    for base in (lambda rows: (rows, rows), lambda _: None, lambda _: ("a", "b", "c")):
        model = Model()
        model.predict = base
        with raises(ex.ArgumentError, "base_model"):
            UCCRecalibration(model).fit(np.arange(5.0), np.arange(5.0))
    masking = Model()
    masking.predict = lambda rows: (rows, rows - 1, np.ma.array(rows + 1, mask=rows == 3))
    with raises(ex.NonFiniteError, "zhatu", count=1, first=3):
        UCCRecalibration(masking).fit(np.arange(5.0), np.arange(5.0))
    with raises(ex.ArgumentError, "missrate"):
        recalibrated.fit(np.arange(5.0), np.arange(5.0)).predict([1.0], missrate=5)
