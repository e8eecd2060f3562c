"""Profiles made of a part of the ratings, and what they say of those held out."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from experiments.data import DATA_SETS, MOVIELENS_1M, NETFLIX, load
from experiments.experiment import Size
from experiments.held_out import held_out, item_means
from experiments.recoded import Recoded, recoded
from shoal.anonymizers.predictive.similarity import PaddedUsers
from shoal.data import RatingMatrix, Ratings
from shoal.predictors import Factors, predictors
from shoal.randomness import Randomness

__all__ = [
    "DATA",
    "GENERATED",
    "METHODS",
    "PREDICTOR",
    "Profiles",
    "Split",
    "fitted",
    "padded_distances",
    "profiles",
    "rated",
    "rmse",
    "split",
]

DATA = (MOVIELENS_1M.name, NETFLIX.name)
PREDICTOR = "als:factors=4"
METHODS = {
    "padded": "predictive:variant=padded,min_raters=1,min_item_raters=1",
    "simple": "predictive:variant=simple,min_raters=1,min_item_raters=1",
    "predictive": "predictive",
}
"""The paper's own two, in which one rater is enough for a cell and for an item, and what Shoal does unless told."""
GENERATED = (
    "Of the Netflix shape only the sparsity is that of the Netflix Prize: ratings are generated from eight factors and "
    "noise, and what people rate does not depend on their taste, so errors there compare with each other and not with "
    "the paper's."
)
_SHARES = {MOVIELENS_1M.name: 0.1, NETFLIX.name: 1_408_395 / 100_480_507}
"""What is held out: a tenth; and as much as the probe set was of the Netflix Prize data."""


def rated(data: str, size: Size, users: int | None, seed: int) -> Ratings:
    """Return the ratings of some users, without the income that other papers add."""
    records = load(DATA_SETS[data], size, users, seed)
    assert isinstance(records, Ratings)
    nothing = RatingMatrix.empty(len(records), records.scale.dtype)
    return Ratings(records.users, records.observable, nothing, records.scale)


@dataclass(frozen=True, eq=False)
class Split:
    """Ratings that are given, and cells that are held out."""

    given: Ratings
    users: np.ndarray
    items: np.ndarray
    stars: np.ndarray
    means: np.ndarray
    """The mean rating of each item among those given, in stars."""


@lru_cache(maxsize=1)
def split(data: str, size: Size, users: int | None, seed: int) -> Split:
    """Return ratings of which a share is held out."""
    whole = rated(data, size, users, seed)
    given, (rows, items, codes) = held_out(whole, 0.1 if size.name == "tiny" else _SHARES[data], seed)
    return Split(given, rows, items, given.scale.decode(codes), item_means(given))


@lru_cache(maxsize=1)
def fitted(data: str, size: Size, users: int | None, seed: int, predictor: str = PREDICTOR) -> Factors:
    """Return what a predictor fits to the ratings that are given."""
    given = split(data, size, users, seed).given
    return predictors.read(predictor).fit(given.observable, given.scale, Randomness(seed))


@dataclass(frozen=True, eq=False)
class Profiles:
    """Published profiles in stars, NaN for null, and which of them stands for whom."""

    made: Recoded
    stars: np.ndarray
    own: np.ndarray

    def errors(self, test: Split, rows: np.ndarray, null: np.ndarray | float) -> np.ndarray:
        """Return the errors on the held-out cells, by the profile ``rows`` of each user; ``null`` is how null is read.

        A profile holds NaN where it has no rating, and ``null`` is one number, or one for each item.
        """
        cells = self.stars[rows[test.users], test.items]
        read = null[test.items] if isinstance(null, np.ndarray) else null
        return np.where(np.isnan(cells), read, cells) - test.stars


def profiles(given: Ratings, k: int, method: str, seed: int) -> Profiles:
    """Publish the given ratings by a method."""
    made = recoded(given, [f"k-anonymity:k={k}"], method, seed)
    released, own = made.comparison.released, made.comparison.places
    assert isinstance(released, Ratings)
    assert own is not None
    codes = released.observable.dense()
    stars = float(released.scale.lowest) + codes.astype(np.float32) * float(released.scale.step)
    return Profiles(made, np.where(codes < 0, np.nan, stars), own)


def padded_distances(users: PaddedUsers, some: np.ndarray, stars: np.ndarray) -> np.ndarray:
    """Return, some users × profiles, squared distances of padded ratings from profiles in stars, null being 0 stars.

    Ratings must be from 1 on: a code is one less than its stars.
    """
    rows, read = users.rows(some) + 1, np.nan_to_num(stars, nan=0).astype(np.float32)
    return (rows**2).sum(axis=1)[:, None] - 2 * rows @ read.T + (read**2).sum(axis=1)


def rmse(errors: np.ndarray) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(np.asarray(errors, np.float64) ** 2)))
