"""Categories of which the rare ones are joined."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from shoal.data.vocabulary import Vocabulary
from shoal.data.written_label import named_set, numbered, open_set
from shoal.errors import HierarchyError

__all__ = ["MOST_LEVELS", "Tree", "frequency_levels", "mask_levels", "refuse_many_levels", "tree_levels"]


_MOST_NAMED = 12
_NAMED_OF_MANY = 3


class _Group(NamedTuple):
    """Values with one label; of two groups with equally many records, the one with the first value comes first."""

    records: int
    first: int
    """The first value that some record has, so that values which none has change nothing."""
    codes: tuple[int, ...]


def frequency_levels(vocabulary: Vocabulary, counts: np.ndarray, shares: Sequence[float | Fraction]) -> list[pl.Series]:
    """Join values that few records have, the rarest first, until every label has a share of the records at least.

    ``counts`` says how many records have each value, and ``shares`` how much of all of them a label of each level
    must have. What is frequent enough stays as it is. A missing value is a value like any other.
    """
    least = _growing(shares)
    sizes = np.asarray(counts, np.int64)
    sizes = sizes if sizes.any() else np.ones_like(sizes)
    total = int(sizes.sum())
    groups = [_Group(int(size), code, (code,)) for code, size in enumerate(sizes)]
    words = vocabulary.words.to_list()
    levels = []
    for share in least:
        groups = _joined(groups, ceil(share * total))
        levels.append(_level(words, groups))
    return levels


def _growing(shares: Sequence[float | Fraction]) -> list[Fraction]:
    if not all(0 < share < 1 for share in shares):
        raise HierarchyError("The share of records that a label must have lies between 0 and 1.")
    exact = [Fraction(str(share)) for share in shares]
    if any(high <= low for low, high in pairwise(exact)):
        raise HierarchyError("The shares of frequency levels do not grow.", "Name the smallest share first.")
    return exact


def _joined(groups: list[_Group], least: int) -> list[_Group]:
    """Join groups that are too small, the smallest first; what is left over joins the smallest that is large enough."""
    enough = [group for group in groups if group.records >= least]
    pile: list[_Group] = []
    records = 0
    for group in sorted(group for group in groups if group.records < least):
        pile.append(group)
        records += group.records
        if records >= least:
            enough.append(_union(pile))
            pile, records = [], 0
    if pile and enough:
        smallest = min(enough)
        enough.remove(smallest)
        pile.append(smallest)
    return [*enough, _union(pile)] if pile else enough


def _union(groups: list[_Group]) -> _Group:
    codes = sorted(code for group in groups for code in group.codes)
    first = min((group.first for group in groups if group.records), default=codes[0])
    return _Group(sum(group.records for group in groups), first, tuple(codes))


def _level(words: list[str | None], groups: list[_Group]) -> pl.Series:
    labels = [""] * len(words)
    known = {word for word in words if word is not None}
    taken: set[str] = set()
    for group in sorted(groups, key=lambda group: group.first):
        own = [words[code] for code in group.codes]
        name = _distinct(_name(own), taken | (known - set(own)))
        taken.add(name)
        for code in group.codes:
            labels[code] = name
    return pl.Series(labels, dtype=pl.String)


def _name(words: list[str | None]) -> str:
    if len(words) <= _MOST_NAMED:
        return named_set(words)
    return open_set(words[:_NAMED_OF_MANY], len(words) - _NAMED_OF_MANY)


def _distinct(name: str, taken: set[str]) -> str:
    """Return a name that no other group has: a word may look like a set of words, or like a missing one."""
    number, found = 2, name
    while found in taken:
        number, found = number + 1, numbered(name, number)
    return found


Tree: TypeAlias = "Mapping[str, Tree] | Sequence[str]"


def tree_levels(values: pl.Series, tree: Tree) -> list[pl.Series]:
    """Return the leaves of a tree such as ``{"Europe": ["France", "Spain"], …}``, and their categories level by level.

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
    """Return every way from the top to a leaf, top first."""
    if not isinstance(tree, Mapping):
        return [(str(leaf),) for leaf in tree]
    return [(str(name), *path) for name, branch in tree.items() for path in _paths(branch)]


def _padded(path: tuple[str, ...], value: str, height: int) -> list[str]:
    """Return the labels of a value from level 1 upwards, filled up to the height with its lowest label."""
    upwards = list(reversed(path))
    return [upwards[0] if upwards else value] * (height - len(upwards)) + upwards


MOST_LEVELS: Final = 1000
"""So many levels may be above the values: every method looks at each of them for each value."""


def refuse_many_levels(levels: int) -> None:
    """Refuse a hierarchy with more levels above the values, the root included, than it may have."""
    if levels > MOST_LEVELS:
        raise HierarchyError(
            f"The hierarchy has {levels:,} levels above the values; it may have at most {MOST_LEVELS:,}.",
            "Leave out levels that are no more general than the one below.",
        )


def mask_levels(vocabulary: Vocabulary) -> list[pl.Series]:
    """Mask codes from the right, one letter a level: ``4370 → 437* → 43** → 4***``.

    Shorter values are first filled with ``*`` on the right, so that levels nest whatever the lengths. Codes
    that look like other codes masked are refused.
    """
    text = vocabulary.words.fill_null("")
    width = max(int(text.str.len_chars().max() or 1), 1)  # type: ignore[arg-type]
    refuse_many_levels(width)  # before they are made
    levels = [text.str.slice(0, width - hidden).str.pad_end(width, "*") for hidden in range(1, width)]
    if any((level.is_in(text.implode()) & (level != text)).any() for level in levels):
        raise HierarchyError("Some values look like others that are masked with '*'.", "Use a file for this column.")
    return levels
