"""Partitions on a cluster of Apache Spark.

Spark carries rows and runs our functions on them; it counts and sorts nothing itself, so that its answers are those of
every other backend. :mod:`.blocks` is read first: rows as Spark carries them. :mod:`.tasks` runs on the executors,
which read files in :mod:`.ranges`; :mod:`.failures` brings errors back from there. :mod:`.staging` keeps what must not
be computed twice, :mod:`.watched` reports progress, :mod:`.spark_partitions` puts these together. :mod:`.spark_table`
is for DataFrames of Spark, :mod:`.seen_folders` for folders that executors write to; :mod:`.session` and
:mod:`.backend` begin and end it all.
Nothing is imported from pyspark before a backend is made.
"""

from .backend import SparkBackend
from .spark_table import Session, SparkFrame, SparkTable, is_spark_frame, is_spark_session

__all__ = ["Session", "SparkBackend", "SparkFrame", "SparkTable", "is_spark_frame", "is_spark_session"]
