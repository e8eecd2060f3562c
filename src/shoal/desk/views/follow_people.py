"""The same groups for other ratings of the same people: a new version, or another extract.

Whoever was in a smallest group stays in it, whatever they rated since: who is in which group says nothing about the
change. People who are new are put together first, at least as many as are promised to be alike, and each lot goes to
the group whose profile is nearest to its own: one newcomer alone in a group would be found by comparing two views.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from shoal.data import Microdata, RatingMatrix, Ratings
from shoal.desk.people.marks import as_written

from .group_profiles import GroupProfiles
from .rating_tree import RatingTree, halved
from .rating_views import RatingViews

__all__ = ["followed_rating_tree"]


def followed_rating_tree(
    others: Sequence[RatingViews],
    ratings: Ratings,
    table: Microdata,
    identifier: str | None,
    fewest: int,
    chance: np.random.Generator,
) -> RatingTree | None:
    """Return the tree for our ratings that has the groups of the first of the others; None if nobody is known again.

    Those who are not in the first are known by later ones whose trees have the same groups. Newcomers go to groups
    ``fewest`` or more at a time.
    """
    if identifier is None or not others:
        return None
    parts = others[0].tree.parts
    names, groups = as_written(table[identifier].values).to_list(), dict[str, int]()
    for other in reversed([each for each in others if np.array_equal(each.tree.parts, parts)]):
        groups |= _named_groups(other)
    smallest = np.array([groups.get(name, -1) for name in names], np.int64)
    if (smallest < 0).all():
        return None
    newcomers = chance.permutation(np.flatnonzero(smallest < 0))
    if len(newcomers):
        smallest[newcomers] = _nearest(ratings, smallest, _lots(ratings, newcomers, fewest))[newcomers]
    return RatingTree.of(parts, smallest)


def _named_groups(views: RatingViews) -> dict[str, int]:
    """Return the smallest group of each person by name."""
    if views.identifier is None:
        return {}
    names = as_written(views.table[views.identifier].values).to_list()
    return dict(zip(names, views.smallest.tolist(), strict=True))


def _lots(ratings: Ratings, newcomers: np.ndarray, fewest: int) -> np.ndarray:
    """Return for each record the lot it arrives in, 0, 1, …; -1 for those who are not new.

    Lots are halves of halves, by their ratings.
    """
    rows, begins = newcomers.copy(), np.array([0, len(newcomers)])
    while (np.diff(begins) >= 2 * fewest).any():
        borders = halved(ratings, rows, begins, 2 * fewest)
        begins = np.unique(np.concatenate([begins, borders]))
    lots = np.full(len(ratings), -1, np.int64)
    lots[rows] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    return lots


def _nearest(ratings: Ratings, smallest: np.ndarray, lots: np.ndarray) -> np.ndarray:
    """Return for each record that is new the group whose profile is nearest to that of its lot."""
    known, new = np.flatnonzero(smallest >= 0), np.flatnonzero(lots >= 0)
    groups, theirs = _profiles(ratings, known, smallest)
    _, ours = _profiles(ratings, new, lots)
    highest = max(int(theirs.codes.max(initial=0)), int(ours.codes.max(initial=0)), 1)
    nearest = groups[_apart(ours, theirs, highest).argmin(axis=1)]
    found = np.full(len(ratings), -1, np.int64)
    found[new] = nearest[lots[new]]
    return found


def _profiles(ratings: Ratings, rows: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, RatingMatrix]:
    """Return the numbers of groups of some records, ascending, and the profile of each."""
    numbers, of_row = np.unique(labels[rows], return_inverse=True)
    below = 1 + of_row.ravel()
    tree = RatingTree.of(np.array([len(numbers)] + [0] * len(numbers)), below)
    sizes = np.bincount(below, minlength=len(tree))
    sizes[0] = len(rows)
    made, _ = GroupProfiles(ratings.take(rows), tree, below, sizes).of_view(tree.closed(np.ones(len(tree), bool)))
    return numbers, made.observable


def _apart(ours: RatingMatrix, theirs: RatingMatrix, highest: int) -> np.ndarray:
    """Return, ours × theirs, how far profiles are apart.

    An item that only one of them has counts 1, and one that both have counts the square of the difference, as a share
    of the scale.
    """
    (has, rated), (they_have, they_rated) = (_sparse(each, highest) for each in (ours, theirs))
    counts = has.sum(axis=1)[:, None] + they_have.sum(axis=1)[None]
    alike = (has @ they_have.T).toarray()
    squares = (rated**2 @ they_have.T + has @ (they_rated**2).T - 2 * (rated @ they_rated.T)).toarray()
    return counts - 2 * alike + squares


def _sparse(matrix: RatingMatrix, highest: int) -> tuple[csr_array, csr_array]:
    shape = len(matrix), len(matrix.items)
    has = csr_array((np.ones(matrix.n_ratings), matrix.indices, matrix.indptr), shape=shape)
    rated = csr_array((matrix.codes / highest, matrix.indices, matrix.indptr), shape=shape)
    return has, rated
