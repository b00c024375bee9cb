"""The public names: a walk through everything users can call, by inspection."""

from __future__ import annotations

import dataclasses
import inspect
import pydoc

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

FOLDERS = ("adapters", "datasets", "engines", "plotting")
KEYWORD_ONLY = {"x", "y", "vary", "partial"}
BANDS = {("Intervals.floored", "band"), ("Intervals.from_bands", "band")}
"""Where `band` is the right name."""
OTHER_WORDS = {"level", "what", "groups", "one_sided", "p_value", "band", "kept_", "range_", "target"}


def public_callables():
    """Every public function, class and method, with the name it is known by."""
    for name in uc.__all__:
        thing = getattr(uc, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            if "__init__" in vars(thing) or dataclasses.is_dataclass(thing):
                yield name, thing
            for method, value in inspect.getmembers(thing, callable):
                if not method.startswith("_") and not inspect.isclass(value):
                    yield f"{name}.{method}", value
    for folder in FOLDERS:
        module = getattr(uc, folder)
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield f"{folder}.{name}", getattr(module, name)


CALLABLES = dict(public_callables())


def parameters(function):
    return inspect.signature(function).parameters


def rows(seed=0, n=60, **options):
    rng = np.random.default_rng(seed)
    y, std = rng.normal(size=n), rng.exponential(size=n) + 0.2
    return uc.Intervals.from_std(y, 0.1 * y, std, **options)


@pytest.mark.parametrize("name", CALLABLES)
def test_parameters_have_one_name_everywhere(name):
    """Axes, vary and partial by keyword; no second name for a quantity; no catch-all for ranges."""
    given = parameters(CALLABLES[name])
    keyword = {parameter.name for parameter in given.values() if parameter.kind is parameter.KEYWORD_ONLY}
    is_estimator = name.endswith("from_estimator")  # its X and y are scikit-learn's
    assert is_estimator or {"y_true", "y_pred"} & set(given) or KEYWORD_ONLY & set(given) <= keyword
    assert {(name, parameter) for parameter in OTHER_WORDS & set(given)} <= BANDS
    catch_all = {parameter.name for parameter in given.values() if parameter.kind is parameter.VAR_KEYWORD}
    assert catch_all <= {"options", "line_kwargs", "params"}


def test_the_mean_is_the_usual_partial_area():
    """Strips are for numbers of UQ360 and of the paper."""
    for name, function in CALLABLES.items():
        if "partial" in parameters(function) and name != "confidence_interval":
            assert parameters(function)["partial"].default == "mean", name


def test_bounds_come_in_the_order_of_the_metrics():
    """y_true, lower, upper; everything else by keyword."""
    for function in (uc.Intervals.from_bounds, uc.auucc, uc.auucc_gain, uc.miss_rate, uc.interval_score):
        assert list(parameters(function))[:3] == ["y_true", "lower", "upper"]
    assert list(parameters(uc.UCCDisplay.from_predictions))[:3] == ["y_true", "lower", "upper"]


def test_records_speak_as_scipy_does():
    """statistic and pvalue; a confidence level is called so."""
    for record in (uc.PermutationTest, uc.Drift):
        assert {"statistic", "pvalue"} <= {field.name for field in dataclasses.fields(record)}
    for record in (uc.ConfidenceInterval, uc.CurveBand):
        assert "confidence_level" in {field.name for field in dataclasses.fields(record)}
    for name in uc.__all__:
        thing = getattr(uc, name)
        if dataclasses.is_dataclass(thing):
            assert not OTHER_WORDS & {field.name for field in dataclasses.fields(thing)}, name


def test_the_namespace_shows_public_names_and_nothing_else():
    """Each of them is there; an unknown one is an ordinary AttributeError."""
    assert sorted(dir(uc)) == sorted([*uc.__all__, *FOLDERS, "__version__"])
    assert all(getattr(uc, name) is not None for name in dir(uc))
    assert uc.compat.__name__ == "uccurve.compat"  # neither is listed: not everybody has their libraries
    assert uc.sklearn.ConformalIntervalRegressor
    with pytest.raises(AttributeError, match="module 'uccurve' has no attribute 'nothing'"):
        _ = uc.nothing


def test_wrong_types_are_type_errors_and_wrong_values_value_errors():
    """Both are errors of this library; names in them are public."""
    wrong_types = (
        lambda: uc.UCC([1, 2]),
        lambda: uc.UCCSketch.of([1]),
        lambda: uc.permutation_test(rows(), [1]),
        lambda: uc.compare({"a": [1]}),
        lambda: uc.Intervals.from_std(["a"], [1.0], [1.0]),
        lambda: rows().ucc().crossings("other"),
    )
    for call in wrong_types:
        with pytest.raises(TypeError) as caught:
            call()
        assert isinstance(caught.value, ex.UccurveError)
    with raises(ex.ArgumentError, "miss_rate") as caught:
        uc.compare({"a": rows()}, miss_rate=90)
    assert not isinstance(caught.value, TypeError)


def test_typical_mistakes_say_what_to_do():
    """Arrays in the place of a constructor, a percentage for a share, a single number for a range."""
    given = rows()
    with pytest.raises(TypeError, match=r"as in Intervals\.from_bounds\(y_true, lower, upper\)"):
        uc.Intervals(given.y_true, given.lower, given.upper)
    for part in ({"coverage": (80, 99)}, {"coverage": 0.9}, {"miss_rate": (0, 0.1, 0.2)}):
        with pytest.raises(ex.ArgumentError):
            uc.confidence_interval(given, "gain", **part)


def test_coverage_stands_beside_the_miss_rate():
    """90% and a miss rate of 0.1 are the same point, exactly; giving both is refused."""
    given = rows()
    bounds = (given.y_true, given.lower, given.upper)
    assert uc.interval_score(*bounds, coverage=0.9) == uc.interval_score(*bounds, miss_rate=0.1)
    for point in ({}, {"coverage": 90}, {"coverage": 0.9, "miss_rate": 0.1}):
        with raises(ex.ArgumentError, "coverage"):
            uc.interval_score(*bounds, **point)


def test_fields_of_intervals_are_no_arguments_of_users():
    """In help and completion."""
    assert str(inspect.signature(uc.Intervals)) == "()"
    assert "Intervals(rows" not in pydoc.plain(pydoc.render_doc(uc.Intervals))
