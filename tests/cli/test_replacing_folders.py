"""Replacing a folder costs nothing that Shoal did not write, and never the old one before the new is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import write_table
from shoal.errors import FileError
from shoal.io.folders.staging import staged

FILES = ("certificate.json", "data.csv")


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    target = tmp_path / "release"
    with staged(target, files=FILES) as folder:
        (folder / "data.csv").write_text("old", encoding="utf-8")
    return target


@pytest.mark.parametrize("option", ["--out", "--ledger"])
@pytest.mark.parametrize("name", ["certificate.json", "report.json", "data.csv"])
def test_a_folder_with_one_file_of_that_name_and_others_is_not_replaced(
    run, tmp_path: Path, option: str, name: str
) -> None:
    data, schema = write_table(tmp_path)
    precious = tmp_path / "thesis"
    precious.mkdir()
    (precious / name).write_text("{}", encoding="utf-8")
    (precious / "draft.txt").write_text("years of work", encoding="utf-8")
    places = {"--out": tmp_path / "o", "--ledger": tmp_path / "l", option: precious}
    asked = [part for place in places.items() for part in place]
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--force", *asked)
    assert ran.status == 2
    assert contents(precious) == {name: "{}", "draft.txt": "years of work"}
    assert not any((tmp_path / place).exists() for place in "ol")


def test_an_interruption_between_taking_away_and_putting_in_place_restores_the_old_folder(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        if target == old and (self / "new.csv").exists():
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), staged(old, files=FILES, force=True) as folder:
        (folder / "new.csv").write_text("new", encoding="utf-8")
    assert contents(old) == {"data.csv": "old"}
    assert [path.name for path in old.parent.iterdir()] == ["release"]


def test_what_a_killed_run_had_taken_away_is_put_back_by_the_next(old: Path) -> None:
    program = (
        "import os; from pathlib import Path; from shoal.io.folders.staging import staged\n"
        f"old, rename = Path({str(old)!r}), Path.rename\n"
        "def killed(self, target):\n"
        "    os.kill(os.getpid(), 9) if target == old else rename(self, target)\n"
        "Path.rename = killed\n"
        f"with staged(old, files={FILES!r}, force=True) as folder: (folder / 'data.csv').write_text('new')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == -9
    assert not old.exists(), "it was killed between the two renames"
    with staged(old.parent / "another", files=FILES) as folder:
        (folder / "data.csv").write_text("another", encoding="utf-8")
    assert contents(old) == {"data.csv": "old"}
    assert {path.name for path in old.parent.iterdir()} == {"release", "another"}


def test_a_folder_that_appears_meanwhile_is_not_replaced_without_force(tmp_path: Path) -> None:
    target = tmp_path / "release"
    block = staged(target, files=FILES)
    (block.__enter__() / "data.csv").write_text("mine", encoding="utf-8")
    target.mkdir()
    (target / "data.csv").write_text("theirs", encoding="utf-8")
    with pytest.raises(FileError):
        block.__exit__(None, None, None)
    assert contents(target) == {"data.csv": "theirs"}
    assert os.listdir(tmp_path) == ["release"]
