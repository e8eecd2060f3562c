"""Promises, methods and attacks in words: ``name:key=value,key=value``, read and written the same way everywhere.

Several names are written with ``+`` between them, ``left=age+sex``. In such a name ``+``, ``,``, ``%`` and white space
at either end are written as in addresses of the web: ``%2B``, ``%2C``, ``%25``, ``%20``.
"""

import dataclasses
import re
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, TypeVar
from urllib.parse import quote, unquote

from .errors import WordingError

__all__ = ["Registry", "Worded"]

T = TypeVar("T", bound="Worded")
Class = TypeVar("Class", bound="type[Worded]")

# short exponents only: 1e999999999 is a number, but writing it out would take all memory
_NUMBER = re.compile(
    r"[+-]?(\d{1,150}(\.\d{0,150})?|\.\d{1,150})(e[+-]?\d{1,2})?(/\d{1,150})?", re.ASCII | re.IGNORECASE
)
_TO_ESCAPE = re.compile(r"[%+,]|\A\s|\s\Z")


@dataclass(frozen=True)
class Worded:
    """A frozen dataclass with a name; its fields are the keys, its :func:`str` is the wording."""

    name: ClassVar[str]

    def __str__(self) -> str:
        settings = ((field.name, getattr(self, field.name)) for field in dataclasses.fields(self))
        written = ",".join(f"{key}={_written(value)}" for key, value in settings if value is not None)
        return f"{self.name}:{written}" if written else self.name


class Registry(Generic[T]):
    """The known names of one family, such as promises or methods, and how to read their wordings."""

    def __init__(self, family: str) -> None:
        self._family = family
        self._known: dict[str, type[T]] = {}

    def add(self, cls: Class) -> Class:
        """Register a class under its name; used as a decorator."""
        assert cls.name not in self._known, f"{cls.name} is registered twice"
        self._known[cls.name] = typing.cast("type[T]", cls)  # the decorated class keeps its own type
        return cls

    def __iter__(self) -> Iterator[type[T]]:
        return iter(self._known[name] for name in sorted(self._known))

    def read(self, wording: str) -> T:
        """Build what a wording means, or say which names and keys are known."""
        name, _, settings = wording.strip().partition(":")
        if name not in self._known:
            raise WordingError(
                f"There is no {self._family} named {name!r}.", f"Known are: {', '.join(sorted(self._known))}."
            )
        cls = self._known[name]
        return cls(**self._settings(cls, settings))

    def _settings(self, cls: type[T], text: str) -> dict[str, Any]:
        hints = typing.get_type_hints(cls)
        fields = {field.name: field for field in dataclasses.fields(cls)}
        given: dict[str, Any] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key not in fields:
                keys = ", ".join(fields) or "none"
                raise WordingError(f"The {self._family} {cls.name!r} has no setting {key!r}.", f"It knows: {keys}.")
            if key in given:
                raise WordingError(f"The {self._family} {cls.name!r} is given {key!r} twice.")
            given[key] = _read(value, hints[key], f"{cls.name}: {key}")
        missing = [key for key, field in fields.items() if _is_required(field) and key not in given]
        if missing:
            example = ",".join(f"{key}=…" for key in missing)
            raise WordingError(
                f"The {self._family} {cls.name!r} needs {' and '.join(missing)}.", f"Write {cls.name}:{example}."
            )
        return given


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _read(text: str, kind: Any, what: str) -> Any:
    words: list[str] = []
    if typing.get_origin(kind) in (types.UnionType, typing.Union):  # "int | None": absent means None
        options = [option for option in typing.get_args(kind) if option is not type(None)]
        words = [word for option in options if typing.get_origin(option) is Literal for word in typing.get_args(option)]
        if text in words:
            return text
        kind = next((option for option in options if typing.get_origin(option) is not Literal), options[0])
    if typing.get_origin(kind) is tuple:
        return _names(text, what)
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        if text not in choices:
            raise WordingError(f"{what} cannot be {text!r}.", f"It is one of: {', '.join(choices)}.")
        return text
    try:
        if kind in (int, float, Fraction) and not _NUMBER.fullmatch(text):
            raise ValueError
        value = kind(text)
        if isinstance(value, Fraction) and not _NUMBER.fullmatch(str(value)):
            raise ValueError  # too long to be written again
        return value
    except (ValueError, ZeroDivisionError):
        wanted = " or ".join(["a whole number" if kind is int else "a number", *words])
        raise WordingError(f"{what} must be {wanted}, not {text!r}.") from None


def _names(text: str, what: str) -> tuple[str, ...]:
    """Read names with ``+`` between them."""
    names = tuple(unquote(name.strip()) for name in text.split("+"))
    if not all(names):
        raise WordingError(f"{what} must be names with + between them.", f"Write {what.rpartition(' ')[2]}=one+other.")
    return names


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(_TO_ESCAPE.sub(lambda found: quote(found[0]), str(name)) for name in value)
    if isinstance(value, Fraction) and value.denominator != 1:
        decimal = f"{float(value):.15g}"
        return decimal if _NUMBER.fullmatch(decimal) and Fraction(decimal) == value else str(value)
    return str(value)
