"""The method ``predictive``: pad by prediction, group similar users, publish one profile for each group.

*Definition.* A predictor learns the rating that every user would give every item (:mod:`shoal.predictors`). Users whose
padded ratings are similar are put into groups of at least k (:mod:`.size_constrained_kmeans`), and every group is
published as one profile that stands for all its members (:mod:`.homogenization`). The padded matrix is never computed:
distances between padded users are distances between their factors; with ``variant=padded``, of their own ratings too
(:mod:`.points`). With another ``similarity`` than the squared one it is, for one bin of users at a time
(:mod:`.similarity`, :mod:`.bounded_t_means`).

With ``variant=predicted`` no rating that anybody gave enters a published cell. With ``boost``, only the share of the
cells with the most certain predictions is published, so that popular items stay popular (:mod:`.confident_cells`).

*Rare items.* The predictions for an item of one rater would publish that rating. Items of fewer than
``min_item_raters`` people are left out before anything is fitted, and their ratings enter nothing that is published.
Every parameter that is fitted to another item rests on at least as many raters (:mod:`.supported_factors`).

*Guarantee.* Every profile stands for at least k people. Where profiles do not hold every item and (b,l)-diversity is
promised, groups share items with similar ones (:mod:`.diverse_cells`). As with every method, the road checks the
release.

*Reference.* Chang, Thompson, Wang and Yao, Predictive Anonymization (2010); the documentation of the method says where
we read it differently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.grouping import group_means
from shoal.anonymizers.promises import are_kept_by_profiles, fewest_raters
from shoal.data import RatingMatrix, Ratings, Records, Vocabulary
from shoal.engines import Engine
from shoal.errors import SchemaError, WordingError
from shoal.evidence import NeedItemSets
from shoal.models import PrivacyModel
from shoal.predictors import Factors, Predictor, predictors
from shoal.progress import stage
from shoal.randomness import Randomness

from .bins import Bins, Centers
from .bounded_t_means import groups_by_similarity
from .confident_cells import confident_cells
from .diverse_cells import diverse_cells
from .homogenization import Homogenization, Variant, rated_cells
from .points import corrected_points, padded_points
from .profile_items import LeftOut, finer, items_rated_by
from .similarity import PaddedUsers, Similarity
from .size_constrained_kmeans import size_constrained_kmeans
from .supported_factors import parameters_per_item, supported_factors

__all__ = ["Predictive", "group_size"]


class Rated(Protocol):
    """Ratings, in memory or not."""

    @property
    def is_sets(self) -> bool:
        """Whether there is nothing to tell but who has what."""
        ...

    @property
    def has_sensitive(self) -> bool:
        """Whether any item is sensitive."""
        ...


@methods.add
@dataclass(frozen=True)
class Predictive(Anonymizer):
    """Pads ratings by prediction, groups users whose padded ratings are alike, and publishes one profile a group."""

    name: ClassVar[str] = "predictive"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    heeds_rows: ClassVar[bool] = False

    variant: Variant = "predicted"
    min_raters: int | None = None
    predictor: str = "als:factors=4"
    """The wording of a predictor, with ``;`` between settings. Its factors are few: what more of them would add about a
    person is averaged away in a group."""
    min_item_raters: int | None = None
    """Items of fewer raters are left out; None: the k that is promised, or where there is none, the l. With 1, all
    rated items are published, and no influence is bounded."""
    boost: Fraction | None = None
    """The share of the cells that is published; None: all, or with ``variant=simple`` those that were rated."""
    similarity: Similarity = "squared"
    """By what users are alike. Groups by squared differences are the tightest, and the only ones that are made without
    computing padded ratings."""
    centers: Centers = "virtual"
    """Around what users are divided into bins before they are grouped."""
    bins: int | None = None
    """How many bins there are; None: √m for m users, or fewer where bins would hold less than 32 groups."""
    sample: int = 16
    """How many users are sampled for each center."""

    def __post_init__(self) -> None:
        if "," in self.predictor:
            raise WordingError("predictive needs a predictor with ; between its settings.", "als:factors=8;sweeps=20")
        _ = self.fitted_by  # raises a WordingError of its own
        if any(number is not None and number < 1 for number in (self.min_raters, self.min_item_raters)):
            raise WordingError("predictive needs a number of raters of at least 1.")
        if self.sample < 1 or (self.bins is not None and self.bins < 1):
            raise WordingError("predictive needs at least one bin, and a sample of at least one user for each center.")
        if self.boost is not None and not 0 < self.boost <= 1:
            raise WordingError("predictive needs a boost above 0 and at most 1.", "Write boost=0.3.")
        if self.boost is not None and self.variant == "simple":
            raise WordingError(
                "predictive publishes rated cells with variant=simple, and boost says how many others are padded.",
                "Leave one of them out.",
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(),
            cls(variant="padded", min_raters=2),
            cls(variant="simple"),
            cls(similarity="printed", centers="real", bins=3, sample=2),
            cls(variant="padded", similarity="closeness-0.5", centers="drawn", bins=2),
        )

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        assert isinstance(records, Ratings)
        size, fewest = group_size(models), self.fewest(models)
        self.refuse_unfit(records)
        items = items_rated_by(records.observable.raters, fewest)
        matrix = records.observable.of_items(items)
        fitted = self.fitted_by.fit(matrix, records.scale, randomness)
        with stage("grouping users"):
            labels = self.grouped(fitted, size, randomness, matrix)
        factors = self._supported(matrix, fitted, fewest, labels)
        scale = finer(records.scale)
        cells = self._cells(matrix, factors, labels, self.supported_by(models, fitted), models, randomness)
        profiles = Homogenization(matrix, factors, labels, self.variant, self.min_raters or size, scale, cells)
        people = np.bincount(labels)
        made = profiles.compressed(records.observable.items, items)
        nothing = RatingMatrix.empty(len(people), scale.dtype)
        published = Ratings(Vocabulary.numbered(len(people)), made, nothing, scale, people)
        left_out = LeftOut.of(records.observable, matrix, records.scale)
        remarks = left_out.remarks(fewest) + self.fewer_than_promised(models)
        return Recoding(published, labels, left_out.notes, remarks)

    def fewest(self, models: Sequence[PrivacyModel]) -> int:
        """Return how many raters an item needs that is published."""
        return self.min_item_raters or fewest_raters(models)

    def supported_by(self, models: Sequence[PrivacyModel], fitted: Factors) -> int:
        """Return how many raters an item needs so that more than their number counts for its confidence."""
        raters, fewest = self.min_raters or group_size(models), self.fewest(models)
        return raters if fewest == 1 else max(raters, fewest * parameters_per_item(fitted))

    def refuse_unfit(self, records: Rated) -> None:
        """Refuse ratings that have nothing to predict, or of which some are sensitive."""
        if records.is_sets:
            raise SchemaError(
                "The method 'predictive' predicts ratings, and sets have none.", "Use item-suppression or align."
            )
        if records.has_sensitive:
            raise SchemaError(
                "The method 'predictive' publishes profiles of groups, and a sensitive rating is one person's.",
                "Leave sensitive items out of the schema, or name them in 'ignore'.",
            )

    def fewer_than_promised(self, models: Sequence[PrivacyModel]) -> tuple[str, ...]:
        """Return remarks on settings that publish averages of fewer people than a profile stands for."""
        size, wanted, remarks = group_size(models), fewest_raters(models), []
        if self.min_item_raters is not None and self.min_item_raters < wanted:
            remarks.append(
                f"With min_item_raters={self.min_item_raters}, items of fewer than {wanted:,} raters are published, "
                "and the predictions for them are close to the ratings of these people."
            )
        if self.variant != "predicted" and self.min_raters is not None and self.min_raters < size:
            remarks.append(
                f"With min_raters={self.min_raters}, cells are averages of fewer than {size:,} people's ratings"
                + (
                    ": a single one is published as it is."
                    if self.min_raters == 1 and self.variant == "simple"
                    else "."
                )
            )
        return tuple(remarks)

    @property
    def instead_of_ratings(self) -> str:
        """What profiles hold in place of anybody's own ratings."""
        averages = {"padded": "averages of ratings and predictions", "simple": "averages of ratings"}
        return averages.get(self.variant, "predictions")

    @property
    def fitted_by(self) -> Predictor:
        """The predictor."""
        return predictors.read(self.predictor.replace(";", ","))

    def _supported(self, matrix: RatingMatrix, fitted: Factors, fewest: int, labels: np.ndarray) -> Factors:
        """Return factors in which no rating has an influence above 1/``fewest``; with 1 there is nothing to bound."""
        if fewest == 1:
            return fitted
        averages_ratings = self.variant == "padded"
        return supported_factors(matrix, fitted, fewest, group_means(fitted.users, labels), at_raters=averages_ratings)

    def grouped(self, factors: Factors, size: int, randomness: Randomness, matrix: RatingMatrix) -> np.ndarray:
        """Return the group of each user; ratings count where they are averaged together with predictions."""
        own_ratings, chance = self.variant == "padded", randomness.generator("predictive")
        bins = Bins(self.bins, self.sample, self.centers)
        if self.similarity != "squared":
            users = PaddedUsers(matrix, factors, self.similarity, own_ratings)
            return groups_by_similarity(users, size, chance, bins)
        if own_ratings:
            points = corrected_points(matrix, factors, randomness.generator("predictive residuals"))
        else:
            points = padded_points(factors.users, factors.items)
        return size_constrained_kmeans(points, size, chance, bins)

    def _cells(
        self,
        matrix: RatingMatrix,
        factors: Factors,
        labels: np.ndarray,
        supported: int,
        models: Sequence[PrivacyModel],
        randomness: Randomness,
    ) -> np.ndarray | None:
        """Return the cells to publish, groups × items in packed bits; None: all that the variant has.

        The raters of an item with fewer than ``supported`` raters count only by their number.
        """
        diversity = [model.need for model in models if isinstance(model.need, NeedItemSets) and not model.need.people]
        if self.boost is None and not (self.variant == "simple" and diversity):
            return None
        centers = group_means(factors.users, labels)
        if self.boost is not None:
            cells = confident_cells(matrix, factors.users, centers, self.boost, supported)
        else:
            cells = rated_cells(matrix, labels)
        if not diversity:
            return cells
        points, chance = padded_points(centers, factors.items), randomness.generator("predictive circles")
        b, l = max(need.items for need in diversity), max(need.enough for need in diversity)  # noqa: E741
        return diverse_cells(cells, points, b, l, chance)


def group_size(models: Sequence[PrivacyModel]) -> int:
    """Return the least number of users in a group; refuse promises that profiles cannot keep."""
    for model in models:
        if not are_kept_by_profiles(model):
            raise WordingError(
                f"The method 'predictive' cannot keep {model}.",
                "It keeps k-anonymity, km-anonymity, k-epsilon by neighborhoods and without l, and b-l-diversity.",
            )
    return max((model.hidden_among or model.kept_by_equal or 1 for model in models), default=1)
