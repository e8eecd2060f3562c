"""The first steps of ``top-down``, made of counts: groups of a table, each with few enough records for one worker.

What a step of a group saves, and whether its parts keep the promises, depends on how many records of the group have
which value of an attribute with which sensitive values. All of that is counted for all groups that are too large in one
pass over the records, so there is a pass a depth, and another one where records are lifted. The steps are those that
are taken in memory (:mod:`shoal.anonymizers.top_down.specialization`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.top_down.lifting import Lifting, PushedBack
from shoal.anonymizers.top_down.specialization import step_worth, value_costs
from shoal.data import Hierarchy, Microdata
from shoal.engines import LocalEngine
from shoal.models import PrivacyModel
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree
from .lifted_records import Cells, lifted_records
from .segment_counts import NO_KINDS, Kinds, ValuesOfSegments, count_segments
from .top_cuts import everybody_of

__all__ = ["FirstSteps", "first_steps"]


@dataclass(frozen=True)
class FirstSteps:
    """What was made of counts."""

    tree: CutTree
    closed: dict[int, np.ndarray]
    """By leaf, in which attributes its records were pushed back; leaves that are not there, in none."""


def first_steps(
    table: PartitionedTable, models: Sequence[PrivacyModel], hierarchies: Sequence[Hierarchy], most: int
) -> FirstSteps:
    """Specialize until each group has at most so many records, or can take no step; a number is drawn for each row."""
    return _FirstSteps(table, models, hierarchies).run(most)


@dataclass(frozen=True, eq=False)
class _Counted:
    """The records of a group by value of an attribute and kind."""

    values: np.ndarray
    kinds: np.ndarray
    records: np.ndarray


@dataclass(frozen=True, eq=False)
class _Step:
    """A possible step of a group."""

    attribute: int
    worth: float
    values: np.ndarray
    """The values that occur, ascending."""
    parts: np.ndarray
    """By value, its part; values that are pushed back have the number after the parts."""
    n_kept: int
    sizes: np.ndarray
    """How many records each part has, and behind them how many are pushed back."""
    cells: np.ndarray
    """The part and the kind of those that records are lifted from."""
    wanted: np.ndarray
    """How many are lifted from each."""


class _FirstSteps:
    """One run."""

    def __init__(
        self, table: PartitionedTable, models: Sequence[PrivacyModel], hierarchies: Sequence[Hierarchy]
    ) -> None:
        self._table = table
        nobody = [column.among_all(np.zeros(0)) for column in (*table.quasi_identifiers, *table.sensitive)]
        self._promises = GroupPromises(Microdata(tuple(nobody)), models, LocalEngine(), everybody_of(table))
        self._lifting = Lifting(self._promises)
        self._names = table.codes_of(table.quasi_identifiers)
        self._n_values = tuple(len(column.vocabulary) for column in table.quasi_identifiers)
        self._kinds = NO_KINDS
        if self._promises.everybody.sensitive:
            sensitive = table.sensitive
            self._kinds = Kinds(table.codes_of(sensitive), tuple(len(column.vocabulary) for column in sensitive))
        self._maps = [np.stack(hierarchy.maps) for hierarchy in hierarchies]
        self._costs = [value_costs(hierarchy) for hierarchy in hierarchies]

    def run(self, most: int) -> FirstSteps:
        """Take steps, depth by depth."""
        tree, closed = CutTree(), {0: np.zeros(len(self._names), bool)}
        large = [0] if len(self._table) > most else []
        while large:
            steps = {
                leaf: step
                for leaf, counts in zip(large, self._counted(tree, large), strict=True)
                if (step := self._best(counts, closed[leaf])) is not None
            }
            lifted = self._lifted(tree, steps)
            large = []
            for leaf, step in steps.items():
                children = tree.cut(leaf, step.attribute, step.values, step.parts)
                if leaf in lifted:  # to those pushed back, who come last
                    tree.lift(leaf, int(children[step.n_kept]), lifted[leaf].tolist())
                for number, child in enumerate(children.tolist()):
                    closed[child] = closed[leaf].copy()
                    closed[child][step.attribute] |= number == step.n_kept
                large += children[step.sizes[: len(children)] > most].tolist()
        return FirstSteps(tree, {leaf: each for leaf, each in closed.items() if each.any()})

    def _counted(self, tree: CutTree, leaves: list[int]) -> Iterator[list[_Counted]]:
        """Yield for each leaf what is counted of each attribute."""
        table, n_kinds = self._table, len(self._kinds)
        counts = count_segments(
            table.rows, table.backend, tree, np.array(leaves), (self._names, ()), self._n_values, self._kinds
        )
        borders = [np.searchsorted(each.segments, np.arange(len(leaves) + 1)) for each in counts.columns]
        for place in range(len(leaves)):
            found = []
            for each, begins in zip(counts.columns, borders, strict=True):
                here = slice(begins[place], begins[place + 1])
                found.append(_Counted(each.values[here] // n_kinds, each.values[here] % n_kinds, each.records[here]))
            yield found

    def _best(self, counts: Sequence[_Counted], closed: np.ndarray) -> _Step | None:
        """Return the step that is worth most, the first of equals, if any is possible."""
        steps = [
            step
            for attribute in np.flatnonzero(~closed).tolist()
            if (step := self._step(attribute, counts[attribute])) is not None
        ]
        return max(steps, key=lambda step: step.worth, default=None)

    def _step(self, attribute: int, counts: _Counted) -> _Step | None:
        maps, costs = self._maps[attribute], self._costs[attribute]
        values = np.unique(counts.values)
        level = int((maps[:, values] == maps[:, values[:1]]).all(axis=1).argmax())
        if level == 0:
            return None
        labels = maps[level - 1]
        _, firsts, parts = np.unique(labels[values], return_index=True, return_inverse=True)
        own = parts.ravel()[np.searchsorted(values, counts.values)]
        cells = ValuesOfSegments.added(own, counts.kinds, counts.records, len(self._kinds))
        kept = self._kept(cells, len(firsts))
        if not kept.any():
            return None
        sizes = _sizes(cells.segments, cells.records, len(firsts))
        wanted = self._wanted(cells, kept, sizes)
        if wanted is None:
            return None
        going = np.where(kept, sizes, 0) - _sizes(cells.segments, wanted, len(firsts))
        saved = costs[level, values[firsts]] - costs[level - 1, values[firsts]]
        homes = np.zeros(len(firsts), np.int64)
        worth = float(step_worth(going * saved, sizes, homes, kept, np.array([int(sizes.sum())]))[0])
        if worth == -np.inf:
            return None
        n_kept, lifting = int(kept.sum()), np.flatnonzero(wanted)
        numbers = np.where(kept, np.cumsum(kept) - 1, n_kept)
        lifted_from = np.stack([numbers[cells.segments[lifting]], cells.values[lifting]], axis=1)
        new_sizes = np.append(going[kept], int(sizes.sum() - going.sum()))
        new_parts = numbers[parts.ravel()]
        return _Step(attribute, worth, values, new_parts, n_kept, new_sizes, lifted_from, wanted[lifting])

    def _kept(self, cells: ValuesOfSegments, n_groups: int) -> np.ndarray:
        """Return the mask of the groups, none of which is empty, that keep the promises."""
        sizes = _sizes(cells.segments, cells.records, n_groups)
        good = sizes >= self._promises.fewest
        if self._promises.by_size or not good.any():
            return good
        codes = self._kinds.codes(cells.values)
        some, numbers = good[cells.segments], np.cumsum(good) - 1
        entries = []
        for values, many in zip(codes.T, self._kinds.n_values, strict=True):
            own = numbers[cells.segments[some]]
            each = ValuesOfSegments.added(own, values[some], cells.records[some], many)
            entries.append((each.segments, each.values, each.records))
        good[good] = self._promises.kept_by_counts(sizes[good], entries)
        return good

    def _wanted(self, cells: ValuesOfSegments, kept: np.ndarray, sizes: np.ndarray) -> np.ndarray | None:
        """Return how many records of each cell join those pushed back; None where these cannot keep the promises."""
        nobody = np.zeros(len(cells.segments), np.int64)
        back = ~kept[cells.segments]
        if not back.any():
            return nobody
        pushed = ValuesOfSegments.added(nobody[back], cells.values[back], cells.records[back], len(self._kinds))
        if self._kept(pushed, 1)[0]:
            return nobody
        kinds = np.concatenate([cells.values[~back], pushed.values])
        n_inside, all_one = int((~back).sum()), np.zeros(len(kinds), np.int64)
        numbers = np.unique(kinds, return_inverse=True)[1].ravel()
        parts = np.append(cells.segments[~back], all_one[n_inside:] - 1)
        records = np.append(cells.records[~back], pushed.records)
        surplus = np.where(kept, sizes - self._promises.fewest, 0)
        together = PushedBack(all_one, parts, numbers, self._kinds.codes(kinds), records, surplus)
        wanted, possible = self._lifting.wanted(together, 1)
        nobody[~back] = wanted[:n_inside]
        return nobody if possible[0] else None

    def _lifted(self, tree: CutTree, steps: dict[int, _Step]) -> dict[int, np.ndarray]:
        """Return what was drawn for the records that are lifted in steps, by the group that takes it."""
        cells = []
        for leaf, step in steps.items():
            if len(step.wanted):
                parts = np.full(self._n_values[step.attribute], -1, np.int64)
                parts[step.values] = step.parts
                cells.append(Cells(leaf, step.attribute, parts, step.cells, step.wanted))
        if not cells:
            return {}
        found = lifted_records(self._table, tree, cells, self._kinds)
        return {each.segment: numbers for each, numbers in zip(cells, found, strict=True)}


def _sizes(groups: np.ndarray, records: np.ndarray, n_groups: int) -> np.ndarray:
    return np.bincount(groups, records, minlength=n_groups).astype(np.int64)  # exact: < 2⁵³
