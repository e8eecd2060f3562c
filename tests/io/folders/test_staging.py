"""What a live run is writing is never swept, wherever it runs; what a killed one left is, and nothing else."""

import errno
import fcntl
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shoal.errors import FileError
from shoal.io.folders.lock_file import LockFile, abandoned
from shoal.io.folders.staging import Claim, staged, staged_file, staged_together, staging_folder

FILES = ("data.csv",)
HOLDER = (
    "import sys; from pathlib import Path; from shoal.io.folders.staging import staged\n"
    "with staged(Path(sys.argv[1]), files=('data.csv',)) as folder:\n"
    "    (folder / 'data.csv').write_text('mine'); print('writing', flush=True); sys.stdin.readline()\n"
)
FAR_AWAY = 'echo 4000000 > /proc/sys/kernel/ns_last_pid; "$@"; exit $?'  # no process here has such a number
OWN_PIDS = ("unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", FAR_AWAY, "sh")


def can_unshare() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*OWN_PIDS, "true"], capture_output=True, check=False).returncode == 0


@contextmanager
def writing(target: Path, *before: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process that is in the middle of writing a folder."""
    command = [*before, sys.executable, "-c", HOLDER, str(target)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "writing\n"
        yield run


def write_another(folder: Path) -> None:
    with staged(folder / "another", files=FILES) as another:
        (another / "data.csv").write_text("another", encoding="utf-8")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.skipif(not can_unshare(), reason="no namespaces of process ids here")
def test_a_live_run_among_other_process_ids_is_left_alone(tmp_path: Path) -> None:
    """As in another container that shares a volume: its process ids mean nothing here."""
    with writing(tmp_path / "release", *OWN_PIDS) as run:
        write_another(tmp_path)
        run.communicate("\n")
    assert run.returncode == 0
    assert (tmp_path / "release" / "data.csv").read_text(encoding="utf-8") == "mine"
    assert names(tmp_path) == {"release", "another"}


def test_a_live_run_is_left_alone_though_no_process_has_its_id(tmp_path: Path, monkeypatch) -> None:
    def gone(*_: object) -> None:
        raise ProcessLookupError

    with writing(tmp_path / "release") as run:
        monkeypatch.setattr(os, "kill", gone)
        write_another(tmp_path)
        monkeypatch.undo()
        run.communicate("\n")
    assert run.returncode == 0
    assert names(tmp_path) == {"release", "another"}


def test_what_a_killed_run_left_is_swept_though_a_process_has_its_id(tmp_path: Path, monkeypatch) -> None:
    with writing(tmp_path / "release") as run:
        run.kill()
        run.communicate()
    assert len(names(tmp_path)) == 2, "its folder and the mark beside it"
    monkeypatch.setattr(os, "kill", lambda *_: None)
    write_another(tmp_path)
    assert names(tmp_path) == {"another"}


def test_an_empty_mark_of_a_killed_run_is_removed(tmp_path: Path) -> None:
    """It was killed between making the mark and the folder, or between naming the folder and removing the mark."""
    (tmp_path / ".shoal-staging-0123.lock").touch()
    write_another(tmp_path)
    assert names(tmp_path) == {"another"}


def test_a_folder_without_a_mark_is_never_taken_for_an_abandoned_one(tmp_path: Path) -> None:
    (tmp_path / ".shoal-staging-0123").mkdir()
    write_another(tmp_path)
    assert names(tmp_path) == {"another", ".shoal-staging-0123"}


def test_where_the_file_system_knows_no_locks_nothing_is_swept(tmp_path: Path, monkeypatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    with writing(tmp_path / "release") as run:
        run.kill()
        run.communicate()
    left = names(tmp_path)
    monkeypatch.setattr(fcntl, "flock", unsupported)
    with staging_folder(tmp_path) as unmarked:
        assert names(tmp_path) == {*left, unmarked.name}, "it has no mark, so nobody who has locks sweeps it either"
        monkeypatch.undo()
        write_another(tmp_path)
        assert unmarked.is_dir()
        monkeypatch.setattr(fcntl, "flock", unsupported)
        write_another_again = tmp_path / "yet another"
        with staged_file(write_another_again, is_ours=lambda _: False) as file:
            file.write_text("x", encoding="utf-8")
    assert names(tmp_path) == {"another", "yet another"}


def test_a_run_sweeps_neither_its_own_folders_nor_those_of_its_threads(tmp_path: Path) -> None:
    with staging_folder(tmp_path) as outer, staging_folder(tmp_path) as inner:
        thread = threading.Thread(target=write_another, args=(tmp_path,))
        thread.start()
        thread.join()
        assert outer.is_dir()
        assert inner.is_dir()
    assert names(tmp_path) == {"another"}


def test_a_process_that_was_forked_off_does_not_remove_the_folder(tmp_path: Path) -> None:
    block = staging_folder(tmp_path)
    folder = block.__enter__()
    child = multiprocessing.get_context("fork").Process(target=block.__exit__, args=(None, None, None))
    child.start()
    child.join()
    assert folder.is_dir()
    block.__exit__(None, None, None)
    assert names(tmp_path) == set()


def test_a_mark_that_is_swept_before_its_lock_is_held_is_made_again(tmp_path: Path, monkeypatch) -> None:
    lock, swept = fcntl.flock, []

    def late(handle: int, how: int) -> None:
        if not swept:
            (only,) = tmp_path.iterdir()
            swept.append(only)
            with monkeypatch.context() as plain:
                plain.setattr(fcntl, "flock", lock)
                with abandoned(only) as is_over:
                    assert is_over, "nobody holds it yet"
                    only.unlink()
        lock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    mark = LockFile.make(tmp_path, "mark-")
    assert mark is not None
    assert mark.path not in swept
    assert mark.path.exists()
    with abandoned(mark.path) as is_over:
        assert not is_over
    mark.remove()
    assert names(tmp_path) == set()


def test_of_two_sweepers_one_has_the_folder(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    mark.touch()
    with abandoned(mark) as first, abandoned(mark) as second:
        assert (first, second) == (True, False)
    mark.unlink()
    with abandoned(mark) as gone:
        assert not gone


def test_many_runs_at_once_all_keep_what_they_write(tmp_path: Path) -> None:
    """Each sweeps when it begins, while the others are anywhere between making a mark and removing it."""
    program = (
        "import sys; from pathlib import Path; from shoal.io.folders.staging import staged\n"
        "for i in range(40):\n"
        "    with staged(Path(sys.argv[1]) / f'{sys.argv[2]}-{i}', files=('data.csv',)) as folder:\n"
        "        (folder / 'data.csv').write_text('mine')\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), str(i)]) for i in range(4)]
    assert [run.wait() for run in runs] == [0] * 4
    assert names(tmp_path) == {f"{i}-{j}" for i in range(4) for j in range(40)}


@pytest.mark.parametrize(("force", "way_out"), [(False, "--force"), (None, "another folder"), (True, "")])
def test_of_two_runs_into_one_target_the_slower_is_told_that_it_exists(
    tmp_path: Path, force: bool | None, way_out: str
) -> None:
    def both() -> None:
        with staged(tmp_path / "release", files=FILES, force=force) as mine:
            (mine / "data.csv").write_text("mine", encoding="utf-8")
            with staged(tmp_path / "release", files=FILES) as theirs:
                (theirs / "data.csv").write_text("theirs", encoding="utf-8")

    if force:
        both()  # what is there is replaced, whoever made it and whenever
        kept = "mine"
    else:
        with pytest.raises(FileError, match=rf"exists already\..*{way_out}"):
            both()
        kept = "theirs"
    assert (tmp_path / "release" / "data.csv").read_text(encoding="utf-8") == kept
    assert names(tmp_path) == {"release"}


def test_where_one_of_two_folders_cannot_have_its_name_neither_has(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "data.csv").write_text("old", encoding="utf-8")
    claims = (Claim(tmp_path / "first", FILES, force=True), Claim(tmp_path / "second", FILES))

    def both() -> None:
        with staged_together(*claims) as folders:
            for folder in folders:
                (folder / "data.csv").write_text("new", encoding="utf-8")
            (tmp_path / "second").write_text("a file", encoding="utf-8")

    with pytest.raises(FileError, match=r"second exists already"):
        both()
    assert (tmp_path / "first" / "data.csv").read_text(encoding="utf-8") == "old"
    assert (tmp_path / "second").read_text(encoding="utf-8") == "a file"
    assert names(tmp_path) == {"first", "second"}
