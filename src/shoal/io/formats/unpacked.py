"""What a file holds if it is a compressed file or an archive."""

import gzip
import zipfile
import zlib
from dataclasses import replace
from pathlib import PurePosixPath

from shoal.errors import FileError

from .contents import Contents

__all__ = ["RATING_FILES", "unpacked"]

RATING_FILES = ("u.data", "ratings.dat", "ratings.csv")
"""The names under which collections of ratings are handed out."""
_WORKBOOKS = frozenset({"xl/workbook.xml", "xl/workbook.bin", "content.xml"})
"""A file that a zip archive has if it is a workbook of Excel or OpenDocument."""


def unpacked(contents: Contents) -> Contents:
    """Return what is inside a compressed file or an archive; any other file is returned as it is."""
    magic = contents.head(4)
    if magic[:2] == b"\x1f\x8b":
        name = contents.name.removesuffix(".gz")
        notes = (*contents.notes, "It is compressed with gzip.")
        return replace(contents, name=name, path=None, data=_unzipped(contents), notes=notes)
    if magic == b"PK\x03\x04" or contents.name.lower().endswith(".zip"):
        return _in_archive(contents)
    if contents.name.endswith(".gz"):
        raise FileError(f"{contents.name} is named .gz but is not a gzip file.", "Correct its name.")
    return contents


def _unzipped(contents: Contents) -> bytes:
    try:
        with gzip.open(contents.source, "rb") as file:
            return file.read()
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FileError(f"{contents.name} is a damaged or truncated gzip file.", "Fetch or make it again.") from None


def _in_archive(contents: Contents) -> Contents:
    try:
        with zipfile.ZipFile(contents.source) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
            if not _WORKBOOKS.isdisjoint(names):
                return contents
            member = _data_member(contents.name, names)
            data = archive.read(member)
    except (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError, NotImplementedError, ValueError, KeyError):
        if contents.name.lower().endswith(".zip"):
            raise FileError(
                f"{contents.name} is a damaged or locked zip file.", "Unpack it first, or make it again."
            ) from None
        return contents  # perhaps a damaged workbook: its format refuses it in words of its own
    if data[:2] == b"\x1f\x8b":
        raise FileError(f"The file inside {contents.name} is itself compressed.", "Unpack it first.")
    notes = (*contents.notes, f"It is the file {member} of a zip archive.")
    return replace(contents, name=PurePosixPath(member).name, path=None, data=data, notes=notes)


def _data_member(archive: str, names: list[str]) -> str:
    members = [name for name in names if not name.startswith("__MACOSX/") and PurePosixPath(name).name[:1] != "."]
    if len(members) == 1:
        return members[0]
    known = [name for name in members if PurePosixPath(name).name in RATING_FILES]
    if len(known) == 1:
        return known[0]
    listed = ", ".join(members[:10]) + (", …" if len(members) > 10 else "")
    raise FileError(
        f"{archive} holds {len(members)} files ({listed or 'none'}), and it is not clear which one holds the records.",
        "Unpack it and name the file.",
    )
