"""The known file formats: the files of this room, and what installed packages bring as ``shoal.formats``."""

from pathlib import Path

from shoal.errors import FileError, WordingError
from shoal.io.schemas import Schema
from shoal.wording import Registry

from .base import Format
from .contents import Contents
from .formula_escapes import unescaped_file
from .tabular_file import TabularFile

__all__ = [
    "file_format",
    "formats",
    "known_endings",
    "open_tabular",
    "release_format",
    "writable_format",
    "writable_formats",
]

formats: Registry[Format] = Registry("format", "shoal.io.formats", group="shoal.formats")

_TEXT = "csv"
"""The format of what no other format recognizes, and of releases unless said otherwise."""


def file_format(contents: Contents) -> Format:
    """Return the format that was asked for, or the one that recognizes a file.

    Delimited text may have any name, and is therefore asked last.
    """
    if contents.location is not None and contents.location.format is not None:
        return formats.read(contents.location.format)
    return next((each for each in _known() if each.name != _TEXT and each.recognizes(contents)), formats.read(_TEXT))


def open_tabular(contents: Contents, schema: Schema | None) -> TabularFile:
    """Open a file with named columns in the format it is in."""
    format_ = file_format(contents)
    _refuse_said_in_vain(contents, schema, format_)
    file = format_.open(contents, schema)
    return unescaped_file(file, schema) if schema is not None and format_.is_text else file


def _refuse_said_in_vain(contents: Contents, schema: Schema | None, format_: Format) -> None:
    """Refuse a setting that this format does not know, or that is said twice: who says it expects it to count."""
    for setting in ("sheet", "query"):
        said = [getattr(each, setting) for each in (contents.location, schema) if each is not None]
        said = {each for each in said if each is not None}
        if said and format_.selected_by != setting:
            raise WordingError(
                f"{contents.name} is read as {format_.title}, which knows no {setting}.",
                f"Leave out --{setting}, or {setting} = … in the schema.",
            )
        if len(said) > 1:
            raise WordingError(f"The schema says another {setting} than --{setting}.", "Leave one of them out.")


def known_endings() -> tuple[str, ...]:
    """Return how the names of data files end."""
    return tuple(ending for each in _known() for ending in each.endings)


def writable_formats() -> tuple[Format, ...]:
    """Return the formats that can be written, by name."""
    return tuple(each for each in _known() if each.is_written)


def writable_format(path: Path) -> Format:
    """Return the format to write that the ending of a name stands for."""
    found = _by_ending(path.name)
    if found is None:
        endings = [each.ending for each in writable_formats()]
        raise FileError(
            f"The name of {path} does not say which format to write.",
            f"Let it end in {', '.join(endings[:-1])} or {endings[-1]}.",
        )
    return found


def release_format(name: str | None, data: str | Path) -> Format:
    """Return the format of a release: the one asked for, else that of its source if it can be written, else CSV."""
    if name is None:
        return _by_ending(str(data)) or formats.read(_TEXT)
    found = {each.name: each for each in writable_formats()}
    if name not in found:
        raise WordingError(f"Releases are not written as {name!r}.", f"Known formats are: {', '.join(found)}.")
    return found[name]


def _by_ending(name: str) -> Format | None:
    return next((each for each in writable_formats() if name.lower().endswith(each.endings)), None)


def _known() -> tuple[Format, ...]:
    return tuple(cls() for cls in formats)
