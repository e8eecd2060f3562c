"""Folders and files that appear whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import FileError

__all__ = ["staged", "staged_file"]

_PREFIX = ".shoal-staging-"


@contextmanager
def staged(
    target: Path, *, files: Collection[str], force: bool | None = False, private: bool = False
) -> Iterator[Path]:
    """Give an empty folder to write into; it becomes the target when the block ends well, and is gone if it does not.

    An existing target is replaced only with ``force``, and only if it holds nothing but ``files``, so that nothing is
    ever deleted that Shoal did not write; None says that there is no way to have it replaced. A private folder is
    readable by its owner alone.
    """
    target = Path(os.path.abspath(target))
    _sweep(target.parent)
    _refuse_occupied(target, files, force=force)
    staging = _staging_folder(target)
    try:
        yield staging
        _close(staging, private=private)
        _move(staging, target, force=bool(force))
    except OSError as error:
        raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def staged_file(target: Path, *, is_ours: Callable[[Path], bool], force: bool = False) -> Iterator[Path]:
    """Give a path to write to; the file becomes the target when the block ends well, and is gone if it does not.

    It is readable by its owner alone, from the first byte on. An existing target is replaced only with ``force``, and
    only if ``is_ours`` knows it, so that nothing is ever lost that Shoal did not write.
    """
    target = Path(os.path.abspath(target))
    _refuse_homeless(target)
    if os.path.lexists(target):
        if not force:
            raise FileError(f"{target} exists already.", "Choose another name, or replace it with --force.")
        if target.is_symlink() or not target.is_file() or not is_ours(target):
            raise FileError(f"{target} is not a file that Shoal wrote, and is not replaced.", "Choose another name.")
    _sweep(target.parent)
    staging = _staging_folder(target)
    try:
        yield staging / target.name
        _close(staging, private=True)
        (staging / target.name).replace(target)
    except OSError as error:
        raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _refuse_homeless(target: Path) -> None:
    if not target.parent.is_dir():
        raise FileError(f"{target} cannot be written: the folder {target.parent} does not exist.", "Create it first.")


def _refuse_occupied(target: Path, files: Collection[str], *, force: bool | None) -> None:
    _refuse_homeless(target)
    if not os.path.lexists(target):
        return
    if not force:
        way_out = "Choose another folder." if force is None else "Choose another folder, or replace it with --force."
        raise FileError(f"{target} exists already.", way_out)
    if not target.is_dir() or target.is_symlink():
        raise FileError(f"{target} is not a folder that Shoal wrote, and is not replaced.", "Choose another folder.")
    others = sum(entry.name not in files or not entry.is_file() for entry in target.iterdir())
    if others:
        raise FileError(
            f"{target} holds {others:,} files or folders that Shoal did not write, and is not replaced.",
            "Choose another folder, or move them away.",
        )


def _staging_folder(target: Path) -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=target.parent))
    except OSError as error:
        raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed outright have left behind, and put back what they were about to replace."""
    for stale in folder.glob(f"{_PREFIX}*"):
        owner = stale.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            for replaced in filter(Path.is_dir, stale.glob("*")):
                _put_back(replaced, folder / replaced.name)
            shutil.rmtree(stale, ignore_errors=True)


def _put_back(replaced: Path, target: Path) -> None:
    if replaced.is_dir() and not os.path.lexists(target):
        replaced.rename(target)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's process
    return True


def _close(staging: Path, *, private: bool) -> None:
    """Set the permissions and bring the files to the disk before they get their name."""
    mask = os.umask(0)
    os.umask(mask)
    for file in staging.iterdir():
        file.chmod(0o600 if private else 0o666 & ~mask)
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
    staging.chmod(0o700 if private else 0o777 & ~mask)


def _move(staging: Path, target: Path, *, force: bool) -> None:
    if not force or not target.exists():
        staging.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=target.parent)) / target.name
    try:
        target.rename(old)
        staging.rename(target)
    except BaseException:  # an interruption between the two renames must not cost the old folder
        _put_back(old, target)
        raise
    finally:
        shutil.rmtree(old.parent, ignore_errors=True)
