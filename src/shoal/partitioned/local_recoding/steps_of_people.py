"""The steps of groups in which a person may have several records: parts are judged in people.

As in memory, no single record is lifted then: where those pushed back do not keep the promises, a whole part is pushed
back with them, the smallest that helps. All attributes of all groups are looked at in the same passes over the records:
one for the values, one for parts, and where needed one for those pushed back and one for whole parts joining them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree
from .people_of_parts import Division, PeopleOfParts
from .segment_counts import count_segments
from .steps import Branches, Branching, Step

__all__ = ["StepsOfPeople"]


@dataclass(eq=False)
class _Trial:
    """A step of a group that is tried."""

    leaf: int
    branching: Branching
    sizes: np.ndarray
    """By part, how many records it has."""
    kept: np.ndarray
    """The mask of the parts that go on."""

    @property
    def pushes_back(self) -> bool:
        """Whether some parts go on and others do not."""
        return bool(self.kept.any()) and not self.kept.all()

    @property
    def joining(self) -> list[int]:
        """The parts that may join those pushed back, the smallest first."""
        order = np.argsort(self.sizes, kind="stable")
        return order[self.kept[order]].tolist()

    def divided(self, parts: np.ndarray, n_values: int) -> Division:
        """Return the division of the group into other parts: by part, which it belongs to, or −1."""
        branching = self.branching
        return Division.of(self.leaf, branching.attribute, branching.values, parts[branching.parts], n_values)

    def pushed_back(self, n_values: int, *others: int) -> Division:
        """Return those pushed back, and some other parts, as one part."""
        together = ~self.kept
        together[list(others)] = True
        return self.divided(np.where(together, 0, -1), n_values)

    @property
    def step(self) -> Step | None:
        """The step, if it saves anything."""
        return self.branching.step(self.kept, self.sizes, np.where(self.kept, self.sizes, 0))


class StepsOfPeople:
    """Finds the best step of each group."""

    def __init__(self, table: PartitionedTable, promises: GroupPromises, branches: Branches) -> None:
        """Find steps of groups of a table in which all records of a person are in one partition."""
        self._table, self._branches = table, branches
        self._people = PeopleOfParts(table, promises)
        self._names = table.codes_of(table.quasi_identifiers)
        self._n_values = tuple(len(column.vocabulary) for column in table.quasi_identifiers)

    def best(self, tree: CutTree, closed: Mapping[int, np.ndarray]) -> dict[int, Step]:
        """Return the step that is worth most of some leaves, which are ``closed`` in some attributes, if it has any."""
        trials = self._trials(tree, closed)
        many = [self._n_values[each.branching.attribute] for each in trials]
        alone = [each.divided(np.arange(each.branching.n_parts), n) for each, n in zip(trials, many, strict=True)]
        for each, kept in zip(trials, self._people.kept(tree, alone), strict=True):
            each.kept = kept
        possible = [each for each in self._settled(tree, trials) if each.kept.any()]
        found: dict[int, Step] = {}
        for each in possible:  # by leaf and attribute, so that of equals the first is taken
            step = each.step
            if step is not None and (each.leaf not in found or step.worth > found[each.leaf].worth):
                found[each.leaf] = step
        return found

    def lifted(self, tree: CutTree, steps: Mapping[int, Step]) -> dict[int, np.ndarray]:  # noqa: ARG002
        """Return nothing: no single record is lifted."""
        return {}

    def _trials(self, tree: CutTree, closed: Mapping[int, np.ndarray]) -> list[_Trial]:
        """Return the steps of the leaves in all attributes that they are not closed in."""
        table, leaves = self._table, np.array(list(closed))
        counts = count_segments(table.rows, table.backend, tree, leaves, (self._names, ()), self._n_values)
        borders = [np.searchsorted(each.segments, np.arange(len(leaves) + 1)) for each in counts.columns]
        trials = []
        for place, leaf in enumerate(leaves.tolist()):
            for attribute in np.flatnonzero(~closed[leaf]).tolist():
                column, here = counts.columns[attribute], slice(*borders[attribute][place : place + 2])
                branching = self._branches.of(attribute, column.values[here])
                if branching is not None:
                    sizes = np.bincount(branching.parts, column.records[here]).astype(np.int64)  # exact: < 2⁵³
                    trials.append(_Trial(leaf, branching, sizes, np.zeros(len(sizes), bool)))
        return trials

    def _settled(self, tree: CutTree, trials: Sequence[_Trial]) -> list[_Trial]:
        """Return the trials in which both sides keep the promises, once whole parts have joined those pushed back."""
        pushing = [each for each in trials if each.pushes_back]
        kept = self._people.kept(tree, [each.pushed_back(self._many(each)) for each in pushing])
        broken = [each for each, (good,) in zip(pushing, kept, strict=True) if not good]
        joins = [(each, part) for each in broken for part in each.joining]
        kept = self._people.kept(tree, [each.pushed_back(self._many(each), part) for each, part in joins])
        hopeless = {id(each) for each in broken}
        for (each, part), (good,) in zip(joins, kept, strict=True):
            if good and id(each) in hopeless:  # the smallest that helps
                each.kept[part] = False
                hopeless.remove(id(each))
        return [each for each in trials if id(each) not in hopeless]

    def _many(self, trial: _Trial) -> int:
        return self._n_values[trial.branching.attribute]
