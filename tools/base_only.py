"""Use every public name without an extra: it works, or says which extra it needs. `make release-check` runs it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Fail where something needs an extra without saying so."""
    rng = np.random.default_rng(0)
    rows = uc.Intervals.from_std(rng.normal(size=50), np.zeros(50), rng.uniform(1, 2, size=50))
    uc.compare({"a": rows, "b": rows.constant()}, n_resamples=99, rng=0).summary()
    uc.UCCSketch.from_bytes(rows.sketch().to_bytes()).curve().gain()
    uc.ConformalScaler(coverage=0.9).fit(rows)
    table = Path(sys.prefix, "rows.csv")
    table.write_text("y_true,lower,upper\n1,0,2\n")
    needs: dict[str, Callable[[], object]] = {
        "plot": lambda: uc.plotting.plot_ucc(rows.ucc()),
        "report": lambda: uc.report({"a": rows}, "page.html"),
        "polars": lambda: uc.scan(table),
        "sklearn": lambda: importlib.import_module("uccurve.sklearn"),
        "torch": lambda: importlib.import_module("uccurve.torch"),
    }
    for extra, use in needs.items():
        try:
            use()
        except ImportError as error:
            assert f"uccurve[{extra}]" in str(error), (extra, str(error))
        else:
            raise AssertionError(f"{extra} is installed")
    for name in uc.__all__:
        try:
            getattr(uc, name)
        except ImportError as error:
            assert "uccurve[" in str(error), (name, str(error))
    program = Path(sys.executable).with_name("uccurve")
    command = subprocess.run([program, "demo"], capture_output=True, text=True, check=False)
    assert command.returncode == 4, command
    assert "uccurve[cli]" in command.stderr, command


if __name__ == "__main__":
    main()
