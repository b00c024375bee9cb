"""Files of sketches: what is written comes back, adds, and is refused where it is not whole."""

from __future__ import annotations

import datetime as dt
import json
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from strategies import damaged
from uccurve.exceptions import ArgumentError, SketchFormatError
from uccurve.sketch import SketchFile

LABELS = [2, 10, 0.5, dt.date(2024, 5, 1), dt.datetime(2024, 5, 1, 2, 3, tzinfo=dt.UTC), "b", 'ä"\n', None]


def sketch(seed=0, n=40):
    """Return the sketch of some rows."""
    rng = np.random.default_rng(seed)
    return uc.Intervals.from_std(rng.normal(size=n), np.zeros(n), rng.exponential(size=n) + 0.1).sketch()


@pytest.fixture(scope="module")
def full():
    """A file with everything a file may hold."""
    return SketchFile(
        sketches={("m", label): sketch(place) for place, label in enumerate(LABELS)} | {("k", 2): sketch(9)},
        by="c",
        columns={"m": {"y_true": "y", "y_pred": "p", "std": "s"}},
        checkpoint={"source": "rows.csv", "broken": [["m", 3, 7]]},
    )


def sealed(header, rest=b""):
    """Return the bytes of a file with this header and a checksum that matches."""
    body = b"UCCSKTCH" + struct.pack("<II", 1, len(header)) + header + rest
    return body + struct.pack("<I", zlib.crc32(body))


def test_a_file_comes_back_as_it_was(full, tmp_path):
    """Sketches, labels of every kind, columns, and what a checkpoint keeps."""
    path = full.write(tmp_path / "f.ucc")
    again = SketchFile.read(str(path))
    assert again == full
    assert list(again.sketches) == list(full.sketches)
    assert again.models == ["m", "k"]
    assert [path.name for path in tmp_path.iterdir()] == ["f.ucc"]
    assert again.to_bytes() == full.to_bytes() == path.read_bytes()


def test_labels_are_ordered_as_numbers_and_then_as_text(full):
    """One order for scans, checkpoints and tables."""
    assert full.segments == [0.5, 2, 10, dt.date(2024, 5, 1), LABELS[4], None, "b", 'ä"\n']
    several = SketchFile.of({("m", b, a): sketch() for a in (2, 10) for b in ("x", 3)}, by=["b", "a"])
    assert several.segments == [(3, 2), (3, 10), ("x", 2), ("x", 10)]
    assert SketchFile.from_bytes(several.to_bytes()) == several
    assert several.by == ("b", "a")


def test_the_bytes_are_those_that_other_versions_read():
    """Magic, lengths, header, numbers, checksum: a change here would make old files unreadable."""
    one = SketchFile.of({("m", dt.date(2024, 5, 1)): sketch()}, by="c", columns={"m": {"y_true": "y"}})
    (output,) = sketch().outputs
    numbers = [
        np.array(output.totals, "<f8"),
        *(part for table in output.tables for part in (table.bins.astype("<i8"), table.largest, table.sums)),
    ]
    outputs = [{"side": "both", "bins": [table.bins.size for table in output.tables]}]
    entry = {"model": "m", "segment": {"kind": "date", "text": "2024-05-01"}, "outputs": outputs}
    for nominal, more in ((None, {}), (0.9, {"nominal": 0.9})):
        file = replace(one, sketches={key: replace(it, nominal=nominal) for key, it in one.sketches.items()})
        header = {"by": "c", "columns": {"m": {"y_true": "y"}}, "sketches": [entry | more]}
        blob = b"".join(part.tobytes() for part in numbers)
        assert file.to_bytes() == sealed(json.dumps(header).encode(), blob)


def test_files_add_model_by_model_and_segment_by_segment(full):
    """What is in one file only is taken from it."""
    other = SketchFile(
        sketches={("n", "z"): sketch(20), ("m", 2): sketch(21)},
        by="c",
        columns={"n": {"y_true": "y"}, "m": {"y_true": "other"}},
    )
    whole = SketchFile.merge([full, other])
    assert whole.models == ["m", "k", "n"]
    assert [label for model, label in whole.sketches if model == "m"] == full.segments
    assert whole.sketches["m", 2] == full.sketches["m", 2] + sketch(21)
    assert whole.sketches["n", "z"] == sketch(20)
    assert whole.columns == {**full.columns, "n": {"y_true": "y"}}
    assert whole.checkpoint is None
    assert SketchFile.merge([full]) == replace(full, checkpoint=None)


def test_files_of_other_segments_do_not_add(full):
    """Nor do none at all."""
    with raises(ArgumentError, "files"):
        SketchFile.merge([full, SketchFile.of({"m": sketch()})])
    with raises(ArgumentError, "files"):
        SketchFile.merge([])


def test_keys_that_do_not_fit_the_columns_of_segments_are_refused():
    """A label for each column, and a sketch for each key."""
    with raises(ArgumentError, "sketches"):
        SketchFile.of({"m": sketch()}, by="c")


def test_claims_are_kept_with_each_sketch(full, tmp_path):
    """Beside the bytes of the sketches, which do not have them; sums keep what all parts claim."""
    claims = {("m", label): (0.9, None)[label == 2] for label in LABELS} | {("k", 2): 0.6827}
    file = replace(full, sketches={key: replace(full.sketches[key], nominal=claims[key]) for key in claims})
    again = SketchFile.read(file.write(tmp_path / "f.ucc"))
    assert {key: sketch.nominal for key, sketch in again.sketches.items()} == claims
    assert again.whole()["m"].nominal is None
    assert again.whole()["k"].nominal == 0.6827
    assert {k: it.nominal for k, it in SketchFile.merge([again, again]).sketches.items()} == claims
    assert SketchFile.merge([again, full]).sketches["m", 10].nominal is None


WHOLE = SketchFile.of({"m": sketch()}).to_bytes()


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"y,lo,hi\n1,0,2\n",
        WHOLE[:17],
        WHOLE[:8] + b"\x09" + WHOLE[9:],
        WHOLE[:-1],
        sealed(b"[]"),
        sealed(b'{"by": null, "columns": {}, "sketches": []}', b"abc"),
    ],
)
def test_files_that_are_foreign_cut_short_or_damaged_are_refused(tmp_path, blob):
    """As bytes and as files."""
    with pytest.raises(SketchFormatError):
        SketchFile.from_bytes(blob)
    path = tmp_path / "f.ucc"
    path.write_bytes(blob)
    with pytest.raises(SketchFormatError):
        SketchFile.read(path)


def header_of(by=None, **entry):
    """Describe one sketch."""
    return json.dumps({"by": by, "columns": {}, "sketches": [{"model": "m", "segment": None} | entry]})


DEEP = "[" * 200_000 + "]" * 200_000


@pytest.mark.parametrize(
    "header",
    [
        "{",
        '{"sketches": 3}',
        *(
            header_of(outputs=[{"side": "both", "bins": bins}])
            for bins in ("all", [1, 1], [2**32, 0, 0], [0, 0, 1])
        ),
        header_of("c", segment={"kind": "date", "text": "x"}, outputs=[]),
        f'{{"by": {DEEP}}}',
    ],
)
def test_a_header_that_describes_no_sketches_is_refused(header):
    """Whatever it is, the error is the same."""
    with pytest.raises(SketchFormatError):
        SketchFile.from_bytes(sealed(header.encode(), bytes(96)))


@given(damaged(st.just(WHOLE)))
def test_damaged_bytes_are_noticed(raw):
    """None are read as other numbers."""
    assume(raw != WHOLE)
    with pytest.raises(SketchFormatError):
        SketchFile.from_bytes(raw)
