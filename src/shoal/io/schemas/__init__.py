"""What the owner says of a file: its layout, the role of each column, and the hierarchies.

Read ``schema`` first (the settings of ratings and of tables), then ``hierarchy_schema``; ``strict_model`` holds what
both are built from, and ``schema_of`` goes the other way, from records to the schema they are written with.
"""

from .schema import ColumnSchema, Layout, RatingsSchema, Schema, TableSchema, read_schema

__all__ = ["ColumnSchema", "Layout", "RatingsSchema", "Schema", "TableSchema", "read_schema"]
