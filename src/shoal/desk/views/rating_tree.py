"""The tree of a rating set: people are halved by their ratings as long as every part keeps the promises.

A group is cut across the direction in which its profiles differ most, what somebody rated and how, into halves: a part
never has fewer people than promised. People whose profiles are equal are not cut apart by anything but a draw, so where
all profiles of a group are equal it stays whole.

Which half somebody is in follows from no rule about values: the tree keeps, for each record, the number of its smallest
group.
"""

import json
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.data import Ratings
from shoal.kernels.clustering.bisection import halve

from .group_tree import GroupTree

__all__ = ["RatingTree", "grown_rating_tree", "halved"]


@dataclass(frozen=True, eq=False)
class RatingTree(GroupTree):
    """Which smallest group each person is in."""

    smallest: np.ndarray
    """For each record, its group where everything is cut."""

    @classmethod
    def of(cls, parts: np.ndarray, smallest: np.ndarray) -> Self:
        """Return the tree; nobody is withheld."""
        return cls(parts, np.zeros(0, np.int64), smallest)

    @classmethod
    def read(cls, written: str) -> Self:
        """Read what :attr:`written` is."""
        kept = json.loads(written)
        return cls.of(np.array(kept["parts"], np.int64), np.array(kept["smallest"], np.int64))

    def _numbers(self) -> dict[str, Any]:
        return {"parts": self.parts.tolist(), "smallest": self.smallest.tolist()}


def grown_rating_tree(
    ratings: Ratings, profiles: np.ndarray, promises: GroupPromises, chance: np.random.Generator
) -> RatingTree | None:
    """Return the tree of a rating set; None where its records do not keep the promises as one group.

    ``profiles`` numbers the profiles of the records. Chance decides between equal ones, and not the order of records,
    which others may know.
    """
    rows, begins = chance.permutation(len(ratings)), np.array([0, len(ratings)])
    if not promises.keeps(rows):
        return None
    smallest, parts, first = np.zeros(len(ratings), np.int64), [], 0
    while len(rows):
        borders = halved(ratings, rows, begins, 2 * promises.fewest)
        is_cut = _differ(profiles[rows], begins) & _kept(promises, rows, begins, borders)
        groups, sizes = np.arange(first, first + len(is_cut)), np.diff(begins)
        smallest[rows] = np.repeat(groups, sizes)
        parts.append(np.where(is_cut, 2, 0))
        halves = np.column_stack([borders - begins[:-1], begins[1:] - borders])[is_cut].ravel()
        rows, begins = rows[np.repeat(is_cut, sizes)], np.concatenate([[0], np.cumsum(halves)])
        first += len(is_cut)
    return RatingTree.of(np.concatenate(parts), smallest)


def halved(ratings: Ratings, rows: np.ndarray, begins: np.ndarray, fewest: int) -> np.ndarray:
    """Sort groups of at least ``fewest`` records into halves, in place; return where the second half of each begins.

    Group g is ``rows[begins[g]:begins[g + 1]]``; a smaller one has its border where it begins.
    """
    sizes = np.diff(begins)
    borders = begins[:-1] + np.where(sizes >= fewest, sizes // 2, 0)
    matrix = ratings.observable
    span = max(ratings.scale.points - 1, 1)
    values = 0.5 + matrix.codes.astype(np.float64) / span  # that somebody rated counts as much as how
    halve(matrix.indptr, matrix.indices, values, np.ones(len(matrix.items)), rows, begins, borders)
    return borders


def _differ(profiles: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Return which groups have several profiles."""
    return np.maximum.reduceat(profiles, begins[:-1]) > np.minimum.reduceat(profiles, begins[:-1])


def _kept(promises: GroupPromises, rows: np.ndarray, begins: np.ndarray, borders: np.ndarray) -> np.ndarray:
    """Return of which groups both halves keep the promises."""
    sizes = np.column_stack([borders - begins[:-1], begins[1:] - borders]).ravel()
    labels = np.repeat(np.arange(len(sizes)), sizes)
    first, second = promises.kept(rows, labels, len(sizes)).reshape(-1, 2).T
    return first & second
