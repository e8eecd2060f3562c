"""The audit of insensitive columns: do they disclose, alone or with the quasi-identifiers, what the promises hide?

Read :mod:`.audit_columns` first. It objects to columns that single people out (:mod:`.revealing_columns`) and to
columns that depend on generalized quasi-identifiers (:mod:`.dependent_columns`). The latter rest on
:mod:`.dependencies` (which values determine which), :mod:`.known_column` (what an attacker knows of a
quasi-identifier), :mod:`.inferences` (how records are ruled out), and the search for inferences in
:mod:`.pair_inferences` and :mod:`.table_inferences`.
"""

from .audit_columns import audit_columns, refuse_unaccepted
from .dependencies import Dependency, dependencies
from .revealing_columns import Objection, revealing_columns

__all__ = [
    "Dependency",
    "Objection",
    "audit_columns",
    "dependencies",
    "refuse_unaccepted",
    "revealing_columns",
]
