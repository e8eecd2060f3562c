"""A schema however it is given: as an object, as a file, or as a dict."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, overload

from shoal.data import Role
from shoal.errors import SchemaError, WordingError

from .schema import RatingsSchema, Schema, TableSchema, read_schema, schema_of_kind

__all__ = ["GivenSchema", "given_schema"]

GivenSchema: TypeAlias = Schema | Mapping[str, Any] | str | Path
"""What every job takes as a schema."""

_EXAMPLE = 'Write {"age": "quasi-identifier", "disease": "sensitive"}, or the settings of a schema file.'


@overload
def given_schema(given: None) -> None: ...
@overload
def given_schema(given: GivenSchema) -> Schema: ...
@overload
def given_schema(given: GivenSchema | None) -> Schema | None: ...
def given_schema(given: GivenSchema | None) -> Schema | None:
    """Return the schema that is given; the files that a dict names are relative to the current folder.

    A dict has the settings of a schema file. One of columns and nothing else is a table: each is given by its role, or
    by all of its settings.
    """
    if given is None or isinstance(given, RatingsSchema | TableSchema):
        return given
    if isinstance(given, str | Path):
        return read_schema(given)
    if not isinstance(given, Mapping):
        raise WordingError(
            f"A schema is a file, a dict or a Schema, and this is an object of the class {type(given).__name__!r}.",
            _EXAMPLE,
        )
    return schema_of_kind(_settings(given))


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    if any(not isinstance(key, str) for key in given):
        raise SchemaError("The keys of a schema are text: settings, or the names of columns.", _EXAMPLE)
    settings = {key: _plain(value) for key, value in given.items()}
    if settings and all(_is_column(value) for value in settings.values()):  # though a column be named 'kind'
        return {"kind": "table", "columns": settings}
    if "kind" in settings:
        return settings
    if "columns" in settings:
        return {"kind": "table", **settings}
    if settings.keys() <= RatingsSchema.model_fields.keys():
        return {"kind": "ratings", **settings}
    return {"kind": "table", "columns": settings}  # whose message says which column has no role


def _is_column(value: object) -> bool:
    return "role" in value if isinstance(value, Mapping) else isinstance(value, str) and value in set(Role)


def _plain(value: Any) -> Any:
    """Return a setting with paths as text, however deep."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {key: _plain(below) for key, below in value.items()}
    return [_plain(below) for below in value] if isinstance(value, list | tuple) else value
