"""Parts of segments judged in people, where a person may have several records.

How many people two parts have together does not follow from how many each has, so whatever is judged is counted by
itself: one pass over the records for all that is asked at once. All records of a person are in one partition, so the
numbers of partitions add up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.anonymizers.promises import GroupPromises
from shoal.backends import Columns, Shared
from shoal.data import CountedColumn, Microdata
from shoal.engines.people_by_group import people_by_group
from shoal.evidence import Grouping
from shoal.partitioned.persons import numbered_persons
from shoal.partitioned.sums import sums_by_key
from shoal.partitioned.table import PartitionedTable

from .cut_tree import CutTree, FollowCuts

__all__ = ["Division", "PeopleOfParts"]


@dataclass(frozen=True, eq=False)
class Division:
    """The records of a segment, or some of them, divided by one quasi-identifier."""

    segment: int
    attribute: int
    parts: np.ndarray
    """By value of the attribute, the part that it goes to, from 0 on; −1 for values that are not looked at."""

    @classmethod
    def of(cls, segment: int, attribute: int, values: np.ndarray, parts: np.ndarray, n_values: int) -> "Division":
        """Divide a segment, these ``values`` of which go to these parts; the attribute may have ``n_values``."""
        by_value = np.full(n_values, -1, np.int64)
        by_value[values] = parts
        return cls(segment, attribute, by_value)

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return int(self.parts.max(initial=-1)) + 1


class PeopleOfParts:
    """Judges parts of the segments of one table, many times over."""

    def __init__(self, table: PartitionedTable, promises: GroupPromises) -> None:
        """Judge by the promises on a table in which all records of a person are in one partition."""
        self._table, self._promises = table, promises
        self._sensitive = table.sensitive if promises.everybody.sensitive else ()

    def kept(self, tree: CutTree, divisions: Sequence[Division]) -> list[np.ndarray]:
        """Return for each division, of a leaf of the tree, the mask of its parts that keep the promises."""
        if not divisions:
            return []
        begins = np.cumsum([0, *(each.n_parts for each in divisions)])
        counted = self._counted(tree, divisions, begins)
        people, n_parts = counted.filter(pl.col("column") == 0), int(begins[-1])
        sizes = np.zeros(n_parts, np.int64)
        sizes[people["part"].to_numpy()] = people["people"].to_numpy()
        good = sizes >= self._promises.fewest
        numbers = np.where(good, np.cumsum(good) - 1, -1)
        entries = []
        for place in range(1, len(self._sensitive) + 1):
            values = counted.filter(pl.col("column") == place).sort("part", "value")
            own = numbers[values["part"].to_numpy()]
            some = own >= 0
            entries.append((own[some], values["value"].to_numpy()[some], values["people"].to_numpy()[some]))
        if good.any():
            good[good] = self._promises.kept_by_counts(sizes[good], entries)
        return np.split(good, begins[1:-1])

    def _counted(self, tree: CutTree, divisions: Sequence[Division], begins: np.ndarray) -> pl.DataFrame:
        """Return by part how many people it has, and how many of them have each sensitive value."""
        table, backend = self._table, self._table.backend
        counting = _CountPeople(
            backend.shared(tree.followed()),
            backend.shared(tuple(divisions)),
            begins[:-1],
            table.codes_of(table.quasi_identifiers),
            table.quasi_identifiers[0],
            self._sensitive,
            table.codes_of(self._sensitive),
        )
        return sums_by_key(table.rows.map_partitions(counting, _COUNTED), list(_KEYS), "counting people")


_KEYS: Columns = {"column": pl.UInt32(), "part": pl.Int64(), "value": pl.Int64()}
_COUNTED: Columns = {**_KEYS, "people": pl.Int64()}
"""Column 0: the people of a part; above: those who have a value of the sensitive column of this number, less 1."""


@dataclass(frozen=True)
class _CountPeople:
    """Counts the people of the parts of a partition."""

    followed: Shared[FollowCuts]
    divisions: Shared[tuple[Division, ...]]
    begins: np.ndarray
    """By division, the number of its first part."""
    names: tuple[str, ...]
    """The columns of codes of the quasi-identifiers."""
    first: CountedColumn
    """The first of these."""
    sensitive: tuple[CountedColumn, ...]
    coded: tuple[str, ...]
    """The columns of codes of the sensitive columns."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = [pl.DataFrame(schema=dict(_COUNTED))]
        leaves, table = self.followed.value(rows, self.names), self._persons(rows)
        order = np.argsort(leaves, kind="stable")
        leaves = leaves[order]
        for begin, each in zip(self.begins.tolist(), self.divisions.value, strict=True):
            here = order[slice(*np.searchsorted(leaves, [each.segment, each.segment + 1]))]
            parts = each.parts[rows[self.names[each.attribute]].to_numpy()[here]]
            counted = parts >= 0
            if counted.any():
                grouping = Grouping(parts[counted], each.n_parts)
                found += self._of_parts(table.take(here[counted]), grouping, begin)
        return pl.concat(found)

    def _persons(self, rows: pl.DataFrame) -> Microdata:
        """Return whose records they are, and their sensitive values."""
        pairs = zip((self.first, *self.sensitive), (self.names[0], *self.coded), strict=True)
        codes = tuple(column.with_codes(rows[name].to_numpy()) for column, name in pairs)
        return Microdata(codes, numbered_persons(rows))

    def _of_parts(self, table: Microdata, parts: Grouping, begin: int) -> Iterator[pl.DataFrame]:
        counts = people_by_group(table, parts, sensitive=True)
        occurring = np.flatnonzero(counts.sizes)
        yield _counted(0, begin + occurring, np.zeros(len(occurring), np.int64), counts.sizes[occurring])
        for place, each in enumerate(counts.sensitive, 1):
            yield _counted(place, begin + each.groups, each.values, each.counts)


def _counted(column: int, parts: np.ndarray, values: np.ndarray, people: np.ndarray) -> pl.DataFrame:
    frame = pl.DataFrame({"part": parts, "value": values, "people": people})
    return frame.with_columns(pl.lit(column).alias("column")).select(
        pl.col(name).cast(dtype) for name, dtype in _COUNTED.items()
    )
