"""A request to the desk, the chain of views that it is decided on, and the view that it gets."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, cast

from shoal.anonymizers import Allowance, Anonymizer, Recoding
from shoal.anonymizers.decomposition import GeneralizationChain
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .names import known_name

__all__ = ["FixedChain", "FixedGeneralization", "Node", "Request", "Reservation"]


Node = tuple[int, ...]


@dataclass(frozen=True)
class FixedChain:
    """Nodes of the lattice, each above the one before it, and the degree of anonymization of each.

    Views stay nested only as long as they lie on the same chain. Its nodes are therefore kept, and not computed again
    from data that may have changed since.
    """

    nodes: tuple[Node, ...]
    degrees: tuple[Fraction, ...]

    @classmethod
    def of(cls, chain: GeneralizationChain) -> Self:
        """Write a chain down."""
        return cls(chain.nodes, chain.degrees)

    @classmethod
    def of_json(cls, published: dict[str, Any]) -> Self:
        """Read what :meth:`to_json` gave."""
        return cls(tuple(map(tuple, published["nodes"])), tuple(map(Fraction, published["degrees"])))

    def to_json(self) -> dict[str, Any]:
        """Return what is kept."""
        return {"nodes": [list(node) for node in self.nodes], "degrees": [str(degree) for degree in self.degrees]}

    def place(self, degree: Fraction) -> int:
        """Return the place of the finest view whose degree is at least that asked for; else the coarsest."""
        return min(bisect_left(self.degrees, degree), len(self.nodes) - 1)

    @staticmethod
    def meet(nodes: Sequence[Node]) -> Node:
        """Return the node that reveals as much as these together: the finest level of each attribute.

        Levels of a hierarchy nest, so several levels of an attribute reveal no more than the finest one.
        """
        return tuple(map(min, zip(*nodes, strict=True)))


@dataclass(frozen=True)
class FixedGeneralization(Anonymizer):
    """Generalizes each quasi-identifier to one level of its hierarchy, ``1;0;2``; it keeps no promise by itself."""

    name: ClassVar[str] = "fixed-generalization"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    levels: str

    @classmethod
    def node(cls, node: Node) -> Self:
        """Return the method for a node of the lattice."""
        return cls(";".join(map(str, node)))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        node = tuple(map(int, self.levels.split(";")))
        return Recoding(TableLattice(cast(Microdata, records), engine).generalized(node))


@dataclass(frozen=True)
class Request:
    """A requester, a purpose, and the data that the owner hands in for it."""

    dataset: str
    requester: str
    purpose: str
    records: Records
    folder: str
    """Where the release is to be."""
    earlier: tuple[Records, ...] = ()
    """Other versions, of this data set or of those that overlap with it, of which views were released."""

    def __post_init__(self) -> None:
        for name in ("dataset", "requester", "purpose"):
            object.__setattr__(self, name, known_name(getattr(self, name)))  # the dataclass is frozen


@dataclass(frozen=True)
class Reservation:
    """The view that was decided on; it counts as released from now on."""

    number: int
    version: int
    node: Node | None
    """The level of each quasi-identifier; None where groups are recoded locally or merge."""
    degree_asked: Fraction
    degree_reached: Fraction
    models: tuple[PrivacyModel, ...]
    accept: tuple[str, ...]
    method: Anonymizer
    """The method that makes the view."""
    withhold: Fraction
    """The share of the records that it may withhold."""
