"""Files in, records out: one format a file."""

from shoal.io.folders.write_records import write_records
from shoal.io.hierarchies.file import read_hierarchy, write_hierarchy

from .describe import ColumnOverview, overview, starter_schema
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
