"""Write complete profiles as Parquet: every record has the same items, so that codes go to the file as they are.

A Parquet column may be stored as a dictionary of its different values and, for each row, the number of its value there.
That is what profiles are in memory. A writer of frames would turn codes into values, and find out by hashing which
values are different. Here records are runs of one number, ratings are bytes already, and the items of a row group,
which are the same in all, are packed once: by their differences where they are whole numbers.

The file is plain Parquet: one data page a column and row group, not compressed, no value missing. Its description is
written in the compact protocol of Apache Thrift, with the numbers of fields that the format defines.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import polars as pl

from .delta_packed import delta_packed
from .thrift import Field, binary, i32, i64, listed, struct, varint

__all__ = ["CompleteProfiles", "write_profiles"]

_ROWS = 1 << 20
"""About the rows of a row group."""
_MAGIC = b"PAR1"
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _RLE, _DELTA, _RLE_DICTIONARY = 0, 3, 5, 8
_UTF8 = 0
_TYPES: dict[pl.DataType, tuple[int, int | None, str]] = {
    pl.Int8(): (1, 15, "<i4"),
    pl.Int16(): (1, 16, "<i4"),
    pl.Int32(): (1, None, "<i4"),
    pl.Int64(): (2, None, "<i8"),
    pl.Float32(): (4, None, "<f4"),
    pl.Float64(): (5, None, "<f8"),
    pl.String(): (6, _UTF8, ""),
}
"""The physical type of values, what they are converted to, and how numbers are laid out."""


@dataclass(frozen=True)
class CompleteProfiles:
    """Records that all have a code for every item; ids, items and points are named series of different values."""

    ids: pl.Series
    items: pl.Series
    points: pl.Series
    """What each code stands for."""
    codes: np.ndarray
    """Records × items: uint8 or uint16."""

    @property
    def can_be_written(self) -> bool:
        """Whether the types of all columns are such as are written here."""
        plain = all(each.dtype in _TYPES and not each.null_count() for each in self.columns)
        return plain and self.codes.size > 0 and self.codes.dtype in (np.uint8, np.uint16)

    @property
    def columns(self) -> tuple[pl.Series, pl.Series, pl.Series]:
        """The different values of each column, under its name."""
        return self.ids, self.items, self.points


def write_profiles(profiles: CompleteProfiles, path: Path, advance: Callable[[int], None]) -> None:
    """Write profiles with one line for each record and item, record by record; tell how many records are written."""
    n_records, n_items = profiles.codes.shape
    size = max(_ROWS // n_items, 1)
    items, points = _repeated(profiles.items, min(size, n_records)), _dictionary(profiles.points)
    groups: list[bytes] = []
    with path.open("wb") as file:
        file.write(_MAGIC)
        for start in range(0, n_records, size):
            codes = profiles.codes[start : start + size]
            ids = _Page(_runs(len(codes), n_items), _dictionary(profiles.ids.slice(start, len(codes))))
            if start > 0 and len(codes) < size:
                items = _repeated(profiles.items, len(codes))
            pages = ids, items, _Page(_packed(codes.ravel()), points)
            columns = zip(profiles.columns, pages, strict=True)
            chunks = [_write_chunk(file, column, page, codes.size) for column, page in columns]
            total = sum(length for _, length in chunks)
            groups.append(struct(listed(1, [chunk for chunk, _ in chunks]), i64(2, total), i64(3, codes.size)))
            advance(len(codes))
        footer = _footer(profiles.columns, profiles.codes.size, groups)
        file.write(footer + len(footer).to_bytes(4, "little") + _MAGIC)


class _Dictionary(NamedTuple):
    values: bytes
    n: int


class _Page(NamedTuple):
    """The data of a column in a row group: numbers in a dictionary, or values packed by their differences."""

    data: bytes
    dictionary: _Dictionary | None


def _repeated(items: pl.Series, times: int) -> _Page:
    """Return all items one after the other, several times; differences must fit 32 bits, whatever the type."""
    if items.dtype.is_integer() and int(items.max()) - int(items.min()) < 1 << 30:  # type: ignore[arg-type]
        return _Page(delta_packed(np.tile(items.to_numpy(), times)), None)
    return _Page(_packed(np.tile(np.arange(len(items)), times)), _dictionary(items))


def _dictionary(values: pl.Series) -> _Dictionary:
    layout = _TYPES[values.dtype][2]
    if layout:
        return _Dictionary(values.to_numpy().astype(layout).tobytes(), len(values))
    texts = (text.encode() for text in values.to_list())
    return _Dictionary(b"".join(len(text).to_bytes(4, "little") + text for text in texts), len(values))


def _packed(codes: np.ndarray) -> bytes:
    """Return the width of codes in bits, and one run of them, packed: with whole bytes, that is their memory."""
    width = 1 if codes.max(initial=0) < 1 << 8 else 2 if codes.max(initial=0) < 1 << 16 else 4
    eights = -(-len(codes) // 8)
    filling = bytes((8 * eights - len(codes)) * width)
    return bytes([8 * width]) + varint(2 * eights + 1) + codes.astype(f"<u{width}", copy=False).tobytes() + filling


def _runs(n: int, length: int) -> bytes:
    """Return the width of codes in bits, and the codes 0, 1, …, n − 1, each so many times."""
    return bytes([32]) + b"".join(varint(2 * length) + code.to_bytes(4, "little") for code in range(n))


def _write_chunk(file: BinaryIO, column: pl.Series, page: _Page, rows: int) -> tuple[bytes, int]:
    """Write a page of data, after its dictionary if it has one; return their description and size."""
    begin, encoding, packed = file.tell(), _DELTA, page.dictionary
    if packed is not None:
        encoding, described = _RLE_DICTIONARY, struct(i32(1, packed.n), i32(2, _PLAIN))
        file.write(_page_header(_DICTIONARY_PAGE, len(packed.values), Field(7, described)) + packed.values)
    data = file.tell()
    described = struct(i32(1, rows), i32(2, encoding), i32(3, _RLE), i32(4, _RLE))
    file.write(_page_header(_DATA_PAGE, len(page.data), Field(5, described)))
    file.write(page.data)
    size = file.tell() - begin
    meta = struct(
        i32(1, _TYPES[column.dtype][0]),
        listed(2, [_PLAIN, _RLE, encoding]),
        listed(3, [column.name]),
        i32(4, 0),
        i64(5, rows),
        i64(6, size),
        i64(7, size),
        i64(9, data),
        *([] if packed is None else [i64(11, begin)]),
    )
    return struct(i64(2, begin), Field(3, meta)), size


def _page_header(kind: int, size: int, described: Field) -> bytes:
    return struct(i32(1, kind), i32(2, size), i32(3, size), described)


def _footer(columns: Sequence[pl.Series], rows: int, groups: Sequence[bytes]) -> bytes:
    root = struct(binary(4, "schema"), i32(5, len(columns)))
    elements = [root, *(struct(*_element(column)) for column in columns)]
    return struct(i32(1, 1), listed(2, elements), i64(3, rows), listed(4, groups), binary(6, "shoal"))


def _element(column: pl.Series) -> Iterator[Field]:
    physical, converted, _ = _TYPES[column.dtype]
    yield i32(1, physical)
    yield i32(3, 0)
    yield binary(4, column.name)
    if converted is not None:
        yield i32(6, converted)
