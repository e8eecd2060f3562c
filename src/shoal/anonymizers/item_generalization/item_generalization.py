"""The method ``item-generalization``: items of sets are published as what they have in common in a hierarchy.

*Definition.* Every item is published as one node of the hierarchy of items, in all records alike (a global cut), and a
record holds a node if it holds an item under it. Sets of one node that fewer than k people hold are mended first, then
sets of two, up to m. Where sets are rare, nodes in them are replaced by the ones above: first those that cost least for
each rare set they are in. The cost is the normalized certainty penalty, over all occurrences of items. Then every node
that can be split into its children without making a set rare is split, the most costly first.

On a survey, people are counted within each class of equal demographics, and the demographics stay as they are: the
method ``joined`` generalizes them first. The cut is the same for all classes, so that an item means the same in all of
them. Where fewer people of a class have any item than must share one, none of theirs is published.

*Guarantee.* k^m-anonymity holds, for every k and m that is promised; on a survey, wherever classes have at least k
people. What is published is true: an item stands for what a person has, exactly or in general. No node of the cut can
be split alone.

*Reference.* Terrovitis, Mamoulis, Kalnis 2008, Apriori-based anonymization: sets in order of size, full subtrees.
There, one rare set after the other is mended; splitting again what was joined needlessly is ours. Poulis et al. 2013
choose a cut for each class, which loses less in each and makes classes harder to compare.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.answers import answers_and_classes, with_answers
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.promises import fewest_holders
from shoal.data import ItemTree, RatingMatrix, Ratings, Records, Vocabulary
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.evidence import Grouping
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .item_cut import lowered_cut, raised_cut

__all__ = ["ItemGeneralization"]


@methods.add
@dataclass(frozen=True)
class ItemGeneralization(Anonymizer):
    """Publishes items of sets as nodes of their hierarchy, for everybody alike."""

    name: ClassVar[str] = "item-generalization"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings", "survey"})
    generalizes_items: ClassVar[bool] = True
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
        if ratings.hierarchy is None:
            raise WordingError(
                f"The method {self.name!r} needs a hierarchy of items, and these data have none.",
                'Name it in the schema of sets, hierarchy = "items.csv", or use item-suppression.',
            )
        own = int(np.diff(ratings.observable.indptr).max(initial=0))
        fewest, tree = fewest_holders(self.name, models, own), ItemTree.of(ratings.hierarchy)
        matrix, remarks = _of_enough_holders(ratings.observable, classes, int(fewest[0]))
        longest = int(np.diff(matrix.indptr).max(initial=0))
        if not longest:
            return Recoding(with_answers(records, _without_items(ratings, tree)), remarks=remarks)
        cut, rounds = raised_cut(matrix, classes, tree, fewest[:longest], engine)
        cut = lowered_cut(matrix, classes, tree, cut, fewest[:longest])
        nodes, place = np.unique(cut, return_inverse=True)
        made = matrix.joined(tree.labels.select(nodes), place.astype(np.int32))
        notes = {"rounds": rounds, "nodes": len(nodes)}
        made = with_answers(records, replace(ratings, observable=made, hierarchy=None))
        return Recoding(made, remarks=remarks, notes=notes)


def _of_enough_holders(matrix: RatingMatrix, classes: Grouping, fewest: int) -> tuple[RatingMatrix, tuple[str, ...]]:
    """Return the sets without those of classes in which too few people have any item, and say so."""
    holds = np.diff(matrix.indptr) > 0
    holders = np.bincount(classes.labels[holds], minlength=classes.n_groups)
    few = holders < fewest
    if not few.any():
        return matrix, ()
    kept = np.repeat(~few[classes.labels], np.diff(matrix.indptr))
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[matrix.indptr]
    lost = int(holders[few].sum())
    whom = "anybody" if few.all() else f"{lost:,} people, in whose classes that is so"
    said = f"Fewer people have any item than must share one: no item is published of {whom}."
    left = RatingMatrix(matrix.items, indptr, matrix.indices[kept], matrix.codes[kept])
    return left, (said,) if lost or few.all() else ()


def _without_items(records: Ratings, tree: ItemTree) -> Ratings:
    """Return records that hold nothing, not even the root."""
    root = Vocabulary(tree.labels.values[-1:])
    starts, codes = np.zeros(len(records) + 1, np.int64), records.observable.codes[:0]
    return replace(records, observable=RatingMatrix(root, starts, np.zeros(0, np.int32), codes), hierarchy=None)
