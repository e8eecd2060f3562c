"""Notebooks, run in a kernel of their own as a reader would run them."""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

__all__ = ["run_cells", "run_notebook"]

_TIMEOUT = 300  # seconds a cell: a cold machine compiles kernels first


def run_notebook(notebook: Any, folder: Path, *, allow_errors: bool = False) -> Any:
    """Run a notebook with this interpreter, in a folder, and return it with its outputs."""
    nbclient = pytest.importorskip("nbclient")
    # what Jupyter's packages say of their own future is not about this project
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client = nbclient.NotebookClient(
            notebook,
            timeout=_TIMEOUT,
            startup_timeout=_TIMEOUT,
            kernel_name="python3",
            allow_errors=allow_errors,
            resources={"metadata": {"path": str(folder)}},
        )
        # nothing of the reader's own settings and history
        return client.execute(env={**os.environ, "IPYTHONDIR": str(folder / ".ipython")})


def run_cells(cells: Sequence[str], folder: Path) -> list[list[Any]]:
    """Run cells of code, also after one that fails, and return the outputs of each."""
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return [cell.outputs for cell in run_notebook(notebook, folder, allow_errors=True).cells]
