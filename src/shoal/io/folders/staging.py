"""Folders and files that appear complete or not at all."""

import atexit
import errno
import os
import secrets
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import FileError, WriteError
from shoal.interruptions import uninterrupted
from shoal.io.write_errors import refuse_unfit_name, unwritable_as_error

from .data_parts import is_folder_of_parts
from .lock_file import LockFile, abandoned

__all__ = ["Claim", "faults_named_by", "staged", "staged_file", "staged_together", "staging_folder"]

_PREFIX = ".shoal-staging-"
_LOCK = ".lock"
_REPLACED = ".replaced"
"""In a staging folder, the folder of those that are about to be replaced: others there are not finished."""


@dataclass(frozen=True)
class Claim:
    """A folder to make, and whether it may replace an existing one.

    An existing target is replaced only with ``force``, and only if it holds nothing but ``files``, so that nothing is
    ever deleted that Shoal did not write; ``force=None`` means that it cannot be asked for. A private folder is
    readable by its owner alone.
    """

    target: Path
    files: Collection[str]
    force: bool | None = False
    private: bool = False


@contextmanager
def staged(
    target: Path, *, files: Collection[str], force: bool | None = False, private: bool = False
) -> Iterator[Path]:
    """Yield an empty folder to write into; it becomes the target if the block succeeds, and is removed if it fails.

    :class:`Claim` explains the settings.
    """
    with staged_together(Claim(target, files, force=force, private=private)) as (folder,):
        yield folder


@contextmanager
def staged_together(*claims: Claim) -> Iterator[tuple[Path, ...]]:
    """Yield an empty folder for each claim; if the block succeeds all of them become their targets, else none does.

    They are renamed in the order of the claims. If one cannot be renamed, whatever the reason, those before it are
    undone, and the folders that they replaced are restored.
    """
    with ExitStack() as open_folders:
        folders = tuple(open_folders.enter_context(_claimed(claim)) for claim in claims)
        yield folders
        for folder, claim in zip(folders, claims, strict=True):
            with unwritable_as_error(claim.target):
                _close(folder, private=claim.private)
        # an interruption must not leave some of them without the others
        with uninterrupted(), ExitStack() as names:
            for folder, claim in zip(folders, claims, strict=True):
                names.enter_context(_renamed(folder, Path(os.path.abspath(claim.target)), force=claim.force))


@contextmanager
def _claimed(claim: Claim) -> Iterator[Path]:
    target = Path(os.path.abspath(claim.target))
    _refuse_without_parent(target)
    with unwritable_as_error(target), staging_folder(target.parent) as staging, faults_named_by(target, staging):
        # only now: a folder that a killed run was about to replace has been restored
        _refuse_occupied(target, claim.files, force=claim.force)
        yield staging


@contextmanager
def staged_file(target: Path, *, is_ours: Callable[[Path], bool], force: bool = False) -> Iterator[Path]:
    """Yield a path to write to; the file becomes the target if the block succeeds, and is removed if it fails.

    It is readable by its owner alone, from the first byte on. An existing target is replaced only with ``force``, and
    only if ``is_ours`` recognizes it, so that nothing is ever lost that Shoal did not write.
    """
    target = Path(os.path.abspath(target))
    _refuse_without_parent(target)
    if os.path.lexists(target):
        if not force:
            raise FileError(f"{target} exists already.", "Choose another name, or replace it with --force.")
        if target.is_symlink() or not target.is_file() or not is_ours(target):
            raise FileError(f"{target} was not written by Shoal, and is not replaced.", "Choose another name.")
    with unwritable_as_error(target), staging_folder(target.parent) as staging, faults_named_by(target, staging):
        yield staging / target.name
        _close(staging, private=True)
        (staging / target.name).replace(target)


@contextmanager
def staging_folder(parent: Path) -> Iterator[Path]:
    """Yield a private empty folder that is removed when the block ends, however it ends.

    A lock file beside it shows that it is in use. The lock file is made first and removed last, so the next run
    recognizes whatever a killed run left; and a folder without one, as on a file system without locks, is never taken
    for abandoned.
    """
    _sweep(parent)
    own = _StagingFolder(parent)
    try:
        yield own.make()
    finally:
        own.remove()


class _StagingFolder:
    """A folder and its lock file, removed by this process alone, and at the latest when it exits."""

    def __init__(self, parent: Path) -> None:
        self._parent, self._process = parent, os.getpid()
        self._lock: LockFile | None = None
        self._folder: Path | None = None

    def make(self) -> Path:
        """Make the folder."""
        atexit.register(self.remove)  # an interruption may come before the block is entered, or on its way out
        with uninterrupted():
            self._lock = LockFile.make(self._parent, _PREFIX, _LOCK)
            token = secrets.token_hex(16) if self._lock is None else self._lock.token
            self._folder = self._parent / f"{_PREFIX}{token}"
            self._folder.mkdir(mode=0o700)
        return self._folder

    def remove(self) -> None:
        """Remove the folder and its lock file; a forked process leaves that to the one that made them."""
        if os.getpid() != self._process:
            return
        with uninterrupted():
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            if self._lock is not None:
                self._lock.remove()
            self._lock = self._folder = None
        atexit.unregister(self.remove)


@contextmanager
def faults_named_by(target: Path, staging: Path) -> Iterator[None]:
    """Report an error of writing into a staging folder, whose name means nothing to anybody, by its target."""
    try:
        yield
    except WriteError as error:
        if not error.target.is_relative_to(staging):
            raise
        raise WriteError(target, error.number) from None


def _refuse_without_parent(target: Path) -> None:
    refuse_unfit_name(target)
    if not target.parent.is_dir():
        raise FileError(f"{target} cannot be written: the folder {target.parent} does not exist.", "Create it first.")


def _refuse_occupied(target: Path, files: Collection[str], *, force: bool | None) -> None:
    _refuse_without_parent(target)
    if not os.path.lexists(target):
        return
    if not force:
        raise _exists_already(target, force=force)
    if not target.is_dir() or target.is_symlink():
        raise FileError(f"{target} was not written by Shoal, and is not replaced.", "Choose another folder.")
    others = sum(entry.name not in files or not _is_ours(entry) for entry in target.iterdir())
    if others:
        raise FileError(
            f"{target} holds {others:,} files or folders that Shoal did not write, and is not replaced.",
            "Choose another folder, or move them away.",
        )


def _is_ours(entry: Path) -> bool:
    return entry.is_file() or is_folder_of_parts(entry)


def _sweep(folder: Path) -> None:
    """Remove what killed runs left behind, and restore the folders that they were about to replace."""
    for lock in folder.glob(f"{_PREFIX}*{_LOCK}"):
        with abandoned(lock) as is_abandoned:
            if is_abandoned:
                stale = lock.with_name(lock.name.removesuffix(_LOCK))
                for replaced in (stale / _REPLACED).glob("*"):
                    _restore(replaced, folder / replaced.name)
                shutil.rmtree(stale, ignore_errors=True)
                lock.unlink(missing_ok=True)


def _restore(replaced: Path, target: Path) -> None:
    if replaced.is_dir() and not os.path.lexists(target):
        replaced.rename(target)


def _close(staging: Path, *, private: bool) -> None:
    """Set permissions and sync files to the disk before the folder is renamed."""
    mask = os.umask(0)
    os.umask(mask)
    for file in filter(Path.is_file, staging.rglob("*")):
        file.chmod(0o600 if private else 0o666 & ~mask)
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
    for folder in (*filter(Path.is_dir, staging.iterdir()), staging):
        folder.chmod(0o700 if private else 0o777 & ~mask)


@contextmanager
def _renamed(staging: Path, target: Path, *, force: bool | None) -> Iterator[None]:
    """Rename a staging folder to its target; if the block fails, undo that and restore the folder it replaced."""
    with ExitStack() as kept, unwritable_as_error(target):
        replaced: Path | None = None
        if force and target.exists():
            replaced = kept.enter_context(staging_folder(target.parent)) / _REPLACED / target.name
            replaced.parent.mkdir()
        try:
            if replaced is not None:
                target.rename(replaced)
            _rename(staging, target, force=force)
            yield
        except BaseException:  # whatever happens, the old folder must survive
            if not staging.exists():
                target.rename(staging)
            if replaced is not None:
                _restore(replaced, target)
            raise


def _rename(staging: Path, target: Path, *, force: bool | None) -> None:
    try:
        staging.rename(target)
    except OSError as error:
        if error.errno in _OCCUPIED:  # another run had the same target and was faster
            raise _exists_already(target, force=force) from None
        raise


_OCCUPIED = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)


def _exists_already(target: Path, *, force: bool | None) -> FileError:
    if force is None:
        return FileError(f"{target} exists already.", "Choose another folder.")
    return FileError(f"{target} exists already.", "Choose another folder, or replace it with --force.")
