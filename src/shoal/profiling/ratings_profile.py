"""Ratings in figures: how high they are, and how many a person gives and an item gets."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal.data import Ratings

__all__ = ["RatingsProfile", "Spread", "ratings_profile"]


@dataclass(frozen=True)
class Spread:
    """How many ratings each person gives, or each item gets, with quantiles as those of columns."""

    fewest: int
    percent_1: int
    median: int
    percent_99: int
    most: int


@dataclass(frozen=True)
class RatingsProfile:
    """The figures of ratings; items are counted, never named."""

    points: tuple[float, ...]
    """The points of the scale; where there are more than 41, the lowest of each stretch."""
    counts: tuple[int, ...]
    """How many ratings are at each of them."""
    a_person: Spread
    an_item: Spread
    rated_once: int
    """How many items one person rated: whoever knows that somebody rated one of them has found the record."""
    people_of_rated_once: int
    """How many people rated such an item."""
    unrated: int
    """How many items nobody rated."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "rating_counts": {f"{point:g}": count for point, count in zip(self.points, self.counts, strict=True)},
            "ratings_a_person": asdict(self.a_person),
            "ratings_an_item": asdict(self.an_item),
            "items_rated_once": self.rated_once,
            "people_who_rated_them": self.people_of_rated_once,
            "items_never_rated": self.unrated,
        }


_BLOCK = 1 << 22
"""So many ratings are looked at together, since counting needs eight bytes for each."""
_MOST_POINTS = 41


def ratings_profile(ratings: Ratings) -> RatingsProfile:
    """Return the figures of ratings, observable and sensitive ones together."""
    sides = (ratings.observable, ratings.sensitive)
    of_items = [_counted(side.indices, len(side.items)) for side in sides]
    an_item = np.concatenate(of_items)
    return RatingsProfile(
        *_heights(ratings),
        _spread(np.diff(sides[0].indptr) + np.diff(sides[1].indptr)),
        _spread(an_item),
        int(np.count_nonzero(an_item == 1)),
        _people_of_rare(ratings, of_items),
        int(np.count_nonzero(an_item == 0)),
    )


def _counted(codes: np.ndarray, n: int) -> np.ndarray:
    counts = np.zeros(n, np.int64)
    for start in range(0, len(codes), _BLOCK):
        counts += np.bincount(codes[start : start + _BLOCK], minlength=n)
    return counts


def _heights(ratings: Ratings) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the points of the scale and how many ratings are at each; of very fine scales, neighbors together."""
    scale = ratings.scale
    counts = _counted(ratings.observable.codes, scale.points) + _counted(ratings.sensitive.codes, scale.points)
    together = -(-scale.points // _MOST_POINTS)
    starts = np.arange(0, scale.points, together)
    points = tuple(float(scale.lowest + int(code) * scale.step) for code in starts)
    return points, tuple(np.add.reduceat(counts, starts).tolist())


def _spread(counts: np.ndarray) -> Spread:
    ordered, n = np.sort(counts), len(counts)
    places = [0, *(max(-(-n * percent // 100) - 1, 0) for percent in (1, 50, 99)), n - 1]
    return Spread(*(int(ordered[place]) for place in places)) if n else Spread(0, 0, 0, 0, 0)


def _people_of_rare(ratings: Ratings, of_items: list[np.ndarray]) -> int:
    found = np.zeros(len(ratings), np.bool_)
    for side, counts in zip((ratings.observable, ratings.sensitive), of_items, strict=True):
        rare = counts == 1
        for start in range(0, len(side.indices), _BLOCK):
            places = start + np.flatnonzero(rare[side.indices[start : start + _BLOCK]])
            found[np.searchsorted(side.indptr, places, side="right") - 1] = True
    return int(np.count_nonzero(found))
