"""The folder of downloads, where others can write to it: nothing is written through their links."""

from __future__ import annotations

import os

import pytest

from uccurve.datasets import _fetched_file, fetch_metro_traffic

GZ = _fetched_file.NAMES[0]


def kept(site):
    """Return the names of the files in the folder."""
    return [file.name for file in site.folder.iterdir()]


def test_a_planted_link_is_not_written_through(site, tmp_path):
    """It is replaced by the file, and what it points to stays as it is."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    site.folder.mkdir()
    (site.folder / GZ).symlink_to(victim)
    assert fetch_metro_traffic().n == 400
    assert victim.read_bytes() == b"precious"
    assert not (site.folder / GZ).is_symlink()
    assert kept(site) == [GZ]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes of POSIX")
def test_a_folder_that_every_user_can_write_to_is_named(site):
    """What is kept there is verified each time, but somebody else may remove it or fill the disk."""
    site.folder.mkdir()
    site.folder.chmod(0o777)
    with pytest.warns(UserWarning, match="every user can write to") as caught:
        assert fetch_metro_traffic().n == 400
    assert caught[0].filename == __file__
    assert kept(site) == [GZ]
