"""Groups whose sensitive ratings spread enough, published so that whoever looks for them finds that they do."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.aligned_groups import aligned, findable_partition
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix, Ratings
from shoal.engines import Engine, judge
from shoal.evidence import RatingMoments
from shoal.kernels.groups.part_rows import part_rows
from shoal.kernels.row_comparison import equal_patterns
from shoal.models import PrivacyModel
from shoal.progress import stage

from .coarsest_scale import CoarsestScale, cheapest_that_holds
from .spread_asked import SpreadAsked
from .spread_groups import spread_groups

__all__ = ["SpreadingGroups", "parted_groups", "parted_neighborhoods"]


_PASSES = 2


def parted_neighborhoods(
    made: Ratings, before: RatingMatrix, labels: np.ndarray, radius: int, asked: SpreadAsked, around: RatingMoments
) -> Ratings:
    """Return ratings in which more neighborhoods spread enough, though groups do not change.

    ``around`` is how the sensitive ratings around each record add up. A neighborhood that reaches into other groups
    than its own may spread less than each of them; single ratings are moved until it does not.
    """
    totals = np.column_stack([around.sizes, around.given, around.sums, around.squares])
    nobody = np.zeros(len(made), bool)
    return _parted(made, before, labels, radius, (totals, asked.amounts, asked.kernel_rows, nobody))


def parted_groups(made: Ratings, before: RatingMatrix, labels: np.ndarray, radius: int, which: np.ndarray) -> Ratings:
    """Return ratings in which the groups of a mask of records have fewer strangers near them, or none."""
    marked = np.isin(labels, labels[which])
    nothing = np.zeros((len(made), 1), np.int64)
    return _parted(made, before, labels, radius, (nothing, nothing, np.zeros((0, 5)), marked))


def _parted(
    made: Ratings,
    before: RatingMatrix,
    labels: np.ndarray,
    radius: int,
    asked: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> Ratings:
    matrix = made.observable
    patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
    order = np.argsort(patterns, kind="stable")
    begins = np.searchsorted(patterns[order], np.arange(n_patterns + 1))
    codes = matrix.codes.copy()
    part_rows(
        matrix.indptr,
        codes,
        _wanted(before, matrix),
        order,
        begins,
        labels,
        *group_offsets(labels),
        radius,
        made.scale.points,
        *asked,
        _PASSES,
    )
    return replace(made, observable=replace(matrix, codes=codes))


def _wanted(before: RatingMatrix, after: RatingMatrix) -> np.ndarray:
    """Return, for every rating after, the one before in the same cell, −1 where there was none."""
    width = max(len(before.items), 1)
    keys = [np.repeat(np.arange(len(m)) * width, np.diff(m.indptr)) + m.indices for m in (before, after)]
    places = np.minimum(np.searchsorted(keys[0], keys[1]), max(len(keys[0]) - 1, 0))
    if not len(keys[0]):
        return np.full(len(keys[1]), -1, np.int64)
    return np.where(keys[0][places] == keys[1], before.codes[places].astype(np.int64), -1)


_PATIENCE = 8
"""So often groups that are not found again are only set apart, before they are joined to others as well."""
_ATTEMPTS = 24


class SpreadingGroups:
    """Groups each of which spreads enough, on the coarsest scale, and what becomes of them when they are published.

    A promise is not judged on these groups but on what anybody finds: the neighborhood of every record, which reaches
    into other groups and may spread less than each of them; or a partition, which is searched for and need not be
    this one. So strangers are set apart from groups where they do harm (:mod:`.parted`), which mostly takes a step of
    a single rating. Only where that is not enough are groups joined.
    """

    def __init__(
        self, given: Ratings, coarsest: CoarsestScale, labels: np.ndarray, asked: SpreadAsked, costs: RatingCosts
    ) -> None:
        self._given, self._coarsest, self._labels = given, coarsest, labels
        self._asked, self._costs = asked, costs
        self._before, self._radius = coarsest.ratings.observable, coarsest.radius

    def by_neighbors(self, engine: Engine) -> Ratings:
        """Return ratings in which every neighborhood spreads enough; refuse where there are none."""
        with stage("setting neighborhoods apart"):
            while True:
                made = self._leveled()
                around = self._around(made, engine)
                if not self._asked.met(around).all():
                    made = parted_neighborhoods(made, self._before, self._labels, self._radius, self._asked, around)
                    around = self._around(made, engine)
                poor = ~self._asked.met(around)
                if not poor.any():
                    return self._coarsest.back(made, self._given)
                self._join(poor)

    def _around(self, made: Ratings, engine: Engine) -> RatingMoments:
        """Return how the sensitive ratings around each record add up."""
        epsilon = self._radius * self._coarsest.ratings.scale.step
        around = engine.neighbors(self._coarsest.back(made, self._given), epsilon, sensitive=True).moments
        assert around is not None
        return around

    def by_partition(self, models: Sequence[PrivacyModel], engine: Engine) -> Ratings:
        """Return ratings in which the search for a partition finds one, or nearly does.

        Where it does not at once, those left over may follow others, what is made by neighborhoods may do, or groups
        are set apart; the cheapest of what holds is returned. Groups are joined only where nothing does.
        """
        made = self._coarsest.back(self._leveled(), self._given)
        if judge(made, models, engine).holds:
            return made
        labels = self._labels
        nearby, self._labels = self.by_neighbors(engine), labels
        ways = [findable_partition(made, models, engine), nearby, self._set_apart(models, engine, _PATIENCE)]
        costs = self._costs.on_finer(self._coarsest.steps)
        best = cheapest_that_holds(ways, self._given, models, engine, costs)
        return best if judge(best, models, engine).holds else self._set_apart(models, engine, _ATTEMPTS)

    def _set_apart(self, models: Sequence[PrivacyModel], engine: Engine, attempts: int) -> Ratings:
        """Set groups that are not found again apart from strangers, and in the end join them to others."""
        made, lost = self._leveled(), np.zeros(len(self._given), bool)
        with stage("setting groups apart", attempts) as progress:
            for attempt in range(attempts):
                left = judge(self._coarsest.back(made, self._given), models, engine).violating
                if not left.any():
                    break
                lost |= left
                if attempt >= _PATIENCE and self._labels.max() > 0:
                    self._join(left)
                    made = self._leveled()
                made = parted_groups(made, self._before, self._labels, self._radius, lost)
                progress.advance()
        return self._coarsest.back(made, self._given)

    def _leveled(self) -> Ratings:
        return aligned(self._coarsest.ratings, self._labels, self._radius, self._costs)

    def _join(self, poor: np.ndarray) -> None:
        """Join the groups of a mask of records to others."""
        points = self._coarsest.ratings.scale.points
        how = self._asked, self._radius, self._costs
        self._labels = spread_groups(self._before, points, self._labels, *how, poor)
