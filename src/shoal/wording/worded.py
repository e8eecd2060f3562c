"""A thing that is written as one wording: a promise, a method, an attack, a predictor."""

import dataclasses
import functools
import typing
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from .values import coerce_value, write_value

__all__ = ["Worded", "fields_of"]


@dataclass(frozen=True)
class Worded:
    """A frozen dataclass with a name; its fields are the keys, its :func:`str` is the wording.

    Fields take what their type can be made of without loss, so ``epsilon: Fraction`` may be given as 0.5 or "1/2". That
    is done before the ``__post_init__`` of a subclass runs, which need not call that of this class.
    """

    name: ClassVar[str]

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        check = cls.__dict__.get("__post_init__")
        if check is not None:
            cls.__post_init__ = _after_coercion(check)

    def __post_init__(self) -> None:
        _coerce_fields(self)

    def __str__(self) -> str:
        settings = ((field.name, getattr(self, field.name)) for field in fields_of(type(self)))
        written = ",".join(f"{key}={write_value(value)}" for key, value in settings if value not in (None, ()))
        return f"{self.name}:{written}" if written else self.name

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on: every choice, and the borders of every number."""
        return (cls(),)


def fields_of(cls: type[Worded]) -> "list[dataclasses.Field[Any]]":
    """Return the fields in the order in which they are written: its own, then those that its whole family has."""
    return sorted(dataclasses.fields(cls), key=lambda field: field.kw_only is True)


def _after_coercion(check: Any) -> Any:
    @functools.wraps(check)
    def post_init(self: Worded) -> None:
        _coerce_fields(self)
        check(self)

    return post_init


def _coerce_fields(thing: Worded) -> None:
    hints = _hints(type(thing))
    for field in dataclasses.fields(thing):
        given = getattr(thing, field.name)
        value = coerce_value(given, hints[field.name], f"{thing.name}: {field.name}")
        if value is not given:
            object.__setattr__(thing, field.name, value)  # the dataclass is frozen


@functools.cache
def _hints(cls: type[Worded]) -> dict[str, Any]:
    return typing.get_type_hints(cls)
