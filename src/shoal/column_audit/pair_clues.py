"""What columns that are read and one quasi-identifier that is known tell of each other."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.evidence import PairCounts

from .clues import AnyClue, Clue, ExclusionClue, RangeClue, excluded_values
from .dependencies import Telling, telling, telling_values
from .known_column import KnownColumn, common_parts, published_ranges

__all__ = ["LearnedFrom", "ReadColumns", "classes", "label_clue", "one_record_a_person", "pair_clues"]


@dataclass(frozen=True, eq=False)
class LearnedFrom:
    """All records, in which a person counts once a pair of values, or some rows of them, each for itself."""

    persons: np.ndarray | None = None
    rows: np.ndarray | None = None

    def pairs(self, one: np.ndarray, n_one: int, other: np.ndarray, n_other: int) -> PairCounts:
        """Count the pairs of values of two columns."""
        if self.rows is not None:
            return PairCounts.of(one[self.rows], n_one, other[self.rows], n_other)
        return PairCounts.of(one, n_one, other, n_other, self.persons)


def one_record_a_person(persons: np.ndarray) -> np.ndarray:
    """Return the row of everybody's first record.

    Whoever has many different records is one exception then, and not as many as there are records.
    """
    return np.sort(np.unique(persons, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class ReadColumns:
    """One published column, or several by the combinations of their values."""

    names: tuple[str, ...]
    codes: np.ndarray
    n_values: int


def pair_clues(read: ReadColumns, known: KnownColumn, learned_from: LearnedFrom) -> Iterator[AnyClue]:
    """Return all clues that there are between what is read and exact or coarser values of the quasi-identifier."""
    about = (known.column.name,)
    exactly = learned_from.pairs(read.codes, read.n_values, known.codes, known.n_values)
    tells, published = telling(exactly), telling(exactly.swapped)
    yield from _telling_clue(read, about, tells, known, None)
    yield from label_clue(read, about, published, known.codes)
    yield from _exclusion_clue(read, about, exactly, known, None, already=tells.whole or published.whole)
    for label_of, n_labels in known.coarser:
        # what is told as a whole of exact values, or by them, is told of every coarser view
        pairs = exactly.coarsened(label_of, n_labels)
        if not tells.whole:
            yield from _telling_clue(read, about, telling(pairs), known, label_of)
        if not published.whole:
            yield from label_clue(read, about, telling(pairs.swapped), known.codes, label_of)
        yield from _exclusion_clue(read, about, pairs, known, label_of, already=tells.whole or published.whole)
    if not tells.whole and not published.whole:
        yield from _common_clue(read, about, exactly, known)
        if known.ranks is not None:
            yield from _range_clue(read, about, exactly, known)


def _telling_clue(
    read: ReadColumns, about: tuple[str, ...], said: Telling, known: KnownColumn, label_of: np.ndarray | None
) -> Iterator[Clue]:
    """Return the clue that a quasi-identifier is told; records of which it is told wrongly may be of anybody."""
    if (said.published >= 0).any():
        published, labels = said.published[read.codes], known.codes if label_of is None else label_of[known.codes]
        exact = said.exact and bool((published == labels).all())
        yield Clue(
            read.names, about, said.whole, exact, classes(np.where(published == labels, published, -1)), classes(labels)
        )


def label_clue(
    read: ReadColumns, about: tuple[str, ...], said: Telling, known: np.ndarray, label_of: np.ndarray | None = None
) -> Iterator[Clue]:
    """Return the clue that what is read is told by what is known; who is told wrongly is looked for anywhere."""
    if (said.published >= 0).any():
        published = said.published[known if label_of is None else label_of[known]]
        sought = np.where(published == read.codes, published, -1)
        exact = said.exact and bool((published == read.codes).all())
        yield Clue(read.names, about, said.whole, exact, classes(read.codes), classes(sought))


def _common_clue(read: ReadColumns, about: tuple[str, ...], pairs: PairCounts, known: KnownColumn) -> Iterator[Clue]:
    """Return the clue that what is read and what is known both tell the same part of something."""
    of_read, of_known, n_parts = common_parts(pairs)
    published = telling_values(pairs.coarsened(of_known, n_parts).swapped.coarsened(of_read, n_parts).swapped)
    if (published >= 0).any():
        seen, labels = published[of_read[read.codes]], of_known[known.codes]
        yield Clue(read.names, about, False, False, classes(np.where(seen == labels, seen, -1)), classes(labels))


def _exclusion_clue(
    read: ReadColumns,
    about: tuple[str, ...],
    pairs: PairCounts,
    known: KnownColumn,
    label_of: np.ndarray | None,
    *,
    already: bool,
) -> Iterator[ExclusionClue]:
    """Return the clue that values do not occur together, unless as much is told already."""
    excluded = None if already else excluded_values(pairs.swapped)
    if excluded is not None:
        labels = known.codes if label_of is None else label_of[known.codes]
        yield ExclusionClue(read.names, about, excluded, labels.astype(np.int64), read.codes.astype(np.int64))


def _range_clue(
    read: ReadColumns, about: tuple[str, ...], pairs: PairCounts, known: KnownColumn
) -> Iterator[RangeClue]:
    """Return the clue that the range of a quasi-identifier is told; records outside it may be of anybody."""
    assert known.ranks is not None
    last = known.n_values - 1
    lowest, highest = published_ranges(pairs.coarsened(known.ranks.astype(np.int64), known.n_values))
    if (highest - lowest < last).any():
        low, high, ranks = lowest[read.codes], highest[read.codes], known.ranks[known.codes]
        outside = (ranks < low) | (ranks > high)
        yield RangeClue(read.names, about, np.where(outside, 0, low), np.where(outside, last, high), ranks)


def classes(labels: np.ndarray) -> np.ndarray:
    """Return labels with half the memory: there may be many clues about many records."""
    return labels.astype(np.int32, copy=False)
