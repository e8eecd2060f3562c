"""Files to keep, one by one or several in an archive; an archive is made while it is sent, and never held in memory."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Response
from fastapi.responses import StreamingResponse

from shoal.jobs.release_files import files_of_release

__all__ = ["archive", "attachment", "named_hierarchies", "release_archive"]

_BLOCK = 1 << 18
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive knows: the same files make the same archive."""


def attachment(name: str) -> dict[str, str]:
    """Return the headers that make a browser keep an answer under a name, whatever letters it has."""
    plain = "".join(each if each.isascii() and each.isprintable() and each not in '"\\/' else "_" for each in name)
    return {"content-disposition": f"attachment; filename=\"{plain}\"; filename*=utf-8''{quote(name, safe='')}"}


def archive(name: str, files: Mapping[str, str | Path]) -> Response:
    """Return an archive of texts and of files, by the names that they have in it."""
    return StreamingResponse(_parts(files), media_type="application/zip", headers=attachment(name))


def release_archive(folder: Path, name: str) -> Response:
    """Return all files of a release in a folder ``release``, as ``shoal verify`` takes them."""
    files = {f"release/{each}": folder / each for each in sorted(files_of_release(folder))}
    return archive(f"{name}.zip", files)


def named_hierarchies(schema: Any) -> Iterator[str]:
    """Yield the files of hierarchies that a schema names, wherever it does."""
    for key, value in schema.items() if isinstance(schema, Mapping) else ():
        if key == "hierarchy" and isinstance(value, str):
            yield value
        else:
            yield from named_hierarchies(value)


class _Sink(io.RawIOBase):
    """What was written since it was last taken."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        """Return that it can be written to; it cannot be sought, as nobody can take back what was sent."""
        return True

    def write(self, block: Any) -> int:
        """Keep a block until it is taken."""
        self._written.append(bytes(block))
        return len(block)

    def taken(self) -> bytes:
        """Return what was written, and forget it."""
        taken, self._written = b"".join(self._written), []
        return taken


def _parts(files: Mapping[str, str | Path]) -> Iterator[bytes]:
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as made:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with made.open(entry, "w", force_zip64=True) as target:
                for block in _blocks(content):
                    target.write(block)
                    yield sink.taken()
    yield sink.taken()


def _blocks(content: str | Path) -> Iterator[bytes]:
    if isinstance(content, str):
        yield content.encode()
        return
    with content.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
