"""Files as they come: written beside their place without a name, and named when all of them is there.

One that is still coming is locked by the process that writes it. So a file without a name that nobody has locked was
left by a service that was killed, and is removed when the next one starts.
"""

import fcntl
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated

from anyio import to_thread
from pydantic import BaseModel, Field
from starlette.requests import ClientDisconnect

from shoal.errors import FileError, WordingError, WriteError

__all__ = ["FILE_NAME", "FileName", "NotStored", "Stored", "remove_abandoned", "stored", "write_text"]

FILE_NAME = r"^[^/\\\x00-\x1f.][^/\\\x00-\x1f]{0,199}$"
"""What a file may be called: no folders, and nothing hidden."""
FileName = Annotated[str, Field(pattern=FILE_NAME)]
_CHUNK = 1 << 20
_COMING = ".coming"


class NotStored(FileError):  # noqa: N818 - it reads as the sentence it means
    """The service cannot keep what it was sent: the request is not to blame, and where it keeps files is not told."""

    http_status = 507

    def __init__(self, name: str, error: OSError) -> None:
        if WriteError.is_for_lack_of_room(error):
            super().__init__(f"{name} cannot be stored: the disk is full.", "Have room made on the server.")
        else:
            super().__init__(f"{name} cannot be stored: {os.strerror(error.errno or 0)}.", "Try again.")


class Stored(BaseModel):
    """What was stored."""

    bytes: int
    sha256: str


async def stored(
    chunks: AsyncIterator[bytes],
    folder: Path,
    name: str,
    remember: Callable[[Stored, Callable[[], None]], None] = lambda _stored, give_name: give_name(),
) -> Stored:
    """Write what comes to a file, then call ``remember`` with what there is and with what gives it its name.

    The memory that is used does not depend on the size of the file.
    """
    coming = folder / f".{os.urandom(8).hex()}{_COMING}"
    try:
        file = await to_thread.run_sync(_begin, folder, coming)
        try:
            found = await _written(chunks, file)
            if found.bytes == 0:
                raise WordingError("There is nothing in the body of the request.", "Send the bytes of the file.")
            await to_thread.run_sync(remember, found, lambda: _give_name(coming, folder / name))
            return found
        finally:
            os.close(file)
            coming.unlink(missing_ok=True)
    except OSError as error:
        raise NotStored(name, error) from None
    except ClientDisconnect:
        raise FileError("The upload was cut off; nothing was stored.", "Send it again.") from None


def write_text(target: Path, text: str) -> None:
    """Write a small file, whole or not at all."""
    coming = target.parent / f".{os.urandom(8).hex()}{_COMING}"
    try:
        file = _begin(target.parent, coming)
        try:
            _write(file, text.encode())
            _give_name(coming, target)
        finally:
            os.close(file)
            coming.unlink(missing_ok=True)
    except OSError as error:
        raise NotStored(target.name, error) from None


def remove_abandoned(folder: Path) -> None:
    """Remove files below a folder that never got their names, and that nobody writes any more."""
    for path in folder.rglob(f".*{_COMING}"):
        try:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink(missing_ok=True)
        except OSError:  # somebody writes it, or it is gone
            continue


def _begin(folder: Path, coming: Path) -> int:
    folder.mkdir(mode=0o700, exist_ok=True)
    file = os.open(coming, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


async def _written(chunks: AsyncIterator[bytes], file: int) -> Stored:
    seen, size, held = hashlib.sha256(), 0, bytearray()

    def flush() -> None:
        nonlocal size
        _write(file, held)
        seen.update(held)
        size += len(held)
        held.clear()

    async for chunk in chunks:
        held += chunk
        if len(held) >= _CHUNK:
            await to_thread.run_sync(flush)
    await to_thread.run_sync(flush)
    await to_thread.run_sync(os.fsync, file)
    return Stored(bytes=size, sha256=seen.hexdigest())


def _write(file: int, block: bytes | bytearray) -> None:
    with memoryview(block) as whole:
        at = 0
        while at < len(whole):
            with whole[at:] as left:
                at += os.write(file, left)


def _give_name(coming: Path, target: Path) -> None:
    coming.replace(target)
