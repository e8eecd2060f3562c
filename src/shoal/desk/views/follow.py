"""The same cuts for other data: a new version, or another extract of the same register.

If the data change a little, medians do, and a tree that were grown again would cut elsewhere: who is on one side of the
old cut and on the other side of the new one would be found by comparing two views. So the tree of data that have people
in common with others, of which views were given, has the cuts of those: at the same values, which have other numbers.
"""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from shoal.anonymizers.generalization.cuts import Attribute

from .cut_tree import CutTree

__all__ = ["followed_tree"]


def followed_tree(tree: CutTree, theirs: Sequence[Attribute], ours: Sequence[Attribute]) -> CutTree | None:
    """Return the tree for our data that has the cuts of theirs; None if quasi-identifiers differ.

    It withholds nobody yet. A node of a hierarchy that they do not have is in the last part of a cut, and one that we
    do not have in none.
    """
    names = [each.column.name for each in ours]
    if sorted(names) != sorted(each.column.name for each in theirs):
        return None
    number = [names.index(each.column.name) for each in theirs]
    if not all(_are_cut_alike(each, ours[number[index]]) for index, each in enumerate(theirs)):
        return None
    on, at = tree.on.copy(), tree.at.copy()
    lines = [np.zeros((0, 3), np.int64)]
    for index, each in enumerate(theirs):
        other, here = ours[number[index]], tree.on == index
        on[here] = number[index]
        if each.hierarchy is None:
            at[here] = _places(each, other)[tree.at[here]]
        else:
            lines.append(_nodes(tree, tree.nodes[here[tree.nodes[:, 0]]], each, other))
    nodes = np.concatenate(lines)
    priorities = tuple(tree.priorities[number.index(index)] for index in range(len(ours)))
    return CutTree(tree.parts, tree.withheld[:0], on, at, nodes[np.lexsort([nodes[:, 1], nodes[:, 0]])], priorities)


def _are_cut_alike(one: Attribute, other: Attribute) -> bool:
    if (one.hierarchy is None) != (other.hierarchy is None):
        return False
    if one.hierarchy is None:
        return one.vocabulary.is_ordered == other.vocabulary.is_ordered
    return one.height == other.height


def _places(theirs: Attribute, ours: Attribute) -> np.ndarray:
    """Return, for each of their values, the highest of ours that is not above it; -1 if all are."""
    known = [_position(value) for value in ours.vocabulary.values.to_list()]
    return np.array([bisect_right(known, _position(value)) - 1 for value in theirs.vocabulary.values.to_list()])


def _position(value: object) -> tuple[object, ...]:
    return () if value is None else (value,)  # a missing value comes before all others


def _nodes(tree: CutTree, lines: np.ndarray, theirs: Attribute, ours: Attribute) -> np.ndarray:
    """Return lines of group, node and part with our numbers of the nodes that we have."""
    assert theirs.hierarchy is not None
    assert ours.hierarchy is not None
    found = []
    for level, (known, wanted) in enumerate(zip(ours.hierarchy.labels, theirs.hierarchy.labels, strict=True)):
        numbers = {word: code for code, word in enumerate(known.words.to_list())}
        codes = np.array([numbers.get(word, -1) for word in wanted.words.to_list()])
        here = lines[tree.at[lines[:, 0]] == level].copy()
        here[:, 1] = codes[here[:, 1]]
        found.append(here[here[:, 1] >= 0])
    return np.concatenate(found)
