"""The profile of a group of people, from the ratings of a smallest group and from the profiles of its parts otherwise.

*Definition.* The profile of a smallest group has the items that more than half of its people rated, each with the mean
of their ratings. The profile of another group has the items of those parts that more than half of its people are in,
each with the mean of these parts by their numbers of people. Means are rounded to a finer scale, halves up.

*Law.* So the profiles of a coarser view follow from those of a finer one, with their numbers of people, and the tree:
nobody learns from them what a finer view does not say.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.predictive.profile_items import finer
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary

from .group_tree import GroupTree

__all__ = ["GroupProfiles"]


@dataclass(frozen=True)
class _Cells:
    """Ratings of groups, each of another group or item."""

    keys: np.ndarray
    """The number of the group times the number of items, plus the item."""
    codes: np.ndarray
    """The rating on the finer scale."""


@dataclass(frozen=True, eq=False)
class GroupProfiles:
    """The profiles of the groups of a tree, with the people of a rating set in them."""

    ratings: Ratings
    tree: GroupTree
    smallest: np.ndarray
    """For each record, its group where everything is cut."""
    sizes: np.ndarray
    """For each group, the number of its people."""

    @cached_property
    def scale(self) -> Scale:
        """The scale that profiles are on; sets have nothing to average."""
        return self.ratings.scale if self.ratings.is_sets else finer(self.ratings.scale)

    def of_view(self, cuts: np.ndarray) -> tuple[Ratings, np.ndarray]:
        """Return the profiles of a view, each with the number of its people, and for each record which is its own."""
        used, labels = np.unique(self.tree.shown(cuts)[self.smallest], return_inverse=True)
        cells = self._merged(cuts)
        n_items = max(len(self.ratings.observable.items), 1)
        rows, order = cells.keys // n_items, np.argsort(cells.keys)
        begins = np.searchsorted(rows[order], used)
        indptr = np.append(begins, len(order)).astype(np.int64)
        indices = (cells.keys[order] % n_items).astype(np.int32)
        matrix = RatingMatrix(
            self.ratings.observable.items, indptr, indices, cells.codes[order].astype(self.scale.dtype)
        )
        nothing = RatingMatrix.empty(len(used), self.scale.dtype)
        made = Ratings(Vocabulary.numbered(len(used)), matrix, nothing, self.scale, self.sizes[used])
        return made, labels.ravel()

    @cached_property
    def _finest(self) -> _Cells:
        """The cells of smallest groups."""
        matrix = self.ratings.observable
        rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
        keys = self.smallest[rows] * max(len(matrix.items), 1) + matrix.indices
        steps = int(self.ratings.scale.step / self.scale.step)
        return self._kept(keys, matrix.codes.astype(np.int64) * steps, np.ones(len(keys), np.int64))

    def _merged(self, cuts: np.ndarray) -> _Cells:
        """Return the cells of the groups that a view shows: from the bottom up, those of parts that are not."""
        cells, n_items = self._finest, max(len(self.ratings.observable.items), 1)
        for begin, end in reversed(self.tree.depths[1:]):
            groups = cells.keys // n_items
            is_part = (groups >= begin) & (groups < end)
            is_part[is_part] = ~cuts[self.tree.parents[groups[is_part]]]
            parts = groups[is_part]
            keys = self.tree.parents[parts] * n_items + cells.keys[is_part] % n_items
            wholes = self._kept(keys, cells.codes[is_part], self.sizes[parts])
            cells = _Cells(
                np.concatenate([cells.keys[~is_part], wholes.keys]),
                np.concatenate([cells.codes[~is_part], wholes.codes]),
            )
        return cells

    def _kept(self, keys: np.ndarray, codes: np.ndarray, people: np.ndarray) -> _Cells:
        """Return the cells that more than half of the people of their group have, each with the mean."""
        if not len(keys):
            return _Cells(keys, codes)
        order = np.argsort(keys, kind="stable")
        distinct, begins = np.unique(keys[order], return_index=True)
        raters = np.add.reduceat(people[order], begins)
        sums = np.add.reduceat((codes * people)[order], begins)
        of_all = self.sizes[distinct // max(len(self.ratings.observable.items), 1)]
        kept = 2 * raters > of_all
        return _Cells(distinct[kept], ((2 * sums + raters) // (2 * raters))[kept])
