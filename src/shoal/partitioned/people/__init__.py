"""Tables that are not in memory in which a person may have several records: counted in people.

Whose records they are is numbered in :mod:`shoal.partitioned.persons`. :mod:`.values` counts people by sensitive value,
and :mod:`.nodes` judges the nodes of a lattice by :mod:`.node_counts`. A release states numbers of people:
:mod:`.stated_people` makes them, :mod:`.stated_file` reads them, :mod:`.stated_counts` counts groups by them, and
:mod:`.linked_people` compares them with a ledger.
"""
