"""The methods on tables that are not in memory: which can be used there, and what each makes of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from shoal.anonymizers import Allowance, Anonymizer
from shoal.anonymizers.lattice.lattice import Lattice
from shoal.anonymizers.microaggregation.microaggregation import Microaggregation
from shoal.anonymizers.mondrian.mondrian import Mondrian
from shoal.anonymizers.nothing import Nothing
from shoal.anonymizers.top_down.top_down import TopDown
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .generalization import generalized
from .labeled_table import LabeledTable
from .lattice import PartitionedLattice
from .local_recoding.microaggregation import aggregated_in_blocks
from .local_recoding.mondrian import cut_by_mondrian
from .local_recoding.top_down import specialized_top_down
from .methods import needs_memory
from .strata.division import DividedTable, has_strata
from .strata.generalized import generalized_in_strata
from .strata.put_together import put_together
from .table import PartitionedTable
from .write_parts import drawn

__all__ = ["PartitionedRecoding", "recoded"]


@dataclass(frozen=True)
class PartitionedRecoding:
    """What a method made of a table."""

    labeled: LabeledTable
    notes: Mapping[str, int | float] = field(default_factory=dict)
    """Figures on the work of the method, by name."""
    remarks: tuple[str, ...] = ()
    """Sentences that are shown to the owner."""


def recoded(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Anonymizer, budget: Allowance
) -> PartitionedRecoding:
    """Return what a method makes of a table, if it can be used on one that is not in memory."""
    refusal = needs_memory(method, withholding=budget.records > 0)
    if refusal is not None:
        raise refusal
    if not isinstance(method, Nothing | Lattice):
        return _recoded_locally(table, models, method, budget)
    if has_strata(table):
        return _generalized_in_strata(table, models, method, budget)
    if isinstance(method, Nothing):
        return _at_node(table, (0,) * len(table.quasi_identifiers))
    outcome = PartitionedLattice(table).searched(method, models, budget)
    return replace(_at_node(table, method.best_node(outcome)), notes=outcome.notes, remarks=outcome.remarks)


def _recoded_locally(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Anonymizer, budget: Allowance
) -> PartitionedRecoding:
    """Return the table, or each of its strata by itself, in groups with labels of their own."""
    remarks = method.remarks if isinstance(method, Mondrian | TopDown) else ()
    chance = Randomness().with_secret()  # drawn here, once, and the same for all workers
    if not has_strata(table):
        return PartitionedRecoding(_grouped(table, models, method, chance), remarks=remarks)
    strata = DividedTable.of(table, models, budget)
    kept = strata.promises(models)
    labeled = [_grouped(part, kept, method, chance) for part, _ in strata.parts(budget)]
    return PartitionedRecoding(put_together(strata, labeled), remarks=remarks)


def _grouped(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Anonymizer, chance: Randomness
) -> LabeledTable:
    if isinstance(method, Microaggregation):
        return aggregated_in_blocks(table, models, method, chance)
    if isinstance(method, TopDown):
        return specialized_top_down(table, models, method)
    assert isinstance(method, Mondrian)
    return cut_by_mondrian(table, models, method)


def _generalized_in_strata(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Nothing | Lattice, budget: Allowance
) -> PartitionedRecoding:
    """Return each stratum as the method makes it, and what was found of all of them."""
    searching = method if isinstance(method, Lattice) else None
    labeled, outcomes = generalized_in_strata(table, models, searching, budget)
    first, *others = [outcome.notes for outcome in outcomes] or [{}]
    notes = {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}
    remarks = dict.fromkeys(remark for outcome in outcomes for remark in outcome.remarks)
    return PartitionedRecoding(labeled, notes, tuple(remarks))


def _at_node(table: PartitionedTable, node: tuple[int, ...]) -> PartitionedRecoding:
    return PartitionedRecoding(generalized(replace(table, rows=drawn(table.rows)), node))
