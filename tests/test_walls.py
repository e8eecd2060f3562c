"""The walls of the house: which room may import which library, and that no list of them has a gap.

The walls between rooms are held by import-linter (``make lint``); what is tested here is that its lists are complete.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.utility import MEASURES

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LIBRARIES: dict[str, list[str]] = PROJECT["tool"]["shoal"]["libraries"]
CONTRACTS = {contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
ROOMS = {
    path.stem for path in (ROOT / "src" / "shoal").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
}
IMPORTED_AS = {"scikit_learn": "sklearn"}


def imports_of(source: str) -> Iterator[str]:
    """Yield the top-level names of everything that a file imports, wherever in the file it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def breaches(room: str, source: str) -> list[str]:
    """Return the libraries that a file of a room imports and may not."""
    foreign = set(imports_of(source)) - sys.stdlib_module_names - {"shoal"}
    return sorted(library for library in foreign if room not in LIBRARIES.get(library, []))


def files() -> list[tuple[str, Path]]:
    house = ROOT / "src" / "shoal"
    return [(path.relative_to(house).parts[0].removesuffix(".py"), path) for path in sorted(house.rglob("*.py"))]


def test_no_room_imports_a_library_that_is_not_at_home_there():
    found = {str(path): breaches(room, path.read_text(encoding="utf-8")) for room, path in files()}
    assert not {path: libraries for path, libraries in found.items() if libraries}


@pytest.mark.parametrize(
    ("room", "line", "library"),
    [
        ("attacks", "import sklearn", ["sklearn"]),
        ("attacks", "def f():\n    from sklearn.tree import DecisionTreeClassifier", ["sklearn"]),
        ("models", "import polars as pl", ["polars"]),
        ("jobs", "from matplotlib import pyplot", ["matplotlib"]),
        ("utility", "import requests", ["requests"]),
        ("utility", "import sklearn, json, shoal.data\nfrom . import sibling", []),
    ],
)
def test_a_breach_is_found(room, line, library):
    assert breaches(room, line) == library


def test_every_dependency_has_its_home_rooms_and_nothing_else_has():
    project = PROJECT["project"]
    required = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {re.split(r"[^A-Za-z0-9_.-]", each)[0].replace("-", "_").lower() for each in required}
    # hypothesis is brought by those who test promises and methods of their own
    assert {IMPORTED_AS.get(name, name) for name in names} | {"hypothesis"} == LIBRARIES.keys()


def test_every_home_is_a_room_that_needs_the_library():
    used = {(library, room) for room, path in files() for library in imports_of(path.read_text(encoding="utf-8"))}
    at_home = {(library, room) for library, rooms in LIBRARIES.items() for room in rooms}
    assert {room for _, room in at_home} <= ROOMS
    # SQLAlchemy loads the one by the address of the store, Starlette the other when a form has a file
    assert at_home - used <= {("psycopg", "desk"), ("python_multipart", "workbench")}


def families(things: Iterable[object], room: str) -> set[str]:
    """Return the files and packages of a room that things lie in."""
    modules = {getattr(thing, "compute", thing).__module__ for thing in things}
    return {".".join(module.split(".")[:3]) for module in modules if module.startswith(f"{room}.")}


@pytest.mark.parametrize(
    ("contract", "things", "room"),
    [
        ("No method imports another", methods, "shoal.anonymizers"),
        ("No family of attacks imports another", attacks, "shoal.attacks"),
        ("No family of measures imports another", MEASURES.values(), "shoal.utility"),
    ],
)
def test_the_walls_between_neighbors_have_no_gap(contract, things, room):
    assert set(CONTRACTS[contract]["modules"]) == families(things, room)
