"""What can be promised, done, tried and measured: every name with its settings as a JSON schema.

Forms and clients are made of it, so a promise that an installed package adds appears in them by itself.
"""

import dataclasses
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from shoal.anonymizers import methods
from shoal.attacks import attacks
from shoal.io.formats.registry import writable_formats
from shoal.models import promises
from shoal.utility import MEASURES
from shoal.wording.registry import Registry
from shoal.wording.values import alternatives, write_value
from shoal.wording.worded import Worded, fields_of

__all__ = ["FAMILIES", "Family", "ReadWording", "catalog_of", "format_catalog", "measure_catalog", "read_wording"]

Family = Literal["promises", "methods", "attacks"]

FAMILIES: Mapping[Family, Registry[Any]] = {"promises": promises, "methods": methods, "attacks": attacks}
"""The registries by the name under which they are asked for."""

_JSON_TYPES: Mapping[Any, dict[str, Any]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    Fraction: {"type": ["number", "string"]},  # 1/3 is no decimal
    bool: {"type": "boolean"},
    str: {"type": "string"},
}


def catalog_of(family: Family) -> list[dict[str, Any]]:
    """Return every member of a family: its name, what it is, on which data, and the schema of its settings."""
    return [
        {
            "name": cls.name,
            "kinds": sorted(getattr(cls, "kinds", ())),
            "summary": _summary(cls),
            "settings": settings_schema(cls),
        }
        for cls in FAMILIES[family]
    ]


@dataclass(frozen=True)
class ReadWording:
    """A wording as it was read."""

    name: str
    settings: Mapping[str, str]
    """Every setting that has a value, as it is written; those that were left out have their defaults."""
    meaning: str
    """Of a promise, what it guarantees; of others, what they are."""


def read_wording(family: Family, wording: str) -> ReadWording:
    """Read a wording, or say what is wrong with it."""
    thing = FAMILIES[family].read(wording)
    values = {field.name: getattr(thing, field.name) for field in fields_of(type(thing))}
    written = {key: write_value(value) for key, value in values.items() if value not in (None, ())}
    return ReadWording(thing.name, written, getattr(thing, "meaning", "") or _summary(type(thing)))


def format_catalog() -> list[str]:
    """Return the names of the formats in which a release can be published."""
    return [each.name for each in writable_formats()]


def measure_catalog() -> list[dict[str, Any]]:
    """Return every measure: its name, its unit, what it means, and whether a release is always measured by it."""
    return [
        {"name": name, "unit": measure.unit_for(None), "summary": measure.meaning, "quick": measure.quick}
        for name, measure in MEASURES.items()
    ]


def settings_schema(cls: type[Worded]) -> dict[str, Any]:
    """Return the settings of a wording as a JSON schema of an object."""
    hints = typing.get_type_hints(cls)
    fields = fields_of(cls)
    return {
        "type": "object",
        "properties": {field.name: _property(field, hints[field.name]) for field in fields},
        "required": [field.name for field in fields if _is_required(field)],
        "additionalProperties": False,
    }


def _property(field: "dataclasses.Field[Any]", hint: Any) -> dict[str, Any]:
    kinds = alternatives(hint)
    choices = [choice for each in kinds if typing.get_origin(each) is Literal for choice in typing.get_args(each)]
    others = [_json_type(each) for each in kinds if typing.get_origin(each) is not Literal]
    options = [*others, *([{"enum": choices}] if choices else [])]
    described = dict(options[0]) if len(options) == 1 else {"anyOf": options}
    if field.default not in (dataclasses.MISSING, None, ()):
        described["default"] = _plain(field.default)
    return described


def _json_type(kind: Any) -> dict[str, Any]:
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": {"type": "string"}}
    return _JSON_TYPES.get(kind, {"type": "string"})


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else write_value(value)


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _summary(cls: type[Worded]) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]
