"""Who rates how much, what, and how: the model behind generated ratings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import WordingError
from shoal.io import RatingsSchema
from shoal.kernels.sampling import alias_table, low_rank_codes, sample_rows

from .scales import outside_dtype, refuse_outside, scale_settings

__all__ = ["RatingBlock", "RatingModel", "exact_counts"]

_FACTORS = 8
_CEILING = 2000.0  # no item weighs more than this many times the median one

# Standard deviations in parts of the whole scale: a span of 4 (1 to 5) times these gives 1.08, as in public film data.
_USER_BIAS, _ITEM_BIAS, _TASTE, _NOISE = 0.105, 0.125, 0.105, 0.2
_LIKING = 0.3  # how much of an item's bias goes with its popularity: what many choose to rate is liked better
_CENTER = 0.67  # where the average rating lies between the lowest and the highest, before clipping moves it a little


class RatingBlock(NamedTuple):
    """The ratings of some users that follow each other; within a user, items ascend."""

    first_user: int
    indptr: np.ndarray
    """Where each user's ratings begin, counted over all users: int64, one more than there are users."""
    items: np.ndarray
    codes: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class RatingModel:
    """Everything drawn once, of the size users + items; the ratings themselves are made from it block by block.

    - *Activity.* How much a user rates is log-normal with standard deviation ``activity`` (1.25: the mean is 2.2 times
      the median, as in the Netflix Prize data), at least 1, at most every item, and exactly ``ratings`` in all.
    - *Popularity.* The weight of an item is log-normal with standard deviation ``popularity`` (2.6), gently leveled
      off at the top, where even the best known film is known to half of the people only: the median and the largest
      number of ratings of an item come out near those of the Netflix Prize data. A user's items are drawn without
      replacement by these weights. Every item is rated at least once if there are as many ratings as items.
    - *Taste.* A rating is the average plus a bias of the user, a bias of the item, the product of 8 factors of each,
      and noise, rounded and clipped to the scale.

    A block's ratings depend on the seed and on its users alone: any block size gives the same data.
    """

    scale: Scale
    indptr: np.ndarray
    weights: np.ndarray
    thresholds: np.ndarray
    aliases: np.ndarray
    hosted: np.ndarray
    """The items in the order in which they are dealt out to the users, so that each is rated at least once."""
    user_bias: np.ndarray
    item_bias: np.ndarray
    user_factors: np.ndarray
    item_factors: np.ndarray
    keys: np.ndarray

    @classmethod
    def draw(
        cls,
        users: int,
        items: int,
        ratings: int,
        seed: int,
        scale: Scale | None = None,
        *,
        activity: float = 1.25,
        popularity: float = 2.6,
    ) -> Self:
        """Draw a model for exactly this many users, items and ratings."""
        _refuse_impossible(users, items, ratings, seed, activity, popularity)
        scale = Scale.of(1, 5) if scale is None else scale
        chance = np.random.Generator(np.random.PCG64(seed))
        span = scale.points - 1
        counts = exact_counts(np.exp(activity * chance.standard_normal(users)), ratings, items)
        fame = chance.standard_normal(items)
        weights = _leveled(np.exp(popularity * fame))
        liking = _LIKING * fame + np.sqrt(1 - _LIKING**2) * chance.standard_normal(items)
        liking -= np.average(liking, weights=weights)
        taste = np.sqrt(_TASTE * span / np.sqrt(_FACTORS))  # a product of factors then has the deviation _TASTE · span
        shares, others = alias_table(weights)
        return cls(
            scale,
            np.concatenate([[0], np.cumsum(counts)]),
            weights,
            shares,
            others,
            chance.permutation(items).astype(np.int32),
            span * (_CENTER + _USER_BIAS * chance.standard_normal(users)),
            span * _ITEM_BIAS * liking,
            taste * chance.standard_normal((users, _FACTORS)),
            taste * chance.standard_normal((items, _FACTORS)),
            chance.integers(0, 2**64, 2, dtype=np.uint64),
        )

    @property
    def users(self) -> int:
        """How many users there are."""
        return len(self.indptr) - 1

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.weights)

    @property
    def ratings(self) -> int:
        """How many ratings there are."""
        return int(self.indptr[-1])

    @property
    def lines(self) -> int:
        """How many lines the file of these ratings has."""
        return self.ratings

    @property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns of the file these ratings are written to, one rating a line."""
        return {"user": pl.Int32(), "item": pl.Int32(), "rating": outside_dtype(self.scale)}

    def schema(self, _stem: str) -> RatingsSchema:
        """Say what the columns of that file are, whatever it is called."""
        return RatingsSchema(layout="long", user="user", item="item", rating="rating", **scale_settings(self.scale))

    def frames(self) -> Iterator[pl.DataFrame]:
        """Return the lines of that file, users and items counted from 1, in order of users."""
        for block in self.blocks():
            users = np.arange(block.first_user + 1, block.first_user + len(block.indptr), dtype=np.int32)
            yield pl.DataFrame(
                {
                    "user": np.repeat(users, np.diff(block.indptr)),
                    "item": block.items + np.int32(1),
                    "rating": self.scale.decode(block.codes),
                },
                schema=self.columns,
            )

    def records(self) -> Ratings:
        """Return all ratings in memory."""
        items, codes = np.empty(self.ratings, np.int32), np.empty(self.ratings, self.scale.dtype)
        for block in self.blocks():
            here = slice(block.indptr[0], block.indptr[-1])
            items[here], codes[here] = block.items, block.codes
        observable = RatingMatrix(_counted(self.items), self.indptr.copy(), items, codes)
        sensitive = RatingMatrix.empty(self.users, self.scale.dtype)
        return Ratings(_counted(self.users), observable, sensitive, self.scale)

    def blocks(self, size: int = 1_000_000) -> Iterator[RatingBlock]:
        """Return all ratings in order of users, about ``size`` at a time and never less than one user's."""
        first = 0
        while first < self.users:
            after = int(np.searchsorted(self.indptr, self.indptr[first] + size, side="right")) - 1
            after = max(after, first + 1)
            yield self.block(first, after)
            first = after

    def block(self, first: int, after: int) -> RatingBlock:
        """Return the ratings of the users ``first`` … ``after − 1``."""
        indptr = self.indptr[first : after + 1]
        dealt = self._dealt(indptr)
        items = sample_rows(
            first, indptr, dealt, self.hosted, self.weights, self.thresholds, self.aliases, self.keys[0]
        )
        codes = low_rank_codes(
            first,
            indptr,
            items,
            self.user_bias,
            self.item_bias,
            self.user_factors,
            self.item_factors,
            _NOISE * (self.scale.points - 1),
            self.scale.points,
            self.keys[1],
        )
        return RatingBlock(first, indptr, items, codes.astype(self.scale.dtype))

    def _dealt(self, indptr: np.ndarray) -> np.ndarray:
        """Return the pointers into ``hosted``; items are spread evenly over the ratings, so no user gets too many."""
        if self.ratings < self.items:
            return np.zeros(len(indptr), np.int64)
        return -(-indptr * self.items // self.ratings)


def _counted(n: int) -> Vocabulary:
    return Vocabulary(pl.Series(np.arange(1, n + 1, dtype=np.int32)))


def _refuse_impossible(users: int, items: int, ratings: int, seed: int, activity: float, popularity: float) -> None:
    refuse_outside(1, 2**31 - 2, users=users, items=items)
    refuse_outside(0, 2**63, seed=seed)
    refuse_outside(0, 5, activity=activity, popularity=popularity)
    if not users <= ratings <= users * items:
        raise WordingError(
            f"{users:,} users cannot give {ratings:,} ratings of {items:,} items: each user rates at least one item "
            "and none twice.",
            f"Ask for between {users:,} and {users * items:,} ratings.",
        )


def exact_counts(activity: np.ndarray, total: int, most: int) -> np.ndarray:
    """Return whole numbers from 1 to ``most`` that sum to the total, in proportion to the activity as far as can be."""
    low, high = 0.0, most / activity.min()
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * activity, 1, most).sum() <= total else (low, middle)
    wanted = np.clip(low * activity, 1, most)
    counts = np.floor(wanted).astype(np.int64)
    short = total - int(counts.sum())
    room = np.flatnonzero(counts < most)
    order = room[np.argsort(counts[room] - wanted[room], kind="stable")]  # largest remainder first
    counts[order[:short]] += 1
    assert counts.sum() == total
    return counts


def _leveled(weights: np.ndarray) -> np.ndarray:
    """Return the weights with the largest pressed under a ceiling, smoothly, and brought to mean 1."""
    pressed = 1 / (1 / weights + 1 / (_CEILING * np.median(weights)))
    return pressed / pressed.mean()
