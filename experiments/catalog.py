"""Every experiment that lies in a folder of this room, in the order of the papers."""

import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path

from experiments.experiment import Experiment

__all__ = ["experiments", "module_of"]

_HERE = Path(__file__).resolve().parent
_ROOMS = tuple(sorted({file.parent.name for file in _HERE.glob("*/*.py")} - {"data"}))
"""Every folder but that of the data holds experiments."""


@cache
def experiments() -> dict[str, Experiment]:
    """Return the experiments by their ids."""
    found = list(_by_module().values())
    assert len({each.id for each in found}) == len(found), "no two experiments have the same id"
    return {each.id: each for each in sorted(found, key=lambda each: _order(each.id))}


def module_of(experiment: Experiment) -> str:
    """Return where an experiment lies: ``survey_ratings.query_error_by_epsilon``."""
    return next(module for module, each in _by_module().items() if each is experiment)


@cache
def _by_module() -> dict[str, Experiment]:
    modules = [module for room in _ROOMS for module in _modules(room)]
    return {module: importlib.import_module(f"experiments.{module}").EXPERIMENT for module in modules}


def _modules(room: str) -> list[str]:
    """Return the modules of a room that hold an experiment; a module whose name begins with _ is shared by them."""
    names = [found.name for found in pkgutil.iter_modules([str(_HERE / room)]) if not found.name.startswith("_")]
    return [f"{room}.{name}" for name in names]


def _order(identifier: str) -> tuple[list[int], str]:
    """Sort by the numbers in an id, as figures are numbered, then by its letters: T3.8 stands after 3.5."""
    return [int(number) for number in re.findall(r"\d+", identifier)], identifier
