"""The method ``greedy-clustering``: clusters are built one by one, and each is published under its own labels.

*Definition.* The first cluster begins with a record drawn at random, each other one with the record left that would
cost the cluster before it most. As long as a cluster has too few different sensitive values, the record joins that
brings most new ones, and of several the one that costs least; then the one that costs least, until the cluster has
enough records. A cluster that breaks a promise still is given more records, of sensitive values that it has too few of
(:mod:`.growth`). Records that make no cluster any more join the one whose total cost grows least by each. What a
cluster costs is the information loss of the authors (:mod:`.record_kinds`).

*Guarantee.* Any promise that merging groups cannot break: clusters that break one after all are merged. It is a
heuristic: the result is valid, not of least information loss.

*Reference.* Campan, Truta, Miller, Sinca 2007 (GreedyPKClustering), for p-sensitive k-anonymity; Truta, Campan, Meyer
2007 compare with it. Where descriptions of it differ, see ``docs/reference/methods/greedy-clustering.md``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.group_labels import group_labels
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import GroupPromises, refuse_unless_merge_safe
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.labels import halved_hierarchy
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .growth import ClusterGrowth
from .left_over import dispersed, merged
from .record_kinds import RecordKinds

__all__ = ["GreedyClustering"]

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe does not reveal them."
)


@methods.add
@dataclass(frozen=True)
class GreedyClustering(Anonymizer):
    """Builds clusters one by one, of the records that cost each least."""

    name: ClassVar[str] = "greedy-clustering"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    fill: Literal["closest", "sparing"] = "closest"
    """Which records fill a cluster that has enough sensitive values: any, or first those that bring no new ones."""
    labels: Literal["safe", "tight"] = "safe"
    """Whether numbers get labels whose texts do not depend on the records, or the range of their cluster."""

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(fill="sparing", labels="tight"))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        refuse_unless_merge_safe(self.name, models)
        table = cast(Microdata, records)
        lattice = TableLattice(table, engine)
        clusters = self._clusters(lattice, models, randomness)
        columns = table.quasi_identifiers
        halved = [halved_hierarchy(column.hierarchy, column.vocabulary).hierarchy for column in columns]
        published = group_labels(table, halved, clusters, tight=self.labels == "tight")
        return Recoding(published, remarks=(_TIGHT,) if self.labels == "tight" else ())

    def _clusters(self, lattice: TableLattice, models: Sequence[PrivacyModel], randomness: Randomness) -> np.ndarray:
        """Return the cluster of each record; all are in one where they do not keep the promises together."""
        table = lattice.table
        promises = GroupPromises(table, models, lattice.engine)
        order = canonical_order(table, randomness)
        if not len(order) or not promises.keeps(order):
            return np.zeros(len(table), np.int64)
        kinds = RecordKinds.of(table, lattice.hierarchies, models, order)
        first = order[randomness.generator("first cluster").integers(len(order))]
        growth = ClusterGrowth(kinds, models, promises, sparing=self.fill == "sparing")
        clusters = dispersed(kinds, growth.grown(int(first)))
        return np.zeros(len(table), np.int64) if clusters.min() < 0 else merged(kinds, clusters, promises)
