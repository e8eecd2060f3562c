"""Names of a package that are imported when they are first asked for, so that a command loads only what it needs."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["on_demand", "within_modules"]

Find = Callable[[str], Any]
"""Imports what a name stands for."""


def on_demand(package: str, find: Find) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package: the names of ``__all__`` are found when asked for."""

    def get(name: str) -> Any:
        if name not in sys.modules[package].__all__:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = find(name)
        setattr(sys.modules[package], name, found)
        return found

    def public_names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return get, public_names


def within_modules(package: str, homes: Mapping[str, tuple[str, ...]]) -> Find:
    """Find names in the modules of a package that define them; ``homes`` lists the names of each module.

    A name must differ from that of a module beside it: Python would take the module for it once that is imported.
    """
    home_of = {name: home for home, names in homes.items() for name in names}
    assert not home_of.keys() & homes.keys(), "a name is that of a module beside it"
    return lambda name: getattr(import_module(f"{package}.{home_of[name]}"), name)
