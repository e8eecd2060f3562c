"""Wordings of one family, such as promises or methods, and how they are read."""

import typing
from collections.abc import Iterator
from typing import Generic, TypeVar

from shoal.errors import WordingError

from .catalog import Catalog
from .settings import settings_of
from .worded import Worded

__all__ = ["Registry", "T"]

T = TypeVar("T", bound=Worded)
Class = TypeVar("Class", bound=type[Worded])


class Registry(Generic[T]):
    """The classes of one family by name, and how to read their wordings.

    A registry with a ``room`` finds the classes in the modules of that package, and in the entry points that installed
    packages have in the ``group``, which is named as the room is unless said.
    """

    def __init__(self, family: str, room: str | None = None, *, group: str | None = None) -> None:
        self._family = family
        self._classes: Catalog[type[T]] = Catalog(family, room, group=group)

    def add(self, cls: Class) -> Class:
        """Register a class under its name; used as a decorator."""
        self._classes.add(typing.cast("type[T]", cls))  # the decorated class keeps its own type
        return cls

    def __iter__(self) -> Iterator[type[T]]:
        return iter(self._classes.values())

    def class_named(self, name: str) -> type[T]:
        """Return a class of the room by its name in Python, for ``from shoal.models import KAnonymity``."""
        return self._classes.class_named(name)

    def read(self, wording: str) -> T:
        """Build what a wording means, or say which names and keys are known."""
        name, _, settings = wording.strip().partition(":")
        if name not in self._classes:
            known = f"Known are: {', '.join(self._classes)}."
            fault = self._classes.fault_of(name)
            raise WordingError(
                f"There is no {self._family} named {name!r}.", known if fault is None else f"{fault} {known}"
            )
        cls = self._classes[name]
        return cls(**settings_of(cls, settings, f"The {self._family} {cls.name!r}"))
