"""Folders that appear whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import FileError

__all__ = ["staged"]

_PREFIX = ".shoal-staging-"


@contextmanager
def staged(target: Path, *, mark: str, force: bool = False, private: bool = False) -> Iterator[Path]:
    """Give an empty folder to write into; it becomes the target when the block ends well, and is gone if it does not.

    An existing target is replaced only with ``force``, and only if it holds the file ``mark`` (or nothing), so that no
    folder of another kind is ever deleted. A private folder is readable by its owner alone.
    """
    target = Path(os.path.abspath(target))
    _refuse_occupied(target, mark, force=force)
    staging = _staging_folder(target)
    try:
        yield staging
        _close(staging, private=private)
        _move(staging, target)
    except OSError as error:
        raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _refuse_occupied(target: Path, mark: str, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise FileError(f"{target} cannot be written: the folder {target.parent} does not exist.", "Create it first.")
    if not os.path.lexists(target):
        return
    if not force:
        raise FileError(f"{target} exists already.", "Choose another folder, or replace it with --force.")
    if not target.is_dir() or target.is_symlink() or (any(target.iterdir()) and not (target / mark).is_file()):
        raise FileError(f"{target} is not a folder that Shoal wrote, and is not replaced.", "Choose another folder.")


def _staging_folder(target: Path) -> Path:
    _sweep(target.parent)
    try:
        return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=target.parent))
    except OSError as error:
        raise FileError(f"{target} cannot be written: {os.strerror(error.errno or 0)}.") from None


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed outright have left behind."""
    for stale in folder.glob(f"{_PREFIX}*"):
        owner = stale.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(stale, ignore_errors=True)


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


def _move(staging: Path, target: Path) -> None:
    if not target.exists():
        staging.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=target.parent)) / "replaced"
    target.rename(old)
    try:
        staging.rename(target)
    except OSError:
        old.rename(target)
        raise
    finally:
        shutil.rmtree(old.parent, ignore_errors=True)
