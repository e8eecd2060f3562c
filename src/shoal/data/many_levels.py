"""How many levels a hierarchy may have."""

from typing import Final

from shoal.errors import HierarchyError

__all__ = ["MOST_LEVELS", "refuse_many_levels"]

MOST_LEVELS: Final = 1000
"""So many levels may be above the values: every method looks at each of them for each value."""


def refuse_many_levels(levels: int) -> None:
    """Refuse a hierarchy with more levels above the values, the root included, than it may have."""
    if levels > MOST_LEVELS:
        raise HierarchyError(
            f"The hierarchy has {levels:,} levels above the values; it may have at most {MOST_LEVELS:,}.",
            "Leave out levels that tell as much as the one below them.",
        )
