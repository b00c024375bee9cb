"""The public names: a walk through everything users can call, by inspection."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import pydoc
import subprocess
import sys

import numpy as np
import pytest

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

FOLDERS = ("adapters", "datasets", "engines", "plotting")
KEYWORD_ONLY = {"x", "y", "vary", "partial"}
BANDS = {("Intervals.floored", "band"), ("Intervals.from_bands", "band")}
"""Where `band` is the right name."""
RENAMED = {"level", "what", "groups", "one_sided", "p_value", "band", "kept_", "range_", "target"}
RANGES = ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")


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
    """Axes, vary and partial by keyword; nothing under an old name; no catch-all for ranges."""
    given = parameters(CALLABLES[name])
    estimator = name.endswith("from_estimator")  # its X and y are scikit-learn's
    predicted = {"y_true", "y_pred"} & set(given)
    for parameter in given.values():
        if parameter.name in KEYWORD_ONLY and not estimator:
            assert parameter.kind is inspect.Parameter.KEYWORD_ONLY or predicted, parameter
        assert parameter.name not in RENAMED or (name, parameter.name) in BANDS
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            assert parameter.name in {"options", "line_kwargs", "params"}, parameter


@pytest.mark.parametrize(
    "name", ["UCC.area", "UCC.gain", "UCC.at", "auucc", "auucc_gain", "permutation_test"]
)
def test_ranges_are_explicit_keywords(name):
    """Completion shows them, and a typo is an unexpected argument."""
    given = parameters(CALLABLES[name])
    assert all(given[axis].kind is inspect.Parameter.KEYWORD_ONLY for axis in RANGES)
    with pytest.raises(TypeError, match="unexpected keyword argument 'missrate'"):
        CALLABLES[name](missrate=(0, 0.5))


def test_the_mean_is_the_usual_partial_area():
    """Strips are for numbers of UQ360 and of the paper."""
    for name, function in CALLABLES.items():
        if "partial" in parameters(function) and name != "confidence_interval":
            assert parameters(function)["partial"].default == "mean", name
    curve = rows().ucc()
    part = {"miss_rate": (0.0, 0.5)}
    assert curve.gain(**part) == curve.gain(partial="mean", **part)
    found = uc.confidence_interval(rows(), "gain", **part).estimate
    assert found == pytest.approx(curve.gain(**part), rel=1e-9)


def test_bounds_come_in_the_order_of_the_metrics():
    """y_true, lower, upper; everything else by keyword."""
    for function in (uc.Intervals.from_bounds, uc.auucc, uc.auucc_gain, uc.miss_rate, uc.interval_score):
        assert list(parameters(function))[:3] == ["y_true", "lower", "upper"]
    assert list(parameters(uc.UCCDisplay.from_predictions))[:3] == ["y_true", "lower", "upper"]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'c'"):
        rows().ucc().minimize_cost()


def test_records_speak_as_scipy_does():
    """statistic and pvalue; a confidence level is called so."""
    for record in (uc.PermutationTest, uc.Drift):
        assert {"statistic", "pvalue"} <= {field.name for field in dataclasses.fields(record)}
    for record in (uc.ConfidenceInterval, uc.CurveBand):
        assert "confidence_level" in {field.name for field in dataclasses.fields(record)}
    for name in uc.__all__:
        thing = getattr(uc, name)
        if dataclasses.is_dataclass(thing):
            assert not RENAMED & {field.name for field in dataclasses.fields(thing)}, name


def test_the_namespace_shows_public_names_and_nothing_else():
    """Each of them is there; an unknown one is an ordinary AttributeError."""
    assert sorted(dir(uc)) == sorted([*uc.__all__, *FOLDERS, "__version__"])
    assert all(getattr(uc, name) is not None for name in dir(uc))
    with pytest.raises(AttributeError, match="module 'uccurve' has no attribute 'nothing'"):
        _ = uc.nothing


def test_the_drop_in_for_uq360_is_public_and_documented():
    """Names are UQ360's own; each says what its arguments mean, and shows a call that runs."""
    from uccurve.compat import uq360

    assert {"UncertaintyCharacteristicsCurve", "UCCRecalibration", "picp", "mpiw", "auucc_gain"} <= set(
        uq360.__all__
    )
    for name in uq360.__all__:
        text = inspect.getdoc(getattr(uq360, name))
        assert "Parameters\n" in text, name
        assert ">>> " in text, name


def test_no_function_shadows_a_module_of_its_name():
    """`import uccurve.report` would take the function's place."""
    for name in uc.__all__:
        if name != "exceptions":
            assert importlib.util.find_spec(f"uccurve.{name}") is None, name


OBJECTS = {
    "Intervals": rows,
    "UCC": lambda: rows().ucc(),
    "UCCSketch": lambda: rows().sketch(),
    "SketchedUCC": lambda: rows().sketch().curve(),
    "Comparison": lambda: uc.compare({"a": rows()}, n_resamples=9, rng=0),
    "ConformalScaler": lambda: uc.ConformalScaler(coverage=0.8).fit(rows()),
    "OperatingPoint": lambda: rows().ucc().original,
    "Columns": lambda: uc.Columns(y_true="y", y_pred="p", std="s"),
    "PermutationTest": lambda: uc.permutation_test(rows(), rows().scaled(2), n_resamples=9, rng=0),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_repr_is_short_and_names_nothing_private(name):
    """One look tells what it is."""
    text = repr(OBJECTS[name]())
    assert text.startswith((name, "UCCSketch"))
    assert len(text) < 250
    assert " _" not in text
    assert "(_" not in text


@pytest.mark.slow
@pytest.mark.parametrize("first", ["pandas", "polars", "pyarrow"])
def test_frames_do_not_depend_on_what_is_imported(first):
    """The library the data came from, else the first that is installed: pandas here."""
    code = (
        f"import {first}\n"
        "import uccurve as uc, polars as pl\n"
        "i = uc.Intervals.from_bands([1., 2., 4.], [0.] * 3, [1., 2., 1.])\n"
        "s = uc.Intervals.from_bands(pl.Series([1., 2., 4.]), [0.] * 3, [1., 2., 1.])\n"
        "frames = [i.ucc().to_frame(), uc.compare({'a': i}, n_resamples=9).scores.to_frame(), s.ucc().to_frame()]\n"
        "print(*[type(frame).__module__.partition('.')[0] for frame in frames])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["pandas", "pandas", "polars"]


def test_wrong_types_are_type_errors_and_wrong_values_value_errors():
    """Both are errors of this library; names in them are public."""
    wrong_types = (
        lambda: uc.UCC([1, 2]),
        lambda: uc.UCCSketch.of([1]),
        lambda: uc.permutation_test(rows(), [1]),
        lambda: uc.compare({"a": [1]}),
        lambda: uc.compare({"a": rows()}, miss_rate=(0.1, 0.2)),
        lambda: uc.Intervals.from_std(["a"], [1.0], [1.0]),
        lambda: rows().ucc().crossings("other"),
    )
    for call in wrong_types:
        with pytest.raises(TypeError) as caught:
            call()
        assert isinstance(caught.value, ex.UccurveError)
        assert "._" not in str(caught.value)
    for miss_rate in (0, -1, 90, float("nan")):
        with pytest.raises(ValueError, match="`miss_rate` must") as caught:
            uc.compare({"a": rows()}, miss_rate=miss_rate)
        assert "\n" not in str(caught.value)
        assert not isinstance(caught.value, TypeError)


def test_typical_mistakes_say_what_to_do():
    """Arrays in the place of a constructor, a percentage for a share, a single number for a range."""
    given = rows()
    with pytest.raises(TypeError, match=r"as in Intervals\.from_bounds\(y_true, lower, upper\)"):
        uc.Intervals(given.y_true, given.lower, given.upper)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'statistic'"):
        uc.confidence_interval(given)
    for part in ({"coverage": (80, 99)}, {"coverage": 0.9}, {"miss_rate": (0, 0.1, 0.2)}):
        for ask in (uc.confidence_interval, uc.permutation_test):
            models = (given, "gain") if ask is uc.confidence_interval else (given, given.scaled(2))
            with pytest.raises(ex.ArgumentError):
                ask(*models, **part)
    with raises(ex.ArgumentError, "multioutput"):
        uc.auucc(given.y_true, given.lower, given.upper, multioutput="raw")
    with raises(ex.ArgumentError, "coverge"):
        uc.ConformalScaler().set_params(coverge=0.8)


def test_coverage_stands_beside_the_miss_rate():
    """90% and a miss rate of 0.1 are the same point, exactly; giving both is refused."""
    given = rows()
    bounds = (given.y_true, given.lower, given.upper)
    assert uc.interval_score(*bounds, coverage=0.9) == uc.interval_score(*bounds, miss_rate=0.1)
    one, other, usual = (
        uc.compare({"a": given}, n_resamples=9, rng=0, **point)
        for point in ({"coverage": 0.95}, {"miss_rate": 0.05}, {})
    )
    assert one.scores[0] == other.scores[0] != usual.scores[0]
    assert one.findings == other.findings
    for point in ({}, {"coverage": 90}, {"coverage": 0.9, "miss_rate": 0.1}):
        with raises(ex.ArgumentError, "coverage"):
            uc.interval_score(*bounds, **point)


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("Intervals", "()"),
        ("UCCSketch", "(outputs: 'tuple[State, ...]' = (), *, nominal: 'float | None' = None) -> None"),
    ],
)
def test_a_signature_shows_public_parameters_only(name, signature):
    """The private fields of the dataclass are no arguments of users, in help and completion."""
    kind = getattr(uc, name)
    assert str(inspect.signature(kind)) == signature
    assert f"{name}(_" not in pydoc.plain(pydoc.render_doc(kind))
