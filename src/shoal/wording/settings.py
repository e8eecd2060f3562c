"""Settings as they are written, ``key=value,key=value``: the keys are the fields of a :class:`~.worded.Worded`."""

import dataclasses
import typing
from typing import Any, TypeVar

from shoal.errors import WordingError

from .values import american, read_value
from .worded import Worded, fields_of

__all__ = ["read_settings", "settings_of"]

Thing = TypeVar("Thing", bound=Worded)


def read_settings(cls: type[Thing], given: str | Thing) -> Thing:
    """Return what settings mean, those not named being as usual; what is not text is returned as it is."""
    return cls(**settings_of(cls, given, f"The option {cls.name!r}")) if isinstance(given, str) else given


def settings_of(cls: type[Worded], text: str, subject: str) -> dict[str, Any]:
    """Return settings by field; ``subject`` is whose they are in messages, such as ``The method 'mondrian'``."""
    hints = typing.get_type_hints(cls)
    fields = {field.name: field for field in fields_of(cls)}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        key = key if key in fields or american(key) not in fields else american(key)
        if not equals or key not in fields:
            keys = ", ".join(fields) or "none"
            raise WordingError(f"{subject} has no setting {key!r}.", f"It knows: {keys}.")
        if key in given:
            raise WordingError(f"{subject} is given {key!r} twice.")
        given[key] = read_value(value, hints[key], f"{cls.name}: {key}")
    missing = [key for key, field in fields.items() if _is_required(field) and key not in given]
    if missing:
        example = ",".join(f"{key}=…" for key in missing)
        raise WordingError(f"{subject} needs {' and '.join(missing)}.", f"Write {cls.name}:{example}.")
    return given


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
