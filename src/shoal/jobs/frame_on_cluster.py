"""A DataFrame of Spark as a file, which is scanned where it is."""

from dataclasses import dataclass, field

from shoal.backends.spark import SparkTable
from shoal.io.formats.tabular_file import TabularFile

__all__ = ["frame_on_cluster"]


@dataclass(frozen=True, repr=False)
class _FrameOnCluster(TabularFile):
    """A file whose rows are those of a DataFrame."""

    spark_table: SparkTable = field(kw_only=True)


def frame_on_cluster(table: SparkTable) -> TabularFile:
    """Return a DataFrame as a file; its rows are counted now."""
    columns = table.columns
    return _FrameOnCluster(
        table.name, tuple(columns), table.scan, table.rows, as_written=False, types=columns, spark_table=table
    )
