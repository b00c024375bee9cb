"""The house: folders import only those above them, and optional libraries stay in their folders."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

import uccurve

PACKAGE = Path(uccurve.__file__).parent

HOUSE = {  # the folders in order, each importing only those above it, and what each may import beside NumPy
    "exceptions": "",
    "_base": "array_api_compat narwhals",
    "_kernels": "scipy",
    "_cuda": "torch triton",
    "intervals": "",
    "curve": "",
    "sketch": "",
    "metrics": "",
    "calibration": "",
    "inference": "",
    "engines": "narwhals polars duckdb pyarrow",
    "comparison": "",
    "adapters": "narwhals",
    "plotting": "matplotlib",
    "report_page": "jinja2 markupsafe",
    "datasets": "",
    "jax": "jax",
    "sklearn": "sklearn",
    "torch": "torch torchmetrics",
    "compat": "matplotlib",
    "cli": "cyclopts rich polars",
}
LEVEL = {folder: level for level, folder in enumerate(HOUSE)}

# Methods that open a door to a folder below when called, and only then.
DOORS = {
    ("intervals", "curve"),
    ("intervals", "sketch"),
    ("curve", "plotting"),
    ("inference", "plotting"),
}

# Folders that know different optional libraries, and so never each other.
APART = {"plotting", "report_page", "datasets", "sklearn", "torch", "jax"}

# Folders that are entered through their first module only: it imports the others when called, or says that the
# library is missing.
BEHIND_A_DOOR = {"cli", "sklearn"}

# Folders that users import by name, and nothing else does.
ON_REQUEST = {"jax", "torch"}

# Files that are imported only where the library they need is there.
WHERE_IT_IS = "_cuda/triton_kernels/"

# Libraries that only some files of a folder know.
KNOWN_IN = {"array_api_compat": "_base/arrays.py", "triton": WHERE_IT_IS}


SOURCES = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports(file, source):
    """Yield (module, inside a function?, only for types?) for every import of a file; each is read once."""
    tree = ast.parse(source)
    parts = (PACKAGE.name, *PurePosixPath(file).with_suffix("").parts)

    def visit(node, in_function, for_types):
        for child in ast.iter_child_nodes(node):
            typed = for_types or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
            if isinstance(child, ast.Import):
                yield from ((alias.name, in_function, typed) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                base = ".".join(parts[: -child.level]) + "." if child.level else ""
                module = base + (child.module or "")
                yield from (
                    (f"{module}.{alias.name}".strip("."), in_function, typed) for alias in child.names
                )
            else:
                function = in_function or isinstance(child, (ast.FunctionDef, ast.Lambda))
                yield from visit(child, function, typed)

    return list(visit(tree, in_function=False, for_types=False))


def own(folder, target, *, in_function, for_types):
    """Yield complaints about an import from the package itself."""
    door = in_function and (folder, target) in DOORS
    if LEVEL[target] > LEVEL[folder] and not door and not for_types:
        yield f"{folder} imports {target}, which stands below it"
    if folder != target and {folder, target} <= APART:
        yield f"{folder} imports {target}, which stands beside it"
    if folder == "_kernels" and target != "_kernels":
        yield f"_kernels imports {target}"


def foreign(folder, file, root, *, in_function):
    """Yield complaints about an import of another library."""
    if root not in {"numpy", *HOUSE[folder].split()} or not file.startswith(KNOWN_IN.get(root, file)):
        yield f"{folder} imports {root}"
    if root not in {"numpy", "array_api_compat"} and not in_function:
        yield f"{folder} imports {root} at once"


def violations(sources):
    """Name every import that a folder may not make."""
    found = []
    for file, source in sources.items():
        path = PurePosixPath(file)
        folder = path.parts[0].removesuffix(".py")
        if folder == "__init__":
            continue
        if folder not in LEVEL:
            found.append(f"{folder} belongs to no folder of the house")
            continue
        for module, in_function, for_types in imports(file, source):
            root, _, rest = module.partition(".")
            target = rest.split(".")[0]
            if root == PACKAGE.name and target in LEVEL:
                found += own(folder, target, in_function=in_function, for_types=for_types)
            elif root not in {PACKAGE.name, *sys.stdlib_module_names} and not for_types:
                behind = folder in BEHIND_A_DOOR and path.name != "__init__.py"
                inside = file.startswith(WHERE_IT_IS) or folder in ON_REQUEST or behind
                found += foreign(folder, file, root, in_function=in_function or inside)
    return found


def test_a_folder_imports_only_those_above_it():
    """Each folder knows those before it in the house, and no library it has no business with."""
    assert violations(SOURCES) == []


@pytest.mark.parametrize(
    ("file", "line", "complaint"),
    [
        (
            "_kernels/areas.py",
            "from uccurve.curve import UCC",
            "_kernels imports curve, which stands below it",
        ),
        ("_kernels/areas.py", "from uccurve import exceptions", "_kernels imports exceptions"),
        (
            "_base/text.py",
            "from uccurve._kernels import rows",
            "_base imports _kernels, which stands below it",
        ),
        (
            "intervals/_labels.py",
            "from uccurve.curve import UCC",
            "intervals imports curve, which stands below it",
        ),
        (
            "intervals/_labels.py",
            "def f():\n    from uccurve import plotting",
            "intervals imports plotting, which stands below it",
        ),
        ("curve/_ucc.py", "import matplotlib", "curve imports matplotlib"),
        ("metrics/_areas.py", "import sklearn.metrics", "metrics imports sklearn"),
        ("_base/text.py", "import array_api_compat", "_base imports array_api_compat"),
        ("_base/frames.py", "import narwhals", "_base imports narwhals at once"),
        ("report_page/_page.py", "import jinja2", "report_page imports jinja2 at once"),
        (
            "report_page/_page.py",
            "def f():\n    from uccurve import plotting",
            "report_page imports plotting, which stands beside it",
        ),
        ("plotting/_plot_ucc.py", "from uccurve import cli", "plotting imports cli, which stands below it"),
        ("adapters/_mapie.py", "import mapie", "adapters imports mapie"),
        (
            "adapters/_sklearn.py",
            "def f():\n    from uccurve import plotting",
            "adapters imports plotting, which stands below it",
        ),
        ("cli/__init__.py", "import rich", "cli imports rich at once"),
        ("sklearn/__init__.py", "import sklearn", "sklearn imports sklearn at once"),
        ("metrics/_areas.py", "import sklearn", "metrics imports sklearn"),
        (
            "sklearn/_scorers.py",
            "from uccurve import plotting",
            "sklearn imports plotting, which stands beside it",
        ),
        ("torch/_loss.py", "import lightning", "torch imports lightning"),
        ("curve/_ucc.py", "def f():\n    import torch", "curve imports torch"),
        (
            "metrics/_areas.py",
            "def f():\n    from uccurve.torch import AUUCC",
            "metrics imports torch, which stands below it",
        ),
        ("rogue.py", "", "rogue belongs to no folder of the house"),
    ],
)
def test_a_planted_import_is_found(file, line, complaint):
    """The test above can fail: it does, for each kind of trespass."""
    assert complaint in violations({**SOURCES, file: f"{SOURCES.get(file, '')}\n{line}\n"})


def test_importing_the_package_loads_no_optional_library():
    """`import uccurve` costs NumPy and little else, also where everything is installed."""
    code = (
        "import sys, uccurve, uccurve.cli; uccurve.UCC, uccurve.scan, uccurve.report, uccurve.coverage; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {"numpy", "uccurve", "array_api_compat"} <= loaded
    optional = {
        "narwhals",
        "pandas",
        "polars",
        "pyarrow",
        "matplotlib",
        "torch",
        "torchmetrics",
        "jax",
        "scipy",
        "sklearn",
        "dask",
        "jinja2",
        "cyclopts",
        "rich",
    }
    assert not loaded & optional


def test_plain_arrays_need_no_frame_library():
    """A whole session with arrays imports no frame library and not even narwhals."""
    code = (
        "import sys, numpy as np, uccurve as uc\n"
        "c = uc.UCC(uc.Intervals.from_bands(np.arange(9.), np.zeros(9), 1.)); c.gain(); c.excess; c.at(miss_rate=.2)\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(run.stdout.split()) & {"narwhals", "pandas", "polars", "pyarrow", "matplotlib"}


def test_without_frame_libraries_a_frame_is_a_dict():
    """The base installation has none."""
    code = (
        "import sys\n"
        "sys.modules.update({name: None for name in ('pandas', 'polars', 'pyarrow')})\n"
        "import importlib.util as iu; find = iu.find_spec\n"
        "iu.find_spec = lambda name, *a: None if name in ('pandas', 'polars', 'pyarrow') else find(name, *a)\n"
        "for name in ('pandas', 'polars', 'pyarrow'): del sys.modules[name]\n"
        "import uccurve as uc\n"
        "f = uc.Intervals.from_bands([1., 2.], [0., 0.], 1.).ucc().to_frame()\n"
        "print(type(f).__name__, list(f))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split(maxsplit=1)[0] == "dict"


def test_a_missing_extra_names_the_pip_command():
    """Plotting without matplotlib says what to install."""
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import uccurve as uc\n"
        "try: uc.Intervals.from_bands([1., 2.], [0., 0.], 1.).ucc().plot()\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "matplotlib is needed here and not installed: pip install 'uccurve[plot]'"


def test_the_scikit_learn_folder_without_scikit_learn_names_the_pip_command():
    """One error at the import, and the rest of the package works."""
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import uccurve as uc; uc.UCC\n"
        "try: import uccurve.sklearn\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = "scikit-learn is needed here and not installed: pip install 'uccurve[sklearn]'"
    assert run.stdout.strip() == expected


def test_every_public_name_can_be_asked_for():
    """Some are imported only then; an unknown one is an ordinary AttributeError."""
    assert set(uccurve.__all__) <= set(dir(uccurve))
    for name in uccurve.__all__:
        assert getattr(uccurve, name) is not None, name
    with pytest.raises(AttributeError, match="module 'uccurve' has no attribute 'nothing'"):
        _ = uccurve.nothing
