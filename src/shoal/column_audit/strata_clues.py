"""What a column and a quasi-identifier tell of each other for the people of a stratum: those of one sex, say."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from shoal.evidence import PairCounts

from .clue import Clue
from .clues import AnyClue
from .conditional_clue import ConditionalClue
from .known_column import KnownColumn
from .pair_clues import ReadColumns, classes
from .telling import telling_within

__all__ = ["strata_clues"]

_BEST = 2
"""Of all strata and quasi-identifiers so many are judged, those by which most people are told; they are searched for
on a sample."""
_WORTH_IT = 100
"""More than one person in so many must be told."""
_PLACES = 4


_View = tuple[KnownColumn, np.ndarray, int]
"""A quasi-identifier, the label of each of its values, and the number of labels."""


@dataclass(frozen=True, eq=False)
class _Triple:
    """What is read, one view of a quasi-identifier, and one view of another that makes the strata."""

    read: ReadColumns
    of_stratum: _View
    inside: _View

    def told(self, rows: np.ndarray) -> Iterator[tuple[bool, np.ndarray, int]]:
        """Return what is told by the quasi-identifier, then what is told of it, and of how many people."""
        n_strata, n_known, n_read = self.of_stratum[2], self.inside[2], self.read.n_values
        if n_strata * max(n_known, n_read) > _PLACES * len(rows):
            return
        strata, known, read = _labels(self.of_stratum, rows), _labels(self.inside, rows), self.read.codes[rows]
        counted = PairCounts.of(strata * n_known + known, n_strata * n_known, read, n_read)
        stratum, value = counted.one // n_known, counted.one % n_known
        other_way = PairCounts(stratum * n_read + counted.other, n_strata * n_read, value, n_known, counted.counts)
        for tells_read, pairs, width in ((True, counted, n_known), (False, other_way, n_read)):
            told = telling_within(pairs, np.repeat(np.arange(n_strata), width), n_strata)
            yield tells_read, told, int(pairs.of_one[told >= 0].sum())

    def clue(self, *, tells_read: bool, rows: np.ndarray) -> AnyClue | None:
        """Return the clue as it is learned from rows, for all records."""
        ((_, told, _),) = (each for each in self.told(rows) if each[0] == tells_read)
        if not (told >= 0).any():
            return None
        about = (self.of_stratum[0].column.name, self.inside[0].column.name)
        strata, known, read = _labels(self.of_stratum), _labels(self.inside), self.read.codes
        if tells_read:
            sought = told[strata * self.inside[2] + known]
            found = np.where(sought == read, sought, -1)
            return Clue(self.read.names, about, False, False, classes(read), classes(found))
        by_stratum = told.reshape(self.of_stratum[2], self.read.n_values)
        parts = []
        for stratum in np.flatnonzero((by_stratum >= 0).any(axis=1)):
            of_record, here = by_stratum[stratum][read], strata == stratum
            # whoever of the stratum is told wrongly is looked for anywhere
            of_target = np.where(here & (of_record == known), known, -1)
            parts.append(Clue(self.read.names, about, False, False, classes(of_record), classes(of_target)))
        return ConditionalClue(self.read.names, about, parts)


def _labels(view: _View, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    known, label_of, _ = view
    return label_of[known.codes[rows]]


def strata_clues(
    read: ReadColumns, known: list[KnownColumn], generalized: set[str], sample: np.ndarray, rows: np.ndarray
) -> Iterator[AnyClue]:
    """Return the clues by which most people are told; searched on a sample, learned from rows."""
    found: list[tuple[int, bool, _Triple]] = []
    for one, other in permutations(known, 2):
        if not {one.column.name, other.column.name} & generalized:
            continue
        for of_stratum in one.strata:
            for inside in other.within_strata:
                triple = _Triple(read, (one, *of_stratum), (other, *inside))
                found += [(people, tells_read, triple) for tells_read, _, people in triple.told(sample)]
    worth_it = [each for each in found if _WORTH_IT * each[0] > len(sample)]
    for _, tells_read, triple in sorted(worth_it, key=lambda each: -each[0])[:_BEST]:
        clue = triple.clue(tells_read=tells_read, rows=rows)
        if clue is not None:
            yield clue
