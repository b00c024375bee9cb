"""Ask UQ360 itself; runs in the peers' environment: ``uq360_record.py cases.json answers.json``."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

from uq360_questions import answers


def uq360() -> Any:
    """Return UQ360's names in one place."""
    from uq360.algorithms.ucc_recalibration import UCCRecalibration
    from uq360.metrics import regression_metrics
    from uq360.metrics.uncertainty_characteristics_curve import UncertaintyCharacteristicsCurve

    names = ("picp", "mpiw", "auucc_gain", "compute_regression_metrics")
    return types.SimpleNamespace(
        UncertaintyCharacteristicsCurve=UncertaintyCharacteristicsCurve,
        UCCRecalibration=UCCRecalibration,
        **{name: getattr(regression_metrics, name) for name in names},
    )


def main(cases: Path, target: Path) -> None:
    """Ask about each case, and show nothing of what UQ360 prints."""
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        api = uq360()
        recorded = {name: answers(api, case) for name, case in json.loads(cases.read_text()).items()}
    target.write_text(json.dumps(recorded))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
