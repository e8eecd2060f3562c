"""The walks of the architecture page: their functions are there, and are entered in the order of the page."""

import ast
import contextlib
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

import shoal
from shoal.cli.main import main

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "architecture.md"
SOURCES = Path(shoal.__file__).parent
LINK = re.compile(r"\[`([\w.]+)`\]\(\.\./\.\./src/shoal/([\w/]+\.py)\)")
SETTING_UP = [
    "generate table --rows 600 --seed 1 --out people.csv",
    "generate ratings --users 300 --items 100 --ratings 5000 --seed 1 --out films.csv",
    "desk init",
    "desk purpose income --target salary-class",
    "desk requester university --trust 1",
    "desk dataset people people.csv --schema people.schema.toml --model k-anonymity:k=5 --purpose income",
]


def walks() -> dict[str, str]:
    """Return the text of each walk by its title."""
    text = PAGE.read_text(encoding="utf-8").split("## Four walks")[1].split("\n## ")[0]
    parts = re.split(r"^### (.+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def defined(path: Path) -> set[str]:
    """Return the functions and methods that a file defines."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


def run(command: str) -> None:
    """Run a command as the terminal does."""
    sys.argv = ["shoal", *shlex.split(command)]
    with contextlib.suppress(SystemExit):
        main()


def entered(action: Callable[[], None]) -> list[tuple[str, str]]:
    """Return the functions of Shoal that an action enters, in the order in which it first does."""
    seen: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(SOURCES)):
            seen.setdefault((frame.f_code.co_qualname, str(Path(frame.f_code.co_filename).relative_to(SOURCES))))

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return list(seen)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with the data and the desk that the walks need."""
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(tmp_path_factory.mktemp("walks")):
        patch.setattr(sys, "argv", [])
        for command in SETTING_UP:
            run(command)
        yield Path.cwd()


def test_there_are_four_walks_of_at_most_ten_stops() -> None:
    stops = {title: len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) for title, walk in walks().items()}
    assert list(stops) == ["Publish a table", "Publish ratings", "Check", "A request at the release desk"]
    assert all(5 <= number <= 10 for number in stops.values())


@pytest.mark.parametrize("title", walks())
def test_the_functions_of_a_walk_are_there(title: str) -> None:
    for function, file in LINK.findall(walks()[title]):
        assert function in defined(SOURCES / file), f"{file} has no {function}"


@pytest.mark.parametrize("title", walks())
def test_a_walk_is_walked_in_this_order(title: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    command = re.search(r"^`shoal (.+)`$", walks()[title], re.MULTILINE)
    assert command is not None
    order = entered(lambda: run(command[1]))
    stops = list(dict.fromkeys(LINK.findall(walks()[title])))
    for stop in stops:
        assert stop in order, f"{stop} is not entered"
    assert stops == sorted(stops, key=order.index)
