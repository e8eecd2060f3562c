"""The method ``item-suppression``: rare sets of items disappear by deleting items in the records that hold them.

*Definition.* A set of at most m items that fewer than k people hold must go, and it goes when each of these few records
loses one of its items. In every record, items are deleted until none of its rare sets is left: first the item that is
in the most of them, of several the one that the most people have. Deletions make other sets rarer, so this is repeated
until no set is rare. Then whatever can be put back without making a rare set is put back, the most common items first.

On a survey, people are counted within each class of equal demographics, and the demographics stay as they are: the
method ``joined`` generalizes them first.

*Guarantee.* k^m-anonymity holds, for every k and m that is promised; on a survey, wherever classes have at least k
people. What is published is true: every record holds a part of the items of a person. No deleted item can be put back
into its record alone.

*Reference.* Ours. That supports only fall, so that every record must lose an item of each of its rare sets, also bounds
from below what any method that only deletes must delete. Terrovitis, Mamoulis, Kalnis 2008 generalize items instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.answers import answers_and_classes, with_answers
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.promises import fewest_holders
from shoal.data import RankedRows, RatingMatrix, Records
from shoal.engines import Engine
from shoal.engines.within_classes import items_within_classes
from shoal.kernels.matching.rare_set_cover import (
    dropped_entries,
    kept_of_rows,
    missing_entries,
    restored_entries,
)
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .frequent_sets import FrequentSets

__all__ = ["ItemSuppression"]


@methods.add
@dataclass(frozen=True)
class ItemSuppression(Anonymizer):
    """Deletes items in the records that hold a rare set of them."""

    name: ClassVar[str] = "item-suppression"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey"})
    heeds_rows: ClassVar[bool] = False

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(),)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002 - nothing is drawn
        max_withheld: Allowance,  # noqa: ARG002 - nothing is withheld
    ) -> Recoding:
        ratings, classes = answers_and_classes(records, engine)
        longest = int(np.diff(ratings.observable.indptr).max(initial=0))
        matrix, items = items_within_classes(ratings.observable, classes)
        left, rounds = _suppressed(matrix, fewest_holders(self.name, models, longest), engine)
        made = replace(left, items=ratings.observable.items, indices=items[left.indices])
        return Recoding(with_answers(records, replace(ratings, observable=made)), notes={"rounds": rounds})


def _suppressed(matrix: RatingMatrix, fewest: np.ndarray, engine: Engine) -> tuple[RatingMatrix, int]:
    """Return the matrix without what had to be deleted, and the number of rounds that took."""
    whole, rounds = matrix, 0
    with stage("deleting items of rare sets") as progress:
        while True:
            rows = _ranked(matrix)
            sets = FrequentSets.of(rows, fewest, engine)
            dropped = dropped_entries(rows.starts, rows.ranks, sets.n_rare, *sets.tree, sets.size)
            if not dropped.any():
                return _restored(whole, rows, sets), rounds
            matrix = _kept(matrix, rows, dropped)
            rounds += 1
            progress.advance()


def _restored(whole: RatingMatrix, rows: RankedRows, sets: FrequentSets) -> RatingMatrix:
    """Put back into the rows what they lost needlessly: what makes no set that is not frequent already."""
    before = _ranked(whole, rows.items)
    missing = missing_entries(before.starts, before.ranks, rows.starts, rows.ranks)
    left = restored_entries(before.starts, before.ranks, missing, sets.n_rare, *sets.tree, sets.size)
    return _kept(whole, before, left)


def _ranked(matrix: RatingMatrix, items: np.ndarray | None = None) -> RankedRows:
    return RankedRows.of(matrix, np.arange(len(matrix)), np.ones(len(matrix), np.int64), items)


def _kept(matrix: RatingMatrix, rows: RankedRows, dropped: np.ndarray) -> RatingMatrix:
    """Return the matrix without the entries that are dropped from its ranked rows."""
    kept = kept_of_rows(matrix.indptr, matrix.indices, rows.rank, rows.starts, rows.ranks, dropped)
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[matrix.indptr]
    return RatingMatrix(matrix.items, indptr, matrix.indices[kept], matrix.codes[kept])
