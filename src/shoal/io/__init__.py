"""Files in, records out, and back: everything that touches the disk.

Read ``read`` first: it finds the data files (``formats``), the layout (``ratings``, ``tables``) and the schema
(``schemas``, ``hierarchies``), and returns a ``source``. ``describe`` looks at a file without a schema, and ``folders``
writes releases and ledgers. ``write_errors`` reports what goes wrong when something is written.
"""

from .describe import ColumnOverview, overview, starter_schema
from .folders.write_records import write_records
from .hierarchies import read_hierarchy, write_hierarchy
from .read import read
from .schemas import ColumnSchema, RatingsSchema, Schema, TableSchema, read_schema
from .source import Source

__all__ = [
    "ColumnOverview",
    "ColumnSchema",
    "RatingsSchema",
    "Schema",
    "Source",
    "TableSchema",
    "overview",
    "read",
    "read_hierarchy",
    "read_schema",
    "starter_schema",
    "write_hierarchy",
    "write_records",
]
