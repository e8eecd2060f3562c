"""Marks of people and of records: keyed hashes by which they are recognized in other data.

A mark is the first 64 bits of HMAC-SHA-256 of a field, or of a record, as it is written, under the secret of the desk.
Two that differ are sometimes alike by chance (one pair in 2⁶⁴): then somebody is noticed who is not there.

Roles are what an owner says of columns, and the same people may be registered with other roles. So a column that is
dropped and names people is marked as an identifier is, and records are marked over several sets of columns, most of
which do not depend on roles.

*Common records.* Records that two data sets share are counted only if chance does not explain them. Where most records
occur once, those of other people are seldom equal: of two samples of different people from one population of 30,000, up
to a quarter of the records that occur once are equal by chance, and of two that have half of their people in common,
half. Where records occur several times, two samples of different people have nearly the same ones. The same people are
then recognized by agreeing better than samples do: each kind of record occurs nearly the same number of times.

*Fields as written.* The same data can be read as numbers or as words, with other marks for missing values, from CSV or
from Parquet. To recognize them, fields are compared as they stand in the file, in one normal form: stripped of spaces,
letters in the normal form NFC, numbers by their value (``007``, ``7`` and ``7.0`` are equal) and times by when they
begin. What only looks equal is taken to be the same; that errs on the side of caution.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import pi, sqrt
from typing import Final, Self

import numpy as np
import polars as pl
from scipy.special import ndtr

from shoal.data import Microdata, Role
from shoal.data.time_span import time_span
from shoal.data.written_label import written_values

__all__ = ["AsWritten", "Marks", "as_written", "common_records", "mark_list"]


_ONCE: Final = 3
"""If more than one in this many of the records that occur once are equal, that is more than chance."""
_FEW: Final = 5
"""Fewer equal records than this may be equal by chance, however few there are."""
_BETTER: Final = 4
"""The same people are assumed if this many times fewer records are missing than expected."""
_TELLING: Final = 2.0
"""If fewer than this are expected to be missing, it says nothing that none is."""


def common_records(ours: np.ndarray, theirs: np.ndarray) -> int:
    """Count the marks that are in both lists, each as often as in both; 0 if they may be alike by chance."""
    if not len(ours) or not len(theirs):
        return 0
    marks, at = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    times = [np.bincount(each, minlength=len(marks)) for each in (at[: len(ours)], at[len(ours) :])]
    common = int(np.minimum(*times).sum())
    expected = _expected_missing(*sorted(times, key=lambda each: int(each.sum())))
    missing = min(len(ours), len(theirs)) - common
    if expected >= _TELLING and _BETTER * missing <= expected:
        return common
    once = [each == 1 for each in times]
    alike, fewer = int((once[0] & once[1]).sum()), min(int(each.sum()) for each in once)
    return alike if alike >= _FEW and _ONCE * alike >= fewer else 0


def _expected_missing(fewer: np.ndarray, more: np.ndarray) -> float:
    """Return how many of the fewer records would be missing among the others if both were samples of other people.

    How often a kind of record occurs in a sample is nearly normal, with a variance as large as its mean.
    """
    share = (fewer + more) / (fewer.sum() + more.sum())
    excess, spread = share * (int(fewer.sum()) - int(more.sum())), np.sqrt(fewer + more)
    at = excess / spread
    return float((spread * np.exp(-(at**2) / 2) / sqrt(2 * pi) + excess * ndtr(at)).sum())


_PLAIN: Final = r"^-?[1-9][0-9]*$|^0$"
"""Whole numbers in the one form."""
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_TRUTH: Final = ("true", "false")


@dataclass(frozen=True, repr=False)
class AsWritten:
    """What a file holds, and which of its columns name the person a record is of."""

    fields: pl.DataFrame
    person: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Microdata) -> Self:
        """Return it of a table of which no file is known: its values as they would be written."""
        return cls(table.frame())

    def __repr__(self) -> str:
        return f"AsWritten({self.fields.height:,} records, {self.fields.width} columns)"


def as_written(values: pl.Series) -> pl.Series:
    """Return fields in the one form, missing ones as empty."""
    texts = written_values(values).str.strip_chars().fill_null("")
    distinct = texts.unique()
    odd = distinct.filter(~distinct.str.contains(_PLAIN))
    forms = pl.Series(map(_form, odd), dtype=pl.String)
    return texts.replace(odd, forms)


def _form(word: str) -> str:
    if word.isascii() and _NUMBER.fullmatch(word):
        return _number(word)
    if word.lower() in _TRUTH:
        return word.lower()
    span = time_span(word)
    return unicodedata.normalize("NFC", word) if span is None else f"time {span[0]}"


def _number(word: str) -> str:
    """Return a decimal number without an exponent and without zeros that mean nothing."""
    number = Decimal(word)
    if not number:
        return "0"
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


_BYTES = 8
_NEARLY_ALL = 0.95
"""A column may name people if at least this share of its values is distinct."""


@dataclass(frozen=True, repr=False)
class Marks:
    """The marks of one version of the data."""

    values_print: str
    """One for all records together, whatever their order and that of the columns, their names, types and roles."""
    identities: tuple[np.ndarray, ...]
    """For each way in which people are named, the mark of each record: uint64, 0 where nobody is named."""
    persons: np.ndarray
    """The person each record is of."""
    records: tuple[np.ndarray, ...]
    """The marks of records over each of several sets of columns, sorted, as often as they occur: uint64."""

    @classmethod
    def of(cls, table: Microdata, written: AsWritten, secret: bytes) -> Self:
        """Return the marks of a table."""
        words = {name: as_written(written.fields[name]) for name in written.fields.columns}
        whole = hmac.new(secret, "\n".join(_rows(list(words.values())).sort().to_list()).encode(), hashlib.sha256)
        sets = _sets_of_columns(table, words, written.person)
        return cls(
            whole.hexdigest(),
            tuple(_marks(identity, b"person", secret) for identity in _identities(table, words, written.person)),
            np.arange(len(table)) if table.persons is None else table.persons,
            tuple(np.sort(_marks(_rows([words[name] for name in each]), b"record", secret)) for each in sets),
        )

    def __repr__(self) -> str:
        return f"Marks({len(self.people):,} of people, of records over {len(self.records)} sets of columns)"

    @cached_property
    def people(self) -> np.ndarray:
        """The distinct marks of people, sorted: uint64."""
        marks = np.unique(np.concatenate([np.zeros(0, np.uint64), *self.identities]))
        return marks[marks != 0]

    def people_among(self, marks: np.ndarray) -> int:
        """Count the people who have a mark among ``marks``."""
        found = [self.persons[np.isin(identity, marks) & (identity != 0)] for identity in self.identities]
        return len(np.unique(np.concatenate(found))) if found else 0

    def records_among(self, others: Iterable[np.ndarray]) -> int:
        """Count the records that are also among others, by the most revealing sets of columns; 0 if by chance."""
        return max((common_records(ours, theirs) for theirs in others for ours in self.records), default=0)


def mark_list(marks: np.ndarray) -> bytes:
    """Return marks as they are kept."""
    return marks.astype(f"<u{_BYTES}").tobytes()


def _sets_of_columns(table: Microdata, words: dict[str, pl.Series], person: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the columns over which records are compared: all; without what names people, by their values and by their
    roles; without what is dropped, too; and each alone that is another for nearly everybody, whatever its role.
    """
    roles = {column.name: column.role for column in table.columns}
    named = {name for name in words if roles.get(name) is Role.IDENTIFIER} | set(person)
    dropped = {name for name in words if roles.get(name, Role.DROP) is Role.DROP}
    distinct = {name for name, fields in words.items() if _is_distinct(fields)}
    found = [set(words) - without for without in (set[str](), distinct, named, named | dropped)]
    found += [{name} for name in distinct]
    return sorted({tuple(sorted(each)) for each in found if each})


def _is_distinct(fields: pl.Series) -> bool:
    """Tell whether nearly all fields that are there differ."""
    there = fields.filter(fields != "")
    return len(there) > 0 and there.n_unique() >= _NEARLY_ALL * len(there)


def _identities(table: Microdata, words: dict[str, pl.Series], person: tuple[str, ...]) -> list[pl.Series]:
    """Return the ways in which people are named, each as one word a record, empty where nobody is named.

    An identifier that is another for everybody names them alone. Where none does, all of them do together; and where
    records are counted, nobody knows, and each does. A column that is dropped and another for everybody may be an
    identifier elsewhere.
    """
    identifiers = sorted(column.name for column in table.with_role(Role.IDENTIFIER))
    alone = [name for name in identifiers if table.unit == "record" or _names_people(words[name], table)]
    ways = [words[name] for name in alone]
    together = person if person and not set(person) <= set(alone) else () if alone else identifiers
    if len(together) == 1:
        ways.append(words[together[0]])
    elif together:
        ways.append(_rows([words[name] for name in together], ordered=True))
    dropped = sorted(column.name for column in table.with_role(Role.DROP))
    return ways + [words[name] for name in dropped if name not in together and _names_people(words[name], table)]


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
