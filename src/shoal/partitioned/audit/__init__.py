"""The audit of the insensitive columns of a table that is not in memory.

What is asked, and in which order, is in ``column_audit``; here it is counted where the records are.
:mod:`.release_rows` is read first: the records of a partition as the audit reads them. :mod:`.alike_people` counts
people with rare values, :mod:`.pair_counting` pairs of values, :mod:`.several_known` combinations of quasi-identifiers,
and :mod:`.exposure` the people whom rules expose. :mod:`.audited_release` answers what the audit asks with them.
"""

from .alike_people import PartitionedPeople
from .audited_release import audit_release

__all__ = ["PartitionedPeople", "audit_release"]
