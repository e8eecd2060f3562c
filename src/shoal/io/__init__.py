"""Files in, records out: one format a file."""

from .hierarchy_file import read_hierarchy, write_hierarchy
from .read import read
from .schema import ColumnSchema, RatingsSchema, Schema, TableSchema, read_schema
from .source import Source
from .write_records import write_records

__all__ = [
    "ColumnSchema",
    "RatingsSchema",
    "Schema",
    "Source",
    "TableSchema",
    "read",
    "read_hierarchy",
    "read_schema",
    "write_hierarchy",
    "write_records",
]
