"""The method ``lattice``: every quasi-identifier at one level of its hierarchy, and of all such tables the best.

*What it does.* A node of the lattice says at which level each quasi-identifier is told, for all records alike. The
search (:mod:`.lattice_search`) finds the node that keeps the promises at the least loss, exactly: nothing in the whole
lattice is better. With a budget of withheld records, those in groups that break a promise are left out, and a node is
charged for them.

*Guarantee.* Any promise that is judged on groups. Where joining groups never breaks it, whole parts of the lattice are
ruled out at once; otherwise every node is looked at that its bound does not rule out. A lattice of more than a million
nodes is searched from the top for ``time`` seconds (:mod:`.lattice_descent`), and what is found need not be the best.

*Reference.* Thesis ch. 2, whose algorithm follows one path through the lattice; what is minimal on it need not be
minimal. Losses, and searches of other papers: :mod:`.node_loss`, :mod:`.incognito`, :mod:`.samarati_search`.

Incognito: find every node that keeps promises, first for few attributes, then for more.

*Definition.* A table told by some of the attributes alone is one in which all others are at the top. If it breaks a
promise, so does every node that tells these attributes no less exactly. So subsets of the attributes are looked at by
size, and within one nodes from the lowest up; what is ruled out by a smaller subset is never looked at.

*Reference.* LeFevre, DeWitt and Ramakrishnan 2005. Here for comparison: the search by bounds and chains looks at fewer
nodes and gives the same.

Samarati's binary search: the lowest height at which some node keeps promises.

*Definition.* Where joining groups never breaks a promise, a height at which some node keeps it has such nodes at every
height above. So the least height is found by halving, and of the nodes there the one that costs least is taken.

*Reference.* Samarati 2001. Here for comparison: a node of the least height need not be the one that costs least.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.generalization.node_evaluation import EvaluatedNode, NodeEvaluation
from shoal.anonymizers.generalization.node_loss import LossName, node_loss
from shoal.anonymizers.generalization.search import LatticeSearch, is_exhaustive, lattice_descent
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.errors import PromiseNotKept, WordingError
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .base import Anonymizer, Recoding, methods
from .promises import refuse_without_groups

__all__ = ["Lattice", "LatticeOutcome", "incognito", "samarati_search"]


@dataclass(frozen=True)
class LatticeOutcome:
    """What a search found."""

    best: EvaluatedNode | None
    evaluated: tuple[EvaluatedNode, ...]
    nodes: int
    """How many nodes the lattice has."""
    whole: bool
    """Whether nothing better can exist; otherwise the time was up."""
    minimal: tuple[tuple[int, ...], ...] | None
    """All minimal nodes, where they were asked for."""

    @property
    def notes(self) -> dict[str, int]:
        """How much was looked at, where that was not enough to know the best."""
        return {} if self.whole else {"lattice nodes": self.nodes, "lattice nodes looked at": len(self.evaluated)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to tell the owner."""
        if self.whole:
            return ()
        return (
            f"Of the {self.nodes:,} generalizations {len(self.evaluated):,} were looked at: the promises hold, and "
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
    """How much quasi-identifiers count, ``age:2;zip:0.5``; those not named count once."""
    time: int = 60
    """How many seconds a lattice is searched that is too large to be searched whole."""

    def __post_init__(self) -> None:
        _ = self._weights_said  # raises a WordingError of its own
        if self.weights is not None and self.loss in ("discernability", "average-group-size"):
            raise WordingError(f"The loss {self.loss} is one of groups, and weighs no quasi-identifier.")
        if self.time < 1:
            raise WordingError("lattice needs a time of at least one second.")

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
        spare: int,
    ) -> Recoding:
        lattice = TableLattice(cast(Microdata, records), engine)
        outcome = self.searched(lattice, models, spare)
        best = outcome.best
        if best is None and not outcome.whole:
            raise PromiseNotKept(
                f"The time was up before one of {outcome.nodes:,} generalizations was found to keep the promises.",
                "Search longer (lattice:time=600), take fewer quasi-identifiers, or promise less.",
            )
        if best is None:
            raise PromiseNotKept(
                "No generalization keeps the promises, not even with every quasi-identifier at its top.",
                "Allow records to be withheld (--withhold 2%), or promise less.",
            )
        return Recoding(lattice.generalized(best.node), notes=outcome.notes, remarks=outcome.remarks)

    def searched(
        self, lattice: TableLattice, models: Sequence[PrivacyModel], spare: int, *, minimal: bool = False
    ) -> LatticeOutcome:
        """Search the lattice of a table; with ``minimal``, find all minimal nodes too."""
        refuse_without_groups(self.name, models)
        base = lattice.hash_table(models)
        loss = node_loss(self.loss, base, self._weights(lattice.table))
        people = lattice.people(models)
        evaluation = NodeEvaluation(base, models, spare, loss, people)
        nodes = math.prod(height + 1 for height in evaluation.heights)
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
    def _weights_said(self) -> dict[str, Fraction]:
        said = {}
        for part in filter(None, (self.weights or "").split(";")):
            name, _, weight = part.rpartition(":")
            try:
                said[name.strip()] = Fraction(weight)
            except (ValueError, ZeroDivisionError):
                raise WordingError("lattice needs weights such as age:2;zip:0.5.") from None
        if any(weight <= 0 for weight in said.values()):
            raise WordingError("lattice needs weights above 0.")
        return said

    def _weights(self, table: Microdata) -> list[Fraction]:
        said, names = self._weights_said, [column.name for column in table.quasi_identifiers]
        for name in said:
            if name not in names:
                raise WordingError(
                    f"There is no quasi-identifier {name!r} to weigh.", f"There are: {', '.join(names)}."
                )
        return [said.get(name, Fraction(1)) for name in names]


def incognito(search: LatticeSearch) -> None:
    """Find out of every node whether it keeps the promises."""
    heights = search.nodes.max(axis=0)
    by_height = np.argsort(search.nodes.sum(axis=1, dtype=np.int64), kind="stable")
    for size in range(1, len(heights) + 1):
        for attributes in combinations(range(len(heights)), size):
            others = [i for i in range(len(heights)) if i not in attributes]
            inside = (search.nodes[:, others] == heights[others]).all(axis=1)
            for index in by_height[inside[by_height]]:
                if search.state[index] == 0:
                    search.at(search.nodes[index].tolist())


def samarati_search(search: LatticeSearch) -> EvaluatedNode | None:
    """Return the node of the least height that keeps the promises; of several the one that costs least."""
    heights = search.nodes.sum(axis=1, dtype=np.int64)
    low, high = 0, int(heights.max())
    if not search.at(search.nodes[-1].tolist()).keeps:
        return None
    while low < high:
        middle = (low + high) // 2
        found = any(search.keeps(node) for node in search.nodes[heights == middle].tolist())
        low, high = (low, middle) if found else (middle + 1, high)
    there = [search.at(node) for node in search.nodes[heights == low].tolist() if search.keeps(node)]
    return min(there, key=lambda each: each.rank)
