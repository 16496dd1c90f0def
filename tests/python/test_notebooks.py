"""The notebooks run from their first cell to the last, and are stored without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import SOURCE
from nbclient import NotebookClient

NOTEBOOKS = sorted((SOURCE / "examples" / "python").glob("*.ipynb"))


def test_there_are_five() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert list(tmp_path.iterdir()) == [] or path.stem.startswith("5")
