"""Screen columns for what names people, by their names and by the patterns of their values. No value is ever shown."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from shoal.data import Role
from shoal.wording.format import format_share

from .column_profile import ColumnProfile
from .column_values import ColumnValues
from .identifier_kind import IdentifierKind, words_of
from .identifier_kinds import KINDS

__all__ = ["Screened", "screened"]


@dataclass(frozen=True)
class Screened:
    """One reason to think that a column names people, or helps to find them."""

    column: str
    kind: str
    paragraph: str
    """The letter of the paragraph of HIPAA's safe harbor."""
    role: Role
    by: Literal["name", "values", "name and values", "inside text", "unique", "range"]
    share: float | None
    """The share of the distinct values that match, of up to ten thousand; None where values were not compared."""
    sure: bool
    """Whether hardly anything else looks like this, so that a starter schema states the role."""

    @property
    def reason(self) -> str:
        """Why, in words, without a value."""
        share = "" if self.share is None else f"{format_share(self.share)} of its distinct values"
        return {
            "name": "its name says so",
            "values": f"{share} have this form",
            "name and values": f"its name says so, and {share} have this form",
            "inside text": f"{share} contain one",
            "unique": "no two records share a value",
            "range": "some people are that old",
        }[self.by]

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "column": self.column,
            "kind": self.kind,
            "safe_harbor": self.paragraph,
            "role": str(self.role),
            "by": self.by,
            "share": self.share,
            "sure": self.sure,
            "reason": self.reason,
        }


_SURE = 0.9
_LIKELY = 0.7
_FEWEST = 3
"""So many distinct values must match a pattern; more with check digits, which a tenth of all numbers have by chance."""
_FEWEST_CHECKED = 8
_FIRST_LOOK = 1_000
_SECOND_LOOK = 10_000


def screened(columns: Sequence[ColumnValues], profiles: Sequence[ColumnProfile]) -> tuple[Screened, ...]:
    """Return what columns may be, for each the surest first, and one finding a kind.

    Patterns of whole values are tried on a thousand distinct values, and on ten thousand where half of those match.
    Longer text is searched through for what gives people away in up to a thousand of its distinct values.
    """
    look = _FirstLook(columns, profiles)
    found: dict[str, list[Screened]] = {column.name: [] for column in columns}
    for kind in KINDS:
        for each in look.for_kind(kind):
            found[each.column].append(each)
    for column, profile in zip(columns, profiles, strict=True):
        found[column.name] += [*_over_89(column, profile), *_other_codes(profile, look.texts_of(column.name))]
    plain = {name for name, of_column in found.items() if not any(each.share for each in of_column)}
    for each in look.inside_text(plain):
        found[each.column].append(each)
    return tuple(each for of_column in found.values() for each in _one_a_kind(of_column))


def _one_a_kind(found: list[Screened]) -> list[Screened]:
    by_kind: dict[str, Screened] = {}
    for each in sorted(found, key=lambda each: (not each.sure, each.share is None, -(each.share or 0))):
        by_kind.setdefault(each.kind, each)
    return [*by_kind.values()]


class _FirstLook:
    """A thousand distinct values of each column, all in one series: a pattern is compiled once for all columns."""

    def __init__(self, columns: Sequence[ColumnValues], profiles: Sequence[ColumnProfile]) -> None:
        self._columns = {
            column.name: column
            for column, profile in zip(columns, profiles, strict=True)
            if not (profile.is_constant or column.counted.values.dtype.is_float())
        }
        self._names = [column.name for column in columns]
        parts = [_spread(column.counted.values, _FIRST_LOOK).cast(pl.String) for column in self._columns.values()]
        self._texts = pl.concat(parts) if parts else pl.Series([], dtype=pl.String)
        ends = np.cumsum([0, *map(len, parts)]).tolist()
        self._places = {name: slice(*ends[i : i + 2]) for i, name in enumerate(self._columns)}

    def texts_of(self, name: str) -> pl.Series:
        """Return the values of a column that are looked at; none of numbers that are not whole."""
        return self._texts[self._places[name]] if name in self._places else self._texts.clear()

    def for_kind(self, kind: IdentifierKind) -> Iterator[Screened]:
        """Yield the columns that are of a kind by their names, by their values or by both."""
        named = {name for name in self._names if kind.named(name)}
        likely = self._likely(kind, self._columns.keys() if kind.specific else self._columns.keys() & named)
        for name in self._names:
            share = self._share(kind, name) if name in likely else 0.0
            if share >= _LIKELY:
                by = "name and values" if name in named else "values"
                yield Screened(name, kind.name, kind.paragraph, kind.role, by, share, _is_sure(kind, share))
            elif name in named:
                yield Screened(name, kind.name, kind.paragraph, kind.role, "name", None, False)

    def inside_text(self, names: Collection[str]) -> Iterator[Screened]:
        """Yield what gives people away inside the values of these columns."""
        for kind in KINDS:
            if kind.inside is None:
                continue
            contains = self._texts.str.contains(kind.inside).to_numpy()
            for name, place in self._places.items():
                share = float(contains[place].mean())
                if share and name in names:
                    yield Screened(name, kind.name, kind.paragraph, kind.role, "inside text", share, False)

    def _likely(self, kind: IdentifierKind, names: Collection[str]) -> set[str]:
        """Return the columns of which half of the values looked at match."""
        if kind.pattern is None or not names:
            return set()
        matching = kind.matching(self._texts)
        return {name for name in names if 2 * np.count_nonzero(matching[self._places[name]]) >= self._width(name)}

    def _width(self, name: str) -> int:
        return self._places[name].stop - self._places[name].start

    def _share(self, kind: IdentifierKind, name: str) -> float:
        texts = _spread(self._columns[name].counted.values, _SECOND_LOOK).cast(pl.String)
        matching = int(kind.matching(texts).sum())
        return matching / len(texts) if matching >= (_FEWEST if kind.check is None else _FEWEST_CHECKED) else 0.0


def _is_sure(kind: IdentifierKind, share: float) -> bool:
    """Whether the role is stated: not for what may be a quasi-identifier, which is the owner's decision."""
    return kind.role is Role.IDENTIFIER and share >= _SURE and kind.name != "name"


def _spread(values: pl.Series, most: int) -> pl.Series:
    """Return up to so many of the values, spread over all of them."""
    return values.gather_every(max(len(values) // most, 1)).head(most)


def _over_89(column: ColumnValues, profile: ColumnProfile) -> Iterator[Screened]:
    """Ages over 89 are to be put together, because few people reach them."""
    if profile.type == "number" and "age" in words_of(column.name).split() and profile.quantiles is not None:
        over = int(np.count_nonzero((column.counted.values > 89).to_numpy()))
        if over:
            share = over / len(column.counted)
            yield Screened(column.name, "age over 89", "C", Role.QUASI_IDENTIFIER, "range", share, False)


_CODE = r"^[A-Za-z0-9_./:-]*[0-9][A-Za-z0-9_./:-]*$"


def _other_codes(profile: ColumnProfile, first: pl.Series) -> Iterator[Screened]:
    """Yield that every value occurs once and looks like a number or code that was assigned."""
    if not profile.is_unique or profile.type == "date" or (profile.type == "number" and not profile.whole):
        return
    codes = int(first.str.contains(_CODE).sum()) if profile.type == "text" else _assigned(profile, first)
    if len(first) and codes >= _SURE * len(first):
        yield Screened(profile.name, "unique code", "R", Role.IDENTIFIER, "unique", 1.0, False)


def _assigned(profile: ColumnProfile, first: pl.Series) -> int:
    """Return how many whole numbers look assigned: all of them if they lie close together, else those of one length.

    Amounts of money often differ from record to record as well, but spread widely.
    """
    assert profile.quantiles is not None
    span = float(profile.quantiles.highest) - float(profile.quantiles.lowest) + 1
    if span <= _CLOSE * profile.distinct:
        return len(first)
    lengths = np.bincount(first.str.len_chars().to_numpy())
    return int(lengths.max()) if len(lengths) > _LONG_NUMBER else 0


_CLOSE = 3
"""Numbers that are assigned one after the other leave few gaps."""
_LONG_NUMBER = 6
