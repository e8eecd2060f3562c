"""Lock files: empty files that show that the run which made them is still at work.

The run holds a lock on its file, and the system frees the lock when the run ends, however it ends. Whoever gets the
lock knows that the run is over, whatever container it was in and whatever its process id was there.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LockFile", "abandoned"]


@dataclass(frozen=True)
class LockFile:
    """A file and the handle that holds its lock."""

    path: Path
    token: str
    """The part of its name that distinguishes it from others."""
    _handle: int

    @classmethod
    def make(cls, folder: Path, prefix: str, suffix: str = "") -> "LockFile | None":
        """Make a lock file in a folder; return None, and leave no file, if the file system has no locks."""
        while True:
            token = secrets.token_hex(16)
            path = folder / f"{prefix}{token}{suffix}"
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            try:
                if not _can_lock(handle):
                    path.unlink(missing_ok=True)
                    os.close(handle)
                    return None
                if _has_lock(handle) and _is_at(handle, path):
                    return cls(path, token, handle)
            except BaseException:
                path.unlink(missing_ok=True)
                os.close(handle)
                raise
            os.close(handle)  # a run that sweeps abandoned files came between the file and its lock, and removes it

    def remove(self) -> None:
        """Remove the file, and only then its lock: whoever still finds the file must not get the lock."""
        self.path.unlink(missing_ok=True)
        os.close(self._handle)


@contextmanager
def abandoned(file: Path) -> Iterator[bool]:
    """Yield whether the run behind a lock file is over; while the block lasts, nobody else gets the answer yes.

    Where that cannot be known (no locks on the file system, or the file of another user) the run counts as alive.
    """
    try:
        handle = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        yield _has_lock(handle) and _is_at(handle, file)
    finally:
        os.close(handle)


def _can_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


def _has_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_at(handle: int, path: Path) -> bool:
    """Tell whether the open file still has that name: another run may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False))
    except OSError:
        return False
