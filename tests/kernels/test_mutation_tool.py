"""What `make mutation` changes, and when it fails."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutants import CONSTANTS, functions, mutants_of
from mutation_page import report

SOURCE = '''
LIMIT = 3

def total(xp, values, low=0.0, *, side="left"):
    """Add up."""
    found = xp.maximum(values[1:], low)
    if values.shape[0] < LIMIT and not side:
        return None
    found = xp.where(found > 0, found, -found)
    with xp.silent():
        found += 2
    return sum(found[:low])
'''


def texts(source, function):
    """Return the texts of all mutants of a function."""
    return [mutant.text for mutant in mutants_of(functions(ast.parse(source))[function])]


def test_each_kind_of_slip_is_made():
    """Operators, numbers, words, calls, slices and statements; nothing in docstrings, annotations and shapes."""
    found = texts(SOURCE, "total")
    assert len(found) == len(set(found))
    assert set(found) >= {
        "def total(xp, values, low=⟦0.0 → 1.0⟧, *, side='left'):",
        "def total(xp, values, low=0.0, *, side='⟦left → right⟧'):",
        "found = ⟦xp.maximum → xp.minimum⟧(values[1:], low)",
        "found = xp.maximum(values[⟦1 → 2⟧:], low)",
        "if values.shape[0] ⟦< → <=⟧ LIMIT and (not side):",
        "if values.shape[0] ⟦< → >=⟧ LIMIT and (not side):",
        "found = xp.where(found > 0, ⟦found, -found → -found, found⟧)",
        "⟦found = xp.where(found > 0, found, -found) → pass⟧",
        "⟦with xp.silent() → if True⟧:",
        "⟦found += 2 → pass⟧",
        "found ⟦+ → -⟧= 2",
        "return ⟦sum(found[:low]) → None⟧",
        "return sum(found[:⟦low → low + 1⟧])",
    }
    assert not [text for text in found if "Add up" in text or "shape[1]" in text]
    assert texts(SOURCE, CONSTANTS) == ["LIMIT = ⟦3 → 4⟧", "LIMIT = ⟦3 → 2⟧"]


def test_mutants_of_the_kernels_are_python():
    """Each one compiles, differs from the original, and leaves no trace in the tree of the next."""
    kernels = Path(__file__).parents[2] / "src/uccurve/_kernels"
    for file in (kernels / "hull.py", kernels / "rows.py"):
        tree = ast.parse(file.read_text())
        plain = ast.dump(tree)
        for node in functions(tree).values():
            for mutant in mutants_of(node):
                assert ast.dump(tree) == plain
                old = getattr(mutant.parent, mutant.field)
                kept = old if mutant.place is None else old[mutant.place]
                mutant.apply()
                assert ast.dump(tree) != plain, mutant.text
                compile(ast.fix_missing_locations(tree), file.name, "exec")
                if mutant.place is None:
                    setattr(mutant.parent, mutant.field, kept)
                else:
                    old[mutant.place] = kept


@pytest.mark.parametrize("explained", [True, False])
def test_a_survivor_without_explanation_fails(explained, tmp_path, capsys):
    """One that is explained is listed with its reason; an explanation that nothing needs is named."""
    results = {"hull.lower_hull": {"⟦a → b⟧": "killed", "⟦c → d⟧": "survived", "⟦e → f⟧": "timeout"}}
    lines = ["hull.lower_hull: ⟦c → d⟧"] * explained + ["hull.lower_hull: ⟦a → b⟧", "rows.make: ⟦g → h⟧"]
    page = tmp_path / "page.md"
    status = report(page, results, [{"reason": "The same.", "mutants": "\n".join(lines)}])
    said = capsys.readouterr().out
    assert status == (0 if explained else 1)
    assert ("Survives without explanation: hull.lower_hull: ⟦c → d⟧" in said) == (not explained)
    assert "Explained, but does not survive: hull.lower_hull: ⟦a → b⟧" in said
    assert "rows.make" not in said  # not judged this time
    text = page.read_text()
    assert "| `hull` | 3 | 1 | 1 | 1 |" in text
    assert "Tests notice 2 of 3 mutants, 66.7%." in text
    assert ("The same.\n\n```text\nhull.lower_hull: ⟦c → d⟧\n```" in text) == explained
