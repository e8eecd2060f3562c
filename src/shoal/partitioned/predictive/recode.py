"""The method ``predictive`` on ratings that are not in memory.

Ratings are counted, fitted and looked at where they are. Here are the factors of users and items, in which users are
grouped as in memory: about 60 bytes a user at 4 factors, while groups are made. The profile of a group is made where
the ratings of its members are brought together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from shoal.anonymizers import Anonymizer
from shoal.anonymizers.grouping import group_means
from shoal.anonymizers.predictive.confident_cells import Confidence
from shoal.anonymizers.predictive.homogenization import Homogenization
from shoal.anonymizers.predictive.predictive import Predictive, group_size
from shoal.anonymizers.predictive.profile_items import finer, items_rated_by
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import DataError
from shoal.models import PrivacyModel
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser
from shoal.predictors import Factors
from shoal.progress import stage
from shoal.randomness import Randomness

from .fitting import fit_partitioned
from .supporting import confidence_of_items, supported_by_ratings
from .two_sides import TwoSides, item_sums, two_sides

__all__ = ["GroupProfiles", "PredictedGroups", "is_predictive", "predicted_groups"]

_USER_BYTES = 60
"""How much memory a user takes while users are grouped, besides 16 for each factor, in bytes."""


@dataclass(frozen=True, eq=False)
class GroupProfiles:
    """How the profile of a group is made, wherever all its members are."""

    labels: np.ndarray
    """The group of each user."""
    factors: Factors
    method: Predictive
    raters: int
    """How many members must have rated an item whose ratings are averaged."""
    scale: Scale
    items: Vocabulary
    """All items, of which profiles have those at these ``places``."""
    places: np.ndarray
    cells: np.ndarray | None
    """The published cells, groups × items in packed bits; None: all that the variant has."""

    @property
    def n_published(self) -> int:
        """How many profiles there are."""
        return int(self.labels.max()) + 1

    def made(self, whole: Ratings, numbers: np.ndarray, labels: np.ndarray) -> Ratings:
        """Return the profiles of groups, given with all their members: ``labels`` number them from 0."""
        matrix = whole.observable.of_items(self.places)
        own = Factors(self.factors.users[numbers], self.factors.items, self.factors.points)
        groups = self.labels[numbers[np.unique(labels, return_index=True)[1]]]
        cells = None if self.cells is None else self.cells[groups]
        profiles = Homogenization(matrix, own, labels, self.method.variant, self.raters, self.scale, cells)
        people = np.bincount(labels)
        nothing = RatingMatrix.empty(len(people), self.scale.dtype)
        made = profiles.compressed(self.items, self.places)
        return Ratings(Vocabulary.numbered(len(people)), made, nothing, self.scale, people)


@dataclass(frozen=True, eq=False)
class PredictedGroups:
    """The groups of users, and what their owner should know of how they were made."""

    profiles: GroupProfiles
    notes: dict[str, int | float]
    remarks: tuple[str, ...]


def is_predictive(method: Anonymizer) -> TypeGuard[Predictive]:
    """Tell whether a method is the one that is done here."""
    return isinstance(method, Predictive)


def predicted_groups(
    ratings: RatingsByUser, models: Sequence[PrivacyModel], method: Predictive, randomness: Randomness
) -> PredictedGroups:
    """Group users as ``method`` does in memory: the same ratings, promises and chance lead to the same groups."""
    size, fewest = group_size(models), method.fewest(models)
    method.refuse_unfit(ratings.partitioned)
    _refuse_too_many(ratings)
    sums = item_sums(ratings)
    items = items_rated_by(sums.raters, fewest)
    sides = two_sides(ratings, items)
    total = int(sums.codes[items].sum())
    fitted = fit_partitioned(method.fitted_by, sides, total, ratings.backend, randomness)
    with stage("grouping users"):
        labels = method.grouped(fitted, size, randomness, sides.no_ratings())
    factors = fitted
    if fewest > 1:
        centers = group_means(fitted.users, labels)
        factors = supported_by_ratings(sides, fitted, sums.raters[items], fewest, centers, ratings.backend)
    supported = method.supported_by(models, fitted)
    cells = _cells(sides, factors, labels, method, supported, ratings)
    raters = method.min_raters or size
    profiles = GroupProfiles(labels, factors, method, raters, finer(ratings.scale), ratings.items, items, cells)
    left_out = sums.left_out(items)
    return PredictedGroups(profiles, left_out.notes, left_out.remarks(fewest) + method.fewer_than_promised(models))


def _cells(
    sides: TwoSides,
    factors: Factors,
    labels: np.ndarray,
    method: Predictive,
    supported: int,
    ratings: RatingsByUser,
) -> np.ndarray | None:
    """Return the cells to publish, groups × items in packed bits; None: all that the variant has."""
    if method.boost is None:
        return None
    confidence = Confidence.of(factors.users, supported)
    lines = confidence_of_items(sides, confidence, ratings.backend)
    return confidence.cells(group_means(factors.users, labels), lines, method.boost)


def _refuse_too_many(ratings: RatingsByUser) -> None:
    needed = len(ratings) * (_USER_BYTES + 16 * 8)
    allowed = ratings.backend.memory
    if needed > allowed:
        raise DataError(
            f"To group {len(ratings):,} users takes about {needed >> 20:,} MiB, more than the {allowed >> 20:,} MiB "
            "that may be used.",
            "Allow more with --memory.",
        )
