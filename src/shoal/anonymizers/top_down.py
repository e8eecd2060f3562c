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

from collections.abc import Sequence
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
from .group_promises import GroupPromises
from .specialisation import LabelledGroup, Specialisation, Step
from .table_lattice import TableLattice

__all__ = ["TopDown"]

_SPREAD = 0.1
"""What a record costs for each bit by which a step scatters it, in shares of the cost of an attribute."""


@methods.add
@dataclass(frozen=True)
class TopDown(Anonymizer):
    """Steps down the hierarchies, the one that saves most first."""

    name: ClassVar[str] = "top-down"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})

    looked_ahead: int = 300
    """Groups of at most so many records try every step to its end; promises of sensitive values take longer to judge,
    so with them it is a tenth of that."""

    def __post_init__(self) -> None:
        if self.looked_ahead < 0:
            raise WordingError("top-down needs a number of records to look ahead for of at least 0.")

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        spare: int,  # noqa: ARG002
    ) -> Recoding:
        for model in models:
            if not model.merge_safe:
                raise WordingError(f"The method 'top-down' cannot keep {model}: its groups may not be joined freely.")
        table = cast(Microdata, records)
        lattice = TableLattice(table, engine)
        promises = GroupPromises(table, models, engine)
        codes = np.stack([column.codes for column in table.quasi_identifiers], axis=1)
        order = _canonical_order(table)
        everybody = LabelledGroup(order, tuple(hierarchy.height for hierarchy in lattice.hierarchies))
        if not len(order) or not promises.keeps(order):
            return Recoding(_told(table, lattice.hierarchies, [everybody]))
        down = Specialisation(codes, lattice.hierarchies, promises)
        ahead = self.looked_ahead if promises.by_size else self.looked_ahead // 10
        return Recoding(_told(table, lattice.hierarchies, _Descent(down, ahead).run(everybody)))


class _Descent:
    """One run."""

    def __init__(self, down: Specialisation, ahead: int) -> None:
        self._down, self._ahead = down, ahead

    def run(self, everybody: LabelledGroup) -> list[LabelledGroup]:
        """Go down until no group can go on."""
        waiting, done = [everybody], []
        with stage("telling more exactly", len(everybody.rows)) as progress:
            while waiting:
                group = self._down.narrowed(waiting.pop())
                steps = self._down.steps(group, _SPREAD)
                if not steps:
                    done.append(group)
                    progress.advance(len(group.rows))
                elif len(group.rows) <= self._ahead and len(steps) > 1:
                    waiting += max(steps, key=self._saved).parts
                else:
                    waiting += steps[0].parts
        return done

    def _saved(self, step: Step) -> float:
        """Carry a step through to the end, always taking the next that saves most, and give what is saved."""
        waiting, left = list(step.parts), 0.0
        while waiting:
            group = self._down.narrowed(waiting.pop())
            steps = self._down.steps(group, _SPREAD)
            if steps:
                waiting += steps[0].parts
            else:
                left += self._down.cost(group)
        return -left


def _canonical_order(table: Microdata) -> np.ndarray:
    """Order records by their values, so that what is published does not depend on the order of rows."""
    columns = [*table.sensitive, *table.quasi_identifiers]
    return np.lexsort([column.codes for column in columns])


def _told(table: Microdata, hierarchies: Sequence[Hierarchy], groups: Sequence[LabelledGroup]) -> Microdata:
    """Publish every group under its labels."""
    levels = np.zeros((len(table), len(hierarchies)), np.int64)
    for group in groups:
        levels[group.rows] = group.levels
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
        texts.append(hierarchy.labels[level].values.cast(pl.String))
        begin += len(texts[-1])
    vocabulary, places = Vocabulary.encode(pl.concat(texts))
    return column.recoded(vocabulary, places[codes])
