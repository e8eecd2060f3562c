"""Repair of spread: groups that spread their sensitive ratings enough are published so that a verifier sees it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.anonymizers.rating_groups.aligned_groups import aligned, findable_partition
from shoal.data import RatingMatrix, Ratings
from shoal.engines import Engine, judge
from shoal.evidence import RatingMoments
from shoal.kernels.groups.part_rows import part_rows
from shoal.kernels.row_comparison import equal_patterns
from shoal.models import PrivacyModel
from shoal.progress import stage

from .coarsest_scale import CoarsestScale, cheapest_that_holds
from .grouping_task import GroupingTask
from .sensitive_spread import SpreadDemand, merged_until_spread

__all__ = ["SpreadRepair"]

_PASSES = 2


def _original_codes(before: RatingMatrix, after: RatingMatrix) -> np.ndarray:
    """Return, for every rating after, the one before in the same cell, −1 where there was none."""
    width = max(len(before.items), 1)
    keys = [np.repeat(np.arange(len(m)) * width, np.diff(m.indptr)) + m.indices for m in (before, after)]
    places = np.minimum(np.searchsorted(keys[0], keys[1]), max(len(keys[0]) - 1, 0))
    if not len(keys[0]):
        return np.full(len(keys[1]), -1, np.int64)
    return np.where(keys[0][places] == keys[1], before.codes[places].astype(np.int64), -1)


_PATIENCE = 8
"""How many times groups that are not found again are only separated from others, before they are merged as well."""
_ATTEMPTS = 24


class SpreadRepair:
    """Groups each of which spreads enough, on the coarsest scale, and how they are published.

    A promise is not judged on these groups but on what a verifier finds: the neighborhood of every record, which
    reaches into other groups and may spread less than each of them; or a partition, which is searched for and need not
    be this one. So records of other groups that do harm are moved out of reach, which mostly takes a step of a single
    rating. Only where that is not enough are groups merged.
    """

    def __init__(
        self, given: Ratings, coarsest: CoarsestScale, task: GroupingTask, labels: np.ndarray, demand: SpreadDemand
    ) -> None:
        self._given, self._coarsest, self._labels = given, coarsest, labels
        self._task, self._demand = task, demand

    def by_neighbors(self, engine: Engine) -> Ratings:
        """Return ratings in which every neighborhood spreads enough; refuse where there are none."""
        with stage("separating neighborhoods"):
            while True:
                made = self._aligned()
                around = self._around(made, engine)
                if not self._demand.met(around).all():
                    made = self._separate_neighborhoods(made, around)
                    around = self._around(made, engine)
                poor = ~self._demand.met(around)
                if not poor.any():
                    return self._coarsest.back(made, self._given)
                self._merge(poor)

    def _separate_neighborhoods(self, made: Ratings, around: RatingMoments) -> Ratings:
        """Return ratings in which more neighborhoods spread enough, with the same groups.

        ``around`` holds the sums of the sensitive ratings around each record. A neighborhood that reaches into other
        groups may spread less than each of them; single ratings are moved until it does not.
        """
        totals = np.column_stack([around.sizes, around.given, around.sums, around.squares])
        nobody = np.zeros(len(made), bool)
        return self._separated(made, (totals, self._demand.amounts, self._demand.kernel_rows, nobody))

    def _separate_groups(self, made: Ratings, which: np.ndarray) -> Ratings:
        """Return ratings in which the groups of a mask of records have fewer records of other groups near them."""
        marked = np.isin(self._labels, self._labels[which])
        nothing = np.zeros((len(made), 1), np.int64)
        return self._separated(made, (nothing, nothing, np.zeros((0, 5)), marked))

    def _separated(self, made: Ratings, needs: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]) -> Ratings:
        matrix, labels = made.observable, self._labels
        patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
        order = np.argsort(patterns, kind="stable")
        begins = np.searchsorted(patterns[order], np.arange(n_patterns + 1))
        codes, wanted = matrix.codes.copy(), _original_codes(self._task.matrix, matrix)
        groups = order, begins, labels, *group_offsets(labels)
        part_rows(matrix.indptr, codes, wanted, *groups, self._task.radius, made.scale.points, *needs, _PASSES)
        return replace(made, observable=replace(matrix, codes=codes))

    def _around(self, made: Ratings, engine: Engine) -> RatingMoments:
        """Return the sums of the sensitive ratings around each record."""
        epsilon = self._task.radius * self._coarsest.ratings.scale.step
        around = engine.neighbors(self._coarsest.back(made, self._given), epsilon, sensitive=True).moments
        assert around is not None
        return around

    def by_partition(self, models: Sequence[PrivacyModel], engine: Engine) -> Ratings:
        """Return ratings in which the search for a partition finds one, or nearly does.

        Where it does not at once, three ways are tried: records left over follow others, neighborhoods are repaired, or
        groups are separated; the cheapest on which the promises hold is returned. Groups are merged only where they
        hold on none.
        """
        made = self._coarsest.back(self._aligned(), self._given)
        if judge(made, models, engine).holds:
            return made
        labels = self._labels
        nearby, self._labels = self.by_neighbors(engine), labels
        ways = [findable_partition(made, models, engine), nearby, self._by_separation(models, engine, _PATIENCE)]
        costs = self._task.costs.on_finer(self._coarsest.steps)
        best = cheapest_that_holds(ways, self._given, models, engine, costs)
        return best if judge(best, models, engine).holds else self._by_separation(models, engine, _ATTEMPTS)

    def _by_separation(self, models: Sequence[PrivacyModel], engine: Engine, attempts: int) -> Ratings:
        """Separate groups that are not found again from others, and in the end merge them."""
        made, lost = self._aligned(), np.zeros(len(self._given), bool)
        with stage("separating groups", attempts) as progress:
            for attempt in range(attempts):
                left = judge(self._coarsest.back(made, self._given), models, engine).violating
                if not left.any():
                    break
                lost |= left
                if attempt >= _PATIENCE and self._labels.max() > 0:
                    self._merge(left)
                    made = self._aligned()
                made = self._separate_groups(made, lost)
                progress.advance()
        return self._coarsest.back(made, self._given)

    def _aligned(self) -> Ratings:
        return aligned(self._coarsest.ratings, self._labels, self._task.radius, self._task.costs)

    def _merge(self, poor: np.ndarray) -> None:
        """Merge the groups of a mask of records with others."""
        self._labels = merged_until_spread(self._task, self._labels, self._demand, poor)
