"""Ask UQ360 itself; runs in the peers' environment: ``uq360_record.py cases.json answers.json``."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

from uq360_differences import shown_differences
from uq360_questions import answers


def uq360() -> Any:
    """Return UQ360's names in one place."""
    from uq360.algorithms.ucc_recalibration import UCCRecalibration
    from uq360.metrics import regression_metrics
    from uq360.metrics.uncertainty_characteristics_curve import UncertaintyCharacteristicsCurve
    from uq360.utils.misc import fitted_ucc_w_nullref, form_D_for_auucc

    names = ["picp", "mpiw", "auucc_gain", "compute_regression_metrics", "negative_log_likelihood_Gaussian"]
    names += ["plot_picp_by_feature", "plot_uncertainty_by_feature", "plot_uncertainty_distribution"]
    return types.SimpleNamespace(
        UncertaintyCharacteristicsCurve=UncertaintyCharacteristicsCurve,
        UCCRecalibration=UCCRecalibration,
        form_D_for_auucc=form_D_for_auucc,
        fitted_ucc_w_nullref=fitted_ucc_w_nullref,
        **{name: getattr(regression_metrics, name) for name in names},
    )


def signatures(api: Any) -> dict[str, list[list[str]]]:
    """Return the names and defaults of all arguments."""
    found = {}
    for name, thing in vars(api).items():
        methods = [(name, thing)]
        if inspect.isclass(thing):
            methods = [
                (f"{name}.{method}", function)
                for method, function in vars(thing).items()
                if inspect.isfunction(function) and (method == "__init__" or not method.startswith("_"))
            ]
        for path, function in methods:
            parameters = inspect.signature(function).parameters.values()
            found[path] = [
                [one.name, "" if one.default is one.empty else repr(one.default)] for one in parameters
            ]
    return found


def main(cases: Path, target: Path) -> None:
    """Ask about each case, and show nothing of what UQ360 prints."""
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        api = uq360()
        recorded = {
            "answers": {name: answers(api, case) for name, case in json.loads(cases.read_text()).items()},
            "differences": shown_differences(api),
            "signatures": signatures(api),
        }
    target.write_text(json.dumps(recorded))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
