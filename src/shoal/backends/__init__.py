"""Where rows are that do not fit into this process's memory, and what can be done with them there.

:mod:`.base` is read first: rows lie in *partitions*; functions of ours run on batches or on whole partitions, and rows
are shuffled so that those with the same key come together. Everything else (counting, judging, searching, writing) is
made of that, in the room ``partitioned``. :mod:`.stream` keeps partitions on the disk of this machine, :mod:`.spark` on
a cluster. :mod:`.division` divides rows into partitions, and :mod:`.row_numbers` numbers them.
"""

from .base import Backend, BatchFunction, Columns, PartitionFunction, Partitions, Scannable, Shared

__all__ = ["Backend", "BatchFunction", "Columns", "PartitionFunction", "Partitions", "Scannable", "Shared"]
