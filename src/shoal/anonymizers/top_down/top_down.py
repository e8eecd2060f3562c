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

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import NOTHING_WITHHELD, Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.canonical_order import canonical_order
from shoal.anonymizers.generalization.group_labels import group_labels
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import GroupPromises, refuse_unless_merge_safe
from shoal.data import Hierarchy, Microdata, Records
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.labels import halved_hierarchy
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .local_search import LocalSearch
from .specialization import LabeledGroups, Specialization, Steps
from .stretch_costs import StretchCosts

__all__ = ["TopDown"]

_SPREAD = 0.1
"""The penalty for each record and bit by which a step scatters records, in shares of the cost of an attribute."""

_TIGHT = (
    "Labels are tight: the lowest and the highest number of a range occur in its group, which can single people out "
    "(the attack downcoding shows whom); labels=safe does not reveal them."
)

_AT_ONCE = 200_000
"""About the number of records whose steps are carried through at once, on all cores together."""

_WORTH_A_THREAD = 25_000
"""Fewer records are carried through sooner than a thread begins."""


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
        hierarchies = self._hierarchies(TableLattice(table, engine))
        promises = GroupPromises(table, models, engine)
        order = canonical_order(table, randomness)
        groups = np.zeros(len(table), np.int64)
        if len(order) and promises.keeps(order):
            codes = [column.codes for column in table.quasi_identifiers]
            down = Specialization(codes, hierarchies, promises, _SPREAD)
            _Descent(down, engine, self.looked_ahead).run(order, groups)
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
        remarks = (_TIGHT,) if self.labels == "tight" else ()
        return Recoding(published, remarks=remarks, withheld=withheld if withheld.any() else None)

    def _hierarchies(self, lattice: TableLattice) -> Sequence[Hierarchy]:
        if self.numbers == "hierarchy":
            return lattice.hierarchies
        columns = lattice.table.quasi_identifiers
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


class _Descent:
    """One descent from the root."""

    def __init__(self, down: Specialization, engine: Engine, ahead: int) -> None:
        self._down, self._engine, self._ahead = down, engine, ahead

    def run(self, order: np.ndarray, group_of: np.ndarray) -> None:
        """Specialize until no group can go on; write the group of each record into ``group_of``."""
        closed = np.zeros((1, self._down.n_attributes), bool)
        groups = LabeledGroups(order, np.array([0, len(order)]), closed, np.zeros(1, np.int64))
        done = 0
        with stage("specializing groups", len(order)) as progress:
            while len(groups):
                levels = self._down.levels(groups)
                steps = self._down.steps(groups, levels)
                goes = steps.n_possible > 0
                attributes = steps.worth.argmax(axis=1)
                near = (groups.sizes <= self._ahead) & (steps.n_possible > 1)
                blocks = list(_blocks(near, groups.sizes))
                best = self._engine.map_blocks(partial(self._looked_ahead, groups, steps), blocks)
                for some, chosen in zip(blocks, best, strict=True):
                    attributes[some] = chosen
                here = ~np.repeat(goes, groups.sizes)
                group_of[groups.rows[here]] = done + groups.group_of[here]
                done += len(groups)
                progress.advance(int(here.sum()))
                groups = steps.taken(groups, goes, attributes)

    def _looked_ahead(self, groups: LabeledGroups, steps: Steps, some: np.ndarray) -> np.ndarray:
        """Carry every step of some groups through to the end; return the attribute of each with the least cost then."""
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
        # costs that differ only by the order of summation are equal
        least = np.round(left, 9) == np.round(left.min(axis=1, keepdims=True), 9)
        return np.where(least, steps.worth[some], -np.inf).argmax(axis=1)

    def _carry_through(self, groups: LabeledGroups, costs: np.ndarray) -> None:
        """Always take the next step that saves most; add the final cost of each group to that of its owner."""
        while len(groups):
            levels = self._down.levels(groups)
            steps = self._down.steps(groups, levels)
            goes = steps.n_possible > 0
            np.add.at(costs, groups.owners[~goes], self._down.costs(groups, levels)[~goes])
            groups = steps.taken(groups, goes, steps.worth.argmax(axis=1))


def _blocks(chosen: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the chosen groups in blocks whose look-ahead fits into memory."""
    groups = np.flatnonzero(chosen)
    blocks = np.cumsum(sizes[groups]) // max(_AT_ONCE // (os.cpu_count() or 1), _WORTH_A_THREAD)
    for block in np.unique(blocks):
        yield groups[blocks == block]
