"""A schema that somebody sent, as a file has it: the only files that it may name are those sent with it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from shoal.errors import SchemaError
from shoal.io.schemas import given_schema

__all__ = ["schema_text"]

_DEEPEST = 250
"""How deep settings may be nested: a hierarchy that is written as a tree is the deepest of all, and takes less."""


def schema_text(settings: Mapping[str, Any], files: Collection[str] = ()) -> str:
    """Return settings as a schema file has them, or raise; ``files`` are the names of those that lie beside it.

    A path that leads elsewhere would read what its sender has no right to see.
    """
    _refuse_deep(settings)
    for named in _files_named(settings):
        if named not in files:
            raise SchemaError(
                "The schema names a file that is not with the data.",
                "Send the file first, and name it without a folder; or write the hierarchy into the schema.",
            )
    return given_schema(settings).to_toml()


def _refuse_deep(settings: Mapping[str, Any]) -> None:
    """Refuse what is nested deeper than any schema is, before something follows it down."""
    level: list[Any] = [settings]
    for _ in range(_DEEPEST):
        level = [
            below
            for each in level
            for below in (each.values() if isinstance(each, Mapping) else each)
            if isinstance(below, Mapping | list | tuple)
        ]
        if not level:
            return
    raise SchemaError("The settings of the schema are nested too deep.")


def _files_named(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield every file that a schema names, where a schema may name one."""
    for key in ("people", "hierarchy", "attributes"):
        if isinstance(settings.get(key), str):
            yield settings[key]
    attributes = settings.get("attributes")
    if isinstance(attributes, Mapping):
        if isinstance(attributes.get("file"), str):
            yield attributes["file"]
        yield from _files_named({key: value for key, value in attributes.items() if key != "attributes"})
    columns = settings.get("columns", {} if "kind" in settings else settings)
    for column in columns.values() if isinstance(columns, Mapping) else ():
        if isinstance(column, Mapping) and isinstance(column.get("hierarchy"), str):
            yield column["hierarchy"]
