"""Files in, records out: one format a file."""

from .hierarchy_file import read_hierarchy, write_hierarchy
from .overview import ColumnOverview, overview
from .read import read
from .schema import ColumnSchema, RatingsSchema, Schema, TableSchema, read_schema
from .source import Source
from .starter_schema import starter_schema
from .write_records import write_records

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
