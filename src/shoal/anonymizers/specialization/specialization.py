"""The method ``specialization``: Top-Down Specialization, one cut through each hierarchy for all records.

*Definition.* Every quasi-identifier begins at its root. A step replaces one label by those below it, for all records
under it. Of the steps after which the promises hold and which gain something, the one of the best score is taken, until
there is none. The *gain* is the information about the target, a column to be predicted; without a target, the loss that
is saved (:mod:`.gain`). The *anonymity loss* is by how many people the smallest group gets smaller. Scores: ``ratio``,
gain / loss, or the gain where nothing is lost; ``plus-one``, gain / (loss + 1); ``gain``, which looks at the gain
alone. Of equal scores, that of the first quasi-identifier and the lowest values is taken.

Numbers and dates without a hierarchy, with ``numbers=split`` all of them, are split in two where that gains most.

*Guarantee.* Any promise that is judged on groups; the groups after a step are judged before it is taken. It is a
heuristic: no single step more keeps the promises and gains something, but other cuts may be better.

*Reference.* Fung, Wang and Yu, "Top-Down Specialization for Information and Privacy Preservation" (ICDE 2005), whose
score is ``ratio``; ``plus-one`` is that of their "Anonymizing Classification Data for Privacy Preservation" (TKDE
2007). The gain of a step depends on the records under its label alone, and is computed once, as theirs is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import refuse_without_groups
from shoal.data import Microdata, Records, Role
from shoal.engines import Engine
from shoal.errors import PromiseNotKept, WordingError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .descent import Descent
from .gain import Gain, InformationGain, SavedLoss
from .partition import PartitionJudge
from .taxonomy import HierarchyTaxonomy, RangeTaxonomy, Taxonomy

__all__ = ["SCORES", "ScoreName", "Specialization"]

ScoreName = Literal["ratio", "plus-one", "gain"]
SCORES: Final[dict[ScoreName, Callable[[float, int], float]]] = {
    "ratio": lambda gain, loss: gain / max(loss, 1),
    "plus-one": lambda gain, loss: gain / (loss + 1),
    "gain": lambda gain, loss: gain,  # noqa: ARG005
}
_SPLIT = (
    "Numbers were split where that gains most: the ends of their ranges are values that occur. With hierarchies they "
    "are not."
)


@methods.add
@dataclass(frozen=True)
class Specialization(Anonymizer):
    """Specializes one label at a time for all records, the one of most gain for the anonymity it costs."""

    name: ClassVar[str] = "specialization"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    target: str | None = None
    """The sensitive or insensitive column to be predicted; without one, information loss is saved."""
    score: ScoreName = "ratio"
    numbers: Literal["hierarchy", "split"] = "hierarchy"
    """Whether numbers and dates with a hierarchy follow it, or are split in two all the same."""

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(score="plus-one", numbers="split"), cls(target="shoe", score="gain"))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,
    ) -> Recoding:
        table = cast(Microdata, records)
        descent = self.descent(table, models, engine, max_withheld)
        if descent is None:
            return Recoding(table)
        pairs = list(zip(descent.taxonomies, descent.cuts, strict=True))
        published = table.replaced(tuple(taxonomy.published(cut) for taxonomy, cut in pairs))
        tight = any(isinstance(taxonomy, RangeTaxonomy) and len(cut) > 1 for taxonomy, cut in pairs)
        notes = {"specializations": len(descent.taken)}
        return Recoding(published, notes=notes, remarks=(_SPLIT,) if tight else ())

    def descent(
        self, table: Microdata, models: Sequence[PrivacyModel], engine: Engine, max_withheld: Allowance
    ) -> Descent | None:
        """Return the cuts of a table and how they came about; None where there is no record."""
        refuse_without_groups(self.name, models)
        taxonomies = self._taxonomies(TableLattice(table, engine))
        classes = self._classes(table)
        if not len(table):
            return None
        judge = PartitionJudge(table, models, engine, max_withheld)
        begin = judge.of_one_group()
        if begin is None:
            raise PromiseNotKept(
                "All records together break the promises, with every quasi-identifier at its root.", "Promise less."
            )
        descent = Descent(taxonomies, _gain(taxonomies, classes), judge, SCORES[self.score])
        descent.run(begin)
        return descent

    def _taxonomies(self, lattice: TableLattice) -> list[Taxonomy]:
        made: list[Taxonomy] = []
        for column, hierarchy in zip(lattice.table.quasi_identifiers, lattice.hierarchies, strict=True):
            has_none = column.hierarchy is None or self.numbers == "split"
            split = has_none and column.vocabulary.is_ordered
            made.append(RangeTaxonomy(column) if split else HierarchyTaxonomy(column, hierarchy))
        return made

    def _classes(self, table: Microdata) -> np.ndarray | None:
        if self.target is None:
            return None
        column = table[self.target]
        if column.role not in (Role.SENSITIVE, Role.INSENSITIVE):
            raise WordingError(
                f"The column {column.name!r} cannot be the target of specialization: its role is {column.role}.",
                "Name a sensitive or an insensitive column.",
            )
        return column.codes


def _gain(taxonomies: Sequence[Taxonomy], classes: np.ndarray | None) -> Gain:
    if classes is not None:
        return InformationGain(classes)
    roots = sum(taxonomy.root.cost for taxonomy in taxonomies)
    return SavedLoss(np.full(len(taxonomies[0].column), roots), len(taxonomies))
