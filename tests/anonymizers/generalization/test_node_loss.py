"""What a node costs at least is never more than it costs."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lattice_oracle
from shoal.anonymizers.generalization.node_loss import node_loss
from shoal.anonymizers.generalization.node_sums import NodeSums
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.engines import LocalEngine
from shoal.evidence import GroupCounts, PrivacyHashTable
from shoal.models import promises
from shoal.testing import tables

ROUNDING = 1e-9


def _part(table: PrivacyHashTable, part: slice) -> PrivacyHashTable:
    return replace(table, counts=GroupCounts(table.counts.sizes[part]), rows=table.rows[:, part])


@pytest.mark.parametrize("name", sorted(lattice_oracle.LOSSES))
@settings(max_examples=20)
@given(table=tables(min_records=2, max_records=9, max_sensitive=0), k=st.integers(2, 3))
def test_no_node_costs_less_than_its_bounds(name, table, k) -> None:
    base = TableLattice(table, LocalEngine()).hash_table([promises.read(f"k-anonymity:k={k}")])
    loss = node_loss(name, base, [Fraction(1)] * len(table.quasi_identifiers))
    for node in lattice_oracle.all_nodes(table):
        gone = lattice_oracle.withheld_at(table, node, k, 1)
        if len(gone) == len(table):
            continue
        cost = lattice_oracle.LOSSES[name](table, node, gone)
        line = np.array([node], np.uint8)
        squares = sum(len(members) ** 2 for members in lattice_oracle.groups_at(table, node).values())
        assert loss.withholding(line, len(gone))[0] <= cost + ROUNDING
        assert loss.withholding(line, len(gone))[0] >= loss.withholding(line, 0)[0]
        assert loss.bounds(line, np.array([squares], np.float64))[0] <= cost + ROUNDING
        rolled_up = base.rolled_up(node)
        small = rolled_up.counts.sizes < k
        assert loss.of(NodeSums.of(rolled_up, small, labels=True)) == cost
        border = len(small) // 2
        parts = (slice(border), slice(border, None))
        halves = [NodeSums.of(_part(rolled_up, part), small[part], labels=True) for part in parts]
        assert loss.of(NodeSums.total(halves)) == cost
        assert loss.alone(node) <= cost
