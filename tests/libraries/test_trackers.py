"""The recipes of docs/trackers.md: what they log can be read back."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import mlflow
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import uccurve as uc

mpl.use("agg")
PAGE = (Path(__file__).parents[2] / "docs" / "trackers.md").read_text()
PREPARED, MLFLOW, TENSORBOARD = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def prepared():
    """The names that the first recipe makes."""
    names: dict = {}
    exec(PREPARED, names)  # noqa: S102 - our own page
    return names


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty folder to log in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(elsewhere, monkeypatch):
    """MLflow's store of files; it needs no database, and has to be allowed."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((elsewhere / "mlruns").as_uri())
    return mlflow.MlflowClient()


def test_numbers_are_those_of_the_comparison(prepared):
    """All that are finite, under names that trackers allow."""
    numbers = prepared["numbers"]
    assert numbers["sharp/gain"] == prepared["comparison"].to_dict()["sharp/gain"]
    assert numbers["coverage"] == 0.9
    assert len(numbers) > 30


def test_mlflow_keeps_numbers_page_and_figure(prepared, elsewhere, store):
    """Metrics, parameters and artifacts."""
    exec(MLFLOW, dict(prepared))  # noqa: S102 - our own page
    (run,) = store.search_runs(["0"])
    assert run.info.status == "FINISHED"
    assert run.data.metrics == pytest.approx(prepared["numbers"])
    assert run.data.params == {"coverage": "0.9", "models": "sharp, damped"}
    kept = {file.path for file in store.list_artifacts(run.info.run_id)}
    assert kept == {"findings.txt", "report.html", "ucc.png"}
    folder = Path(
        mlflow.artifacts.download_artifacts(run_id=run.info.run_id, dst_path=str(elsewhere / "back"))
    )
    assert "<html" in (folder / "report.html").read_text().lower()
    assert (folder / "ucc.png").read_bytes().startswith(b"\x89PNG")


def test_tensorboard_keeps_numbers_text_and_figure(prepared, elsewhere):
    """As its own reader finds them."""
    exec(TENSORBOARD, dict(prepared))  # noqa: S102 - our own page
    events = EventAccumulator(str(elsewhere / "runs" / "intervals")).Reload()
    (gain,) = events.Scalars("sharp/gain")
    assert (gain.step, gain.value) == (3, pytest.approx(prepared["numbers"]["sharp/gain"]))
    assert len(events.Tags()["scalars"]) == len(prepared["numbers"])
    assert events.Tags()["images"] == ["ucc"]
    assert events.Images("ucc")[0].encoded_image_string.startswith(b"\x89PNG")
    assert (elsewhere / "runs" / "intervals" / "report.html").stat().st_size > 1000


def test_names_of_models_may_be_anything(store):
    """MLflow refuses quotes, markup and line breaks in names; the recipe replaces them."""
    rows = uc.datasets.make_crossing(n=50).models["sharp"]
    names: dict = {}
    source = PREPARED.replace("uc.datasets.make_crossing(n=500)", "made")
    hostile = {"<b>'a'; DROP\n</b>": rows, 'q"%{x}': rows.shifted(0.5)}
    names["made"] = type("Made", (), {"models": hostile})
    exec(source, names)  # noqa: S102 - our own page
    exec(MLFLOW.replace('", ".join(data.models)', "len(data.models)"), names)  # noqa: S102
    (run,) = store.search_runs(["0"])
    assert len(run.data.metrics) == len(names["numbers"])
