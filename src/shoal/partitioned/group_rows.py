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
from shoal.kernels.groups.sorted_groups import groups_of_sorted
from shoal.kernels.numbering import distinct_keys
from shoal.kernels.packed_codes import add_worths

from .coded_columns import code_type
from .people.stated_counts import stated_counts
from .persons import PERSON, STATED
from .table import PartitionedTable

__all__ = ["RECORDS", "GroupLayout", "GroupRows", "Packing", "group_rows", "joined_rows", "packings"]

RECORDS = "records"
"""The column that says how many records a row is."""
_LARGEST = 2**63
_TABLE = 1 << 14
"""Up to so many combinations of codes are looked up in one table."""
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

    def added(self, numbers: np.ndarray, worths: Sequence[np.ndarray], out: np.ndarray) -> None:
        """Add to ``out`` what the codes of each row are worth, which is told of each code by column: all uint64."""
        sizes, tables = [], []
        for size, worth in zip(self.sizes, worths, strict=True):
            if sizes and sizes[-1] * size <= _TABLE:  # columns share a table, so that fewer numbers are looked up
                tables[-1] = (worth.astype(np.uint64)[:, None] + tables[-1]).ravel()
                sizes[-1] *= size
            else:
                tables.append(worth.astype(np.uint64))
                sizes.append(size)
        begins = np.cumsum([0, *sizes[:-1]])
        if sizes:
            add_worths(numbers, np.array(sizes, np.uint64), begins, np.concatenate(tables), out)


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
    n_stated: int = 0
    """How many numbers of people are stated at records that name a class."""

    @property
    def columns(self) -> Columns:
        """The names and types of the columns of rows."""
        words = {f"w{i}": pl.UInt64() for i in range(len(self.words))}
        codes = {f"s{i}": code_type(len(each.vocabulary)) for i, each in enumerate(self.sensitive)}
        keys = {_KEY: pl.UInt64()} if len(self.words) > 1 else {}
        stated = {f"{STATED}{i}": pl.Int64() for i in range(self.n_stated)}
        return {**words, **codes, PERSON if self.in_people else RECORDS: pl.UInt64(), **stated, **keys}

    @property
    def key(self) -> str:
        """The column by which the rows of a group come together."""
        return _KEY if len(self.words) > 1 else "w0"

    def keyed(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with the column by which they come together."""
        return rows if len(self.words) == 1 else rows.with_columns(_keys(rows, len(self.words)).alias(_KEY))

    def grouping(self, rows: pl.DataFrame) -> Grouping:
        """Return the group of each row of a partition."""
        return _grouped([rows[f"w{i}"].to_numpy() for i in range(len(self.words))], rows.height)

    def counted(self, rows: pl.DataFrame) -> tuple[Grouping, GroupCounts]:
        """Return the groups of a partition and what is counted of each, among all records where these are known."""
        grouping = self.grouping(rows)
        if PERSON in rows.columns:
            columns = tuple(each.with_codes(rows[f"s{i}"].to_numpy()) for i, each in enumerate(self.sensitive))
            nobody = Column.encode(PERSON, Role.IDENTIFIER, rows[PERSON])
            table = Microdata((*columns, nobody), nobody.codes.astype(np.int64))
            counts = people_by_group(table, grouping, sensitive=True)
            known = [replace(each, known=self.known(i)) for i, each in enumerate(counts.sensitive)]
            return grouping, replace(counts, sensitive=tuple(known))
        records = rows[RECORDS].to_numpy().astype(np.int64)
        sizes = np.bincount(grouping.labels, records, minlength=grouping.n_groups).astype(np.int64)  # below 2⁵³: exact
        if self.n_stated:
            return grouping, stated_counts(rows, grouping, sizes, [*map(self.known, range(len(self.sensitive)))])
        values = tuple(self._values(rows, i, grouping, records) for i in range(len(self.sensitive)))
        return grouping, GroupCounts(sizes, values)

    def groups(self, rows: pl.DataFrame) -> tuple[list[np.ndarray], GroupCounts]:
        """Return by observable column the code of each group of a partition, and what is counted of each group."""
        if self._is_sortable and PERSON not in rows.columns and not self.n_stated:
            word, counts = self._sorted_groups(rows)
            return self.words[0].unpacked(word), counts
        grouping, counts = self.counted(rows)
        first = np.zeros(grouping.n_groups, np.int64)
        first[grouping.labels[::-1]] = np.arange(rows.height)[::-1]
        return [codes[first] for codes in self.observable(rows)], counts

    def joined(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows of which no two are equal: those that were are as many records as they were together."""
        widths = [len(each.vocabulary) for each in self.sensitive]
        if len(self.words) != 1 or math.prod([*self.words[0].sizes, *widths]) > _LARGEST:
            kinds = [name for name in rows.columns if name != RECORDS]
            return rows.group_by(kinds).agg(pl.col(RECORDS).sum()).select(rows.columns)
        numbers = rows["w0"].to_numpy()
        for place, width in enumerate(widths):
            numbers = numbers * np.uint64(width) + rows[f"s{place}"].to_numpy()
        numbers, records, *_ = _groups_of(numbers, rows[RECORDS].to_numpy(), 1)
        columns = {RECORDS: pl.Series(records).cast(pl.UInt64)}
        for place, width in reversed([*enumerate(widths)]):
            above = numbers // np.uint64(width)
            columns[f"s{place}"] = pl.Series(numbers - above * np.uint64(width)).cast(rows[f"s{place}"].dtype)
            numbers = above
        return pl.DataFrame({"w0": pl.Series(numbers), **columns}).select(rows.columns)

    @property
    def _is_sortable(self) -> bool:
        """Whether what is observable and a sensitive value make one number together."""
        most = max((len(each.vocabulary) for each in self.sensitive), default=1)
        return len(self.words) == 1 and math.prod(self.words[0].sizes) * most <= _LARGEST

    def _sorted_groups(self, rows: pl.DataFrame) -> tuple[np.ndarray, GroupCounts]:
        """Return the number of each group, and what is counted of it: sorted rows of a group lie together."""
        words, records = rows["w0"].to_numpy(), rows[RECORDS].to_numpy()
        if not self.sensitive:
            groups, sizes, *_ = _groups_of(words, records, 1)
            return groups, GroupCounts(sizes)
        found = []
        for place, column in enumerate(self.sensitive):
            width = len(column.vocabulary)
            numbers = words * np.uint64(width) + rows[f"s{place}"].to_numpy()
            groups, sizes, indptr, values, counts = _groups_of(numbers, records, width)
            found.append((groups, sizes, ValueCounts(indptr, values, counts, width, self.known(place))))
        groups, sizes, _ = found[0]
        return groups, GroupCounts(sizes, tuple(values for *_, values in found))

    def _values(self, rows: pl.DataFrame, place: int, grouping: Grouping, records: np.ndarray) -> ValueCounts:
        column = self.sensitive[place]
        codes, n_values = rows[f"s{place}"].to_numpy().astype(np.int32), len(column.vocabulary)
        if rows.height == records.sum():
            indptr, values, counts = value_counts(grouping.labels, grouping.n_groups, codes, n_values)
        else:
            alone = np.arange(rows.height + 1)
            indptr, values, counts = merge_counts(grouping.labels, grouping.n_groups, alone, codes, records, n_values)
        return ValueCounts(indptr, values, counts, n_values, self.known(place))

    def known(self, place: int) -> SensitiveValues:
        """Return how common the values of a sensitive column are, and what is declared about them."""
        return SensitiveValues(self.sensitive[place], self.sensitive[place].counts)

    def among(self, totals: Sequence[np.ndarray]) -> "GroupLayout":
        """Return the same for groups among records of which these numbers have each sensitive value."""
        columns = (replace(each, numbers=counts) for each, counts in zip(self.sensitive, totals, strict=True))
        return replace(self, sensitive=tuple(columns))

    def observable(self, rows: pl.DataFrame) -> list[np.ndarray]:
        """Return the codes of each observable column of some rows, in the order of the columns."""
        return [codes for i, word in enumerate(self.words) for codes in word.unpacked(rows[f"w{i}"].to_numpy())]

    def added(self, rows: pl.DataFrame, worths: Sequence[np.ndarray]) -> np.ndarray:
        """Add up what the codes of the observable columns of each row are worth: uint64."""
        out, first = np.zeros(rows.height, np.uint64), 0
        for i, word in enumerate(self.words):
            word.added(rows[f"w{i}"].to_numpy(), worths[first : first + len(word.sizes)], out)
            first += len(word.sizes)
        return out


def _groups_of(
    numbers: np.ndarray, records: np.ndarray, width: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the groups of rows, numbers of group · width + value, in any order: see groups_of_sorted."""
    if len(records) == records.sum():
        return groups_of_sorted(pl.Series(numbers).sort().to_numpy(), np.zeros(0, np.int64), width)
    bits = int(records.max()).bit_length()
    if int(numbers.max()).bit_length() + bits <= 64:  # both are sorted as one number, which is several times as fast
        packed = pl.Series((numbers << np.uint64(bits)) | records).sort().to_numpy()
        counts = packed & np.uint64((1 << bits) - 1)
        return groups_of_sorted(packed >> np.uint64(bits), counts.astype(np.int64), width)
    order = pl.Series(numbers).arg_sort().to_numpy()
    return groups_of_sorted(numbers[order], records[order].astype(np.int64), width)


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
    layout = GroupLayout(words, held, table.names_people, len(table.states))
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
        stated = [batch[f"{STATED}{i}"] for i in range(self.layout.n_stated)]
        if self.layout.in_people:
            return self.layout.keyed(rows.with_columns(batch[PERSON], *stated))
        rows = rows.with_columns(pl.lit(1, pl.UInt64).alias(RECORDS))
        return self.layout.keyed(rows.with_columns(stated) if stated else joined_rows(rows, self.layout))


def joined_rows(rows: pl.DataFrame, layout: GroupLayout) -> pl.DataFrame:
    """Join equal rows, if many are, and add up how many records they are."""
    tried = rows.head(_TRIED).select(pl.all().exclude(RECORDS))
    if tried.hash_rows().n_unique() > _FEW * tried.height:  # about: only time depends on it
        return rows
    return layout.joined(rows)


_MIXER = np.uint64(0xFF51AFD7ED558CCD)


def _keys(rows: pl.DataFrame, n_words: int) -> pl.Series:
    """Return a number that equal rows have in common: which others have it too does not matter."""
    mixed = np.zeros(rows.height, np.uint64)
    for i in range(n_words):
        mixed = (mixed ^ rows[f"w{i}"].to_numpy()) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    return pl.Series(mixed)
