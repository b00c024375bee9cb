"""Everything that can be asked of UQ360 about a few data sets, asked by one code of UQ360 and of the drop-in.

It imports NumPy only: the peers' interpreter runs it as well.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

AXES = ("missrate", "bandwidth", "excess", "deficit")
MISSING = 0.2
"""Share of zeros among bands and predictions, where there are any."""

Answer = list[Any] | None
"""The numbers of an answer in order, with the words of recipes; None where a call was refused."""


def cases(rows: int | None = None) -> dict[str, dict[str, Any]]:
    """Make data sets as plain lists: observations, and for each model predictions, lower and upper bands."""
    rng = np.random.default_rng(7)

    def case(pred: Any, lower: Any, upper: Any, noise: Any, *others: Any) -> dict[str, Any]:
        models = [np.stack([pred, lower, upper], axis=1), *others]
        return {"gt": (pred + noise).tolist(), "X": [model.tolist() for model in models]}

    n = rows or 60
    band, pred = rng.lognormal(sigma=0.6, size=n), rng.normal(size=n) * 3
    noise = rng.normal(size=n)
    found = {"symmetric": case(pred, band, band, band * noise)}
    other = rng.lognormal(sigma=1.2, size=n)  # up to fifty times as wide on one side as on the other
    found["asymmetric"] = case(pred, band, other, np.where(noise < 0, band, other / 3) * noise)
    n -= 5
    flat = np.stack([pred[:n], np.ones(n), np.ones(n)], axis=1)
    found["two systems"] = case(pred[:n], band[:n], other[:n], (band * noise)[:n], flat)
    if rows is None:
        whole = rng.integers(1, 5, size=(40, 2)).astype(float)
        noise = rng.integers(-6, 7, size=40).astype(float)  # ties, and predictions that are right
        found["ties"] = case(rng.integers(-3, 4, size=40).astype(float), *whole.T, noise)
        zeroed = whole[:30] * (rng.uniform(size=(30, 2)) > MISSING)
        pred = np.where(rng.uniform(size=30) > MISSING, rng.normal(size=30), 0.0)
        found["zero bands"] = case(pred, *zeroed.T, rng.normal(size=30) * 2)
    return found


class Interview:
    """Answers by the words of their questions."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}

    def ask(self, key: str, method: Any, *args: Any, **options: Any) -> None:
        """Call a method and keep the numbers of its answer."""
        try:
            self.answers[key] = numbers(method(*args, **options))
        except (ValueError, RuntimeError, IndexError, AssertionError):
            self.answers[key] = None


def answers(api: Any, case: dict[str, Any], **options: Any) -> dict[str, Answer]:
    """Ask everything about a data set."""
    gt, models = np.asarray(case["gt"]), [np.asarray(model) for model in case["X"]]
    interview = Interview()
    for normalize in (False, True):
        ucc = api.UncertaintyCharacteristicsCurve(normalize=normalize, **options)
        ucc.fit(models if len(models) > 1 else models[0], gt)
        if not normalize:
            interview.ask("captured, scale", _captured, ucc.plotdata_for_scale, gt.size)
            interview.ask("captured, bias", _captured, ucc.plotdata_for_bias, gt.size)
        for x in AXES:
            for y in AXES:
                ucc.set_coordinates(x_axis_name=x, y_axis_name=y, normalize=normalize)
                _ask_coordinates(interview, ucc, f"{'shown' if normalize else 'raw'} {x}-{y}", models[0])
    _ask_sticky(interview, api, models, gt, options)
    _ask_metrics(interview, api, models[0], gt, options)
    return interview.answers


def _captured(models: Any, n: int) -> list[int]:
    """Return how many rows are captured at each operating point."""
    return [round(n * (1 - point[1])) for points in models for point in points]


def _ask_coordinates(interview: Interview, ucc: Any, key: str, model: np.ndarray) -> None:
    width = float(np.mean(model[:, 1:]))

    def values(axis: int, shares: tuple[float, ...], *, normalized: bool) -> list[float]:
        unit = (1.0 if axis == 1 else width) / (ucc.std_unit if normalized else 1.0)
        return [share * unit for share in shares]

    x = values(ucc.x_axis_idx, (0.2, 0.45, 0.9), normalized=ucc.norm_x_axis)
    y = values(ucc.y_axis_idx, (0.1, 0.35, 0.6), normalized=ucc.norm_y_axis)
    for bias in (False, True):
        family = "bias" if bias else "scale"
        begin, chosen = f"{key} {family}", {"vary_bias": bias}
        interview.ask(f"{begin} area", ucc.get_AUUCC, **chosen)
        interview.ask(f"{begin} part of x", ucc.get_AUUCC, partial_x=(x[0], x[2]), **chosen)
        interview.ask(f"{begin} at y", ucc.get_specific_operating_point, req_y_axis_value=y[1], **chosen)
        interview.ask(f"{begin} cheapest", ucc.minimize_cost, 0.3, 0.7, search=family)
        if not ucc.normalize:
            interview.ask(f"{begin} Simpson", ucc.get_AUUCC, aucfct="simps", **chosen)
            interview.ask(f"{begin} part of y", ucc.get_AUUCC, partial_y=(y[0], y[2]), **chosen)
            interview.ask(f"{begin} at x", ucc.get_specific_operating_point, req_x_axis_value=x[1], **chosen)
    interview.ask(f"{key} moved", ucc.get_OP, scale=0.7, bias=0.2)
    if not ucc.normalize:
        interview.ask(f"{key} at parameter", ucc.get_specific_operating_point, req_critical_value=0.8)
    else:
        interview.ask(f"{key} as given", ucc.get_OP)
        interview.ask(f"{key} plain cost", ucc.minimize_cost, 0.6, 0.4, augment_cost_by_normfactor=False)


def _ask_sticky(interview: Interview, api: Any, models: Any, gt: np.ndarray, options: dict[str, Any]) -> None:
    """Ask in the orders of calls in which UQ360's code does other things than its documentation says."""
    ucc = api.UncertaintyCharacteristicsCurve(**options)
    ucc.set_std_unit(2.0)
    ucc.fit(models, gt)
    interview.ask("sticky: unit set before fit", ucc.get_AUUCC)
    ucc.set_std_unit(2.0)
    interview.ask("sticky: unit set after fit", ucc.get_AUUCC)
    ucc.set_coordinates(normalize=False)
    interview.ask("sticky: raw", ucc.get_AUUCC)
    ucc.set_coordinates(x_axis_name="bandwidth")
    interview.ask("sticky: another axis", ucc.get_AUUCC)
    ucc.set_coordinates(normalize=True)
    interview.ask("sticky: shown", ucc.get_OP)


class BaseModel:
    """A model that knows its predictions."""

    def __init__(self, matrix: np.ndarray) -> None:
        self.matrix = matrix

    def predict(self, rows: Any) -> tuple[Any, Any, Any]:
        """Return predictions and bounds of the first rows."""
        pred, lower, upper = self.matrix[: len(rows)].T
        return pred, pred - lower, pred + upper


def _ask_metrics(
    interview: Interview, api: Any, model: np.ndarray, gt: np.ndarray, options: dict[str, Any]
) -> None:
    pred, lower, upper = BaseModel(model).predict(gt)
    interview.ask("picp", api.picp, gt, lower, upper)
    interview.ask("mpiw", api.mpiw, lower, upper)
    interview.ask("auucc_gain", api.auucc_gain, gt, pred, lower, upper, **options)
    interview.ask("metrics", api.compute_regression_metrics, gt, pred, lower, upper, **options)
    fitted = api.UCCRecalibration(BaseModel(model), **options).fit(gt[:, None], gt)
    for missrate in (0.05, 0.3):
        interview.ask(f"recalibrated to {missrate}", fitted.predict, gt[:3, None], missrate=missrate)


def numbers(answer: Any) -> list[Any]:
    """Lay an answer out flat."""
    if isinstance(answer, dict):
        return [part for name in sorted(answer) for part in numbers(answer[name])]
    if isinstance(answer, (list, tuple, np.ndarray)):
        return [part for one in answer for part in numbers(one)]
    return [answer if isinstance(answer, (str, int)) else float(answer)]


def agree(ours: Answer, theirs: Answer, tolerance: float) -> bool:
    """Whether two answers are the same, relative to their size or to 1, which is that of the data."""
    if ours is None or theirs is None or len(ours) != len(theirs):
        return ours is theirs
    return all(_same(a, b, tolerance) for a, b in zip(ours, theirs, strict=True))


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
