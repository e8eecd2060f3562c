"""The method ``lattice`` on a table that is not in memory: the same node as in memory, found where the records are."""

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.anonymizers import Allowance
from shoal.anonymizers.generalization.node_loss import node_loss
from shoal.anonymizers.generalization.table_lattice import all_or_nothing
from shoal.anonymizers.lattice.lattice import Lattice, LatticeOutcome
from shoal.anonymizers.promises import refuse_without_groups
from shoal.data import Hierarchy
from shoal.errors import SchemaError
from shoal.models import PrivacyModel

from .node_judging import PartitionedBase, PartitionedEvaluation
from .node_rows import lowest_node
from .people.nodes import PeopleEvaluation
from .table import PartitionedTable

__all__ = ["PartitionedLattice", "hierarchies_of"]


def hierarchies_of(table: PartitionedTable) -> tuple[Hierarchy, ...]:
    """Return the hierarchy of each quasi-identifier; one without a hierarchy is published as it is or suppressed."""
    return tuple(column.hierarchy or all_or_nothing(column) for column in table.quasi_identifiers)


@dataclass(frozen=True)
class PartitionedLattice:
    """The lattice of a table that is not in memory."""

    table: PartitionedTable

    def __post_init__(self) -> None:
        if not self.table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalize.", "Give columns that role in the schema.")

    def searched(self, method: Lattice, models: Sequence[PrivacyModel], max_withheld: Allowance) -> LatticeOutcome:
        """Search the lattice as the method does in memory."""
        refuse_without_groups(method.name, models)
        table, names = self.table, [column.name for column in self.table.quasi_identifiers]
        in_people = table.has_repeated_people
        sensitive = any(model.needs_sensitive for model in models) and not in_people
        rows = lowest_node(table.of_records, hierarchies_of(table), sensitive=sensitive)
        base = PartitionedBase(rows, table.quasi_identifiers, table.n_records)
        loss = node_loss(method.loss, base, method.weights_of(names))
        evaluation = (
            PeopleEvaluation(base, table, models, max_withheld, loss)
            if in_people
            else PartitionedEvaluation(base, models, max_withheld, loss, table.backend)
        )
        return method.search_nodes(evaluation, names)
