"""Records in groups that are told by what is in their middle, and what is lost by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Microdata
from shoal.engines import Engine
from shoal.kernels.distinct_keys import distinct_keys
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .group_means import group_means
from .group_promises import GroupPromises
from .record_points import record_points

__all__ = ["RecordGrouping", "RecordGroups"]


@dataclass(frozen=True, eq=False)
class RecordGroups:
    """Some rows of a table in groups 0, 1, …"""

    rows: np.ndarray
    labels: np.ndarray
    whole: bool
    """Whether there was time to work on all groups."""


class RecordGrouping:
    """A table whose records are to be grouped, or some of them; and what is lost by it."""

    def __init__(
        self,
        table: Microdata,
        points: np.ndarray,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
    ) -> None:
        self.table, self.points, self.models, self.randomness = table, points, models, randomness
        self._engine = engine
        self.everybody = np.arange(len(table))

    @cached_property
    def whole_points(self) -> np.ndarray:
        """The records as points of all attributes, by which what is lost is reckoned, about their mean."""
        points = record_points(self.table.quasi_identifiers)
        return points - points.mean(axis=0)

    @property
    def cost(self) -> float:
        """What a withheld record costs: as much as one loses on average where all are told by one mean."""
        return float((self.whole_points**2).sum()) / len(self.table)

    @property
    def units(self) -> np.ndarray:
        """What is left out as a whole: a record, or all records of a person."""
        return self.everybody if self.table.persons is None else distinct_keys(self.table.persons)[0]

    def without(self, rows: np.ndarray) -> np.ndarray:
        """Return all other rows."""
        return np.delete(self.everybody, rows)

    def rest(self, rows: np.ndarray) -> Microdata:
        """Return the table of these rows alone."""
        return self.table if len(rows) == len(self.table) else self.table.take(rows)

    def promises(self, rows: np.ndarray) -> GroupPromises:
        """Return what judges groups of these rows, as what is published together."""
        return GroupPromises(self.rest(rows), self.models, self._engine)

    def keeps(self, made: RecordGroups) -> bool:
        """Tell whether there are groups, and all of them keep the promises."""
        n_groups = int(made.labels.max(initial=-1)) + 1
        kept = self.promises(made.rows).kept(np.arange(len(made.rows)), made.labels, n_groups)
        return n_groups > 0 and bool(kept.all())

    def lost(self, made: RecordGroups) -> float:
        """Return the squared distances of all records to the means of their groups; withheld ones have their cost."""
        points = self.whole_points[made.rows]
        distances = points - group_means(points, made.labels)[made.labels]
        return float((distances**2).sum()) + self.cost * (len(self.table) - len(made.rows))
