"""The method ``lattice``: full-domain generalization with the least information loss that keeps the promises.

*Definition.* A node of the lattice assigns each quasi-identifier a level of its hierarchy, the same for all records.
The search (:mod:`shoal.anonymizers.generalization.search`) finds the node that keeps the promises at the least loss,
exactly: no node of the whole lattice is better. Where records may be withheld, those in groups that break a promise
are, and a node is charged for them.

With ``levels``, nothing is searched: the one node that they name is taken if it keeps the promises, and refused if not.

*Guarantee.* Any promise that is judged on groups. Where merging groups never breaks it, whole parts of the lattice are
ruled out at once; otherwise every node is evaluated that its bound does not rule out. A lattice of more than a million
nodes is searched from the top for ``time`` seconds, and the node found need not be the best.

*Reference.* Thesis ch. 2, whose algorithm follows one path through the lattice; a minimal node of the path need not be
minimal in the lattice. Losses: :mod:`shoal.anonymizers.generalization.node_loss`; searches of other papers:
:mod:`.comparison_searches`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.generalization.node_evaluation import EvaluatedNode, NodeEvaluation
from shoal.anonymizers.generalization.node_loss import LossName, node_loss
from shoal.anonymizers.generalization.search import LatticeSearch, is_exhaustive, lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.anonymizers.promises import refuse_without_groups
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import PromiseNotKept, WordingError
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness
from shoal.wording.format import format_count

from .comparison_searches import incognito, samarati_search
from .fixed_levels import fixed_node, refuse_unreadable_levels

__all__ = ["Lattice", "LatticeOutcome"]


@dataclass(frozen=True)
class LatticeOutcome:
    """The result of a search."""

    best: EvaluatedNode | None
    evaluated: tuple[EvaluatedNode, ...]
    nodes: int
    """The number of nodes of the lattice."""
    whole: bool
    """Whether nothing better can exist; otherwise the time was up."""
    minimal: tuple[tuple[int, ...], ...] | None
    """All minimal nodes, where they were asked for."""

    @property
    def notes(self) -> dict[str, int]:
        """How many nodes were evaluated, where these were too few to know the best."""
        return {} if self.whole else {"lattice nodes": self.nodes, "lattice nodes looked at": len(self.evaluated)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for the owner."""
        if self.whole:
            return ()
        return (
            f"Of the {self.nodes:,} generalizations {len(self.evaluated):,} were evaluated: the promises hold, and "
            "there may be a better one. A longer search (lattice:time=600) or fewer quasi-identifiers may find it.",
        )


@methods.add
@dataclass(frozen=True)
class Lattice(Anonymizer):
    """The best level of each quasi-identifier, the same for all records."""

    name: ClassVar[str] = "lattice"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    loss: LossName = "loss-mean"
    search: Literal["bounded", "incognito", "samarati"] = "bounded"
    weights: str | None = None
    """The weights of quasi-identifiers, ``age:2;zip:0.5``; those not named have weight 1."""
    time: int = 60
    """The seconds for which a lattice is searched that is too large for an exhaustive search."""
    levels: str | None = None
    """The level of each quasi-identifier, ``age:1;zip:2``, where they were chosen and are not to be searched for."""

    def __post_init__(self) -> None:
        _ = self._named_weights  # raises a WordingError of its own
        if self.weights is not None and self.loss in ("discernability", "average-group-size"):
            raise WordingError(f"The loss {self.loss} is one of groups, and weighs no quasi-identifier.")
        if self.time < 1:
            raise WordingError("lattice needs a time of at least one second.")
        if self.levels is not None:
            refuse_unreadable_levels(self.levels)
            if self.search != "bounded":
                raise WordingError("With levels there is nothing to search.", "Leave search out, or levels.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(loss="discernability", search="incognito"))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,
    ) -> Recoding:
        lattice = TableLattice(cast(Microdata, records), engine)
        outcome = self.searched(lattice, models, max_withheld)
        return Recoding(lattice.generalized(self.best_node(outcome)), notes=outcome.notes, remarks=outcome.remarks)

    def best_node(self, outcome: LatticeOutcome) -> tuple[int, ...]:
        """Return the best node of a search, or raise where no node was found to keep the promises."""
        if outcome.best is not None:
            return outcome.best.node
        if self.levels is not None:
            broken = outcome.evaluated[0].withheld
            raise PromiseNotKept(
                f"The levels that were chosen do not keep the promises: {format_count(broken, 'record')} or more would "
                "have to be withheld.",
                "Choose higher levels, allow records to be withheld (--withhold 2%), or promise less.",
            )
        if not outcome.whole:
            raise PromiseNotKept(
                f"The time was up before one of {outcome.nodes:,} generalizations was found to keep the promises.",
                "Search longer (lattice:time=600), take fewer quasi-identifiers, or promise less.",
            )
        raise PromiseNotKept(
            "No generalization keeps the promises, not even with every quasi-identifier at its top.",
            "Allow records to be withheld (--withhold 2%), or promise less.",
        )

    def searched(
        self, lattice: TableLattice, models: Sequence[PrivacyModel], max_withheld: Allowance, *, minimal: bool = False
    ) -> LatticeOutcome:
        """Search the lattice of a table; with ``minimal``, find all minimal nodes too."""
        refuse_without_groups(self.name, models)
        base = lattice.hash_table(models)
        names = [column.name for column in lattice.table.quasi_identifiers]
        loss = node_loss(self.loss, base, self.weights_of(names))
        evaluation = NodeEvaluation(base, models, max_withheld, loss, lattice.people(models))
        return self.search_nodes(evaluation, names, minimal=minimal)

    def search_nodes(
        self, evaluation: NodeEvaluation, names: Sequence[str], *, minimal: bool = False
    ) -> LatticeOutcome:
        """Search the lattice of some columns, wherever nodes are evaluated; with ``minimal``, find all minimal ones."""
        nodes = math.prod(height + 1 for height in evaluation.heights)
        if self.levels is not None:
            return self._chosen(evaluation, names, nodes, minimal=minimal)
        if not is_exhaustive(evaluation.heights):
            if minimal or self.search != "bounded":
                raise WordingError(f"The lattice has {nodes:,} nodes, too many to look for more than one good one.")
            with stage(f"searching {nodes:,} nodes for at most {self.time} s"):
                best, whole = lattice_descent(evaluation, self.time)
            return LatticeOutcome(best, tuple(evaluation.found.values()), nodes, whole, None)
        search = LatticeSearch(evaluation)
        best = self._best(search)
        if minimal:
            search.classify()
        found = tuple(search.minimal()) if minimal else None
        return LatticeOutcome(best, tuple(evaluation.found.values()), nodes, whole=True, minimal=found)

    def _chosen(self, evaluation: NodeEvaluation, names: Sequence[str], nodes: int, *, minimal: bool) -> LatticeOutcome:
        """Evaluate the one node that was chosen."""
        assert self.levels is not None
        if minimal:
            raise WordingError("With levels, no minimal nodes are looked for.", "Leave levels out.")
        found = evaluation.at(fixed_node(self.levels, names, evaluation.heights))
        return LatticeOutcome(found if found.keeps else None, (found,), nodes, whole=True, minimal=None)

    def _best(self, search: LatticeSearch) -> EvaluatedNode | None:
        if self.search == "bounded":
            return search.optimum()
        if not search.evaluation.upward:
            raise WordingError(f"search={self.search} needs promises that generalizing further never breaks.")
        if self.search == "samarati":
            return samarati_search(search)
        incognito(search)
        return search.optimum()

    @property
    def _named_weights(self) -> dict[str, Fraction]:
        named = {}
        for part in filter(None, (self.weights or "").split(";")):
            name, _, weight = part.rpartition(":")
            try:
                named[name.strip()] = Fraction(weight)
            except (ValueError, ZeroDivisionError):
                raise WordingError("lattice needs weights such as age:2;zip:0.5.") from None
        if any(weight <= 0 for weight in named.values()):
            raise WordingError("lattice needs weights above 0.")
        return named

    def weights_of(self, names: Sequence[str]) -> list[Fraction]:
        """Return the weight of each quasi-identifier."""
        named = self._named_weights
        for name in named:
            if name not in names:
                raise WordingError(
                    f"There is no quasi-identifier {name!r} to weigh.", f"There are: {', '.join(names)}."
                )
        return [named.get(name, Fraction(1)) for name in names]
