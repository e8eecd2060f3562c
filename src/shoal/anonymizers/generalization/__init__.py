"""The lattice of generalizations of a table, shared by the methods that generalize along hierarchies.

Read ``table_lattice`` first (a table, its hierarchies, and the groups at a node), then ``node_loss`` and
``node_evaluation`` (what a node costs, and whether it keeps the promises) with ``withheld_groups``, ``search`` with
``crowded_projections`` (finding the best node). ``group_labels`` with ``value_ranges`` writes the labels of groups,
``cuts`` cuts and labels groups by one quasi-identifier, with a hierarchy or without, ``cut_segments`` by the widest one
as long as that keeps the promises, with ``pooled_parts`` (parts that break one), and ``tree_order`` puts values in an
order in which those under one label are adjacent.
"""

from .table_lattice import TableLattice

__all__ = ["TableLattice"]
