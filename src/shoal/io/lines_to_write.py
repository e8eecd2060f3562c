"""The lines of a schema that a refusal tells the owner to write."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from .schema_beside import schema_name

__all__ = ["lines_to_write"]


def lines_to_write(data: object, settings: Mapping[str, Any]) -> str:
    """Return a sentence and the lines below it, each indented; saved beside the data they are read with them."""
    beside = schema_name(data)
    where = "in a file, and give it as the schema" if beside is None else f"as {beside}, which is read with the data"
    lines = [line for key, value in settings.items() for line in _lines(key, value)]
    return f"Save these lines {where}:\n\n" + "\n".join(f"    {line}" for line in lines)


def _lines(key: str, value: Any) -> list[str]:
    """Return one line a setting: a list stays on its line."""
    if isinstance(value, list | tuple):
        return [f"{key} = [{', '.join(_lines('x', each)[0][4:] for each in value)}]"]
    return tomli_w.dumps({key: value}).strip().split("\n")
