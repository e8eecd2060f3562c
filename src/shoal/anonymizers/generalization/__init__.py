"""The lattice of generalizations of a table, shared by the methods that generalize along hierarchies.

Read ``table_lattice`` first (a table, its hierarchies, and the groups at a node), then ``node_loss`` and
``node_evaluation`` (what a node costs, and whether it keeps the promises) with ``withheld_groups``, ``search`` with
``crowded_projections`` (finding the best node), and ``value_ranges`` (labels of ranges of values).
"""

from .table_lattice import TableLattice

__all__ = ["TableLattice"]
