"""The groups of a cut, and whether a specialization leaves groups that keep the promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.generalization.withheld_groups import broken_groups, withheld_groups
from shoal.anonymizers.promises import GroupPromises, are_kept_upward
from shoal.data import Microdata
from shoal.engines import Engine
from shoal.evidence import numbered_codes, people_by_class
from shoal.models import PrivacyModel

__all__ = ["Partition", "PartitionJudge"]


@dataclass(frozen=True, eq=False)
class Partition:
    """Records by group; those of a group have the same labels. A number may be of no group, and has nobody then."""

    groups: np.ndarray
    """The group of each record."""
    people: np.ndarray
    """The number of people of each group."""
    gone: np.ndarray
    """The mask of the groups that break a promise and would be withheld."""

    @cached_property
    def is_whole(self) -> bool:
        """Whether nothing is withheld."""
        return not self.gone.any()

    @cached_property
    def smallest(self) -> int:
        """The size of the smallest group that is published, in people."""
        return int(self.people[~self.gone & (self.people > 0)].min())

    def renumbered(self) -> "Partition":
        """Return the same groups, numbered without gaps."""
        groups, counts = numbered_codes(self.groups)
        places = np.empty(len(counts), np.int64)
        places[groups] = self.groups
        return Partition(groups, self.people[places], self.gone[places])


class PartitionJudge:
    """Decides whether the groups of cuts keep the promises, with as many records withheld as allowed."""

    def __init__(
        self, table: Microdata, models: Sequence[PrivacyModel], engine: Engine, max_withheld: Allowance
    ) -> None:
        self._promises, self._models = GroupPromises(table, models, engine), models
        self._persons, self._max_withheld = table.persons, max_withheld
        self._rows = np.arange(len(table))
        self.is_final = are_kept_upward(
            models, withholding=max_withheld.records > 0, in_people=table.has_repeated_people
        )
        """Whether a specialization that breaks a promise breaks it after any others as well."""

    def of_one_group(self) -> Partition | None:
        """Return all records as one group; None where that breaks a promise."""
        return self._judged(np.zeros(len(self._rows), np.int64))

    def parted(self, partition: Partition, rows: np.ndarray, parts: np.ndarray) -> Partition | None:
        """Part the groups that these rows make up by ``parts``, one number a row; None where that breaks a promise."""
        own = partition.groups[rows]
        numbers, counts = numbered_codes(own * (int(parts.max()) + 1) + parts)
        kept = partition.is_whole and bool(self._promises.kept(rows, numbers, len(counts)).all())
        if not kept and not self._max_withheld.records:
            return None
        groups = partition.groups.copy()
        groups[rows] = len(partition.people) + numbers
        if not kept:
            return self._judged(numbered_codes(groups)[0])
        before = partition.people.copy()
        before[own] = 0
        persons = None if self._persons is None else self._persons[rows]
        people = np.concatenate([before, people_by_class(numbers, len(counts), persons)])
        return Partition(groups, people, np.zeros(len(people), bool))

    def _judged(self, groups: np.ndarray) -> Partition | None:
        counts = self._promises.counted(self._rows, groups, int(groups.max()) + 1)
        broken = broken_groups(counts, self._models)
        gone = withheld_groups(counts, broken, self._models, lambda mask: self._may_withhold(mask[groups]))
        if gone.all() or not self._may_withhold(gone[groups]):
            return None
        return Partition(groups, counts.sizes, gone)

    def _may_withhold(self, records: np.ndarray) -> bool:
        return self._max_withheld.covers(records, self._persons)
