"""The method ``microaggregation``: records of a group get the same values, those in its middle.

*Definition.* Records are points (:mod:`.record_points`), and groups of at least k points are made: by ``mdav`` around
points far out (:mod:`shoal.kernels.clustering.mdav`), by ``v-mdav`` the same with groups that grow where others are farther
(:mod:`shoal.kernels.clustering.mdav`), by ``approximate`` as by ``mdav`` from the key attributes alone, and by
``refined`` from those of ``mdav`` (:mod:`.first_groups`), made better by exchanging, moving and annealing
(:mod:`.refined_groups`). In every group each quasi-identifier is told by its mean, median or most common value
(:mod:`.group_centroids`).

Where records may be withheld, those are that lie so far out that their groups lose more by them than is lost without
them (:mod:`.far_points`). What is lost is the sum of squared distances to the means of groups; a withheld record
counts what one loses on average where all are told by one mean. What loses more than with all records is not taken.

*Guarantee.* k-anonymity, whatever the k promised and given, and with it any promise that joining groups never breaks:
groups that break it join their neighbors. With distinct l-diversity and p-sensitive k-anonymity, ``refined`` takes
them apart again as far as they allow.

*Reference.* Thesis ch. 5. What it calls approximate loses two to three times as much as ``mdav`` on the reference
tables, not "a little bit more"; it is here because it is quicker, and is never the default.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.grouping import canonical_order
from shoal.anonymizers.promises import GroupPromises, refuse_unjoinable
from shoal.anonymizers.withholding import Allowance, chosen_removals, with_left_out
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError, WordingError
from shoal.evidence import BINS, column_keys
from shoal.kernels.clustering.mdav import mdav_groups, variable_groups
from shoal.kernels.numbering import distinct_keys
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .record_groups import RecordGrouping, RecordGroups, far_points, group_centroids
from .refined_groups import refined_groups
from .standardized_points import first_groups, joined_groups, record_points

__all__ = ["Microaggregation"]

_SHARES = (1, 2, 4)
"""All that seem to pay are left out, and the best half and quarter of what may be: some pay only without others."""
_TOO_SHORT = "The time was too short to work on all groups: give more, and they will be closer."


@methods.add
@dataclass(frozen=True)
class Microaggregation(Anonymizer):
    """Groups of near records, told by what is in their middle."""

    name: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    truthful: ClassVar[bool] = False
    heeds_rows: ClassVar[bool] = False

    k: int | None = None
    """How many people a group is of at least; as many as the promises need unless that is more."""
    method: Literal["refined", "mdav", "v-mdav", "approximate"] = "refined"
    gamma: Fraction = Fraction(1, 5)
    """Of v-mdav: how eagerly groups grow; 0 not at all."""
    bins: int = BINS
    """Of approximate: into how many bins of equal frequency numbers are put to see what columns tell of each other."""
    passes: int = 20
    """Of refined: how often all groups are worked on where no time is given."""
    time: int | None = None
    """Of refined: how many seconds it all takes, however many passes that is."""

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 2:
            raise WordingError("microaggregation needs a k of at least 2: a group of one tells everything.")
        if self.gamma < 0:
            raise WordingError("microaggregation needs a gamma of at least 0.")
        if self.bins < 2:
            raise WordingError("microaggregation needs at least 2 bins.")
        if self.passes < 0:
            raise WordingError("microaggregation needs a number of passes of at least 0.")
        if self.time is not None and self.time < 1:
            raise WordingError("microaggregation needs a time of at least one second.")
        if self.time is not None and self.method != "refined":
            raise WordingError(f"microaggregation by {self.method} takes the time it takes.", "Leave out the time.")

        for name, of in (("gamma", "v-mdav"), ("bins", "approximate"), ("passes", "refined")):
            if getattr(self, name) != getattr(Microaggregation, name) and self.method != of:
                raise WordingError(f"microaggregation by {self.method} knows no {name}.", f"Say method={of}.")
        if self.time is not None and self.passes != Microaggregation.passes:
            raise WordingError("microaggregation takes a time or a number of passes.", "Leave one of them out.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(passes=2),
            cls(method="mdav"),
            cls(method="v-mdav", gamma=Fraction(11, 10)),
            cls(method="approximate", k=3),
        )

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        spare: int,
    ) -> Recoding:
        began = time.monotonic()
        table = cast(Microdata, records)
        refuse_unjoinable(self.name, models)
        if not table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to tell by its mean.", "Give columns that role.")
        if not len(table):
            return Recoding(table)
        columns = table.quasi_identifiers
        keys = column_keys(columns, self.bins) if self.method == "approximate" else tuple(range(len(columns)))
        order = canonical_order(table, randomness)
        # equal points lie together: the tree is quicker then
        order = order[np.lexsort([columns[key].codes[order] for key in reversed(keys)])]
        ordered = table.take(order)
        points = record_points([ordered.quasi_identifiers[key] for key in keys])
        deadline = None
        if self.time is not None:
            # telling the groups will take about as long as getting so far has
            deadline = 2 * began + self.time - time.monotonic()
        grouping = RecordGrouping(ordered, points, models, engine, randomness)
        made = self._made(grouping, Allowance.of(table, spare), deadline)
        notes = {"key attributes": len(keys)} if self.method == "approximate" else {}
        published = _published(table, order[made.rows], made.labels)
        return replace(published, notes=notes, remarks=() if made.whole else (_TOO_SHORT,))

    def _made(self, grouping: RecordGrouping, allowance: Allowance, deadline: float | None) -> RecordGroups:
        """Group all records, or those that are left where withholding some loses less."""
        leaving = self._worth_leaving(grouping, allowance)
        if not len(leaving):
            return self.grouped(grouping, grouping.everybody, deadline)
        # with a time, half of it is for either
        half = None if deadline is None else (time.monotonic() + deadline) / 2
        made = self.grouped(grouping, grouping.everybody, half)
        fewer = self.grouped(grouping, grouping.without(leaving), deadline)
        return fewer if grouping.keeps(fewer) and grouping.lost(fewer) < grouping.lost(made) else made

    def _worth_leaving(self, grouping: RecordGrouping, allowance: Allowance) -> np.ndarray:
        """Return the rows without which less is lost, as far as groups that are quickly made can tell."""
        leaving = np.zeros(0, np.int64)
        if not allowance.records:
            return leaving
        quick = replace(self, passes=0, time=None) if self.method == "refined" else self
        made = quick.grouped(grouping, grouping.everybody, None)
        removals = far_points(grouping.whole_points, made.labels, grouping.units, grouping.cost)
        least = grouping.lost(made)
        for share in _SHARES:
            some = Allowance(allowance.records // share, allowance.people // share)
            rows = chosen_removals(removals, some, grouping.table.persons)
            if not len(rows):
                break
            fewer = quick.grouped(grouping, grouping.without(rows), None)
            if grouping.keeps(fewer) and grouping.lost(fewer) < least:
                least, leaving = grouping.lost(fewer), rows
        return leaving

    def grouped(self, grouping: RecordGrouping, rows: np.ndarray, deadline: float | None) -> RecordGroups:
        """Return each of these rows its group, and say whether there was time to work on all of them."""
        table, points = grouping.rest(rows), grouping.points[rows]
        promises, randomness = grouping.promises(rows), grouping.randomness
        if table.persons is None:
            distinct = _distinct_values(table, grouping.models)
            labels, whole = self._of_points(points, promises, randomness, deadline, distinct)
        else:
            # a person's records stay together, so that k people are k, however many records they have
            persons, found = distinct_keys(table.persons)
            means = np.stack([np.bincount(persons, axis) for axis in points.T], axis=1)
            means /= np.bincount(persons, minlength=found)[:, None]
            labels, whole = self._of_points(means, promises, randomness, deadline, _no_values(found))
            labels = labels[persons]
        return RecordGroups(rows, labels if promises.by_size else joined_groups(points, labels, promises), whole)

    def _of_points(
        self,
        points: np.ndarray,
        promises: GroupPromises,
        randomness: Randomness,
        deadline: float | None,
        distinct: tuple[np.ndarray, np.ndarray],
    ) -> tuple[np.ndarray, bool]:
        """Group points by number, and in ``refined`` by the values that are to be distinct."""
        k = max(self.k or 2, promises.fewest)
        whole = True
        if self.method == "refined":
            labels = first_groups(points, k, deadline)
            values, least = distinct
            if len(least):
                labels = joined_groups(points, labels, promises)
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
    """Tell these rows by what is in the middle of their groups, and withhold all others."""
    order = np.argsort(rows)
    rows, labels = rows[order], labels[order]
    rest = table if len(rows) == len(table) else table.take(rows)
    published = rest.replaced(tuple(group_centroids(column, labels) for column in rest.quasi_identifiers))
    return with_left_out(table, rows, published)


def _distinct_values(table: Microdata, models: Sequence[PrivacyModel]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sensitive values that are to be distinct, column by column, and how many at least."""
    fewest = max((model.sufficient_values or 0 for model in models), default=0)
    if not fewest or not table.sensitive:
        return _no_values(len(table))
    values = np.stack([column.codes for column in table.sensitive], axis=1)
    return values, np.full(values.shape[1], fewest)


def _no_values(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty((n, 0), np.int32), np.empty(0, np.int64)
