"""A format from a user's own package is read, published and verified like any other."""

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from cli.files import write_table

CONTRIBUTING = Path(__file__).parents[3] / "CONTRIBUTING.md"


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Return a folder on the path with an installed package: the format of the page for contributors."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## A file format")[2]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    folder = tmp_path / "packages"
    (folder / "own_format-1.0.dist-info").mkdir(parents=True)
    (folder / "own_format.py").write_text(found[1], encoding="utf-8")
    (folder / "own_format-1.0.dist-info" / "METADATA").write_text("Name: own-format\nVersion: 1.0\n", encoding="utf-8")
    (folder / "own_format-1.0.dist-info" / "entry_points.txt").write_text(
        "[shoal.formats]\nfeather = own_format:Feather\n", encoding="utf-8"
    )
    return folder


def shoal(packages: Path, *arguments: str | Path) -> str:
    """Run a command in a process of its own, which finds the package; return what it prints."""
    path = os.pathsep.join([str(packages), *sys.path])
    command = [sys.executable, "-c", "from shoal.cli.main import main; main()", *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_format_of_the_page_is_described_published_and_verified(packages: Path, tmp_path: Path) -> None:
    table, schema = write_table(tmp_path)
    published = tmp_path / "release"
    promise = ["--schema", schema, "--model", "k-anonymity:k=5"]
    assert "[csv|excel|feather|ndjson|parquet|spss|stata]" in shoal(packages, "publish", "--help")
    shoal(packages, "publish", table, *promise, "--out", published, "--format", "feather")
    data = pl.read_ipc(published / "data.feather")
    assert len(data) == 60
    assert {*data.columns} == {"record", "age", "zip", "disease"}
    assert "holds" in shoal(packages, "verify", published)
    assert "It is a Feather file." in shoal(packages, "describe", published)
    original = tmp_path / "people.feather"
    pl.read_csv(table).write_ipc(original)
    assert "distinct" in shoal(packages, "describe", original)
    again = tmp_path / "again"
    shoal(packages, "publish", original, *promise, "--out", again)
    assert (again / "data.feather").is_file()  # of the format of its source
