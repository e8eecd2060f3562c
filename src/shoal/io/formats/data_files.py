"""The data files that a path stands for: a file, a compressed one, an archive or a folder."""

import gzip
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from shoal.errors import FileError, SchemaError

from .contents import Contents
from .registry import open_tabular, writable_formats
from .tabular_file import TabularFile

__all__ = ["find_contents", "folder_schema", "only_contents", "open_own_file", "release_data_names"]

_RATING_FILES = ("u.data", "ratings.dat", "ratings.csv")
_NETFLIX_FILES = ("mv_*.txt", "combined_data_*.txt")


def find_contents(path: str | Path) -> tuple[Contents, ...]:
    """Return the data files that a path stands for: one, except for a Netflix folder."""
    path = Path(path)
    if path.is_dir():
        return _in_folder(path)
    if not path.is_file():
        raise FileError(f"There is no file {path}.", "Check the path.")
    contents = _in_file(path)
    if contents.size() == 0:
        raise FileError(f"{path} is empty.", "Give a file with records.")
    return (contents,)


def only_contents(path: str | Path) -> Contents:
    """Return the data file that a path stands for; refuse a folder with several."""
    only, *others = find_contents(path)
    if others:
        raise SchemaError(f"The folder {path} holds {len(others) + 1:,} data files.", "Name one of them.")
    return only


def open_own_file(path: str | Path) -> TabularFile:
    """Open a file that has a header and needs no schema."""
    return open_tabular(only_contents(path), None)


def release_data_names() -> tuple[str, ...]:
    """Return the names that the data file of a release may have: one for each format that can be written."""
    return tuple(f"data{each.ending}" for each in writable_formats())


def folder_schema(path: Path) -> Path | None:
    """Return the schema that a release folder carries, if the path is one."""
    schema = path / "schema.toml"
    return schema if path.is_dir() and schema.is_file() and _release_data(path) is not None else None


def _in_folder(folder: Path) -> tuple[Contents, ...]:
    release = _release_data(folder)
    if release is not None and (folder / "schema.toml").is_file():
        return find_contents(release)
    for name in _RATING_FILES:
        for candidate in (folder / name, folder / f"{name}.gz"):
            if candidate.is_file():
                return find_contents(candidate)
    for pattern in _NETFLIX_FILES:
        for place in (folder, folder / "training_set"):
            files = sorted(place.glob(pattern)) if place.is_dir() else []
            if files:
                return tuple(contents for file in files for contents in find_contents(file))
    raise FileError(
        f"The folder {folder} holds no data that Shoal recognizes.",
        f"Name the file itself, or a folder with {', '.join(_RATING_FILES)}, mv_*.txt, or schema.toml and data.csv.",
    )


def _release_data(folder: Path) -> Path | None:
    return next((file for name in release_data_names() if (file := folder / name).is_file()), None)


def _in_file(path: Path) -> Contents:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
        if magic[:2] == b"\x1f\x8b":
            return Contents(path.name.removesuffix(".gz"), None, _unzipped(path), ("It is compressed with gzip.",))
        if magic == b"PK\x03\x04" or path.suffix.lower() == ".zip":
            return _in_archive(path)
    except OSError:
        raise FileError(f"{path} cannot be read.", "Check that it is a file you may open.") from None
    if path.suffix == ".gz":
        raise FileError(f"{path} is named .gz but is not a gzip file.", "Correct its name.")
    return Contents(path.name, path, None)


def _unzipped(path: Path) -> bytes:
    try:
        with gzip.open(path, "rb") as file:
            return file.read()
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FileError(f"{path} is a damaged or truncated gzip file.", "Fetch or make it again.") from None


def _in_archive(path: Path) -> Contents:
    try:
        with zipfile.ZipFile(path) as archive:
            member = _data_member(path, [info.filename for info in archive.infolist() if not info.is_dir()])
            data = archive.read(member)
    except (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError, NotImplementedError, ValueError, KeyError):
        raise FileError(f"{path} is a damaged or locked zip file.", "Unpack it first, or make it again.") from None
    if data[:2] == b"\x1f\x8b":
        raise FileError(f"The file inside {path} is itself compressed.", "Unpack it first.")
    return Contents(PurePosixPath(member).name, None, data, (f"It is the file {member} of a zip archive.",))


def _data_member(path: Path, names: list[str]) -> str:
    members = [name for name in names if not name.startswith("__MACOSX/") and PurePosixPath(name).name[:1] != "."]
    if len(members) == 1:
        return members[0]
    known = [name for name in members if PurePosixPath(name).name in _RATING_FILES]
    if len(known) == 1:
        return known[0]
    listed = ", ".join(members[:10]) + (", …" if len(members) > 10 else "")
    raise FileError(
        f"{path} holds {len(members)} files ({listed or 'none'}), and it is not clear which one holds the records.",
        "Unpack it and name the file.",
    )
