"""The hierarchy of items as a tree, and originals as a release of generalized items shows them."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from shoal.data.hierarchies.hierarchy import Hierarchy
from shoal.errors import HierarchyError

from .ratings import Ratings
from .records import Records
from .survey import Survey
from .vocabulary import Vocabulary

__all__ = ["ItemTree", "as_published"]


@dataclass(frozen=True, eq=False, repr=False)
class ItemTree:
    """Nodes of a hierarchy: first the items, then what stands for several of them, the root last.

    A label that stands for the same items as one below it is no node of its own.
    """

    parents: np.ndarray
    """The node above each node: int32; −1 for the root."""
    leaves: np.ndarray
    """How many leaves of the hierarchy are under each node, those that nobody has included; 0 for an item."""
    labels: Vocabulary
    """What each node is called."""
    n_items: int
    n_leaves: int
    """How many leaves the hierarchy has."""

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> Self:
        """Build the tree over the items that the hierarchy is based on; refuse a label that has two meanings."""
        n = hierarchy.n_values
        tops, sizes = np.arange(n, dtype=np.int32), np.ones(n, np.int64)
        parents, leaves = np.full(n, -1, np.int32), np.zeros(n, np.int64)
        words = [hierarchy.labels[0].values.cast(pl.String)]
        for level in range(1, hierarchy.height + 1):
            codes = hierarchy.maps[level]
            groups, firsts, counts = np.unique(codes, return_index=True, return_counts=True)
            new = counts > sizes[tops[firsts]]
            numbers = np.where(new, len(parents) + np.cumsum(new) - 1, tops[firsts]).astype(np.int32)
            above = numbers[np.searchsorted(groups, codes)]
            moved = above != tops
            parents[tops[moved]] = above[moved]
            parents = np.concatenate([parents, np.full(int(new.sum()), -1, np.int32)])
            leaves = np.concatenate([leaves, hierarchy.leaves[level][groups[new]]])
            sizes = np.concatenate([sizes, counts[new]])
            words.append(hierarchy.labels[level].take(groups[new]).cast(pl.String))
            tops = above
        labels = pl.concat(words)
        _refuse_two_meanings(labels)
        return cls(parents, leaves, Vocabulary(labels), n, hierarchy.n_leaves)

    def __len__(self) -> int:
        return len(self.parents)

    def __repr__(self) -> str:
        return f"ItemTree({self.n_items:,} items, {len(self):,} nodes)"

    @property
    def penalties(self) -> np.ndarray:
        """The normalized certainty penalty of each node: its share of the leaves, and 0 for an item."""
        return self.leaves / self.n_leaves

    def lifted(self, chosen: np.ndarray) -> np.ndarray:
        """Return for each item the highest of the chosen nodes, a mask, that stands for it; −1 where none does."""
        found = np.where(chosen, np.arange(len(self), dtype=np.int32), np.int32(-1))
        for node in range(len(self) - 2, -1, -1):  # what is above a node has a higher number
            above = found[self.parents[node]]
            if above >= 0:
                found[node] = above
        return found[: self.n_items]

    def named(self, labels: pl.Series) -> np.ndarray:
        """Return for each item the node of these labels that stands for it; −1 where none does."""
        chosen = np.zeros(len(self), bool)
        places = self.labels.codes(labels.cast(pl.String))
        chosen[places[places >= 0]] = True
        return self.lifted(chosen)


def _refuse_two_meanings(labels: pl.Series) -> None:
    twice = len(labels) - labels.n_unique()
    if twice:
        raise HierarchyError(
            f"{twice:,} labels of the hierarchy of items stand for different items in different places.",
            "Give every label one meaning: whoever reads a release has nothing but the label.",
        )


def as_published(original: Records, published: Records) -> tuple[Records, Ratings | None]:
    """Return originals with the items that a release publishes in the place of theirs, and the sets as they were.

    An item that the release has no label for stays what it is. Where none differs, originals are the same, and there
    are no others.
    """
    if isinstance(original, Survey) and isinstance(published, Survey):
        shown = _under_labels(original.ratings, published.ratings)
        return (original, None) if shown is None else (replace(original, ratings=shown), original.ratings)
    if isinstance(original, Ratings) and isinstance(published, Ratings):
        shown = _under_labels(original, published)
        return (original, None) if shown is None else (shown, original)
    return original, None


def _under_labels(original: Ratings, published: Ratings) -> Ratings | None:
    """Return sets under the items that are published in the place of their own; None where none differs."""
    items, names = original.observable.items, published.observable.items.values.cast(pl.String)
    own = items.values.cast(pl.String)
    if original.hierarchy is None or bool(names.is_in(own.implode()).all()):
        return None
    tree = ItemTree.of(original.hierarchy)
    nodes = tree.named(names)
    left = np.flatnonzero(nodes < 0)
    vocabulary = Vocabulary(pl.concat([names, own.gather(left)]))
    place = Vocabulary(names).codes(tree.labels.take(np.maximum(nodes, 0)))
    place[left] = len(names) + np.arange(len(left))
    return replace(original, observable=original.observable.joined(vocabulary, place), hierarchy=None)
