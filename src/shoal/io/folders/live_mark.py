"""Empty files that show that the run which made them is still at work.

The run holds a lock on its mark, and the system frees the lock when the run ends, however it ends. So it does not
matter in which container a run is or what its process id is there: whoever gets the lock knows that the run is over.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LiveMark", "abandoned"]


@dataclass(frozen=True)
class LiveMark:
    """A mark and the handle that holds its lock."""

    path: Path
    token: str
    """What tells this mark from others of its kind."""
    _handle: int

    @classmethod
    def make(cls, folder: Path, prefix: str, suffix: str = "") -> "LiveMark | None":
        """Make a mark in a folder; return None, and leave no file, where the file system knows no locks."""
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
            os.close(handle)  # whoever looks for abandoned marks was between the file and its lock, and removes it

    def remove(self) -> None:
        """Take the mark away, and its lock after it: whoever still finds the file must not get the lock."""
        self.path.unlink(missing_ok=True)
        os.close(self._handle)


@contextmanager
def abandoned(mark: Path) -> Iterator[bool]:
    """Tell whether the run behind a mark is over; if it is, nobody else is told so while the block lasts.

    Where that cannot be known (the file system knows no locks, the mark is another user's) the run counts as alive.
    """
    try:
        handle = os.open(mark, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        yield _has_lock(handle) and _is_at(handle, mark)
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
    """Tell whether the file that is open is the one of that name: another run may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False))
    except OSError:
        return False
