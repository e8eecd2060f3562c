"""The nested views of a rating set: groups of people that merge, each published as one profile.

*Degrees.* To find somebody among n people takes ⌈log₂ n⌉ questions that halve them. The degree of a group is the share
of these questions that a view leaves open: ⌈log₂ n⌉ / ⌈log₂ N⌉ for a group of n of N people, as a range of n of N
values counts in a table. So it is 1 where all people are one group, and would be 0 for somebody alone; the degree of a
view is the mean over its people. Large groups are cut first, wherever they are.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.data import Microdata, Ratings

from .group_profiles import GroupProfiles
from .nested_views import NestedViews
from .rating_tree import RatingTree

__all__ = ["RatingViews"]


class RatingViews(NestedViews[RatingTree]):
    """A tree, a rating set, and its people as a table."""

    def __init__(self, tree: RatingTree, ratings: Ratings, table: Microdata, identifier: str | None = None) -> None:
        """Prepare views; people are known again by the identifier."""
        super().__init__(tree, table, identifier)
        self.ratings = ratings

    def _smallest_groups(self) -> np.ndarray:
        return self.tree.smallest

    def _ranked(self) -> tuple[list[Fraction], np.ndarray]:
        """Return the degrees of the sizes that groups have, from the smallest on, and which size each group has."""
        sizes, ranks = np.unique(self.sizes, return_inverse=True)
        everybody = max(_questions(len(self.table)), 1)
        return [Fraction(_questions(size), everybody) for size in sizes.tolist()], ranks.ravel()

    def published(self, cuts: np.ndarray) -> tuple[Ratings, np.ndarray]:
        """Return the profiles of a view, and for each record which of them stands for it."""
        return self._profiles.of_view(cuts)

    @cached_property
    def _profiles(self) -> GroupProfiles:
        return GroupProfiles(self.ratings, self.tree, self.smallest, self.sizes)


def _questions(people: int) -> int:
    """Return how many halvings single out one of some people."""
    return max(people - 1, 0).bit_length()
