"""The method ``decomposition``: a degree of anonymization, distributed over attributes by the purpose of the data.

*Definition.* A purpose ranks the quasi-identifiers by use (:mod:`.purpose`); the degree, between 0 (unchanged) and 1
(everything suppressed), is distributed over them (:mod:`.generalization_chain`), which yields a level of its hierarchy
for each. From there the table is generalized further by the least degree that keeps the promises, or records are
withheld as far as allowed (:mod:`.further_generalization`).

*Guarantee.* Any promise that is judged on groups; the degree promises nothing by itself. A promise that cannot be kept
is refused. With ``further=chain`` every degree has its place on one chain that begins at the finest table that keeps
the promises: the levels of a smaller degree are then never above those of a larger one in the release either.

*Reference.* Sun, thesis ch. 4, which never checks whether a table is k-anonymous, and which generalizes the most useful
attributes most (``reading=thesis``). The default, ``reading=purpose``, does what the text intends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

from shoal.anonymizers.allowance import NOTHING_WITHHELD, Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.generalization.search import is_exhaustive
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import refuse_without_groups
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import PromiseNotKept, WordingError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .further_generalization import first_on_chain, least_generalization_above
from .generalization_chain import GeneralizationChain, Reading, WeightName, level_degrees
from .purpose import Purpose

__all__ = ["Decomposition"]

_STEEPEST = 100
"""The largest beta: beyond it the first steps of a hierarchy would weigh nothing."""


@methods.add
@dataclass(frozen=True)
class Decomposition(Anonymizer):
    """A degree of anonymization distributed over attributes by their use, then as much more as the promises need."""

    name: ClassVar[str] = "decomposition"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    degree: Fraction
    """The degree of anonymization asked for, met as closely as hierarchies allow: 0 not at all, 1 wholly."""
    reading: Reading = "purpose"
    priorities: str | None = None
    """The priorities of quasi-identifiers, ``age:1;zip:0.5``; those not named have priority 0."""
    most: str | None = None
    least: str | None = None
    """The most and the least useful quasi-identifier, from which the other priorities are derived."""
    target: str | None = None
    """The column to be predicted, from which priorities are learned."""
    bins: int = 10
    """The number of bins for numbers where priorities are derived or learned."""
    weight: WeightName = "uniform"
    beta: Fraction = Fraction(1)
    """The exponent by which steps near the top count more with ``weight=utility``."""
    further: Literal["lattice", "chain"] = "lattice"
    """Where promises need more: the least degree of the lattice, or the next node of one chain for all degrees."""
    time: int = 60
    """The seconds for which a lattice is searched that is too large for an exhaustive search."""

    def __post_init__(self) -> None:
        _ = self.purpose  # raises a WordingError of its own
        if not 0 <= self.degree <= 1:
            raise WordingError("decomposition needs a degree of at least 0 and at most 1.")
        if not 1 <= self.beta <= _STEEPEST:
            raise WordingError(f"decomposition needs a beta of at least 1 and at most {_STEEPEST}.")
        if self.beta != 1 and self.weight != "utility":
            raise WordingError("decomposition weighs every step alike, and beta says nothing.", "Add weight=utility.")
        if self.time < 1:
            raise WordingError("decomposition needs a time of at least one second.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(Fraction(2, 5)),
            cls(Fraction(2, 3), reading="thesis", weight="utility", beta=Fraction(2), further="chain"),
        )

    @property
    def purpose(self) -> Purpose:
        """The purpose that the settings describe."""
        return Purpose(self.priorities, self.most, self.least, self.target, self.bins)

    def chain(self, lattice: TableLattice) -> GeneralizationChain:
        """Return the chain of generalizations of a table, which has a node for every degree."""
        degrees = tuple(level_degrees(each.height, self.weight, self.beta) for each in lattice.hierarchies)
        return GeneralizationChain(degrees, self.purpose.of(lattice.table), self.reading)

    def kept_chain(
        self, lattice: TableLattice, models: Sequence[PrivacyModel], max_withheld: Allowance = NOTHING_WITHHELD
    ) -> GeneralizationChain | None:
        """Return the chain that begins at the finest table that keeps the promises; None if no table does.

        It does not depend on the degree. In a lattice too large for an exhaustive search the finest table is not known,
        and the chain begins at the original. Promises that merging groups may break need not hold at every node.
        """
        chain = self.chain(lattice)
        lowest, heights = chain.nodes[0], chain.nodes[-1]
        if not is_exhaustive(heights):
            return chain
        finest, _ = least_generalization_above(lattice, lowest, chain, models, max_withheld, self.time)
        return None if finest is None else replace(chain, start=finest)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,
    ) -> Recoding:
        refuse_without_groups(self.name, models)
        lattice = TableLattice(cast(Microdata, records), engine)
        chain = self.chain(lattice)
        distributed = chain.nodes[chain.place(self.degree)]
        node, whole = self._kept(lattice, chain, models, max_withheld)
        if node is None:
            raise PromiseNotKept(
                "No further generalization keeps the promises, not even with every quasi-identifier at its top.",
                "Allow records to be withheld (--withhold 2%), or promise less.",
            )
        notes = {
            "degree asked": float(self.degree),
            "degree shared out": float(chain.degree_of(distributed)),
            "degree reached": float(chain.degree_of(node)),
        }
        return Recoding(lattice.generalized(node), notes=notes, remarks=_remarks(notes, whole=whole))

    def _kept(
        self, lattice: TableLattice, chain: GeneralizationChain, models: Sequence[PrivacyModel], max_withheld: Allowance
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Return the node to publish, which keeps the promises, and whether it is known to be the best."""
        if self.further == "lattice":
            return least_generalization_above(
                lattice, chain.nodes[chain.place(self.degree)], chain, models, max_withheld, self.time
            )
        kept = self.kept_chain(lattice, models, max_withheld)
        if kept is None:
            return None, True
        found = first_on_chain(lattice, kept.place(self.degree), kept, models, max_withheld)
        return None if found is None else kept.nodes[found], True


def _remarks(notes: Mapping[str, float], *, whole: bool) -> tuple[str, ...]:
    degrees = (
        f"The degree of anonymization asked for is {notes['degree asked']:.3f}; the nearest that the hierarchies allow "
        f"is {notes['degree shared out']:.3f}, and the promises need {notes['degree reached']:.3f}."
    )
    if whole:
        return (degrees,)
    return degrees, "The time was too short to evaluate every generalization; a smaller degree may keep the promises."
