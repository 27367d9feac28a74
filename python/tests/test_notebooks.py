"""The notebooks run from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
NEEDS = {"robot-foot": "pinocchio", "robot-foot-mujoco": "mujoco"}


@pytest.mark.parametrize("name", sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb")))
@pytest.mark.filterwarnings("ignore")
def test_notebook(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
