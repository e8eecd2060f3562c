"""Equal records brought together: rows that say what is observable, what is sensitive, and how many records they are.

What is observable of a record is packed into as few numbers of 64 bits as will do, and rows with the same numbers come
into one partition, so each group is counted where it is, exactly. Equal rows of a batch are joined before, unless most
of them differ. Where a person may have several records they stay apart, each with its person.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Column, CountedColumn, Microdata, Role
from shoal.engines.people_by_group import people_by_group
from shoal.evidence import GroupCounts, Grouping, SensitiveValues, ValueCounts
from shoal.kernels.groups.counts import merge_counts, value_counts
from shoal.kernels.numbering import distinct_keys

from .coded_columns import code_type
from .persons import PERSON
from .table import PartitionedTable

__all__ = ["RECORDS", "GroupLayout", "GroupRows", "Packing", "group_rows", "joined_rows", "packings"]

RECORDS = "records"
"""The column that says how many records a row is."""
_LARGEST = 2**63
_TRIED = 1 << 16
_FEW = 0.5
"""Equal rows of a batch are joined if less than this share of the first rows differ."""


@dataclass(frozen=True)
class Packing:
    """Columns of codes written as one number each: the first counts least."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    """How many codes each column may have."""

    def packed(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the number of each row: uint64."""
        numbers, worth = np.zeros(rows.height, np.uint64), 1
        for name, size in zip(self.names, self.sizes, strict=True):
            numbers += rows[name].to_numpy().astype(np.uint64) * np.uint64(worth)
            worth *= size
        return numbers

    def unpacked(self, numbers: np.ndarray) -> list[np.ndarray]:
        """Return the codes of each column."""
        codes, rest = [], numbers
        for size in self.sizes:
            codes.append((rest % np.uint64(size)).astype(np.int32))
            rest = rest // np.uint64(size)
        return codes


def packings(names: Sequence[str], sizes: Sequence[int]) -> tuple[Packing, ...]:
    """Divide columns so that the codes of each part make one number; there is at least one part."""
    parts: list[tuple[list[str], list[int]]] = [([], [])]
    for name, size in zip(names, sizes, strict=True):
        if math.prod(parts[-1][1]) * size > _LARGEST:
            parts.append(([], []))
        parts[-1][0].append(name)
        parts[-1][1].append(size)
    return tuple(Packing(tuple(names), tuple(sizes)) for names, sizes in parts)


@dataclass(frozen=True)
class GroupLayout:
    """What the columns of rows mean, and how their groups are counted."""

    words: tuple[Packing, ...]
    """What is observable, by column of numbers: w0, w1, …"""
    sensitive: tuple[CountedColumn, ...]
    """The sensitive columns, whose codes are s0, s1, …"""
    in_people: bool = False
    """Whether a row is a record, with its person; else it is a number of equal records."""

    @property
    def columns(self) -> Columns:
        """The names and types of the columns of rows."""
        words = {f"w{i}": pl.UInt64() for i in range(len(self.words))}
        codes = {f"s{i}": code_type(len(each.vocabulary)) for i, each in enumerate(self.sensitive)}
        keys = {_KEY: pl.UInt64()} if len(self.words) > 1 else {}
        return {**words, **codes, PERSON if self.in_people else RECORDS: pl.UInt64(), **keys}

    @property
    def key(self) -> str:
        """The column by which the rows of a group come together."""
        return _KEY if len(self.words) > 1 else "w0"

    def keyed(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with the column by which they come together."""
        return rows if len(self.words) == 1 else rows.with_columns(_keys(rows, len(self.words)).alias(_KEY))

    def counted(self, rows: pl.DataFrame) -> tuple[Grouping, GroupCounts]:
        """Return the groups of a partition and what is counted of each, among all records where these are known."""
        grouping = _grouped([rows[f"w{i}"].to_numpy() for i in range(len(self.words))], rows.height)
        if PERSON in rows.columns:
            columns = tuple(each.with_codes(rows[f"s{i}"].to_numpy()) for i, each in enumerate(self.sensitive))
            nobody = Column.encode(PERSON, Role.IDENTIFIER, rows[PERSON])
            table = Microdata((*columns, nobody), nobody.codes.astype(np.int64))
            counts = people_by_group(table, grouping, sensitive=True)
            known = [replace(each, known=self._known(i)) for i, each in enumerate(counts.sensitive)]
            return grouping, replace(counts, sensitive=tuple(known))
        records = rows[RECORDS].to_numpy().astype(np.int64)
        sizes = np.bincount(grouping.labels, records, minlength=grouping.n_groups).astype(np.int64)  # below 2⁵³: exact
        values = tuple(self._values(rows, i, grouping, records) for i in range(len(self.sensitive)))
        return grouping, GroupCounts(sizes, values)

    def _values(self, rows: pl.DataFrame, place: int, grouping: Grouping, records: np.ndarray) -> ValueCounts:
        column = self.sensitive[place]
        codes, n_values = rows[f"s{place}"].to_numpy().astype(np.int32), len(column.vocabulary)
        if rows.height == records.sum():
            indptr, values, counts = value_counts(grouping.labels, grouping.n_groups, codes, n_values)
        else:
            alone = np.arange(rows.height + 1)
            indptr, values, counts = merge_counts(grouping.labels, grouping.n_groups, alone, codes, records, n_values)
        return ValueCounts(indptr, values, counts, n_values, self._known(place))

    def _known(self, place: int) -> SensitiveValues:
        return SensitiveValues(self.sensitive[place], self.sensitive[place].counts)

    def among(self, totals: Sequence[np.ndarray]) -> "GroupLayout":
        """Return the same for groups among records of which these numbers have each sensitive value."""
        columns = (replace(each, numbers=counts) for each, counts in zip(self.sensitive, totals, strict=True))
        return replace(self, sensitive=tuple(columns))

    def observable(self, rows: pl.DataFrame) -> list[np.ndarray]:
        """Return the codes of each observable column of some rows, in the order of the columns."""
        return [codes for i, word in enumerate(self.words) for codes in word.unpacked(rows[f"w{i}"].to_numpy())]


@dataclass(frozen=True)
class GroupRows:
    """Rows in partitions, those of a group in one."""

    rows: Partitions
    layout: GroupLayout


def _grouped(words: Sequence[np.ndarray], n_rows: int) -> Grouping:
    labels, found = np.zeros(n_rows, np.int64), min(n_rows, 1)
    for word in words:
        numbers, different = distinct_keys(word.view(np.int64))
        labels, found = (numbers, different) if found <= 1 else distinct_keys(labels * different + numbers)
    return Grouping(labels, found)


def group_rows(table: PartitionedTable, *, sensitive: bool) -> GroupRows:
    """Bring the records of each group together; with their sensitive values, if asked."""
    observable, held = table.observable, table.sensitive if sensitive else ()
    words = packings(table.codes_of(observable), [len(column.vocabulary) for column in observable])
    layout = GroupLayout(words, held, in_people=table.has_repeated_people)
    packed = table.rows.map_batches(_Pack(layout, table.codes_of(held)), layout.columns)
    return GroupRows(packed.shuffle(layout.key, table.n_records, "grouping records"), layout)


_KEY = "key"


@dataclass(frozen=True)
class _Pack:
    """Packs what is observable of a batch, and joins equal rows."""

    layout: GroupLayout
    sensitive: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        words = {f"w{i}": pl.Series(word.packed(batch)) for i, word in enumerate(self.layout.words)}
        rows = pl.DataFrame({**words, **{f"s{i}": batch[name] for i, name in enumerate(self.sensitive)}})
        if self.layout.in_people:
            return self.layout.keyed(rows.with_columns(batch[PERSON]))
        return self.layout.keyed(joined_rows(rows.with_columns(pl.lit(1, pl.UInt64).alias(RECORDS))))


def joined_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Join equal rows, if many are, and add up how many records they are."""
    kinds = pl.all().exclude(RECORDS)
    tried = rows.head(_TRIED).select(kinds)
    if tried.n_unique() > _FEW * tried.height:
        return rows
    return rows.group_by(kinds).agg(pl.col(RECORDS).sum()).select(rows.columns)


_MIXER = np.uint64(0xFF51AFD7ED558CCD)


def _keys(rows: pl.DataFrame, n_words: int) -> pl.Series:
    """Return a number that equal rows have in common: which others have it too does not matter."""
    mixed = np.zeros(rows.height, np.uint64)
    for i in range(n_words):
        mixed = (mixed ^ rows[f"w{i}"].to_numpy()) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    return pl.Series(mixed)
