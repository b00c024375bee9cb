"""The tables of docs/migration.md: pairs of calls, and the code that prepares their arguments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

import uccurve as uc

PAGE = Path(__file__).parents[1] / "docs" / "migration.md"


class Pair(NamedTuple):
    """One row of a table; its name is that of the number, or what the last column says."""

    old: str
    new: str
    tolerance: float
    name: str


def section(title):
    """Return the code and the pairs below a heading."""
    text = re.search(
        rf"^## From {re.escape(title)}$(.*?)(?=^## |\Z)", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \| (.*) \|$", text[1], re.MULTILINE)
    pairs = []
    for old, new, differs in rows:
        within = re.match(r"within ([\d.]+):", differs)
        pairs.append(Pair(old, new, float(within[1]) if within else 0.0, differs))
    return "\n".join(re.findall(r"```python\n(.*?)```", text[1], re.DOTALL)), pairs


def same_numbers():
    """Return the code and the pairs of the table that names numbers, with the name of each."""
    text = PAGE.read_text().partition("## The same number elsewhere")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| `(.+?)` \| `(.+?)` \| [^|]+ \| [^|]+ \|$", text, re.MULTILINE)
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    return code, [Pair(old, new, 0.0, name) for name, old, new in rows]


class KnownModel:
    """A model that knows its predictions."""

    def __init__(self, *columns):
        self.columns = columns

    def predict(self, _rows):
        return self.columns


def prepared(code):
    """Return the names of the page's examples, on asymmetric bounds that know the noise."""
    rng = np.random.default_rng(5)
    y_pred, std = rng.normal(size=150), rng.lognormal(sigma=0.5, size=150)
    y, lower, upper = y_pred + std * rng.normal(size=150), y_pred - 1.5 * std, y_pred + (1.2 + std) * std
    names = {"y": y, "y_pred": y_pred, "std": std, "lower": lower, "upper": upper}
    names |= {"uc": uc, "np": np, "norm": norm, "model": KnownModel(y_pred, lower, upper)}
    exec(code, names)  # noqa: S102 - the page's own code
    return names


def values(pair, names):
    """Run both calls of a pair; they are written on the page."""
    return [np.asarray(eval(call, dict(names)), dtype=float) for call in (pair.old, pair.new)]  # noqa: S307


def check(pair, names):
    """Hold both calls of a pair against each other; a tolerance must be needed."""
    old, new = values(pair, names)
    if pair.tolerance:
        assert 0 < np.max(np.abs(old - new)) <= pair.tolerance, (old, new)
    else:
        np.testing.assert_allclose(new, old, rtol=1e-9)
