"""Values in nested categories."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import polars as pl

from shoal.errors import HierarchyError

__all__ = ["Tree", "tree_levels"]

Tree: TypeAlias = "Mapping[str, Tree] | Sequence[str]"


def tree_levels(values: pl.Series, tree: Tree) -> list[pl.Series]:
    """Give the leaves of a tree such as ``{"Europe": ["France", "Spain"], …}``, and their categories level by level.

    Branches that are shorter than the longest one repeat their own label on the levels in between. Where a value is
    missing, an empty leaf stands for it.
    """
    ways = _paths(tree)
    paths = {path[-1]: path[:-1] for path in ways}
    if len(paths) != len(ways):
        raise HierarchyError(
            f"The category tree has {len(ways) - len(paths)} leaves more than once.", "Put each value in one place."
        )
    height = max((len(path) for path in paths.values()), default=0)
    rows = [_padded(path, leaf, height) for leaf, path in paths.items()]
    levels = [pl.Series([row[level] for row in rows], dtype=pl.String) for level in range(height)]
    nothing = None if values.null_count() else ""
    return [pl.Series([leaf or nothing for leaf in paths], dtype=pl.String), *levels]


def _paths(tree: Tree) -> list[tuple[str, ...]]:
    """Give every way from the top to a leaf, top first."""
    if not isinstance(tree, Mapping):
        return [(str(leaf),) for leaf in tree]
    return [(str(name), *path) for name, branch in tree.items() for path in _paths(branch)]


def _padded(path: tuple[str, ...], value: str, height: int) -> list[str]:
    """Give the labels of a value from level 1 upwards, filled up to the height with its lowest label."""
    upwards = list(reversed(path))
    return [upwards[0] if upwards else value] * (height - len(upwards)) + upwards
