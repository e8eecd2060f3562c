"""How things are named, written and read: ``name:key=value,key=value`` for promises, methods, attacks and predictors.

Read :mod:`.values` first (one grammar for numbers, names and choices), then :mod:`.worded` (a frozen dataclass that is
written as one wording), :mod:`.settings` (its settings, read), :mod:`.catalog` (named things, found in their room and
in installed packages) and :mod:`.registry` (wordings of a catalog, read). :mod:`.format` writes figures for people.
"""

from .catalog import Catalog
from .registry import Registry
from .worded import Worded

__all__ = ["Catalog", "Registry", "Worded"]
