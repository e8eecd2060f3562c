"""What a user's own package brings, every command knows, and the laws hold for it: that of ``CONTRIBUTING.md``."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from shoal.errors import WordingError
from shoal.wording import Registry, Worded
from shoal.wording.catalog import PluginWarning

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def install(folder: Path, name: str, entries: dict[str, dict[str, str]]) -> None:
    """Write what an installer writes for a package: that it is there, and which entry points it has."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) for group, each in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder on the path with the package that the page for contributors shows."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "extras").mkdir()
    (folder / "extras" / "__init__.py").write_text("", encoding="utf-8")
    modules = re.findall(r"`extras/(\w+\.py)`:\n\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(modules) == 6
    for name, code in modules:
        assert len(code.splitlines()) <= 40, f"{name} is shown in about twenty lines and its imports"
        (folder / "extras" / name).write_text(code, encoding="utf-8")
    shown = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    install(folder, "extras", tomllib.loads(shown[1])["project"]["entry-points"])
    return folder


def python(packages: Path, code: str, *arguments: object, fails: bool = False) -> str:
    """Run code in a process of its own, which finds the package; return what it prints."""
    path = os.pathsep.join([str(packages), *sys.path])
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout


def shoal(packages: Path, *arguments: object) -> dict:
    return json.loads(python(packages, "from shoal.cli.main import main; main()", *arguments, "--json"))


def write_table(folder: Path) -> tuple[Path, Path]:
    lines = ["name,sex,age,illness"]
    lines += [f"person {i},{'fm'[i % 2]},{20 + i},{('flu', 'cold', 'gout')[i % 3]}" for i in range(60)]
    roles = {"name": "identifier", "sex": "quasi-identifier", "age": "quasi-identifier", "illness": "sensitive"}
    schema = 'kind = "table"\n' + "".join(f'[columns.{name}]\nrole = "{role}"\n' for name, role in roles.items())
    data, schema_file = folder / "people.csv", folder / "people.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    schema_file.write_text(schema, encoding="utf-8")
    return data, schema_file


def test_a_promise_a_method_an_attack_and_a_measure_run_through_every_command(packages, tmp_path):
    data, schema = write_table(tmp_path)
    release, ledger = tmp_path / "release", tmp_path / "ledger"
    promise = ("--schema", schema, "--model", "largest-share:share=0.4")
    refused = python(packages, "from shoal.cli.main import main; main()", "check", data, *promise, "--json", fails=True)
    assert not refused  # exit 3: raw data break the promise, and that is no error
    made = shoal(
        packages, "publish", data, *promise, "--method", "one-group:keep=sex", "--out", release, "--ledger", ledger
    )
    assert made["groups"] == 2
    verified = shoal(packages, "verify", release)
    assert verified["holds"]
    assert "largest-share:share=0.4" in json.dumps(verified)
    measures = shoal(packages, "measure", release, "--ledger", ledger)["measures"]
    assert measures["labels kept"] == 3 / 62
    assert list(measures)[-1] == "labels kept"
    (found,) = shoal(packages, "attack", release, "--ledger", ledger, "-a", "exact-match")["attacks"]
    assert found["attack"] == "exact-match"
    assert found["main"] == found["baseline"] == pytest.approx(1 / 60)
    (found,) = shoal(packages, "attack", data, "--schema", schema, "-a", "exact-match")["attacks"]
    assert found["main"] == 1
    listed = python(packages, "from shoal.attacks import attacks; print(*(cls.name for cls in attacks))")
    assert "exact-match" in listed.split()  # so it is run where nobody says which attacks to run


def test_a_predictor_is_known_to_the_method_that_takes_one(packages, tmp_path):
    lines = ["user,item,rating", *(f"u{u},i{i},{1 + (u * i) % 5}" for u in range(12) for i in range(8) if (u + i) % 3)]
    (tmp_path / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "ratings.toml").write_text('kind = "ratings"\nlayout = "long"\nscale = [1, 5]\n', encoding="utf-8")
    made = shoal(
        packages,
        *("publish", tmp_path / "ratings.csv", "--schema", tmp_path / "ratings.toml", "--model", "k-anonymity:k=3"),
        *("--method", "predictive:predictor=item-means", "--out", tmp_path / "release"),
    )
    assert made["holds"]
    assert shoal(packages, "verify", tmp_path / "release")["holds"]


def test_a_command_says_in_a_sentence_that_a_plug_in_is_broken(tmp_path):
    install(tmp_path, "torn", {"shoal.models": {"torn": "nowhere:Torn"}})
    code = "from shoal.cli.main import main; main()"
    data, schema = write_table(tmp_path)
    said = python(tmp_path, code, "check", data, "--schema", schema, "--model", "torn:k=2", fails=True)
    fault = "The plug-in 'torn' (shoal.models) of the package torn cannot be loaded: ModuleNotFoundError."
    assert said.splitlines()[0] == f"Warning: {fault}"
    assert f"There is no promise named 'torn'. {fault} Known are: " in said


LAWS = """
from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.models import promises
from shoal.predictors import predictors
from shoal.testing import check_anonymizer, check_attack, check_measure, check_model, check_predictor
from shoal.utility import MEASURES

for registry, check in ((promises, check_model), (methods, check_anonymizer), (attacks, check_attack),
                        (predictors, check_predictor)):
    (cls,) = (each for each in registry if each.__module__.startswith("extras."))
    for example in cls.examples():
        check(example, examples=15)
check_measure(MEASURES["labels kept"], examples=15)
print("kept")
"""


def test_what_the_page_shows_keeps_the_laws(packages):
    assert python(packages, LAWS) == "kept\n"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[Worded]:
    """Return a registry of a room with one thing, and of an installed package that brings three more."""
    thing = "from dataclasses import dataclass\nfrom shoal.wording import Worded\n\n\n@dataclass(frozen=True)\n"
    for name, code in {
        "small_room/__init__": "",
        "small_room/at_home": "import registry_of_tests\n\n\n@registry_of_tests.things.add\nclass AtHome:\n"
        '    name = "at-home"\n',
        "brought/__init__": "",
        "brought/fine": f'{thing}class Fine(Worded):\n    name = "fine"\n    count: int = 1\n',
        "brought/same": f'{thing}class Same(Worded):\n    name = "at-home"\n',
        "brought/broken": 'raise RuntimeError("a text that nobody must read")\n',
        "registry_of_tests": 'from shoal.wording import Registry\n\nthings = Registry("thing", "small_room")\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    entries = {"fine": "brought.fine:Fine", "same": "brought.same:Same", "broken": "brought.broken:Broken"}
    install(tmp_path, "brought", {"small_room": entries})
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("small_room", "small_room.at_home", "brought", "brought.fine", "brought.same", "registry_of_tests"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from registry_of_tests import things  # pyright: ignore[reportMissingImports]

    return things


def test_a_plug_in_that_is_asked_for_is_loaded_and_no_other(room):
    assert str(room.read("fine:count=3")) == "fine:count=3"
    assert "small_room.at_home" not in sys.modules


def test_a_broken_plug_in_is_named_and_hides_no_other(room):
    with pytest.warns(PluginWarning) as warned:
        assert [cls.name for cls in room] == ["at-home", "fine"]
    said = sorted(str(each.message) for each in warned)
    assert said == [
        "The plug-in 'broken' (small_room) of the package brought cannot be loaded: RuntimeError.",
        "The plug-in 'same' (small_room) of the package brought cannot be loaded: "
        "a thing named 'at-home' is registered twice.",
    ]


@pytest.mark.filterwarnings("ignore::shoal.wording.catalog.PluginWarning")
def test_whoever_asks_for_a_broken_plug_in_learns_that_it_is_broken(room):
    with pytest.raises(WordingError, match=r"no thing named 'broken'.*plug-in 'broken'.*RuntimeError.*at-home, fine"):
        room.read("broken")
