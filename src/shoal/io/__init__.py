"""Files in, records out, and back: everything that touches the disk.

Read ``read`` first: it finds the data files (``formats``), the layout (``ratings``, ``tables``) and the schema
(``schemas``, ``hierarchies``), and returns a ``source``; a frame in memory is opened as a file is (``frames``).
``describe`` looks at a file without a schema, for which ``starter`` writes one, and ``folders`` writes releases and
ledgers. ``schema_beside`` finds the schema of data under their name. Refusals say what to write by ``lines_to_write``,
``not_numbers`` and ``nearest_name``, and ``write_errors`` reports what goes wrong when something is written.
"""

from typing import TYPE_CHECKING

from shoal.on_demand import on_demand, within_modules

from .read import read
from .schemas import ColumnSchema, RatingsSchema, Schema, TableSchema, read_schema
from .source import Data, Source

if TYPE_CHECKING:
    from .describe import open_unexplained, typed_columns
    from .folders.write_records import write_records
    from .hierarchies import read_hierarchy, write_hierarchy
    from .starter import starter_schema

__all__ = [
    "ColumnSchema",
    "Data",
    "RatingsSchema",
    "Schema",
    "Source",
    "TableSchema",
    "open_unexplained",
    "read",
    "read_hierarchy",
    "read_schema",
    "starter_schema",
    "typed_columns",
    "write_hierarchy",
    "write_records",
]

# all records are read, but few are described or written
__getattr__, __dir__ = on_demand(
    __name__,
    within_modules(
        __name__,
        {
            "describe": ("open_unexplained", "typed_columns"),
            "folders.write_records": ("write_records",),
            "hierarchies": ("read_hierarchy", "write_hierarchy"),
            "starter": ("starter_schema",),
        },
    ),
)
