"""The method ``top-down``: everything is told as the root, then ever more exactly, group by group.

*Definition.* All records begin in one group with every quasi-identifier at its root. A group is told one level more
exactly in the attribute in which that saves most; records that would break a promise are pushed back
(:mod:`.specialization`). What was pushed back may still be told more exactly in other attributes. It ends when no group
can go on. In groups of at most ``looked_ahead`` records every possible step is carried through to the end before one is
taken, which costs time and saves more.

*Guarantee.* Any promise that joining groups never breaks; every group that is made is judged before it is made. It is a
heuristic: valid, and not the least loss possible.

*Reference.* Thesis ch. 3, Algorithm 1, for one quasi-identifier. It leaves open which of several to take, and which
records to lift: here the fewest with which both sides keep the promises.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.grouping import canonical_order
from shoal.anonymizers.promises import GroupPromises, refuse_unjoinable
from shoal.anonymizers.withholding import Allowance
from shoal.data import Hierarchy, Microdata, Records
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.labels import halved_hierarchy
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .group_labels import group_labels
from .local_search import LocalSearch
from .specialization import LabeledGroups, Specialization, Steps
from .stretch_costs import StretchCosts

__all__ = ["TopDown"]

_SPREAD = 0.1
"""What a record costs for each bit by which a step scatters it, in shares of the cost of an attribute."""

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe does not tell them."
)

_AT_ONCE = 200_000
"""Records that look ahead at once."""


@methods.add
@dataclass(frozen=True)
class TopDown(Anonymizer):
    """Steps down the hierarchies, the one that saves most first."""

    name: ClassVar[str] = "top-down"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    looked_ahead: int = 300
    """Groups of at most so many records try every step to its end."""
    numbers: Literal["halved", "hierarchy"] = "halved"
    """Whether intervals of numbers are halved between and below the levels of their hierarchy, or follow it alone."""
    labels: Literal["safe", "tight"] = "safe"
    """Whether numbers are told by labels that do not depend on the records, or by the range that a group has."""
    search: int = 20
    """For so many rounds at most better groups are searched for after the descent."""

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
        spare: int,
    ) -> Recoding:
        refuse_unjoinable(self.name, models)
        table = cast(Microdata, records)
        hierarchies = self._hierarchies(TableLattice(table, engine))
        promises = GroupPromises(table, models, engine)
        order = canonical_order(table, randomness)
        groups = np.zeros(len(table), np.int64)
        if len(order) and promises.keeps(order):
            codes = [column.codes for column in table.quasi_identifiers]
            down = Specialization(codes, hierarchies, promises, _SPREAD)
            _Descent(down, self.looked_ahead).run(order, groups)
            if self.search:
                allowance = Allowance.of(table, spare)
                groups = self._searched(table, hierarchies, promises, models, engine, groups, order, allowance)
        withheld = groups < 0
        apart = np.where(withheld, groups.max(initial=0) + 1, groups)  # they must not widen the label of others
        published = group_labels(table, hierarchies, apart, tight=self.labels == "tight")
        remarks = (_TIGHT,) if self.labels == "tight" else ()
        return Recoding(published, remarks=remarks, withheld=withheld if withheld.any() else None)

    def _searched(
        self,
        table: Microdata,
        hierarchies: Sequence[Hierarchy],
        promises: GroupPromises,
        models: Sequence[PrivacyModel],
        engine: Engine,
        groups: np.ndarray,
        order: np.ndarray,
        allowance: Allowance,
    ) -> np.ndarray:
        """Return better groups, and then such as withholding makes better still."""
        costs = StretchCosts.of(table.quasi_identifiers, hierarchies, order, tight=self.labels == "tight")
        search = LocalSearch(table, costs, promises, order)
        groups = search.improved(groups, self.search, Allowance(0, 0))
        if not allowance.records:
            return groups
        fewer = search.improved(groups, self.search, allowance)
        staying = np.flatnonzero(fewer >= 0)
        left, numbers = np.unique(fewer[staying], return_inverse=True)
        # promises that look at all records have been judged beside those that are withheld, too
        kept = GroupPromises(table.take(staying), models, engine).kept(
            np.arange(len(staying)), numbers.ravel(), len(left)
        )
        return fewer if kept.all() else groups

    def _hierarchies(self, lattice: TableLattice) -> Sequence[Hierarchy]:
        if self.numbers == "hierarchy":
            return lattice.hierarchies
        columns = lattice.table.quasi_identifiers
        return [halved_hierarchy(column.hierarchy, column.vocabulary).hierarchy for column in columns]


class _Descent:
    """One run."""

    def __init__(self, down: Specialization, ahead: int) -> None:
        self._down, self._ahead = down, ahead

    def run(self, order: np.ndarray, group_of: np.ndarray) -> None:
        """Go down until no group can go on; write the group of each record."""
        closed = np.zeros((1, self._down.n_attributes), bool)
        groups = LabeledGroups(order, np.array([0, len(order)]), closed, np.zeros(1, np.int64))
        done = 0
        with stage("telling more exactly", len(order)) as progress:
            while len(groups):
                levels = self._down.levels(groups)
                steps = self._down.steps(groups, levels)
                goes = steps.n_possible > 0
                attributes = steps.worth.argmax(axis=1)
                near = (groups.sizes <= self._ahead) & (steps.n_possible > 1)
                for some in _blocks(near, groups.sizes):
                    attributes[some] = self._looked_ahead(groups, steps, some)
                here = ~np.repeat(goes, groups.sizes)
                group_of[groups.rows[here]] = done + groups.group_of[here]
                done += len(groups)
                progress.advance(int(here.sum()))
                groups = steps.taken(groups, goes, attributes)

    def _looked_ahead(self, groups: LabeledGroups, steps: Steps, some: np.ndarray) -> np.ndarray:
        """Carry every step of some groups through to the end; give the attribute of each that costs least then."""
        owners = np.arange(len(groups) * steps.worth.shape[1]).reshape(steps.worth.shape)
        tried = []
        for attribute in range(steps.worth.shape[1]):
            chosen = np.zeros(len(groups), bool)
            chosen[some] = steps.possible[some, attribute]
            if chosen.any():
                owned = groups.owned(owners[:, attribute])
                tried.append(steps.taken(owned, chosen, np.full(len(groups), attribute)))
        costs = np.full(owners.size, 0.0)
        self._carry_through(LabeledGroups.joined(tried), costs)
        left = np.where(steps.possible, costs.reshape(owners.shape), np.inf)[some]
        # what costs the same but for the order in which it was added up is the same
        least = np.round(left, 9) == np.round(left.min(axis=1, keepdims=True), 9)
        return np.where(least, steps.worth[some], -np.inf).argmax(axis=1)

    def _carry_through(self, groups: LabeledGroups, costs: np.ndarray) -> None:
        """Always take the next step that saves most; add what is left in the end to what the owners cost."""
        while len(groups):
            levels = self._down.levels(groups)
            steps = self._down.steps(groups, levels)
            goes = steps.n_possible > 0
            np.add.at(costs, groups.owners[~goes], self._down.costs(groups, levels)[~goes])
            groups = steps.taken(groups, goes, steps.worth.argmax(axis=1))


def _blocks(chosen: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Return the chosen groups, so many at a time that looking ahead from them fits into memory."""
    groups = np.flatnonzero(chosen)
    blocks = np.cumsum(sizes[groups]) // _AT_ONCE
    for block in np.unique(blocks):
        yield groups[blocks == block]
