"""Categories of which the rare ones are joined."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.errors import HierarchyError

from .vocabulary import Vocabulary
from .written_label import named_set, numbered, open_set

__all__ = ["frequency_levels"]

_MOST_NAMED = 12
_NAMED_OF_MANY = 3


class _Group(NamedTuple):
    """Values that are told alike; of two groups with as many records, the one with the first value comes first."""

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
    """Give a name that no other group has: a word may look like a set of words, or like a missing one."""
    number, found = 2, name
    while found in taken:
        number, found = number + 1, numbered(name, number)
    return found
