"""Shared fixtures: a made traffic file, what the study reads from it, and light runs of all studies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from casestudies.traffic import hours as traffic_hours

from casestudies import __main__ as program
from casestudies import pages

sys.path.insert(0, str(Path(__file__).parent))  # the made traffic file


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """Return the path of a small file with the quirks of the real one."""
    import made_traffic

    return made_traffic.write(tmp_path_factory.mktemp("traffic") / "small.csv")


@pytest.fixture(scope="session")
def hours(file):
    return traffic_hours.read_hours(str(file))


@pytest.fixture(scope="session")
def parts(hours):
    return traffic_hours.split(hours, stride=7)


@pytest.fixture(scope="session")
def light(file, tmp_path_factory):
    """Run all studies from the command line; a light run takes seconds."""
    output = tmp_path_factory.mktemp("cases")
    program.main([*pages.STUDIES, "--light", "--data", str(file), "--output", str(output), "--workers", "1"])
    return output
