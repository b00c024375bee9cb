"""Run a notebook's code cells in order and store what they print and draw, or check what is stored.

    python tools/notebook.py examples/from_uq360.ipynb
    python tools/notebook.py examples/from_uq360.ipynb --check

It needs no Jupyter. Figures are stored as they are drawn; the check compares the text.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "agg"

from matplotlib import pyplot as plt

DOTS_PER_INCH = 80


def outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run one cell, and return what it printed, the value of its last line, and its figures."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - the repository's own notebook
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    for figure in map(plt.figure, plt.get_fignums()):
        drawn = io.BytesIO()
        figure.savefig(drawn, dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(drawn.getvalue()).decode(), "text/plain": ["<a figure>"]}
        found.append({"data": data, "metadata": {}, "output_type": "display_data"})
    plt.close("all")
    if value is not None:
        result = {"data": {"text/plain": lines(repr(value))}, "metadata": {}, "output_type": "execute_result"}
        found.append({**result, "execution_count": number})
    return found


def lines(text: str) -> list[str]:
    """Split text as notebooks keep it."""
    return text.splitlines(keepends=True)


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with fresh outputs; warnings are errors."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells: list[dict[str, Any]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cell in notebook["cells"]:
            ran = dict(cell)
            if cell["cell_type"] == "code":
                number = 1 + sum(one["cell_type"] == "code" for one in cells)
                ran["outputs"] = outputs("".join(cell["source"]), names, number)
                ran["execution_count"] = number
            cells.append(ran)
    return {**notebook, "cells": cells}


def text(notebook: dict[str, Any]) -> list[list[Any]]:
    """Return the text of each code cell's outputs."""
    return [
        [one.get("text", one.get("data", {}).get("text/plain")) for one in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def main(arguments: list[str]) -> int:
    """Run the notebook, and store or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--check", action="store_true", help="compare with what is stored, and change nothing"
    )
    options = parser.parse_args(arguments)
    stored = json.loads(options.file.read_text())
    fresh = run(stored)
    if not options.check:
        options.file.write_text(json.dumps(fresh, indent=1, ensure_ascii=False) + "\n")
        return 0
    for number, (old, new) in enumerate(zip(text(stored), text(fresh), strict=True), start=1):
        if old != new:
            print(f"cell {number} stores\n{old}\nand now gives\n{new}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
