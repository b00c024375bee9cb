"""Fetch the report page's JavaScript libraries from the npm registry and record what they are.

Each package is taken at the version below, checked against the registry's integrity hash by npm,
and its minified file copied as it is, with its license.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

TARGET = Path(__file__).parents[1] / "src" / "uccurve" / "report_page" / "vendor"
PACKAGES = {  # in the order in which the page loads them
    "d3-array": "3.2.5",
    "d3-color": "3.1.1",
    "d3-format": "3.1.3",
    "d3-interpolate": "3.0.2",
    "d3-path": "3.1.1",
    "d3-time": "3.1.1",
    "d3-time-format": "4.1.1",
    "d3-scale": "4.0.3",
    "d3-selection": "3.0.1",
    "d3-axis": "3.0.1",
    "d3-shape": "3.2.1",
}


def fetch(package: str, version: str, folder: Path) -> dict[str, str]:
    """Copy one package's file and license; return its record."""
    command = ["npm", "pack", "--silent", "--json", f"{package}@{version}"]
    packed = json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)
    (found,) = packed if isinstance(packed, list) else packed.values()
    with tarfile.open(folder / found["filename"]) as archive:

        def read(name: str) -> bytes:
            member = archive.extractfile(f"package/{name}")
            if member is None:
                raise FileNotFoundError(f"{package} has no {name}")
            return member.read()

        script, terms = read(f"dist/{package}.min.js"), read("LICENSE")
        about = json.loads(read("package.json"))
    (TARGET / f"{package}.min.js").write_bytes(script)
    (TARGET / f"{package}.LICENSE").write_bytes(terms)
    return {
        "package": package,
        "version": found["version"],
        "license": about["license"],
        "integrity": found["integrity"],
        "sha256": hashlib.sha256(script).hexdigest(),
    }


def main() -> None:
    """Fetch all packages."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        records = [fetch(package, version, Path(folder)) for package, version in PACKAGES.items()]
    (TARGET / "vendor.json").write_text(json.dumps(records, indent=2) + "\n")


if __name__ == "__main__":
    main()
