"""Records that are alike, and what clusters of them cost.

*Cost.* What a cluster costs each of its records is, summed over the quasi-identifiers: of numbers and dates, the
difference of the highest and the lowest over that of the whole column; of categories, the height of their lowest common
label over that of the hierarchy. A cluster in which a number is missing and another is not costs 1.

*Kinds.* Records with equal quasi-identifiers cost the same wherever they go, so they are looked at once. What is
sensitive is a value or, where a promise asks for them, its category.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from shoal.anonymizers.generalization.tree_order import tree_places
from shoal.data import Column, Hierarchy, Microdata
from shoal.evidence import NeedGroups
from shoal.models import PrivacyModel

__all__ = ["RecordKinds", "ask_for_categories"]


@dataclass(frozen=True, eq=False)
class RecordKinds:
    """The records of a table in canonical order, as :mod:`shoal.kernels.clustering.greedy_clusters` reads them."""

    rows: np.ndarray
    """The row of each place in canonical order."""
    values: np.ndarray
    """By row and quasi-identifier, values numbered through."""
    cell_of: np.ndarray
    """The cell of each row."""
    layout: tuple[np.ndarray, ...]
    ruler: tuple[np.ndarray, ...]

    @classmethod
    def of(
        cls,
        table: Microdata,
        hierarchies: Sequence[Hierarchy],
        models: Sequence[PrivacyModel],
        order: np.ndarray,
    ) -> Self:
        """Sort the records of a table, whose canonical order is given, into kinds and cells."""
        ruler, values = _ruler(table.quasi_identifiers, hierarchies)
        things, totals = _things(table, models)
        place_of = np.argsort(order)
        kinds = _numbered([values[:, a] for a in range(values.shape[1])], place_of)
        cells = _numbered([kinds, *things.T], kinds)
        by_cell = np.lexsort([place_of, cells])
        first = by_cell[np.flatnonzero(np.diff(cells[by_cell], prepend=-1))]
        firsts_of_kinds = first[np.flatnonzero(np.diff(kinds[first], prepend=-1))]
        layout = (
            np.ascontiguousarray(values[firsts_of_kinds]),
            np.searchsorted(kinds[first], np.arange(len(firsts_of_kinds) + 1)),
            place_of[by_cell],
            np.searchsorted(cells[by_cell], np.arange(len(first) + 1)),
            np.ascontiguousarray(things[first]),
            totals,
        )
        return cls(order, values, cells, layout, ruler)

    @cached_property
    def n_cells(self) -> int:
        """How many cells there are."""
        return len(self.layout[3]) - 1

    def taken_rows(self, cells: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """Return the rows behind cells, in the order in which they were taken; ``taken`` counts those taken before."""
        order = np.argsort(cells, kind="stable")
        begins = np.flatnonzero(np.diff(cells[order], prepend=-1))
        turns = np.empty(len(cells), np.int64)
        turns[order] = np.arange(len(cells)) - np.repeat(begins, np.diff(np.append(begins, len(cells))))
        places, record_begins = self.layout[2], self.layout[3]
        return self.rows[places[record_begins[cells] + taken[cells] + turns]]

    def rows_left(self, taken: np.ndarray) -> np.ndarray:
        """Return the rows that were not taken; ``taken`` counts those of each cell that were."""
        places, record_begins = self.layout[2], self.layout[3]
        cells = np.repeat(np.arange(self.n_cells), np.diff(record_begins))
        return self.rows[places[np.arange(len(places)) - record_begins[cells] >= taken[cells]]]


def _ruler(columns: Sequence[Column], hierarchies: Sequence[Hierarchy]) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Return what reaches cost, and the values of each row, numbered through."""
    sizes = [len(column.vocabulary) for column in columns]
    begins = np.concatenate([[0], np.cumsum(sizes)])
    numbers = np.full(begins[-1], np.nan)
    maps = np.zeros((max(hierarchy.height for hierarchy in hierarchies) + 1, begins[-1]), np.int32)
    wholes, heights = np.ones(len(columns)), np.zeros(len(columns), np.int64)
    values = np.empty((len(columns[0]), len(columns)), np.int64)
    for a, (column, hierarchy) in enumerate(zip(columns, hierarchies, strict=True)):
        ordered = column.vocabulary.is_ordered
        place = column.rank_of if ordered else tree_places(column, hierarchy)
        assert place is not None
        values[:, a] = begins[a] + place[column.codes]
        here = slice(begins[a], begins[a + 1])
        if ordered:
            numbers[here] = column.vocabulary.numbers[np.argsort(place)]
            present = numbers[np.unique(values[:, a])]
            wholes[a] = np.ptp(present[~np.isnan(present)]) if np.isfinite(present).any() else 0.0
        else:
            heights[a] = max(hierarchy.height, 1)
            maps[: hierarchy.height + 1, here] = np.stack(hierarchy.maps)[:, np.argsort(place)]
    wholes[wholes == 0] = 1.0  # no two numbers differ
    return (numbers, maps, wholes, heights, begins), values


def ask_for_categories(models: Sequence[PrivacyModel]) -> bool:
    """Decide whether a promise is about categories of sensitive values."""
    needs = [model.need for model in models if isinstance(model.need, NeedGroups)]
    return any(need.sensitive and need.declared == "categories" for need in needs)


def _things(table: Microdata, models: Sequence[PrivacyModel]) -> tuple[np.ndarray, np.ndarray]:
    """Return what is sensitive by row and attribute, numbered through, and how many records have each of it."""
    by_category = ask_for_categories(models)
    columns, begin = [], 0
    for column in table.sensitive if any(model.needs_sensitive for model in models) else ():
        codes = column.category_of[column.codes] + 1 if by_category else column.codes
        columns.append(begin + codes.astype(np.int64))
        begin += int(codes.max(initial=0)) + 1
    things = np.stack(columns, axis=1) if columns else np.zeros((len(table), 0), np.int64)
    return things, np.bincount(things.ravel(), minlength=begin)


def _numbered(columns: Sequence[np.ndarray], order: np.ndarray) -> np.ndarray:
    """Number the rows that are equal in all columns, in the order of the least that any of them has."""
    by_columns = np.lexsort(list(columns))
    new = np.zeros(len(by_columns), bool)
    new[:1] = True
    for codes in columns:
        new[1:] |= np.diff(codes[by_columns]) != 0
    groups = np.empty(len(by_columns), np.int64)
    groups[by_columns] = np.cumsum(new) - 1
    least = np.full(int(new.sum()), len(order))
    np.minimum.at(least, groups, order)
    return np.argsort(np.argsort(least, kind="stable"), kind="stable")[groups]
