"""The method ``top-down``: everything is told as the root, then ever more exactly, group by group.

*Definition.* All records begin in one group with every quasi-identifier at its root. A group is told one level more
exactly in the attribute in which that saves most; records that would break a promise are pushed back
(:mod:`.specialisation`). What was pushed back may still be told more exactly in other attributes. It ends when no group
can go on. In groups of at most ``looked_ahead`` records every possible step is carried through to the end before one is
taken, which costs time and saves more.

*Guarantee.* Any promise that joining groups never breaks; every group that is made is judged before it is made. It is a
heuristic: valid, and not the least loss possible.

*Reference.* Thesis ch. 3, Algorithm 1, for one quasi-identifier. It leaves open which of several to take, and which
records to lift: here the fewest with which both sides keep the promises.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Records, Vocabulary
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .base import Anonymizer, Recoding, methods
from .canonical_order import canonical_order
from .fitting_promises import refuse_unjoinable
from .group_promises import GroupPromises
from .labelled_groups import LabelledGroups
from .specialisation import Specialisation, Steps
from .table_lattice import TableLattice

__all__ = ["TopDown"]

_SPREAD = 0.1
"""What a record costs for each bit by which a step scatters it, in shares of the cost of an attribute."""

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

    def __post_init__(self) -> None:
        if self.looked_ahead < 0:
            raise WordingError("top-down needs a number of records to look ahead for of at least 0.")

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        spare: int,  # noqa: ARG002
    ) -> Recoding:
        refuse_unjoinable(self.name, models)
        table = cast(Microdata, records)
        lattice = TableLattice(table, engine)
        promises = GroupPromises(table, models, engine)
        levels = np.tile([hierarchy.height for hierarchy in lattice.hierarchies], (len(table), 1))
        order = canonical_order(table, randomness)
        if len(order) and promises.keeps(order):
            codes = [column.codes for column in table.quasi_identifiers]
            down = Specialisation(codes, lattice.hierarchies, promises, _SPREAD)
            _Descent(down, self.looked_ahead).run(order, levels)
        return Recoding(_told(table, lattice.hierarchies, levels))


class _Descent:
    """One run."""

    def __init__(self, down: Specialisation, ahead: int) -> None:
        self._down, self._ahead = down, ahead

    def run(self, order: np.ndarray, told: np.ndarray) -> None:
        """Go down until no group can go on; write the level at which each record is told in each attribute."""
        closed = np.zeros((1, told.shape[1]), bool)
        groups = LabelledGroups(order, np.array([0, len(order)]), closed, np.zeros(1, np.int64))
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
                told[groups.rows[here]] = levels[groups.group_of[here]]
                progress.advance(int(here.sum()))
                groups = steps.taken(groups, goes, attributes)

    def _looked_ahead(self, groups: LabelledGroups, steps: Steps, some: np.ndarray) -> np.ndarray:
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
        self._carry_through(LabelledGroups.joined(tried), costs)
        left = np.where(steps.possible, costs.reshape(owners.shape), np.inf)[some]
        # what costs the same but for the order in which it was added up is the same
        least = np.round(left, 9) == np.round(left.min(axis=1, keepdims=True), 9)
        return np.where(least, steps.worth[some], -np.inf).argmax(axis=1)

    def _carry_through(self, groups: LabelledGroups, costs: np.ndarray) -> None:
        """Always take the next step that saves most; add what is left in the end to what the owners cost."""
        while len(groups):
            levels = self._down.levels(groups)
            steps = self._down.steps(groups, levels)
            goes = steps.n_possible > 0
            np.add.at(costs, groups.owners[~goes], self._down.costs(groups, levels)[~goes])
            groups = steps.taken(groups, goes, steps.worth.argmax(axis=1))


def _blocks(chosen: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Give the chosen groups, so many at a time that looking ahead from them fits into memory."""
    groups = np.flatnonzero(chosen)
    blocks = np.cumsum(sizes[groups]) // _AT_ONCE
    for block in np.unique(blocks):
        yield groups[blocks == block]


def _told(table: Microdata, hierarchies: Sequence[Hierarchy], levels: np.ndarray) -> Microdata:
    """Publish every record at its levels."""
    pairs = zip(table.quasi_identifiers, hierarchies, strict=True)
    return table.replaced(tuple(_told_column(*pair, levels[:, i]) for i, pair in enumerate(pairs)))


def _told_column(column: Column, hierarchy: Hierarchy, levels: np.ndarray) -> Column:
    """Tell each record of a column at its own level; the same text at two levels is one label."""
    if not levels.any():
        return column.recoded(column.vocabulary, column.codes)
    codes = np.empty(len(column), np.int64)
    texts: list[pl.Series] = []
    begin = 0
    for level in np.unique(levels):
        here = levels == level
        codes[here] = begin + hierarchy.generalised(column.codes[here], int(level))
        texts.append(hierarchy.labels[level].words)
        begin += len(texts[-1])
    vocabulary, places = Vocabulary.encode(pl.concat(texts))
    return column.recoded(vocabulary, places[codes])
