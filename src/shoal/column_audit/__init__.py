"""The audit of insensitive columns: do they undo, together or beside the quasi-identifiers, what is promised?"""

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
