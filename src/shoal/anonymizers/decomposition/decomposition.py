"""The method ``decomposition``: a degree of anonymization, shared out among attributes by what the data are asked for.

*What it does.* A purpose says how useful each quasi-identifier is (:mod:`.purpose`); the degree, between 0 (as it is)
and 1 (nothing told), is shared out among them (:mod:`.generalization_chain`), which gives a level of its hierarchy for
each. Then the promises are kept: from there on the table is generalized further by as little as they need, in degrees,
or records are withheld as far as allowed.

*Guarantee.* Any promise that is judged on groups; the degree promises nothing by itself. What cannot be kept is
refused. With ``further=chain`` all degrees have their place on one chain that begins at the finest table that keeps the
promises: the levels of a smaller degree are then never above those of a larger one, after the promises are kept, too.

*Reference.* Sun, thesis ch. 4, which never looks whether a table is k-anonymous, and which generalizes what is most
useful most: ``reading=thesis``. Unless said, ``reading=purpose`` is taken, which does what is meant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

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
"""No larger beta: the first steps of a hierarchy would weigh nothing long before."""


@methods.add
@dataclass(frozen=True)
class Decomposition(Anonymizer):
    """A degree of anonymization shared out among attributes by their use, then as much more as the promises need."""

    name: ClassVar[str] = "decomposition"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    degree: Fraction
    """How far the table is to be anonymized, as closely as hierarchies allow: 0 not at all, 1 wholly."""
    reading: Reading = "purpose"
    priorities: str | None = None
    """How useful quasi-identifiers are, ``age:1;zip:0.5``; those not named are of no use."""
    most: str | None = None
    least: str | None = None
    """The most and the least useful one, from which the others follow."""
    target: str | None = None
    """The column that is to be foretold, from which priorities are learned."""
    bins: int = 10
    """Into how many bins numbers are put where priorities follow or are learned."""
    weight: WeightName = "uniform"
    beta: Fraction = Fraction(1)
    """How much more steps near the top count with ``weight=utility``."""
    further: Literal["lattice", "chain"] = "lattice"
    """Where promises need more: the least there is in the whole lattice, or a place on one chain for all degrees."""
    time: int = 60
    """How many seconds a lattice is searched that is too large to be searched whole."""

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
        """What the data are asked for."""
        return Purpose(self.priorities, self.most, self.least, self.target, self.bins)

    def chain(self, lattice: TableLattice) -> GeneralizationChain:
        """Return the chain of generalizations of a table on which every degree has its place."""
        degrees = tuple(level_degrees(each.height, self.weight, self.beta) for each in lattice.hierarchies)
        return GeneralizationChain(degrees, self.purpose.of(lattice.table), self.reading)

    def kept_chain(
        self, lattice: TableLattice, models: Sequence[PrivacyModel], spare: int
    ) -> GeneralizationChain | None:
        """Return the chain that begins at the finest table that keeps the promises; None if none does.

        It does not depend on the degree. In a lattice too large to be searched whole what is finest is not known, and
        the chain begins at the table as it is. Not every node need keep promises that joining groups may break.
        """
        chain = self.chain(lattice)
        lowest, heights = chain.nodes[0], chain.nodes[-1]
        if not is_exhaustive(heights):
            return chain
        finest, _ = least_generalization_above(lattice, lowest, chain, models, spare, self.time)
        return None if finest is None else replace(chain, start=finest)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        spare: int,
    ) -> Recoding:
        refuse_without_groups(self.name, models)
        lattice = TableLattice(cast(Microdata, records), engine)
        chain = self.chain(lattice)
        contingency_tables = chain.nodes[chain.place(self.degree)]
        node, whole = self._kept(lattice, chain, models, spare)
        if node is None:
            raise PromiseNotKept(
                "No further generalization keeps the promises, not even with every quasi-identifier at its top.",
                "Allow records to be withheld (--withhold 2%), or promise less.",
            )
        notes = {
            "degree asked": float(self.degree),
            "degree shared out": float(chain.degree_of(contingency_tables)),
            "degree reached": float(chain.degree_of(node)),
        }
        return Recoding(lattice.generalized(node), notes=notes, remarks=_remarks(notes, whole=whole))

    def _kept(
        self, lattice: TableLattice, chain: GeneralizationChain, models: Sequence[PrivacyModel], spare: int
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Return the node that keeps the promises, and whether it is known to be the best."""
        if self.further == "lattice":
            return least_generalization_above(
                lattice, chain.nodes[chain.place(self.degree)], chain, models, spare, self.time
            )
        kept = self.kept_chain(lattice, models, spare)
        if kept is None:
            return None, True
        found = first_on_chain(lattice, kept.place(self.degree), kept, models, spare)
        return None if found is None else kept.nodes[found], True


def _remarks(notes: Mapping[str, float], *, whole: bool) -> tuple[str, ...]:
    degrees = (
        f"The degree of anonymization asked for is {notes['degree asked']:.3f}; shared out among levels it is "
        f"{notes['degree shared out']:.3f}, and with the promises kept {notes['degree reached']:.3f}."
    )
    if whole:
        return (degrees,)
    return degrees, "There was no time to look at every generalization; a smaller degree may keep the promises too."
