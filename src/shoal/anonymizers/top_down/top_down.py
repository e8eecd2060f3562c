"""The method ``top-down``: local recoding that begins at the root and specializes group by group.

*Definition.* All records begin in one group with every quasi-identifier at its root. A group takes the attribute down
one level in which that saves most; records that would break a promise are pushed back (:mod:`.specialization`), and may
still be specialized in other attributes. The descent ends when no group can go on. In groups of at most
``looked_ahead`` records every possible step is carried through to the end before one is taken, which costs time and
saves more. A local search (:mod:`.local_search`) then improves the groups.

*Guarantee.* Any promise that merging groups never breaks; every group is judged before it is made. It is a heuristic:
the result is valid, not of least information loss.

*Reference.* Thesis ch. 3, Algorithm 1, for one quasi-identifier. It leaves open which of several attributes to take,
and which records to lift: here the fewest with which both sides keep the promises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import NOTHING_WITHHELD, Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.group_labels import group_labels
from shoal.anonymizers.generalization.table_lattice import all_or_nothing
from shoal.anonymizers.promises import GroupPromises, refuse_unless_merge_safe
from shoal.data import Column, Hierarchy, Microdata, Records
from shoal.engines import Engine
from shoal.errors import SchemaError, WordingError
from shoal.labels import halved_hierarchy
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .descent import Descent
from .local_search import LocalSearch
from .specialization import Specialization
from .stretch_costs import StretchCosts

__all__ = ["TopDown"]

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe does not reveal them."
)


@methods.add
@dataclass(frozen=True)
class TopDown(Anonymizer):
    """Steps down the hierarchies, the one that saves most first."""

    name: ClassVar[str] = "top-down"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    looked_ahead: int = 300
    """The largest group, in records, that tries every step to its end."""
    numbers: Literal["halved", "hierarchy"] = "halved"
    """Whether intervals of numbers are halved between and below the levels of their hierarchy, or follow it only."""
    labels: Literal["safe", "tight"] = "safe"
    """Whether numbers get labels whose texts do not depend on the records, or the range of their group."""
    search: int = 20
    """The most rounds of the local search after the descent."""

    def __post_init__(self) -> None:
        if self.looked_ahead < 0:
            raise WordingError("top-down needs a number of records to look ahead for of at least 0.")
        if self.search < 0:
            raise WordingError("top-down needs a number of rounds to search for of at least 0.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(looked_ahead=0))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        refuse_unless_merge_safe(self.name, models)
        table = cast(Microdata, records)
        if not table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalize.", "Give columns that role in the schema.")
        hierarchies = self.hierarchies(table.quasi_identifiers)
        promises = GroupPromises(table, models, engine)
        order = canonical_order(table, randomness)
        groups = np.zeros(len(table), np.int64)
        if len(order) and promises.keeps(order):
            codes = [column.codes for column in table.quasi_identifiers]
            Descent(Specialization(codes, hierarchies, promises), engine, self.looked_ahead).run(order, groups)
            if self.search:
                costs = StretchCosts.of(table.quasi_identifiers, hierarchies, order, tight=self.labels == "tight")
                search = LocalSearch(table, costs, promises, order)
                groups = search.improved(groups, self.search, NOTHING_WITHHELD)
                if max_withheld.records:
                    fewer = search.improved(groups, self.search, max_withheld)
                    groups = fewer if _keep_without_withheld(fewer, table, models, engine) else groups
        withheld = groups < 0
        apart = np.where(withheld, groups.max(initial=0) + 1, groups)  # they must not widen the label of others
        published = group_labels(table, hierarchies, apart, tight=self.labels == "tight")
        return Recoding(published, remarks=self.remarks, withheld=withheld if withheld.any() else None)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the owner is told of these settings."""
        return (_TIGHT,) if self.labels == "tight" else ()

    def hierarchies(self, columns: Sequence[Column]) -> list[Hierarchy]:
        """Return the hierarchies that quasi-identifiers go down."""
        if self.numbers == "hierarchy":
            return [column.hierarchy or all_or_nothing(column) for column in columns]
        return [halved_hierarchy(column.hierarchy, column.vocabulary).hierarchy for column in columns]


def _keep_without_withheld(
    groups: np.ndarray, table: Microdata, models: Sequence[PrivacyModel], engine: Engine
) -> bool:
    """Decide whether the groups keep the promises once the records of group −1 are withheld.

    Promises relative to all records were judged together with those that are withheld.
    """
    staying = np.flatnonzero(groups >= 0)
    left, numbers = np.unique(groups[staying], return_inverse=True)
    promises = GroupPromises(table.take(staying), models, engine)
    return bool(promises.kept(np.arange(len(staying)), numbers.ravel(), len(left)).all())
