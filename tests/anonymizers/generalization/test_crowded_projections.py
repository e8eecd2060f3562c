"""Nodes are ruled out by a few attributes only where all of them break the promise too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lattice_oracle
from shoal.anonymizers.generalization.crowded_projections import crowded_projections
from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.testing import tables


@given(
    table=tables(min_records=2, max_records=9, max_quasi_identifiers=4, max_sensitive=0),
    k=st.integers(2, 3),
    spare=st.integers(0, 3),
)
def test_what_is_ruled_out_breaks_the_promise_and_squares_are_no_less(table, k, spare) -> None:
    base = TableLattice(table, LocalEngine()).hash_table([promises.read(f"k-anonymity:k={k}")])
    nodes = lattice_oracle.all_nodes(table)
    found = crowded_projections(base, k, spare)
    small = [len(lattice_oracle.withheld_at(table, node, k, 1)) for node in nodes]
    for node, gone in zip(nodes, small, strict=True):
        possible, least = found.possible[node], found.squares[node]
        squares = sum(len(members) ** 2 for members in lattice_oracle.groups_at(table, node).values())
        assert possible or gone > spare
        assert least <= squares
        if len(node) <= 3:  # all attributes were looked at together
            assert possible == (gone <= spare)
            assert not possible or least == pytest.approx(squares)
