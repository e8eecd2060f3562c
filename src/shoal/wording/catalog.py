"""Named things that are found where they lie: in the modules of their room, and in installed packages.

A file in the room is all it takes to add one: its decorator puts it into the catalog when the file is imported, and the
catalog imports the files. It does so when it is first asked: for one name, the module of that name (``top_down`` for
``top-down``) or, where there is none, all of them; for a list of names, all. An installed package brings things of its
own by entry points of the catalog's group, such as ``shoal.models``.
"""

import importlib
import pkgutil
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .values import american

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Catalog", "PluginWarning"]

Thing = TypeVar("Thing", bound=Any)
"""A class or an object with a ``name``."""


class PluginWarning(UserWarning):
    """An installed package announces something that cannot be used."""


class Catalog(Mapping[str, Thing]):
    """The things of one family by name.

    ``room`` is the package whose modules are searched, none where all things are added by hand. ``group`` is that of
    the entry points, the room's name unless said. ``order`` sorts the things, by their names unless said.
    """

    def __init__(
        self,
        family: str,
        room: str | None = None,
        *,
        group: str | None = None,
        order: Callable[[Thing], Any] | None = None,
    ) -> None:
        self.family = family
        self._room = room
        self._group = room if group is None else group
        self._order = order or (lambda thing: thing.name)
        self._things: dict[str, Thing] = {}
        self._faults: dict[str, str] = {}
        self._whole_room = self._all_plugins = room is None

    def add(self, thing: Thing) -> None:
        """Put a thing in under its name; a name is taken once."""
        if thing.name in self._things:
            raise ValueError(f"a {self.family} named {thing.name!r} is registered twice")
        self._things[thing.name] = thing

    def __getitem__(self, name: str) -> Thing:
        """Return the thing of a name, in American spelling or British."""
        for spelled in dict.fromkeys((name, american(name))):
            if self._find(spelled):
                return self._things[spelled]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        self._import_room()
        self._load_plugins(None)
        return iter(sorted(self._things, key=lambda name: self._order(self._things[name])))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def fault_of(self, name: str) -> str | None:
        """Say in a sentence why the plug-in of a name is not there; None where there is no such plug-in."""
        return self._faults.get(name)

    def class_named(self, name: str) -> Any:
        """Return a class of the room by the name it has in Python, or raise an :class:`AttributeError`."""
        self._import_module(re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower())
        for search in (lambda: None, self._import_room):
            search()
            for thing in self._things.values():
                if getattr(thing, "__name__", None) == name and thing.__module__.startswith(f"{self._room}."):
                    return thing
        raise AttributeError(f"module {self._room!r} has no attribute {name!r}")

    def _find(self, name: str) -> bool:
        """Search from the nearest place to the farthest, and stop where the name is found."""
        steps = (
            lambda: None,
            lambda: self._import_module(name.replace("-", "_")),
            lambda: self._load_plugins(name),
            self._import_room,
            lambda: self._load_plugins(None),
        )
        for step in steps:
            step()
            if name in self._things:
                return True
        return False

    def _import_module(self, name: str) -> None:
        for module in self._modules():
            if module.rpartition(".")[2] == name:
                importlib.import_module(module)

    def _import_room(self) -> None:
        if not self._whole_room:
            for module in self._modules():
                importlib.import_module(module)
            self._whole_room = True

    def _modules(self) -> Iterator[str]:
        if self._room is not None:
            package = importlib.import_module(self._room)
            yield from _modules_in(list(package.__path__), self._room)

    def _load_plugins(self, name: str | None) -> None:
        """Load the entry points of the group, or the one of a name."""
        if self._all_plugins:
            return
        from importlib.metadata import entry_points  # takes as long as all else that a small command imports

        for entry in sorted(entry_points(group=self._group or ""), key=lambda each: (each.name, each.value)):
            if name in (None, entry.name) and entry.name not in self._faults:
                self._load(entry)
        self._all_plugins = name is None

    def _load(self, entry: "EntryPoint") -> None:
        try:
            thing = entry.load()
            if self._things.get(thing.name) is not thing:  # its decorator may have put it in
                self.add(thing)
        except Exception as error:  # noqa: BLE001 - a plug-in may fail in any way, and must not hide the others
            why = str(error) if type(error) is ValueError and "registered twice" in str(error) else type(error).__name__
            owner = "" if entry.dist is None else f" of the package {entry.dist.name}"
            fault = f"The plug-in {entry.name!r} ({self._group}){owner} cannot be loaded: {why}."
            self._faults[entry.name] = fault
            warnings.warn(fault, PluginWarning, stacklevel=2)


def _modules_in(folders: list[str], package: str) -> Iterator[str]:
    """Yield the names of the modules in a package and the packages below it, importing none of them."""
    for found in pkgutil.iter_modules(folders):
        yield f"{package}.{found.name}"
        if found.ispkg:
            yield from _modules_in([f"{folder}/{found.name}" for folder in folders], f"{package}.{found.name}")
