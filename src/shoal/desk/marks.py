"""Marks of people and of records: keyed hashes by which they are noticed in other data.

A mark is the first 64 bits of HMAC-SHA-256 of a field, or of a record, as it is written, under the secret of the desk.
Two that differ are sometimes alike by chance (one pair in 2⁶⁴): then somebody is noticed who is not there.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from shoal.data import Microdata, Role

from .as_written import AsWritten, as_written

__all__ = ["Marks", "mark_list"]

_BYTES = 8


@dataclass(frozen=True, repr=False)
class Marks:
    """The marks of one version of the data."""

    values_print: str
    """One for all records together, whatever their order and that of the columns, their names, types and roles."""
    identities: tuple[np.ndarray, ...]
    """For each way in which people are named, the mark of each record: uint64, 0 where nobody is named."""
    persons: np.ndarray
    """The person each record is of."""
    records: np.ndarray
    """The marks of records that occur once, without what names people, sorted: uint64."""

    @classmethod
    def of(cls, table: Microdata, written: AsWritten, secret: bytes) -> Self:
        """Return the marks of a table."""
        words = {name: as_written(written.fields[name]) for name in written.fields.columns}
        named = {column.name for column in table.with_role(Role.IDENTIFIER)} | set(written.person)
        others = [fields for name, fields in words.items() if name not in named]
        whole = hmac.new(secret, "\n".join(_rows(list(words.values())).sort().to_list()).encode(), hashlib.sha256)
        return cls(
            whole.hexdigest(),
            tuple(_marks(identity, b"person", secret) for identity in _identities(table, words, written.person)),
            np.arange(len(table)) if table.persons is None else table.persons,
            _once(_marks(_rows(others), b"record", secret)) if others else np.zeros(0, np.uint64),
        )

    def __repr__(self) -> str:
        return f"Marks({len(self.people):,} of people, {len(self.records):,} of records)"

    @cached_property
    def people(self) -> np.ndarray:
        """The distinct marks of people, sorted: uint64."""
        marks = np.unique(np.concatenate([np.zeros(0, np.uint64), *self.identities]))
        return marks[marks != 0]

    def people_among(self, marks: np.ndarray) -> int:
        """Count the people of whom a mark is among others."""
        found = [self.persons[np.isin(identity, marks) & (identity != 0)] for identity in self.identities]
        return len(np.unique(np.concatenate(found))) if found else 0

    def records_among(self, marks: np.ndarray) -> int:
        """Count the records that are among others; 0 unless they are a third of the fewer ones.

        Of two samples of different people from one population of 30,000, up to a quarter of the records that occur once
        are alike by chance, and of two that have half of their people in common, half.
        """
        common = len(np.intersect1d(self.records, marks, assume_unique=True))
        return common if common and 3 * common >= min(len(self.records), len(marks)) else 0


def _once(marks: np.ndarray) -> np.ndarray:
    distinct, times = np.unique(marks, return_counts=True)
    return distinct[times == 1]


def mark_list(marks: np.ndarray) -> bytes:
    """Return marks as they are kept."""
    return marks.astype(f"<u{_BYTES}").tobytes()


def _identities(table: Microdata, words: dict[str, pl.Series], person: tuple[str, ...]) -> list[pl.Series]:
    """Return the ways in which people are named, each as one word a record, empty where nobody is named.

    An identifier that is another for everybody names them alone. Where none does, all of them do together; and where
    records are counted, nobody knows, and each does.
    """
    identifiers = sorted(column.name for column in table.with_role(Role.IDENTIFIER))
    alone = [name for name in identifiers if table.unit == "record" or _names_people(words[name], table)]
    ways = [words[name] for name in alone]
    together = person if person and not set(person) <= set(alone) else () if alone else identifiers
    if len(together) == 1:
        ways.append(words[together[0]])
    elif together:
        ways.append(_rows([words[name] for name in together], ordered=True))
    return ways


def _names_people(names: pl.Series, table: Microdata) -> bool:
    """Tell whether a name is another for everybody who has one, and the same in all records of a person."""
    persons = np.arange(len(table)) if table.persons is None else table.persons
    pairs = pl.DataFrame({"name": names, "person": persons}).filter(pl.col("name") != "").unique()
    return bool(len(pairs)) and pairs["name"].n_unique() == pairs["person"].n_unique() == len(pairs)


def _rows(fields: Sequence[pl.Series], *, ordered: bool = False) -> pl.Series:
    """Return each record as one word; with lengths, so that no two run together alike.

    Unless the order counts, fields are sorted within a record: columns may have other names and another order.
    """
    frame = pl.DataFrame([each.alias(str(at)) for at, each in enumerate(fields)])
    sized = [pl.concat_str(pl.col(name).str.len_bytes(), pl.col(name), separator=":") for name in frame.columns]
    row = pl.concat_list(sized)
    return frame.select((row if ordered else row.list.sort()).list.join(",")).to_series()


def _marks(words: pl.Series, what: bytes, secret: bytes) -> np.ndarray:
    """Return the mark of each word, 0 of an empty one."""
    distinct = words.unique()
    keyed = hmac.new(secret, what + b"\0", hashlib.sha256)
    marks = np.fromiter((_mark(keyed, word) for word in distinct), np.uint64, len(distinct))
    found = pl.DataFrame({"word": distinct, "mark": marks})
    return words.to_frame("word").join(found, on="word", how="left", maintain_order="left")["mark"].to_numpy()


def _mark(keyed: hmac.HMAC, word: str) -> int:
    if not word:
        return 0
    one = keyed.copy()
    one.update(word.encode())
    return int.from_bytes(one.digest()[:_BYTES], "little") or 1
