"""The page about UQ360's numbers, from what was recorded of it and what the drop-in says today."""

from __future__ import annotations

import math
from typing import Any

from uq360_differences import DIFFERENCES

MOST_PER_CENT = 1e6

HEAD = """# A way out of UQ360

**Change one import line**, and code that was written for UQ360 runs on the exact core, about a thousand times faster on 8000 rows, and more on larger data. UQ360 is the toolkit in
which the Uncertainty Characteristics Curve was first published; it no longer imports beside a current SciPy.

```python
# from uq360.metrics.uncertainty_characteristics_curve import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve
```

`uccurve.compat.uq360` has `UncertaintyCharacteristicsCurve`, `UCCRecalibration`, `picp`, `mpiw`, `auucc_gain`, `compute_regression_metrics`,
`negative_log_likelihood_Gaussian`, `form_D_for_auucc`, `fitted_ucc_w_nullref` and the figures `plot_picp_by_feature`, `plot_uncertainty_by_feature` and
`plot_uncertainty_distribution`, with UQ360's arguments and return types. To leave the drop-in as well, [old call, new call](migration.md#from-uq360) has each call beside its native
form, and [a notebook](../examples/from_uq360.ipynb) does everything in both.

`UncertaintyCharacteristicsCurve(as_published=True)`, `UCCRecalibration(model, as_published=True)`, `auucc_gain(…, as_published=True)` and
`compute_regression_metrics(…, as_published=True)` give UQ360's own numbers instead: to compare with results that were published with it.

```pycon
>>> import numpy as np
>>> from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve
>>> X = np.array([[0.0, 1.0, 1.0], [0.0, 2.0, 2.0], [0.0, 1.0, 1.0], [0.0, 2.0, 2.0]])
>>> gt = np.array([0.5, -1.0, 2.0, 3.0])
>>> for as_published in (False, True):
...     ucc = UncertaintyCharacteristicsCurve(normalize=False, as_published=as_published).fit(X, gt)
...     ucc.set_coordinates(x_axis_name="bandwidth", y_axis_name="missrate")
...     print(ucc.get_AUUCC())
1.6875
0.65625

```

Nothing is printed: where UQ360 prints a message, there is a warning, `RepairedInputWarning`, or nothing. No array is changed
in place. A bad argument is an error that names it; UQ360 has bare assertions.

## Where exact numbers differ

The examples are small and need no random numbers. A dash means that the call is refused.

"""

KEPT = """
The last four are refused with `as_published=True` as well; all others then give UQ360's number.

Differences without a number:

* `plot_UCC` draws steps, starts at bands of zero and closes the figures that it saves. Its axis says "(raw)" where an axis is not normalized (UQ360: wherever the unit is near 1).
* `plot_picp_by_feature` has bins of equal size (UQ360's last one holds the largest value alone).
* `plot_uncertainty_by_feature` draws bounds where they are (UQ360 draws two deviations to either side, so that asymmetric bands look symmetric).
* The dots of `plot_uncertainty_distribution` are quantiles (UQ360's are random).
* `fit` takes N log N steps and reads lists as well; UQ360 takes N².

## What is kept, though the native API does otherwise

| in UQ360 and in the drop-in | natively |
|---|---|
| The axes are excess and miss rate at first, and stay as they were set. | Each call names its axes; bandwidth and miss rate by default, as in the paper. |
| `auucc_gain` is on the **excess**. | `uc.auucc_gain` is on the bandwidth, the paper's gain; `x="excess"` gives the other one. |
| Values are divided by the standard deviation of the observations. | `intervals.standardized()`, or raw. |
| `minimize_cost` divides costs by the unit first, and returns raw coordinates; `get_OP` and `get_specific_operating_point` return those shown. | All values are raw. |
| One model gives a number, several give a list. | One curve for each model. |
| A partial area is a strip: y over x along the part of the curve. | `partial="strip"`; by default the mean bandwidth over the range. |
| Zero bands are replaced, with a warning. | They are kept, and what they make impossible is refused; `intervals.floored(band)` widens them. |
| `mpiw` is a full width, and takes crossed bounds, with a warning. | `uc.bandwidth` is a half width, and refuses them. |
| `nll` takes each interval for four standard deviations. | – |
| `UCCRecalibration` describes the rows it was fitted on. | `uc.ConformalScaler` keeps its promise on new rows. |

"""

AGREEMENT = """## UQ360's own numbers

`make compare-uq360` asks UQ360 0.2, beside libraries of its time, and the drop-in everything by one and the same code: all sixteen pairs of axes, raw and normalized, scale
and bias, whole and partial areas by either rule, points by value, least costs, metrics, recalibration, and the orders of calls in which state sticks. With
`as_published=True` answers are compared to 10⁻⁹. UQ360 miscounts rows where a product is rounded down; the drop-in finds the smallest float that captures each
row in UQ360's arithmetic, and so repeats the miscounts, row by row. Simpson's rule is that of SciPy 1.11; where many critical values are equal but for rounding, it
magnifies the last bits of sums, and such a number is not repeated.

| data | rows | questions | agree | points | of them with a miscounted row |
|---|---|---|---|---|---|
"""


def page(recorded: dict[str, Any], exact: dict[str, Any]) -> str:
    """Write the page."""
    lines = ["| what | UQ360 0.2 | here | UQ360 is off by | why |", "|---|---|---|---|---|"]
    for name, difference in DIFFERENCES.items():
        theirs, ours = recorded["differences"][name], exact[name]
        cells = (difference.what, shown(theirs), shown(ours), off_by(theirs, ours), difference.why)
        lines.append(f"| {' | '.join(cells)} |")
    rows = (
        f"| {name} | {n} | {asked} | {same} | {points} | {'–' if wrong is None else wrong} |"
        for name, n, asked, same, points, wrong in recorded["agreement"]
    )
    made = "\nWritten by `make compare-uq360`; the tests repeat it from the recorded numbers of UQ360.\n"
    return HEAD + "\n".join(lines) + "\n" + KEPT + AGREEMENT + "\n".join(rows) + "\n" + made


def off_by(theirs: Any, ours: Any) -> str:
    """Show how far a single number is from the exact one, in per cent of it."""
    if not theirs or not ours or len(theirs) != 1 or not ours[0]:
        return ""
    share = 100 * (theirs[0] - ours[0]) / abs(ours[0])
    return (f"{share:+.1f}%" if abs(share) < MOST_PER_CENT else "beyond measure").replace("-", "−")


def shown(answer: Any) -> str:
    """Show the numbers of an answer with four digits, and a refusal as a dash."""
    if answer is None:
        return "–"
    return (
        ", ".join("NaN" if math.isnan(one) else f"{one:.4g}".replace("-", "−") for one in answer) or "nothing"
    )
