"""Editors for promises and methods, made of the JSON schemas of their settings.

Each setting is a field of a form; what is wrong is told beside the field, and what was entered stays.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from shoal.errors import WordingError
from shoal.jobs.catalog import Family, catalog_of, read_wording

from .described import Kind
from .lay_words import PROMISES, SETTINGS

__all__ = ["Editor", "Field", "editor_of", "editors_for"]


@dataclass(frozen=True)
class Field:
    """One setting of a form."""

    name: str
    label: str
    help: str
    kind: Literal["whole", "number", "choice", "text"]
    choices: tuple[str, ...]
    default: str
    required: bool
    value: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Editor:
    """The form of one promise or method."""

    family: Family
    name: str
    summary: str
    fields: tuple[Field, ...]
    fault: str = ""
    """What is wrong with the whole, or cannot be told of one field."""

    @property
    def in_words(self) -> str:
        """What it means to a layperson."""
        return PROMISES.get(self.name, self.summary) if self.family == "promises" else self.summary

    @property
    def is_right(self) -> bool:
        """Whether what was entered can be read."""
        return not self.fault and not any(field.fault for field in self.fields)

    @property
    def wording(self) -> str:
        """What was entered, as one wording; what is as usual is left out."""
        given = [f"{each.name}={each.value}" for each in self.fields if each.value and each.value != each.default]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def filled(self, values: Mapping[str, str]) -> "Editor":
        """Return the form with what was entered in it."""
        return replace(self, fields=tuple(replace(each, value=values.get(each.name, "")) for each in self.fields))

    def checked(self) -> "Editor":
        """Return the form with what is wrong said where it is wrong."""
        missing = [each.name for each in self.fields if each.required and not each.value]
        if missing:
            return self._with_faults(dict.fromkeys(missing, "Fill this in."))
        torn = [each.name for each in self.fields if each.kind != "text" and "," in each.value]
        if torn:
            return self._with_faults(dict.fromkeys(torn, "Write one number, with a point and without commas."))
        try:
            read_wording(self.family, self.wording)
        except WordingError as error:
            return self.told(f"{error.message} {error.cure}".strip())
        return self

    def told(self, fault: str) -> "Editor":
        """Say a fault beside the first field that its message names."""
        names = {each.name for each in self.fields}
        words = re.findall(r"\w+", fault.replace(self.name, ""))
        found = next((word for word in words if word in names), None)
        return replace(self, fault=fault) if found is None else self._with_faults({found: fault})

    def _with_faults(self, faults: Mapping[str, str]) -> "Editor":
        return replace(self, fields=tuple(replace(each, fault=faults.get(each.name, "")) for each in self.fields))


def editors_for(family: Family, kind: Kind) -> list[Editor]:
    """Return an empty form for each promise or method that fits data of a kind; the most usual first."""
    fitting = [each for each in catalog_of(family) if kind in each["kinds"]]
    known = list(PROMISES)
    fitting.sort(key=lambda each: known.index(each["name"]) if each["name"] in known else len(known))
    return [_editor(family, each, kind) for each in fitting]


def editor_of(family: Family, wording: str, kind: Kind) -> Editor:
    """Return the form of a wording with its values; what is wrong with the wording is said in it."""
    name, _, settings = wording.partition(":")
    empty = next((each for each in editors_for(family, kind) if each.name == name.strip()), None)
    try:
        read = read_wording(family, wording)
    except WordingError as error:
        fault = f"{error.message} {error.cure}".strip()
        if empty is None:
            return Editor(family, name, "", (), fault)
        pairs = (pair.partition("=") for pair in settings.split(","))
        return empty.filled({key.strip(): value.strip() for key, _, value in pairs}).told(fault)
    if empty is None:
        return Editor(family, name, read.meaning, (), f"It does not fit these data, which are {_named(kind)}.")
    return empty.filled(read.settings)


def _named(kind: Kind) -> str:
    return {"table": "a table", "ratings": "ratings", "survey": "a survey with demographics"}[kind]


def _editor(family: Family, entry: Mapping[str, Any], kind: Kind) -> Editor:
    schema = entry["settings"]
    shown = {name: each for name, each in schema["properties"].items() if name != "part" or kind == "survey"}
    fields = tuple(_field(name, each, required=name in schema["required"]) for name, each in shown.items())
    return Editor(family, entry["name"], entry["summary"], fields)


def _field(name: str, schema: Mapping[str, Any], *, required: bool) -> Field:
    options = schema.get("anyOf", [schema])
    types = {each for option in options for each in _types(option)}
    choices = tuple(str(choice) for option in options for choice in option.get("enum", ()))
    kind = "choice" if choices and not types else "text"
    if types and "array" not in types and types != {"string"} and not choices:
        kind = "whole" if types == {"integer"} else "number"
    label, help_ = SETTINGS.get(name, (name.replace("_", " "), ""))
    default = str(schema["default"]) if "default" in schema else ""
    return Field(name, label, help_, kind, choices, default, required)


def _types(option: Mapping[str, Any]) -> Iterable[str]:
    found = option.get("type", ())
    return (found,) if isinstance(found, str) else found
