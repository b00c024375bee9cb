"""The house: folders import only those above them, and optional libraries stay in their folders."""

from __future__ import annotations

import ast
import importlib
import io
import subprocess
import sys
import tokenize
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

import uccurve

PACKAGE = Path(uccurve.__file__).parent

HOUSE = {  # the folders in order, each importing only those above it, and what each may import beside NumPy
    "exceptions": "",
    "_base": "array_api_compat narwhals",
    "formulas": "torch triton",
    "columns": "",
    "intervals": "",
    "curve": "",
    "sketch": "",
    "metrics": "",
    "calibration": "",
    "inference": "scipy",
    "io": "narwhals polars",
    "engines": "narwhals",
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
    ("comparison", "plotting"),
}

# Folders that know different optional libraries, and so never each other.
APART = {"plotting", "report_page", "datasets", "sklearn", "torch", "jax"}

# Folders that are entered through their first module only: it imports the others when called, or says that the
# library is missing.
BEHIND_A_DOOR = {"cli", "sklearn"}

# Folders that users import by name, and nothing else does.
ON_REQUEST = {"jax", "torch"}

# Files that are imported only where the library they need is there.
WHERE_IT_IS = "formulas/gpu_kernel.py"

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
    if folder == "formulas" and target != "formulas":
        yield f"formulas imports {target}"


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


BELOW = "def f():\n    from uccurve import plotting"


@pytest.mark.parametrize(
    ("file", "line", "complaint"),
    [
        ("_base/text.py", "from uccurve.curve import UCC", "_base imports curve, which stands below it"),
        ("intervals/_labels.py", BELOW, "intervals imports plotting, which stands below it"),
        ("report_page/_page.py", BELOW, "report_page imports plotting, which stands beside it"),
        ("formulas/areas.py", "from uccurve import exceptions", "formulas imports exceptions"),
        ("curve/_ucc.py", "def f():\n    import torch", "curve imports torch"),
        ("_base/frames.py", "import narwhals", "_base imports narwhals at once"),
        ("rogue.py", "", "rogue belongs to no folder of the house"),
    ],
)
def test_a_planted_import_is_found(file, line, complaint):
    """The test above can fail: it does, for each kind of trespass."""
    assert complaint in violations({**SOURCES, file: f"{SOURCES.get(file, '')}\n{line}\n"})


def test_a_room_whose_library_is_missing_names_the_extra():
    """One error where it is needed, and the rest of the package works."""
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import uccurve as uc; uc.UCC\n"
        "try: import uccurve.sklearn\n"
        "except uc.exceptions.MissingDependencyError as error: print(error.library, error.extra)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "scikit-learn sklearn"


def test_without_frame_libraries_a_frame_is_a_dict():
    """The base installation has none."""
    code = (
        "import importlib.util as iu; find = iu.find_spec\n"
        "iu.find_spec = lambda name, *a: None if name in ('pandas', 'polars', 'pyarrow') else find(name, *a)\n"
        "import uccurve as uc\n"
        "print(type(uc.Intervals.from_bands([1.0, 2.0], [0.0, 0.0], 1.0).ucc().to_frame()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "<class 'dict'>"


# -- how large the house is --------------------------------------------------------------------------

# The whole package, the scripts of its page, the tests, and everything else; parts below hold to what they reached.
BUDGET = {"modules": 150, "lines of code": 17_000, "private imports": 0}
BESIDE_BUDGET = {"scripts": 2_000, "tests": 18_000, "the rest": 4_000}
BESIDE = ("bench", "casestudies", "docs", "examples", "simulations", "tools")

# What everything else stands on: no private imports from it or into it.
CORE = ("_base", "formulas", "columns", "intervals", "curve", "sketch", "metrics", "calibration")

# How sure numbers are, and which model to use.
JUDGES = ("inference", "comparison")

# Files in and out, scans, and the command line.
FILES = ("io", "engines")
COMMANDS = ("cli",)

# Output of other libraries.
ADAPTERS = ("adapters",)

# Of each: modules, lines of code.
PARTS = {
    CORE: (55, 6_018),
    JUDGES: (17, 3_049),
    FILES: (9, 1_445),
    COMMANDS: (13, 1_564),
    ADAPTERS: (7, 950),
}

# Folders of tools: their modules are what others import. All other folders of the core list what others may use.
TOOLS = ("_base", "formulas")

NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def lines_of_code(source):
    """Count the lines that hold code: not those of comments and docstrings."""
    documented = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            documented |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = [range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in NO_CODE]
    return len(set().union(*lines) - documented)


def private_imports(file, source):
    """Name what a file imports from behind the door of another folder: a module or a name with an underscore."""
    folder = PurePosixPath(file).parts[0].removesuffix(".py")
    for module, _, for_types in imports(file, source):
        root, target, *inner = [*module.split("."), ""]
        hidden = any(part.startswith("_") and not part.startswith("__") for part in inner)
        if root == PACKAGE.name and target != folder and hidden and not for_types:
            yield module


@pytest.mark.parametrize("folders", PARTS)
def test_a_part_of_the_house_does_not_grow(folders):
    """Modules and lines of code of what everything else stands on, judges models, reads files, and runs commands."""
    sources = [source for file, source in SOURCES.items() if PurePosixPath(file).parts[0] in folders]
    sizes = (len(sources), sum(map(lines_of_code, sources)))
    assert sizes == tuple(map(min, sizes, PARTS[folders]))


def test_nothing_private_crosses_these_folders():
    """Neither what others import from them, nor what they import from others."""
    folders = {*CORE, *JUDGES, *FILES, *COMMANDS, *ADAPTERS}
    crossing = [
        (file, module)
        for file, source in SOURCES.items()
        for module in private_imports(file, source)
        if folders & {PurePosixPath(file).parts[0], module.split(".")[1]}
    ]
    assert crossing == []


@pytest.mark.parametrize("folder", [folder for folder in (*CORE, *JUDGES, *FILES) if folder not in TOOLS])
def test_other_folders_import_what_a_folder_lists(folder):
    """`uccurve.intervals.Intervals`, never `uccurve.intervals.rows.Rows`: the folder's first module is its door."""
    listed = importlib.import_module(f"uccurve.{folder}").__all__
    others = [
        (file, module)
        for file, source in SOURCES.items()
        if PurePosixPath(file).parts[0] != folder
        for module, _, for_types in imports(file, source)
        if module.startswith(f"uccurve.{folder}.") and not for_types
    ]
    assert [(file, module) for file, module in others if module.split(".", 2)[2] not in listed] == []
    assert others or folder in ("metrics", "calibration", "engines")


def test_the_house_does_not_grow():
    """Modules, lines of code, and imports of private names across folders."""
    sizes = {
        "modules": len(SOURCES),
        "lines of code": sum(map(lines_of_code, SOURCES.values())),
        "private imports": sum(len(list(private_imports(*item))) for item in SOURCES.items()),
    }
    assert sizes == {name: min(size, BUDGET[name]) for name, size in sizes.items()}


def test_what_is_beside_the_package_does_not_grow():
    """Scripts of the page by their lines, tests and everything else by their lines of code."""
    root = PACKAGE.parents[1]
    scripts = "\n".join(path.read_text() for path in PACKAGE.rglob("*.js")).splitlines()
    sizes = {
        "scripts": sum(not line.strip().startswith("//") for line in scripts if line.strip()),
        "tests": sum(lines_of_code(path.read_text()) for path in (root / "tests").rglob("*.py")),
        "the rest": sum(
            lines_of_code(path.read_text()) for folder in BESIDE for path in (root / folder).rglob("*.py")
        ),
    }
    assert sizes == {name: min(size, BESIDE_BUDGET[name]) for name, size in sizes.items()}
