"""Levels that somebody chose: one for each quasi-identifier, as a wording has them.

They are written by name, ``age:1;zip:2``, or in the order of the quasi-identifiers, ``1;2``, where a name has marks
that a wording needs for itself. Each quasi-identifier has a level, so that none is published as it is by oversight.
"""

import re
from collections.abc import Sequence
from typing import Final

from shoal.errors import WordingError

__all__ = ["fixed_node", "levels_in_words", "refuse_unreadable_levels"]

_LEVEL: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
_MARKS: Final = set(',;:="')
_EXAMPLE: Final = "Write levels=age:1;zip:2, or levels=1;2 in the order of the quasi-identifiers."


def levels_in_words(names: Sequence[str], node: Sequence[int]) -> str:
    """Write the levels of a node, so that :func:`fixed_node` reads the same."""
    if any(set(name) & _MARKS or name != name.strip() for name in names):
        return ";".join(map(str, node))
    return ";".join(f"{name}:{level}" for name, level in zip(names, node, strict=True))


def fixed_node(levels: str, names: Sequence[str], heights: Sequence[int]) -> tuple[int, ...]:
    """Return the node of the lattice that was chosen; refuse one that the lattice does not have."""
    chosen = _read(levels)
    by_name = {name: level for name, level in chosen if name is not None}
    if not by_name and len(chosen) == len(names):
        by_name = dict(zip(names, (level for _, level in chosen), strict=True))
    if set(by_name) != set(names) or len(chosen) != len(names):
        raise WordingError(
            f"lattice needs one level for each quasi-identifier, and there are {len(names):,}: {', '.join(names)}.",
            _EXAMPLE,
        )
    for name, height in zip(names, heights, strict=True):
        if by_name[name] > height:
            raise WordingError(f"The levels of {name!r} are 0 to {height}.", "Choose one of these.")
    return tuple(by_name[name] for name in names)


def refuse_unreadable_levels(levels: str) -> None:
    """Refuse levels that cannot be read, whatever the table is."""
    _read(levels)


def _read(levels: str) -> list[tuple[str | None, int]]:
    """Return each name with its level; None in the place of names where there are none."""
    parts = [part.rpartition(":") for part in levels.split(";")]
    if any(not _LEVEL.fullmatch(level.strip()) for _, _, level in parts) or len({mark for _, mark, _ in parts}) > 1:
        raise WordingError("lattice needs levels such as age:1;zip:2.", _EXAMPLE)
    return [(name.strip() if mark else None, int(level)) for name, mark, level in parts]
