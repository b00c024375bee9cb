"""Assess regression prediction intervals over their whole operating range.

>>> import uccurve as uc
>>> intervals = uc.Intervals.from_std([1.0, 2.0, 4.0], y_pred=[1.5, 2.0, 3.0], std=[0.5, 0.5, 2.0])
>>> curve = uc.UCC(intervals)
>>> curve.at(miss_rate=0.1).parameter
1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from uccurve import exceptions

if TYPE_CHECKING:
    from uccurve.calibration import ConformalScaler
    from uccurve.comparison import Comparison, compare
    from uccurve.curve import (
        UCC,
        CostOptimum,
        Crossing,
        CurveBand,
        Frontier,
        OperatingPoint,
        OperatingPoints,
        Reliability,
    )
    from uccurve.engines import Columns, scan
    from uccurve.inference import (
        ConditionalCoverage,
        ConfidenceInterval,
        Crossover,
        Families,
        PermutationTest,
        RatioCurve,
        SegmentCoverage,
        conditional_coverage,
        confidence_interval,
        families,
        permutation_test,
        ratio_curve,
    )
    from uccurve.intervals import Intervals
    from uccurve.io import Models
    from uccurve.metrics import (
        WISParts,
        auucc,
        auucc_gain,
        bandwidth,
        coverage,
        crps,
        deficit,
        excess,
        interval_score,
        miss_rate,
        pinball_loss,
        weighted_interval_score,
    )
    from uccurve.plotting import UCCDisplay
    from uccurve.report_page import report
    from uccurve.sketch import Drift, SketchedUCC, UCCSketch

__version__ = "0.1.0"

__all__ = [
    "UCC",
    "Columns",
    "Comparison",
    "ConditionalCoverage",
    "ConfidenceInterval",
    "ConformalScaler",
    "CostOptimum",
    "Crossing",
    "Crossover",
    "CurveBand",
    "Drift",
    "Families",
    "Frontier",
    "Intervals",
    "Models",
    "OperatingPoint",
    "OperatingPoints",
    "PermutationTest",
    "RatioCurve",
    "Reliability",
    "SegmentCoverage",
    "SketchedUCC",
    "UCCDisplay",
    "UCCSketch",
    "WISParts",
    "auucc",
    "auucc_gain",
    "bandwidth",
    "compare",
    "conditional_coverage",
    "confidence_interval",
    "coverage",
    "crps",
    "deficit",
    "exceptions",
    "excess",
    "families",
    "interval_score",
    "miss_rate",
    "permutation_test",
    "pinball_loss",
    "ratio_curve",
    "report",
    "scan",
    "weighted_interval_score",
]

# Names are imported when they are first asked for: `import uccurve` stays quick, and the command line is
# running, able to answer Ctrl-C, before anything large is loaded.
_WHEN_ASKED_FOR = {
    "Columns": "engines",
    "Comparison": "comparison",
    "ConditionalCoverage": "inference",
    "ConfidenceInterval": "inference",
    "ConformalScaler": "calibration",
    "Crossover": "inference",
    "CostOptimum": "curve",
    "Crossing": "curve",
    "CurveBand": "curve",
    "Drift": "sketch",
    "Families": "inference",
    "Frontier": "curve",
    "Intervals": "intervals",
    "Models": "io",
    "OperatingPoint": "curve",
    "OperatingPoints": "curve",
    "PermutationTest": "inference",
    "RatioCurve": "inference",
    "Reliability": "curve",
    "SegmentCoverage": "inference",
    "SketchedUCC": "sketch",
    "UCC": "curve",
    "UCCDisplay": "plotting",
    "UCCSketch": "sketch",
    "WISParts": "metrics",
    "auucc": "metrics",
    "auucc_gain": "metrics",
    "bandwidth": "metrics",
    "compare": "comparison",
    "conditional_coverage": "inference",
    "confidence_interval": "inference",
    "coverage": "metrics",
    "crps": "metrics",
    "deficit": "metrics",
    "excess": "metrics",
    "families": "inference",
    "interval_score": "metrics",
    "miss_rate": "metrics",
    "permutation_test": "inference",
    "pinball_loss": "metrics",
    "ratio_curve": "inference",
    "report": "report_page",
    "scan": "engines",
    "weighted_interval_score": "metrics",
}
_FOLDERS = ("adapters", "datasets", "engines", "plotting")
# Folders that only who has their library asks for: not listed.
_UNLISTED = ("compat", "jax", "sklearn", "torch")


def __getattr__(name: str) -> Any:
    """Import a public name from its folder, or a public folder."""
    if name in (*_FOLDERS, *_UNLISTED):
        return import_module(f"{__name__}.{name}")
    if name not in _WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHEN_ASKED_FOR[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names and folders, those that are not imported yet among them."""
    return sorted([*__all__, *_FOLDERS, "__version__"])
