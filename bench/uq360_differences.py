"""Where exact numbers differ from UQ360's: one small example each, run on UQ360 and on the drop-in alike.

It imports NumPy only: the peers' interpreter runs it as well. The data need no random numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from uq360_questions import BaseModel, Interview

Example = Callable[[Any, dict[str, Any]], Any]


class Difference(NamedTuple):
    """A difference, with a call that shows it."""

    what: str
    """What is computed."""
    why: str
    """Why UQ360's number is another one."""
    example: Example


def made_rows(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a matrix with symmetric bands that know the error scale, and observations."""
    u = [(np.arange(1, n + 1) * step % 10_007) / 10_007 for step in (7919, 6101, 4409, 3331, 1867)]
    scale = 0.5 + 2 * u[0] ** 2
    pred = 4 * u[1]
    noise = 2 * (u[2] + u[3] + u[4] - 1.5)
    return np.stack([pred, scale, scale], axis=1), pred + scale * noise


def curve(api: Any, options: dict[str, Any], *data: Any, x: str = "bandwidth", y: str = "missrate") -> Any:
    """Fit the curve on raw axes."""
    ucc = api.UncertaintyCharacteristicsCurve(normalize=False, **options).fit(*data)
    ucc.set_coordinates(x_axis_name=x, y_axis_name=y)
    return ucc


def _area(n: int, **axes: str) -> Example:
    return lambda api, options: curve(api, options, *made_rows(n), **axes).get_AUUCC()


def _miscounted(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    critical = np.abs(gt - matrix[:, 0]) / matrix[:, 1]
    missed = {point[0]: point[1] for point in curve(api, options, matrix, gt).plotdata_for_scale[0]}
    return sum(abs(missed[k] - np.mean(critical > k)) > 1 / gt.size / 2 for k in critical)


def _asymmetric(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    matrix[:, 2] *= 4
    return curve(api, options, matrix, gt, x="excess").get_OP()[0]


def _gain(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    pred, lower, upper = BaseModel(matrix).predict(gt)
    return api.auucc_gain(gt, pred, lower, upper, **options)


def _gain_of_constant_predictions(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    gt, matrix[:, 0] = gt - matrix[:, 0] + 1, 1.0
    pred, lower, upper = BaseModel(matrix).predict(gt)
    return api.auucc_gain(gt, pred, lower, upper, **options)


def _zero_prediction(api: Any, options: dict[str, Any]) -> Any:
    matrix = np.array([[0.0, 1.0, 1.0], [0.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 1.0, 1.0]])
    ucc = curve(api, options, matrix, np.array([0.9, -0.9, 0.5, -1.5]))
    return [*ucc.d[0], ucc.get_OP()[1]]


def _tiny_units(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    return 1e12 * curve(api, options, matrix * 1e-12, gt * 1e-12).get_AUUCC()


def _cheapest(api: Any, options: dict[str, Any]) -> Any:
    return curve(api, options, *made_rows(10)).minimize_cost(10.0, 1.0)["cost"]


def _at_missrate(api: Any, options: dict[str, Any]) -> Any:
    found = curve(api, options, *made_rows(30)).get_specific_operating_point(req_y_axis_value=0.05)
    return [found["modvalue"], found["new_y"]]


def _at_bandwidth(api: Any, options: dict[str, Any]) -> Any:
    return curve(api, options, *made_rows(30)).get_specific_operating_point(req_x_axis_value=1.0)["new_x"]


def _percentage(api: Any, options: dict[str, Any]) -> Any:
    return curve(api, options, *made_rows(30)).get_specific_operating_point(req_y_axis_value=5)["new_y"]


def _part(**part: tuple[float, float]) -> Example:
    return lambda api, options: curve(api, options, *made_rows(30)).get_AUUCC(**part)


def _simpson(api: Any, options: dict[str, Any]) -> Any:
    return curve(api, options, *made_rows(1000)).get_AUUCC(aucfct="simps")


def _simpson_of_ties(api: Any, options: dict[str, Any]) -> Any:
    band, factor = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9]), np.array([1, 1, 3, 1, 1, 3, 1])
    matrix = np.stack([0 * band, band, band], axis=1)
    return curve(api, options, matrix, np.round(band * factor, 2)).get_AUUCC(aucfct="simps")


def _bias(api: Any, options: dict[str, Any]) -> Any:
    return curve(api, options, *made_rows(10)).get_AUUCC(vary_bias=True)


def _normalize_alone(api: Any, options: dict[str, Any]) -> Any:
    ucc = api.UncertaintyCharacteristicsCurve(**options).fit(*made_rows(1000))
    ucc.set_coordinates(normalize=True)
    return ucc.get_OP()[1]


def _normalize_none(api: Any, options: dict[str, Any]) -> Any:
    ucc = api.UncertaintyCharacteristicsCurve(**options).fit(*made_rows(1000))
    ucc.set_coordinates(normalize=False)
    ucc.set_coordinates(x_axis_name="bandwidth")
    return ucc.get_OP()[2]


def _unit_before_fit(api: Any, options: dict[str, Any]) -> Any:
    ucc = api.UncertaintyCharacteristicsCurve(**options)
    ucc.set_std_unit(10.0)
    return ucc.fit(*made_rows(1000)).std_unit


def _recalibrated(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(30)
    found = api.UCCRecalibration(BaseModel(matrix), **options).fit(gt, gt).predict(gt, missrate=0.05)
    return api.picp(gt, found.y_lower - 1e-9, found.y_upper + 1e-9)


def _broadcast(api: Any, _options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(1000)
    _, lower, upper = BaseModel(matrix).predict(gt)
    return api.picp(gt[:, None], lower, upper)


def _negative_band(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(10)
    matrix[:5, 1] *= -1
    return curve(api, options, matrix, gt).get_AUUCC()


def _not_a_number(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(10)
    gt[0] = np.nan
    return curve(api, options, matrix, gt).get_AUUCC()


def _unknown_metric(api: Any, options: dict[str, Any]) -> Any:
    matrix, gt = made_rows(10)
    found = api.compute_regression_metrics(gt, *BaseModel(matrix).predict(gt), option="PICP", **options)
    return list(found.values())


DIFFERENCES = {
    "area of 10": Difference(
        "area, bandwidth against miss rate, 10 rows",
        "The curve is a step function that starts at bands of zero. UQ360 joins its points by straight lines and "
        "drops the part before the first one.",
        _area(10),
    ),
    "area of 1000": Difference("the same, 1000 rows", "As above: it fades as rows are added.", _area(1000)),
    "area on excess": Difference(
        "area, excess against miss rate, 1000 rows", "As above.", _area(1000, x="excess")
    ),
    "area of 2": Difference("area, 2 rows", "UQ360 returns 0 for two rows.", _area(2)),
    "area of 1": Difference("area, 1 row", "UQ360 reads past the end of a list.", _area(1)),
    "Simpson": Difference(
        'area, `aucfct="simps"`, 1000 rows',
        "Parabolas through the points of a step function. The exact area needs no rule; the argument is ignored.",
        _simpson,
    ),
    "Simpson of ties": Difference(
        'area, `aucfct="simps"`, 7 rows, two of them with a critical value of 3',
        "Of 0.9/0.3 and 2.1/0.7 rounding makes two numbers, and Simpson's rule divides by their difference.",
        _simpson_of_ties,
    ),
    "falling x": Difference(
        "area, miss rate on x, bandwidth on y, 1000 rows",
        "UQ360 integrates from right to left where x falls, and gets a negative area.",
        _area(1000, x="missrate", y="bandwidth"),
    ),
    "bias": Difference(
        "area, `vary_bias=True`, 10 rows",
        "As for the scale: the curve starts where all bands are zero, not at the first critical value.",
        _bias,
    ),
    "part of y": Difference(
        "area, `partial_y=(0, 0.2)`, 30 rows",
        "UQ360 moves both ends of a range to the nearest points; here the curve is cut right at the ends.",
        _part(partial_y=(0.0, 0.2)),
    ),
    "part of x": Difference(
        "area, `partial_x=(0.5, 0.6)`, 30 rows", "As above.", _part(partial_x=(0.5, 0.6))
    ),
    "narrow part": Difference(
        "area, `partial_y=(0.5, 0.51)`, 30 rows",
        "UQ360 refuses ranges with fewer than two points.",
        _part(partial_y=(0.5, 0.51)),
    ),
    "miscounted": Difference(
        "points with a wrong miss rate, of 1000",
        "UQ360 multiplies the bands by the critical value and compares again: rounding may miss the very row that "
        "the value is made for. Here rows are counted by rank.",
        _miscounted,
    ),
    "nearer bound": Difference(
        "excess of asymmetric bands, `get_OP`",
        "The excess is the distance to the nearer bound. UQ360 takes the one on the observation's side of the "
        "prediction.",
        _asymmetric,
    ),
    "at miss rate": Difference(
        "factor and miss rate of `get_specific_operating_point(req_y_axis_value=0.05)`, 30 rows",
        "UQ360 takes the nearest point, also one that misses more than asked for. Here: the narrowest that does not.",
        _at_missrate,
    ),
    "at bandwidth": Difference(
        "bandwidth of `get_specific_operating_point(req_x_axis_value=1.0)`, 30 rows",
        "UQ360 takes the nearest point; here the value itself.",
        _at_bandwidth,
    ),
    "percentage": Difference(
        "miss rate of `get_specific_operating_point(req_y_axis_value=5)`",
        "A miss rate is a share: 5 (per cent) is refused here.",
        _percentage,
    ),
    "cheapest": Difference(
        "least cost where width is expensive, `minimize_cost(10, 1)`, 10 rows",
        "UQ360 never looks at bands of zero, which are the cheapest here.",
        _cheapest,
    ),
    "gain": Difference(
        "`auucc_gain`, 1000 rows",
        "A gain is a share of the constant band's area. UQ360 divides by the model's.",
        _gain,
    ),
    "constant predictions": Difference(
        "`auucc_gain`, all predictions the same",
        "UQ360 makes the constant band from the spread of the predictions, and refuses a band of zero.",
        _gain_of_constant_predictions,
    ),
    "zero bands": Difference(
        "residuals and miss rate where one band and all predictions are 0",
        "UQ360 replaces every zero of the matrix by the smallest band, predictions among them. Here: zero bands "
        "only, each by the smallest of its side, with a warning that counts them.",
        _zero_prediction,
    ),
    "tiny units": Difference(
        "area in units of 10⁻¹²",
        "UQ360 takes bands below 10⁻⁸ for zero, and a standard deviation below it for a unit of 1.",
        _tiny_units,
    ),
    "normalize alone": Difference(
        "miss rate after `set_coordinates(normalize=True)`",
        "Against its documentation, UQ360 then divides a miss rate by the standard deviation.",
        _normalize_alone,
    ),
    "normalize None": Difference(
        "unit of x after `normalize=False`, then another axis",
        "Against its documentation, UQ360 goes back to the constructor's setting when an axis is named.",
        _normalize_none,
    ),
    "unit before fit": Difference(
        "unit after `set_std_unit(10)`, then `fit`", "UQ360's `fit` forgets it.", _unit_before_fit
    ),
    "recalibration": Difference(
        "coverage of the fitted rows by `UCCRecalibration`, `missrate=0.05`, 30 rows",
        "UQ360 takes the nearest point, which may cover too little. For new rows use `ConformalScaler`.",
        _recalibrated,
    ),
    "broadcasting": Difference(
        "`picp` of a column beside rows",
        "UQ360 compares every observation with every interval. Here shapes must agree.",
        _broadcast,
    ),
    "negative bands": Difference(
        "area with negative bands", "UQ360 takes them as they come. Here they are refused.", _negative_band
    ),
    "not a number": Difference("area with a NaN among observations", "As above.", _not_a_number),
    "unknown metric": Difference(
        '`compute_regression_metrics(…, option="PICP")`',
        "UQ360 returns nothing for a name that it does not know. Here it is refused.",
        _unknown_metric,
    ),
}


def shown_differences(api: Any, **options: Any) -> dict[str, Any]:
    """Run all examples; None where a call is refused."""
    interview = Interview()
    for name, difference in DIFFERENCES.items():
        interview.ask(name, difference.example, api, options)
    return interview.answers
