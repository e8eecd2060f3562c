"""Surveys in groups that both parts share: one label and one profile for each group."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.rating_groups.aligned_groups import aligned
from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import Microdata, Survey
from shoal.engines import Engine, judge
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .demands import Demands
from .joint_groups import JointGroups, JointTask
from .narrower_labels import narrower_labels, uses_hierarchy

__all__ = ["GroupedByBoth"]


@dataclass(frozen=True, eq=False)
class GroupedByBoth:
    """People of classes of demographics, to be put into groups that lose little of both parts."""

    survey: Survey
    table: Microdata
    """The demographics, generalized so that classes keep what is promised of them."""
    withheld: np.ndarray
    """The mask of the people who are in no class."""
    demands: Demands
    costs: RatingCosts
    weight: Fraction

    @property
    def is_enough(self) -> bool:
        """Whether all that is asked of answers is kept by enough people who are alike."""
        asked = self.demands.on_answers
        if not asked or any(model.kept_by_equal is None for model in asked):
            return False
        return self._demand.radius < self.survey.ratings.scale.null_steps

    def published(
        self, models: Sequence[PrivacyModel], engine: Engine, randomness: Randomness, max_withheld: int
    ) -> tuple[Survey, np.ndarray] | None:
        """Return the survey and whom to withhold; None where the promises do not hold on it.

        Promises on demographics alone may ask for more than groups have; then labels stay those of classes.
        """
        found = self._groups(engine, randomness)
        withheld = self.withheld | found.costliest(max_withheld)
        labels, kept = np.where(withheld, -1, found.labels), np.flatnonzero(~withheld)
        ratings = aligned(self.survey.ratings, labels, self._demand.radius, self.costs)
        made = replace(self.survey, table=self.table, ratings=ratings)
        all_labels = np.where(withheld, labels.max(initial=-1) + 1, labels)  # of those withheld they do not matter
        narrower = replace(made, table=narrower_labels(self.survey.table, self.table, all_labels))
        for way in (narrower, made) if len(kept) else ():
            if judge(way.take(kept), models, engine).holds:
                return way, withheld
        return None

    @cached_property
    def _demand(self) -> GroupDemand:
        """What is asked of groups: to be equal, where sensitive values must differ among people who are."""
        demand = GroupDemand.of(self.demands.on_answers, self.survey.ratings.scale, "joined")
        return replace(demand, radius=0) if self.demands.on_sensitive else demand

    def _groups(self, engine: Engine, randomness: Randomness) -> JointGroups:
        columns = self.survey.table.quasi_identifiers
        by_hierarchy = [uses_hierarchy(column, self.table[column.name]) for column in columns]
        classes = np.where(self.withheld, -1, engine.group(self.table).labels)
        task = JointTask(self.survey, by_hierarchy, self._demand, self.costs, self.weight)
        found = task.groups(classes, randomness.generator("joined"))
        if not self.demands.on_sensitive:
            return found
        promises = GroupPromises(self.survey.with_sensitive_answers, self.demands.on_sensitive, engine)
        return task.merged(found, classes, promises)
