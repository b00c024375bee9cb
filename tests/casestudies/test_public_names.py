"""The case studies use the library as its users do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

STUDIES = Path(__file__).parents[2] / "casestudies"
PUBLIC = {"uccurve", "uccurve.datasets", "uccurve.exceptions", "uccurve.plotting", "uccurve.torch"}


def private_imports(source):
    """Return the imports of the library that no user could rely on."""
    imported = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported += [(node.module or "", alias.name) for alias in node.names]
    return [
        f"{module} {name}".strip()
        for module, name in imported
        if module.split(".")[0] == "uccurve" and (module not in PUBLIC or name.startswith("_"))
    ]


@pytest.mark.parametrize("path", sorted(STUDIES.rglob("*.py")), ids=lambda path: path.stem)
def test_a_study_imports_public_names_only(path):
    """Private modules may move at any time, and examples get copied."""
    assert private_imports(path.read_text(encoding="utf-8")) == []
