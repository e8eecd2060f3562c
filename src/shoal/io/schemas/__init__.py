"""What the owner says of a file: its layout, the role of each column, and the hierarchies.

Read ``schema`` first (the settings of ratings and of tables), then ``column_schema``, ``hierarchy_schema`` and
``column_labels``; ``strict_model`` holds what all are built from, and ``given_schema`` takes a schema however it is
given. ``schema_of`` goes the other way, from records to the schema they are written with.
"""

from .column_labels import ColumnLabels
from .column_schema import ColumnSchema
from .given_schema import GivenSchema, given_schema
from .schema import AttributesSchema, Layout, RatingsSchema, Schema, TableSchema, read_schema

__all__ = [
    "AttributesSchema",
    "ColumnLabels",
    "ColumnSchema",
    "GivenSchema",
    "Layout",
    "RatingsSchema",
    "Schema",
    "TableSchema",
    "given_schema",
    "read_schema",
]
