"""A run on disk that is killed, stopped, or has no room leaves no release, and the next run clears what it left."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from people_on_disk import K20, names, people
from shoal.backends.stream.spill import SpilledPartition
from shoal.errors import WriteError
from shoal.io.schemas import TableSchema

STOPPED = """
import os, sys
import shoal, shoal.jobs.make_release, shoal.partitioned.original_parts
from shoal.backends.stream.spill import SpilledPartition
from shoal.cli.main import main

def stop(*_, **__):
    os.kill(os.getpid(), int(number))

moment, number, *sys.argv = sys.argv[1:]
if moment == "spilling":
    SpilledPartition.append = stop
elif moment == "keeping":
    shoal.partitioned.original_parts.complete_ledger = stop
elif moment == "proof-reading":
    shoal.jobs.make_release.verify = stop
main()
"""


def left(folder: Path) -> set[str]:
    """Return what lies in a folder, without what Shoal recognizes as a killed run's."""
    return {name for name in names(folder) if not name.startswith(".shoal-staging-")}


def publish(folder: Path, moment: str = "", number: int = 0) -> int:
    arguments = ("publish", "people.csv", "-m", K20, "--method", "lattice", "--engine", "stream")
    made = ("--out", "out", "--ledger", "ledger")
    program = [sys.executable, "-c", STOPPED, moment, str(number), "shoal", *arguments, *made]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    return subprocess.run(program, cwd=folder, env=environment, capture_output=True, check=False).returncode


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    _, schema = people(tmp_path)
    (tmp_path / "people.schema.toml").write_text(TableSchema.model_validate(schema).to_toml())
    (tmp_path / "tmp").mkdir()
    return tmp_path


GIVEN = {"people.csv", "people.schema.toml", "tmp"}


@pytest.mark.parametrize("moment", ["spilling", "keeping", "proof-reading"])
def test_a_killed_run_leaves_no_release_and_the_next_clears_what_it_left(folder: Path, moment: str) -> None:
    assert publish(folder, moment, signal.SIGKILL) == -signal.SIGKILL
    assert left(folder) == GIVEN
    assert left(folder / "tmp") == set()
    private = [path for path in folder.glob("**/.shoal-staging-*") if path.is_dir()]
    assert private
    assert {path.stat().st_mode & 0o777 for path in private} == {0o700}
    assert publish(folder) == 0
    assert names(folder) == {*GIVEN, "out", "ledger"}
    assert names(folder / "tmp") == set()
    assert shoal.verify(folder / "out", folder / "ledger").holds


@pytest.mark.parametrize("moment", ["spilling", "proof-reading"])
def test_a_run_that_is_asked_to_stop_leaves_nothing(folder: Path, moment: str) -> None:
    assert publish(folder, moment, signal.SIGTERM) == 128 + signal.SIGTERM
    assert names(folder) == GIVEN
    assert names(folder / "tmp") == set()


def test_a_full_disk_is_told_by_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: SpilledPartition, _: object) -> None:
        raise WriteError(self._file, OSError(errno.ENOSPC, "full"))

    monkeypatch.setattr("tempfile.tempdir", str(folder / "tmp"))
    monkeypatch.setattr(SpilledPartition, "append", full)
    with pytest.raises(WriteError, match=f"the disk is full where {folder / 'tmp'} is"):
        shoal.publish(folder / "people.csv", models=K20, method="lattice", engine="stream", out=folder / "out")
    assert names(folder) == GIVEN
    assert names(folder / "tmp") == set()


def test_parts_for_which_there_is_no_room_are_told_by_their_release(folder: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    sent = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    arguments = ("publish", "people.csv", "-m", K20, "--method", "none", "--engine", "stream", "--out", "out")
    program = [sys.executable, "-c", limit + sent + STOPPED, "", "0", "shoal", *arguments]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert names(folder) == GIVEN
    assert names(folder / "tmp") == set()
