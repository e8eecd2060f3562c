"""The view that the desk has decided on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, cast

from shoal.anonymizers import Anonymizer, Recoding
from shoal.anonymizers.table_lattice import TableLattice
from shoal.data import Microdata, Records
from shoal.engines import Engine
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .fixed_chain import Node

__all__ = ["ToldAt"]


@dataclass(frozen=True)
class ToldAt(Anonymizer):
    """Tells each quasi-identifier at one level of its hierarchy, ``1;0;2``; it keeps no promise by itself."""

    name: ClassVar[str] = "told-at"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    heeds_rows: ClassVar[bool] = False

    levels: str

    @classmethod
    def node(cls, node: Node) -> Self:
        """Give the method for a node of the lattice."""
        return cls(";".join(map(str, node)))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],  # noqa: ARG002
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        spare: int,  # noqa: ARG002
    ) -> Recoding:
        node = tuple(map(int, self.levels.split(";")))
        return Recoding(TableLattice(cast(Microdata, records), engine).generalised(node))
