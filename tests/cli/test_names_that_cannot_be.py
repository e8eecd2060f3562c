"""A name that no file can have is bad input, told before the work, and a failed run leaves nothing of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import shoal
from cli.files import write_table
from shoal.errors import InputError

TOO_LONG = {"one part": "x" * 300, "many parts": "/".join(["y" * 100] * 50)}
PROMISE = ("-m", "k-anonymity:k=5")
NO_TEXT = os.fsdecode(b"c\xffb")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def refused(ran, folder: Path, before: set[str]) -> None:
    assert ran.status == 2, ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 800, "what is too long is not repeated"
    assert names(folder) == before


@pytest.mark.parametrize("case", TOO_LONG)
@pytest.mark.parametrize("option", ["--out", "--ledger"])
def test_a_name_that_is_too_long_leaves_neither_release_nor_ledger(run, tmp_path: Path, case: str, option: str) -> None:
    data, schema = write_table(tmp_path)
    before = names(tmp_path)
    places = {"--out": tmp_path / "o", "--ledger": tmp_path / "l", option: tmp_path / TOO_LONG[case]}
    asked = [part for place in places.items() for part in place]
    refused(run("publish", data, "--schema", schema, *PROMISE, *asked), tmp_path, before)


@pytest.mark.parametrize("name", [*TOO_LONG.values(), NO_TEXT])
def test_every_command_that_writes_refuses_such_a_name(run, tmp_path: Path, name: str) -> None:
    data, schema = write_table(tmp_path)
    before = names(tmp_path)
    described = (data, "--schema", schema)
    for words in (
        ("sweep", *described, "--k", "5", "--method", "mondrian", "--out", tmp_path / name),
        ("generate", "table", "--rows", "10", "--out", tmp_path / f"{name}.csv"),
        ("lattice", *described, *PROMISE, "--out", tmp_path / f"{name}.csv"),
        ("hierarchy", "suggest", *described, "--column", "age", "--out", tmp_path / name),
        ("publish", *described, *PROMISE, "--out", tmp_path / name, "--ledger", tmp_path / "l"),
    ):
        refused(run(*words), tmp_path, before)


def test_a_ledger_keeps_no_path_that_is_not_text(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    odd = data.rename(tmp_path / f"{NO_TEXT}.csv")
    before = names(tmp_path)
    folders = ("--out", tmp_path / "o", "--ledger", tmp_path / "l")
    refused(run("publish", odd, "--schema", schema, *PROMISE, *folders), tmp_path, before)


@pytest.mark.parametrize("setting", ["out", "ledger"])
def test_a_zero_byte_in_a_name_is_bad_input(tmp_path: Path, setting: str) -> None:
    data, schema = write_table(tmp_path)
    before = names(tmp_path)
    places: dict[str, Any] = {
        "out": str(tmp_path / "o"),
        "ledger": str(tmp_path / "l"),
        setting: str(tmp_path / "a\0b"),
    }
    with pytest.raises(InputError):
        shoal.publish(str(data), schema=str(schema), models=["k-anonymity:k=5"], **places)
    assert names(tmp_path) == before


RENAMED_IN_VAIN = """
import errno, pathlib, sys
from shoal.cli.main import main
target, rename = pathlib.Path(sys.argv.pop(1)), pathlib.Path.rename
def fails(self, to):
    if to == target and self.name.startswith(".shoal-staging-"):  # the old one is put back from a folder in there
        raise OSError(errno.EIO, "no")
    return rename(self, to)
pathlib.Path.rename = fails
main()
"""


@pytest.mark.parametrize("force", [False, True])
def test_where_the_release_cannot_be_named_the_ledger_goes_too(run, tmp_path: Path, force: bool) -> None:
    data, schema = write_table(tmp_path)
    folders = ("--out", str(tmp_path / "o"), "--ledger", str(tmp_path / "l"))
    asked = ["publish", str(data), "--schema", str(schema), *PROMISE, *folders]
    if force:
        assert run(*asked).status == 0
        (tmp_path / "o" / "certificate.json").write_text("old", encoding="utf-8")
        (tmp_path / "l" / "plan.toml").write_text("old", encoding="utf-8")
    before = names(tmp_path)
    command = [sys.executable, "-c", RENAMED_IN_VAIN, str(tmp_path / "o"), *asked, *(["--force"] if force else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot be written" in done.stderr
    assert names(tmp_path) == before
    if force:
        assert (tmp_path / "o" / "certificate.json").read_text(encoding="utf-8") == "old"
        assert (tmp_path / "l" / "plan.toml").read_text(encoding="utf-8") == "old"


def test_a_desk_leaves_no_ledger_of_a_release_that_could_not_be_named(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DESK", str(tmp_path / "desk.sqlite"))
    data, schema = write_table(tmp_path)
    files = (data, "--schema", schema)
    for words in (
        ("init",),
        ("requester", "ann", "--trust", "1"),
        ("purpose", "first", "--priorities", "age:1;zip:0.5"),
        ("dataset", "crowd", *files, *PROMISE, "--purpose", "first"),
    ):
        ran = run("desk", *words)
        assert ran.status == 0, ran.err
    before = names(tmp_path)
    asked = ("desk", "request", "crowd", *files, "--requester", "ann", "--purpose", "first")
    folders = ("--out", tmp_path / "o", "--ledger", tmp_path / "l")
    refused(run(*asked, "--out", tmp_path / TOO_LONG["one part"], "--ledger", tmp_path / "l"), tmp_path, before)
    command = [sys.executable, "-c", RENAMED_IN_VAIN, tmp_path / "o", *asked, *folders]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert names(tmp_path) == before
    ran = run(*asked, *folders)
    assert ran.status == 0, ran.err
    assert run("desk", "audit", "--folders").status == 0
