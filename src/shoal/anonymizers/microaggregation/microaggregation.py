"""The method ``microaggregation``: the values of a record are replaced by the centroid of its group.

*Definition.* Records are points (:mod:`.standardized_points`), and groups of at least k points are made: by ``mdav``
around distant points (:mod:`shoal.kernels.clustering.mdav`), by ``v-mdav`` the same with groups that grow where other
points are farther away, by ``approximate`` as by ``mdav`` on the key attributes only, and by ``refined`` from the
groups of ``mdav`` (:mod:`.initial_groups`), improved by exchanges, moves and annealing (:mod:`.refined_groups`). In
every group each quasi-identifier is replaced by its mean, median or mode (:mod:`.centroids`).

With ``blocks``, a table of many records is first cut into blocks (:mod:`.blocks`). Each is grouped by itself, with
distances as in the whole table, and nothing is withheld. No group crosses blocks, so it loses more.

Where records may be withheld, outliers are whose groups lose more by them than their withholding costs
(:mod:`.record_groups`). The loss is the sum of squared distances to the means of groups; a withheld record counts as
much as a record loses on average where all are one group. Withholding that does not lower the loss is not done.

*Guarantee.* k-anonymity, for the larger of the k promised and the k set, and with it any merge-safe promise: groups
that break it are merged with their neighbors. With distinct l-diversity and p-sensitive k-anonymity, ``refined`` splits
them again as far as these allow.

*Reference.* Thesis ch. 5. Its approximate method loses two to three times as much as ``mdav`` on the reference tables,
not "a little bit more"; it is here because it is faster, and is never the default.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.promises import GroupPromises, refuse_unless_merge_safe
from shoal.anonymizers.withholding import chosen_removals, withholding_all_but
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError, WordingError
from shoal.evidence import BINS, GroupCounts, column_keys
from shoal.kernels.clustering.mdav import mdav_groups, variable_groups
from shoal.models import PrivacyModel
from shoal.models.k_anonymity import groups_of_at_least
from shoal.progress import stage
from shoal.randomness import Randomness

from .blocks import table_blocks
from .centroids import group_centroids
from .initial_groups import initial_groups, merged_groups
from .people_in_order import people_in_order
from .record_groups import RecordGrouping, RecordGroups, outlier_removals
from .refined_groups import refined_groups
from .standardized_points import standardized_points

__all__ = ["Microaggregation"]

_DIVISORS = (1, 2, 4)
"""All records that seem to pay are tried, and the best half and quarter: some pay only without others."""
_TOO_SHORT = "The time was too short to refine all groups: with more time they lose less."


@methods.add
@dataclass(frozen=True)
class Microaggregation(Anonymizer):
    """Groups of similar records, each published as the centroid of its group."""

    name: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    truthful: ClassVar[bool] = False
    heeds_rows: ClassVar[bool] = False

    k: int | None = None
    """The least number of people in a group; the promises may need more."""
    method: Literal["refined", "mdav", "v-mdav", "approximate"] = "refined"
    gamma: Fraction = Fraction(1, 5)
    """Of v-mdav: how readily groups grow; 0 not at all."""
    bins: int = BINS
    """Of approximate: the number of bins of equal frequency for numbers, to measure the dependence of columns."""
    passes: int = 20
    """Of refined: the number of passes over all groups where no time is set."""
    time: int | None = None
    """Of refined: the seconds for everything, however many passes that is."""
    blocks: int | None = None
    """The most records of a block, which is aggregated by itself; unless said, all records are one block."""

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 2:
            raise WordingError("microaggregation needs a k of at least 2: a group of one is published unchanged.")
        if self.gamma < 0:
            raise WordingError("microaggregation needs a gamma of at least 0.")
        if self.bins < 2:
            raise WordingError("microaggregation needs at least 2 bins.")
        if self.passes < 0:
            raise WordingError("microaggregation needs a number of passes of at least 0.")
        if self.time is not None and self.time < 1:
            raise WordingError("microaggregation needs a time of at least one second.")
        if self.time is not None and self.method != "refined":
            raise WordingError(f"microaggregation by {self.method} knows no time.", "Leave out the time.")

        for name, of in (("gamma", "v-mdav"), ("bins", "approximate"), ("passes", "refined")):
            if getattr(self, name) != getattr(Microaggregation, name) and self.method != of:
                raise WordingError(f"microaggregation by {self.method} knows no {name}.", f"Say method={of}.")
        if self.time is not None and self.passes != Microaggregation.passes:
            raise WordingError("microaggregation takes a time or a number of passes.", "Leave one of them out.")
        if self.blocks is not None and self.blocks < 1:
            raise WordingError("microaggregation needs blocks of at least one record.")
        if self.blocks is not None and self.time is not None:
            raise WordingError("microaggregation takes a time or blocks.", "Leave one of them out.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(passes=2),
            cls(method="mdav"),
            cls(method="v-mdav", gamma=Fraction(11, 10)),
            cls(method="approximate", k=3),
            cls(method="mdav", blocks=4),
        )

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        began = time.monotonic()
        table = cast(Microdata, records)
        refuse_unless_merge_safe(self.name, models)
        if not table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to aggregate.", "Give columns that role in the schema.")
        if not len(table):
            return Recoding(table)
        if self.blocks is not None:
            return _published(table, np.arange(len(table)), self._groups_in_blocks(table, models, engine, randomness))
        grouping, order, keys = self._grouping(table, models, engine, randomness)
        deadline = None
        if self.time is not None:
            # publishing the groups will take about as long as the preparation did
            deadline = 2 * began + self.time - time.monotonic()
        made = self._made(grouping, max_withheld, deadline)
        notes = {"key attributes": len(keys)} if self.method == "approximate" else {}
        published = _published(table, order[made.rows], made.labels)
        return replace(published, notes=notes, remarks=() if made.whole else (_TOO_SHORT,))

    def _grouping(
        self,
        table: Microdata,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        everybody: GroupCounts | None = None,
    ) -> tuple[RecordGrouping, np.ndarray, tuple[int, ...]]:
        """Return the task for records in another order, this order, and the columns by which records are compared."""
        columns = table.quasi_identifiers
        keys = column_keys(columns, self.bins) if self.method == "approximate" else tuple(range(len(columns)))
        order = canonical_order(table, randomness)
        # equal points are adjacent, which makes the tree faster
        order = order[np.lexsort([columns[key].codes[order] for key in reversed(keys)])]
        ordered = table.take(order)
        points = standardized_points([ordered.quasi_identifiers[key] for key in keys])
        return RecordGrouping(ordered, points, models, engine, randomness, everybody), order, keys

    def of_blocks(self, models: Sequence[PrivacyModel]) -> list[PrivacyModel]:
        """Return the promises that every block must keep as one group."""
        return [*models, groups_of_at_least(self.k or 2)]

    def groups_of_block(
        self,
        block: Microdata,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        everybody: GroupCounts,
    ) -> np.ndarray:
        """Return the group of each record of a block, from 0 on; ``everybody`` are the records of all blocks."""
        grouping, order, _ = self._grouping(block, models, engine, randomness, everybody)
        made = self.grouped(grouping, grouping.everybody, None)
        groups = np.empty(len(block), np.int64)
        groups[order[made.rows]] = made.labels
        return groups

    def _groups_in_blocks(
        self, table: Microdata, models: Sequence[PrivacyModel], engine: Engine, randomness: Randomness
    ) -> np.ndarray:
        """Return the group of each record, which is one of its block."""
        everybody = GroupPromises(table, models, engine).everybody
        groups, n_groups = np.empty(len(table), np.int64), 0
        for rows, block in table_blocks(table, self.of_blocks(models), engine, cast(int, self.blocks)):
            own = self.groups_of_block(block, models, engine, randomness, everybody)
            groups[rows] = n_groups + own
            n_groups += int(own.max()) + 1
        return groups

    def _made(self, grouping: RecordGrouping, allowance: Allowance, deadline: float | None) -> RecordGroups:
        """Group all records, or all but some whose withholding lowers the loss."""
        leaving = self._outliers(grouping, allowance)
        if not len(leaving):
            return self.grouped(grouping, grouping.everybody, deadline)
        # half of the time is for either grouping
        half = None if deadline is None else (time.monotonic() + deadline) / 2
        made = self.grouped(grouping, grouping.everybody, half)
        fewer = self.grouped(grouping, grouping.without(leaving), deadline)
        return fewer if grouping.keeps(fewer) and grouping.loss(fewer) < grouping.loss(made) else made

    def _outliers(self, grouping: RecordGrouping, allowance: Allowance) -> np.ndarray:
        """Return the rows whose withholding lowers the loss, judged by a quick grouping."""
        leaving = np.zeros(0, np.int64)
        if not allowance.records:
            return leaving
        quick = replace(self, passes=0, time=None) if self.method == "refined" else self
        made = quick.grouped(grouping, grouping.everybody, None)
        removals = outlier_removals(grouping.whole_points, made.labels, grouping.units, grouping.cost)
        least = grouping.loss(made)
        for divisor in _DIVISORS:
            rows = chosen_removals(removals, allowance.divided(divisor), grouping.table.persons)
            if not len(rows):
                break
            fewer = quick.grouped(grouping, grouping.without(rows), None)
            if grouping.keeps(fewer) and grouping.loss(fewer) < least:
                least, leaving = grouping.loss(fewer), rows
        return leaving

    def grouped(self, grouping: RecordGrouping, rows: np.ndarray, deadline: float | None) -> RecordGroups:
        """Group these rows, as far as there is time until the deadline."""
        table, points = grouping.rest(rows), grouping.points[rows]
        promises, randomness = grouping.promises(rows), grouping.randomness
        if table.persons is None:
            distinct = _distinct_values(table, grouping.models)
            labels, whole = self._of_points(points, promises, randomness, deadline, distinct)
        else:
            # a person's records stay together, so that a group of k persons is one of k people
            persons, found = people_in_order(table, randomness)
            means = np.stack([np.bincount(persons, axis) for axis in points.T], axis=1)
            means /= np.bincount(persons, minlength=found)[:, None]
            labels, whole = self._of_points(means, promises, randomness, deadline, _no_values(found))
            labels = labels[persons]
        return RecordGroups(rows, labels if promises.by_size else merged_groups(points, labels, promises), whole)

    def _of_points(
        self,
        points: np.ndarray,
        promises: GroupPromises,
        randomness: Randomness,
        deadline: float | None,
        distinct: tuple[np.ndarray, np.ndarray],
    ) -> tuple[np.ndarray, bool]:
        """Group points; ``refined`` also keeps the sensitive values of a group ``distinct``."""
        k = max(self.k or 2, promises.fewest)
        whole = True
        if self.method == "refined":
            labels = initial_groups(points, k, deadline)
            values, least = distinct
            if len(least):
                labels = merged_groups(points, labels, promises)
            labels, whole = refined_groups(
                points,
                labels,
                k,
                randomness.generator("microaggregation"),
                passes=self.passes,
                deadline=deadline,
                values=values,
                least=least,
            )
        else:
            with stage("grouping records"):
                gamma = float(self.gamma)
                labels = variable_groups(points, k, gamma) if self.method == "v-mdav" else mdav_groups(points, k)
        return labels, whole


def _published(table: Microdata, rows: np.ndarray, labels: np.ndarray) -> Recoding:
    """Publish these rows as the centroids of their groups, and withhold all others."""
    order = np.argsort(rows)
    rows, labels = rows[order], labels[order]
    rest = table if len(rows) == len(table) else table.take(rows)
    published = rest.replaced(tuple(group_centroids(column, labels) for column in rest.quasi_identifiers))
    return withholding_all_but(table, rows, published)


def _distinct_values(table: Microdata, models: Sequence[PrivacyModel]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sensitive values by column, and how many distinct ones each group must have."""
    fewest = max((model.sufficient_values or 0 for model in models), default=0)
    if not fewest or not table.sensitive:
        return _no_values(len(table))
    values = np.stack([column.codes for column in table.sensitive], axis=1)
    return values, np.full(values.shape[1], fewest)


def _no_values(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty((n, 0), np.int32), np.empty(0, np.int64)
