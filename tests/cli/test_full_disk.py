"""That a disk is full is told as such, with what to do, exit status 2, and nothing is left behind."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import write_table
from shoal.errors import FileError, WriteError

SHOAL = (sys.executable, "-c", "from shoal.cli.main import main; main()")
SMALL = 'mount -t tmpfs -o size="$1" small "$2" && shift 2 && "$@"'
COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shoal.cli.main import main
ends = []
for command in json.loads(sys.argv[1]):
    sys.argv, said = ["shoal", *command], io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            main()
    except SystemExit as end:
        ends.append([end.code, said.getvalue(), sorted(each.name for each in Path(sys.path[0] or ".").iterdir())])
print(json.dumps(ends))
"""


def mounted(size: str, place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that alone sees a small disk at a place."""
    program = ("unshare", "--mount", "--map-root-user", "sh", "-c", SMALL, "sh", size, str(place), *command)
    return subprocess.run(program, capture_output=True, text=True, check=False, cwd=place.parent, timeout=300)


def can_mount(folder: Path) -> bool:
    (folder / "try").mkdir()
    return shutil.which("unshare") is not None and mounted("64k", folder / "try", "true").returncode == 0


def test_every_command_that_writes_tells_that_the_disk_is_full(tmp_path: Path) -> None:
    if not can_mount(tmp_path):
        pytest.skip("no small disk can be mounted here")
    disk = tmp_path / "disk"
    disk.mkdir()
    data, schema = write_table(tmp_path, rows=6000)
    table, promise = (str(data), "--schema", str(schema)), ("-m", "k-anonymity:k=5")
    commands = {
        "release": ("publish", *table, *promise, "--out", f"{disk}/release"),
        "parquet": ("publish", *table, *promise, "--format", "parquet", "--out", f"{disk}/parquet"),
        "ledger": ("publish", *table, *promise, "--out", f"{tmp_path}/elsewhere", "--ledger", f"{disk}/ledger"),
        "people.csv": ("generate", "table", "--rows", "9000", "--out", f"{disk}/people.csv"),
        "people.parquet": ("generate", "table", "--rows", "90000", "--out", f"{disk}/people.parquet"),
        "who.csv": ("check", *table, "-m", "k-anonymity:k=500", "--explain", f"{disk}/who.csv"),
        "age.csv": ("hierarchy", "suggest", *table, "--column", "name", "--kind", "mask", "--out", f"{disk}/age.csv"),
    }
    program = COMMANDS.replace('sys.path[0] or "."', repr(str(disk)))
    done = mounted("32k", disk, sys.executable, "-c", program, json.dumps(list(commands.values())))
    assert done.returncode == 0, done.stderr
    for name, (status, said, left) in zip(commands, json.loads(done.stdout), strict=True):
        assert status == 2, (name, said)
        assert said == (
            f"shoal: {disk}/{name} cannot be written: the disk is full where {disk} is. "
            "Make room there, or choose a folder on another disk.\n"
        )
        assert left == []
    assert {path.name for path in tmp_path.iterdir()} == {"disk", "try", data.name, schema.name}


def test_an_output_that_takes_nothing_is_told(tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    with open("/dev/full", "wb") as full:
        command = [*SHOAL, "describe", str(data), "--schema", str(schema)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("shoal: A disk is full")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "published"),
    [
        (OSError(errno.ENOSPC, "x"), "the disk is full"),
        (OSError(errno.EDQUOT, "x"), "the disk quota is used up"),
        (RuntimeError("4711 (os error 28)"), "the disk is full"),
        (RuntimeError("4711 (os error 122)"), "the disk quota is used up"),
        (OSError(errno.EACCES, "4711"), os.strerror(errno.EACCES)),
        (RuntimeError("4711"), "Check the folder"),
    ],
)
def test_why_something_cannot_be_written_is_told_in_words_of_our_own(error: Exception, published: str) -> None:
    fault = WriteError("here/data.csv", error)
    assert isinstance(fault, FileError)
    assert fault.exit_code == 2
    assert published in str(fault)
    assert "4711" not in str(fault)
    assert ("Make room" in fault.cure) == ("disk" in published) == WriteError.is_for_lack_of_room(error)
