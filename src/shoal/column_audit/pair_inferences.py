"""Inferences between columns that are read in the release and one quasi-identifier that is known."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.evidence import PairCounts

from .dependency import Determination, determination, determining_values
from .inferences import ClassInference, ExclusionInference, Inference, RangeInference, excluded_values
from .known_column import KnownColumn, common_parts, determined_ranges

__all__ = ["LearnedFrom", "ReadColumns", "classes", "label_inference", "one_record_a_person", "pair_inferences"]


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


def pair_inferences(read: ReadColumns, known: KnownColumn, learned_from: LearnedFrom) -> Iterator[Inference]:
    """Yield all inferences between what is read and exact or coarser values of the quasi-identifier."""
    about = (known.column.name,)
    exactly = learned_from.pairs(read.codes, read.n_values, known.codes, known.n_values)
    forward, backward = determination(exactly), determination(exactly.swapped)
    yield from _value_inference(read, about, forward, known, None)
    yield from label_inference(read, about, backward, known.codes)
    yield from _exclusion_inference(read, about, exactly, known, None, already=forward.whole or backward.whole)
    for label_of, n_labels in known.coarser:
        # what determines exact values as a whole, or is determined by them, does so for every coarser view
        pairs = exactly.coarsened(label_of, n_labels)
        if not forward.whole:
            yield from _value_inference(read, about, determination(pairs), known, label_of)
        if not backward.whole:
            yield from label_inference(read, about, determination(pairs.swapped), known.codes, label_of)
        yield from _exclusion_inference(read, about, pairs, known, label_of, already=forward.whole or backward.whole)
    if not forward.whole and not backward.whole:
        yield from _common_inference(read, about, exactly, known)
        if known.ranks is not None:
            yield from _range_inference(read, about, exactly, known)


def _value_inference(
    read: ReadColumns, about: tuple[str, ...], said: Determination, known: KnownColumn, label_of: np.ndarray | None
) -> Iterator[ClassInference]:
    """Yield the inference of a quasi-identifier from what is read; records that are exceptions may be anybody's."""
    if (said.determined >= 0).any():
        determined, labels = said.determined[read.codes], known.codes if label_of is None else label_of[known.codes]
        exact = said.exact and bool((determined == labels).all())
        yield ClassInference(
            read.names,
            about,
            said.whole,
            exact,
            classes(np.where(determined == labels, determined, -1)),
            classes(labels),
        )


def label_inference(
    read: ReadColumns,
    about: tuple[str, ...],
    said: Determination,
    known: np.ndarray,
    label_of: np.ndarray | None = None,
) -> Iterator[ClassInference]:
    """Yield the inference of what is read from what is known; people who are exceptions are looked for anywhere."""
    if (said.determined >= 0).any():
        determined = said.determined[known if label_of is None else label_of[known]]
        sought = np.where(determined == read.codes, determined, -1)
        exact = said.exact and bool((determined == read.codes).all())
        yield ClassInference(read.names, about, said.whole, exact, classes(read.codes), classes(sought))


def _common_inference(
    read: ReadColumns, about: tuple[str, ...], pairs: PairCounts, known: KnownColumn
) -> Iterator[ClassInference]:
    """Yield the inference that what is read and what is known determine the same common part."""
    of_read, of_known, n_parts = common_parts(pairs)
    determined = determining_values(pairs.coarsened(of_known, n_parts).swapped.coarsened(of_read, n_parts).swapped)
    if (determined >= 0).any():
        seen, labels = determined[of_read[read.codes]], of_known[known.codes]
        yield ClassInference(
            read.names, about, False, False, classes(np.where(seen == labels, seen, -1)), classes(labels)
        )


def _exclusion_inference(
    read: ReadColumns,
    about: tuple[str, ...],
    pairs: PairCounts,
    known: KnownColumn,
    label_of: np.ndarray | None,
    *,
    already: bool,
) -> Iterator[ExclusionInference]:
    """Yield the inference that values do not occur together, unless one column determines the other ``already``."""
    excluded = None if already else excluded_values(pairs.swapped)
    if excluded is not None:
        labels = known.codes if label_of is None else label_of[known.codes]
        yield ExclusionInference(read.names, about, excluded, labels.astype(np.int64), read.codes.astype(np.int64))


def _range_inference(
    read: ReadColumns, about: tuple[str, ...], pairs: PairCounts, known: KnownColumn
) -> Iterator[RangeInference]:
    """Yield the inference of the range of a quasi-identifier; records outside it may be anybody's."""
    assert known.ranks is not None
    last = known.n_values - 1
    lowest, highest = determined_ranges(pairs.coarsened(known.ranks.astype(np.int64), known.n_values))
    if (highest - lowest < last).any():
        low, high, ranks = lowest[read.codes], highest[read.codes], known.ranks[known.codes]
        outside = (ranks < low) | (ranks > high)
        yield RangeInference(read.names, about, np.where(outside, 0, low), np.where(outside, last, high), ranks)


def classes(labels: np.ndarray) -> np.ndarray:
    """Return labels with half the memory: there may be many inferences about many records."""
    return labels.astype(np.int32, copy=False)
