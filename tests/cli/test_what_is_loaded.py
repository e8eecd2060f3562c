"""A command loads the libraries that it needs, and no others: each costs as much as the work on small data."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import write_survey, write_table

HEAVY = ("numba", "scipy", "sklearn", "jinja2", "sqlalchemy", "matplotlib", "pyreadstat", "rich")
COMPILER = {"numba", "scipy"}
"""The compiler of the kernels, which loads SciPy itself."""
IDLE = ("anonymizers", "attacks", "datasets", "desk", "pages", "plots", "predictors", "road", "utility")
"""Rooms that nobody needs who only looks at data."""
PROGRAM = """
import json, sys
sys.argv = ["shoal", *json.loads(sys.argv[1])]
from shoal.cli.main import main
try:
    main()
except SystemExit as end:
    print(json.dumps([end.code or 0, [name for name in {names!r} if name in sys.modules]]))
"""


def loaded(*words: object) -> set[str]:
    """Run a command in a process of its own, and return the heavy libraries and the idle rooms that it loaded."""
    program = PROGRAM.format(names=(*HEAVY, *(f"shoal.{room}" for room in IDLE)))
    command = [sys.executable, "-c", program, json.dumps([str(word) for word in words])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    status, found = json.loads(done.stdout.splitlines()[-1])
    assert status in (0, 1), done.stderr
    return set(found)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Return a table, its schema and a release of it."""
    import shoal

    folder = tmp_path_factory.mktemp("table")
    data, schema = write_table(folder)
    promises = ["k-anonymity:k=4", "l-diversity:l=2,kind=distinct"]
    shoal.publish(data, schema=str(schema), models=promises, method="mondrian", out=str(folder / "release"))
    return data, schema, folder / "release"


def test_small_tables_take_not_even_the_compiler(table, tmp_path: Path) -> None:
    data, schema, release = table
    me = tmp_path / "me.csv"
    me.write_text("age,zip\n20,4350\n", encoding="utf-8")
    assert loaded("verify", release) == set()
    assert loaded("lookup", release, "--me", me) <= {"shoal.anonymizers"}  # is its method truthful?
    assert loaded("describe", data, "--schema", schema) == set()
    assert loaded("check", data, "--schema", schema, "-m", "k-anonymity:k=2") == set()


def test_ratings_take_the_compiler_at_most(tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    assert loaded("check", data, "--schema", schema, "-m", "k-anonymity:k=2") <= COMPILER


def test_help_takes_nothing() -> None:
    assert loaded("--help") == set()
