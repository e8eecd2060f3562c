"""The data files that a location stands for: a file, several parts, an archive, a folder, or what is not a file."""

import glob
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from shoal.errors import FileError
from shoal.io.schemas import Schema

from .contents import Contents
from .location import Location
from .parts import open_parts
from .registry import known_endings, writable_formats
from .repeated_parts import linked_again, notes_on_copies
from .standard_input import standard_input
from .tabular_file import TabularFile
from .unpacked import RATING_FILES, unpacked

__all__ = ["find_contents", "folder_schema", "open_data", "release_data_names"]

_NETFLIX_FILES = ("mv_*.txt", "combined_data_*.txt")
_TEXT_ENDINGS = (".tsv", ".txt")
_Partition = tuple[tuple[str, str | None], ...]


def find_contents(data: str | Path | Location) -> tuple[Contents, ...]:
    """Return the data files that a location stands for: one, except for a Netflix folder and for parts."""
    location = Location.of(data)
    return tuple(replace(each, location=location) for each in _found(location))


def open_data(data: str | Path | Location, schema: Schema | None = None) -> TabularFile:
    """Open the data at a location as one table."""
    return open_parts(find_contents(data), schema)


def release_data_names() -> tuple[str, ...]:
    """Return the names that the data file of a release may have: one for each format that can be written."""
    return tuple(f"data{each.ending}" for each in writable_formats())


def folder_schema(data: str | Path | Location) -> Path | None:
    """Return the schema that a release folder carries, if the location is one or its data file."""
    path = Path(Location.of(data).path)
    if path.name in release_data_names() and path.is_file():
        path = path.parent
    schema = path / "schema.toml"
    return schema if path.is_dir() and schema.is_file() and _release_data(path) is not None else None


def _found(location: Location) -> tuple[Contents, ...]:
    if location.is_database:
        return (Contents(location.name, None, None),)
    if location.is_standard_input:
        return (_not_empty(unpacked(standard_input(location))),)
    path = Path(location.path)
    if path.is_dir():
        return _in_folder(path)
    if path.is_file():
        return (_in_file(path),)
    if location.is_pattern:
        return _in_parts(location.path, _matching(location.path))
    if location.is_broken_url:  # not printed: it may hold a password
        raise FileError("There is no file of this name.", "Write a URL as postgresql://user@host/name.")
    raise FileError(f"There is no file {path}.", "Check the path.")


def _in_file(path: Path, partition: _Partition = ()) -> Contents:
    try:
        contents = unpacked(Contents(path.name, path, None))
    except OSError:
        raise FileError(f"{path} cannot be read.", "Check that it is a file you may open.") from None
    return _not_empty(replace(contents, partition=partition))


def _not_empty(contents: Contents) -> Contents:
    if contents.size() == 0:
        raise FileError(f"{contents.name} is empty.", "Give a file with records.")
    return contents


def _in_folder(folder: Path) -> tuple[Contents, ...]:
    release = _release_data(folder)
    if release is not None and (folder / "schema.toml").is_file():
        return _in_parts(str(release), _below(release, ())) if release.is_dir() else (_in_file(release),)
    for name in RATING_FILES:
        for candidate in (folder / name, folder / f"{name}.gz"):
            if candidate.is_file():
                return (_in_file(candidate),)
    for pattern in _NETFLIX_FILES:
        for place in (folder, folder / "training_set"):
            files = sorted(place.glob(pattern)) if place.is_dir() else []
            if files:
                return tuple(_in_file(file) for file in files)
    if (folder / "certificate.json").exists():  # a release that lacks its schema or its data is not a folder of parts
        raise _nothing_in(folder)
    return _in_parts(str(folder), _below(folder, ()))


def _release_data(folder: Path) -> Path | None:
    """Return the data of a release folder: a file or, where they are in parts, a folder."""
    parts = folder / "data" if (folder / "data").is_dir() and (folder / "certificate.json").is_file() else None
    return next((file for name in release_data_names() if (file := folder / name).is_file()), parts)


def _nothing_in(place: str | Path) -> FileError:
    return FileError(
        f"The folder {place} holds no data that Shoal recognizes.",
        f"Name the file itself, or a folder with parts such as part-0.parquet, with {', '.join(RATING_FILES)}, "
        "mv_*.txt, or schema.toml and data.csv.",
    )


def _matching(pattern: str) -> Iterator[tuple[Path, _Partition]]:
    """Yield the files that a pattern matches, with what the folders below its fixed part stand for."""
    fixed = [part for part in Path(pattern).parts if not glob.has_magic(part)]
    for found in sorted(glob.glob(pattern, recursive=True)):
        file = Path(found)
        if file.is_file():
            yield file, tuple(_key_and_value(part) for part in file.parts[len(fixed) : -1] if "=" in part)


def _below(folder: Path, partition: _Partition) -> Iterator[tuple[Path, _Partition]]:
    """Yield the files of a folder, and of folders in it that are named ``column=value``."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        raise FileError(f"The folder {folder} cannot be read.", "Check that you may open it.") from None
    for entry in entries:
        if entry.is_file() or "=" not in entry.name:
            yield entry, partition
        elif entry.is_dir():
            yield from _below(entry, (*partition, _key_and_value(entry.name)))


def _key_and_value(name: str) -> tuple[str, str | None]:
    key, _, value = name.partition("=")
    return unquote(key), None if value == "__HIVE_DEFAULT_PARTITION__" else unquote(value)


def _in_parts(place: str, files: Iterator[tuple[Path, _Partition]]) -> tuple[Contents, ...]:
    """Return the parts of a folder or pattern; what is not data is left out, and the notes say so."""
    is_pattern = glob.has_magic(place)
    found = dict(files)
    read = [file for file in found if _is_part(file, any_ending=is_pattern)]
    again = linked_again(read)
    read = [file for file in read if file not in again]
    parts = [_in_file(file, found[file]) for file in read]
    if not parts and is_pattern:
        raise FileError(f"No file with data matches {place}.", "Check the folder, and quote the pattern in a shell.")
    if not parts:
        raise _nothing_in(place)
    notes = (*parts[0].notes, *_left_out([file for file in found if file not in read], again))
    return (replace(parts[0], notes=(*notes, *notes_on_copies(read))), *parts[1:])


def _left_out(files: list[Path], again: dict[Path, Path]) -> tuple[str, ...]:
    if not files:
        return ()
    told = (f"{each.name} (the same file as {again[each].name})" if each in again else each.name for each in files)
    names = list(dict.fromkeys(told))
    return (f"Not read: {', '.join(names[:10])}{', …' if len(names) > 10 else ''}.",)


def _is_part(file: Path, *, any_ending: bool) -> bool:
    """Tell whether a file may hold records: engines mark their own files by a dot or a line before the name."""
    if not file.is_file() or file.name.startswith((".", "_")) or os.path.getsize(file) == 0:
        return False
    return any_ending or file.name.lower().removesuffix(".gz").endswith((*known_endings(), *_TEXT_ENDINGS))
