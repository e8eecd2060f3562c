"""A DataFrame of Spark as a file to be scanned: its rows stay on the cluster."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

import polars as pl

from shoal.errors import SchemaError

from .failures import foreign_failures
from .tasks import ReadColumns, Task, made_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["OnCluster", "Session", "SparkFrame", "SparkTable", "is_spark_frame", "is_spark_session"]


@runtime_checkable
class Session(Protocol):
    """A session of Spark, as far as it can be declared without Spark."""

    def newSession(self) -> Any:  # noqa: N802 - as Spark writes it
        """Return another session on the same cluster."""
        ...


@runtime_checkable
class SparkFrame(Protocol):
    """A DataFrame of Spark, as far as it can be declared without Spark."""

    @property
    def sparkSession(self) -> Any:  # noqa: N802
        """Return its session."""
        ...

    def selectExpr(self, *expressions: Any) -> Any:  # noqa: N802
        """Return other columns."""
        ...


def is_spark_frame(data: object) -> "TypeGuard[DataFrame]":
    """Tell whether data are a DataFrame of Spark; nothing is imported for it."""
    return _is_of_spark(data, "DataFrame")


def is_spark_session(engine: object) -> "TypeGuard[SparkSession]":
    """Tell whether something is a session of Spark; nothing is imported for it."""
    return _is_of_spark(engine, "SparkSession")


def _is_of_spark(thing: object, name: str) -> bool:
    return any(each.__module__.startswith("pyspark.sql.") and each.__name__ == name for each in type(thing).__mro__)


class SparkTable:
    """A DataFrame whose rows are the same each time they are computed."""

    def __init__(self, frame: "DataFrame", name: str = "the DataFrame") -> None:
        self.frame, self.name = frame, name

    def __repr__(self) -> str:
        return f"SparkTable({self.name!r}, {len(self.frame.columns)} columns)"

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self._counted

    @cached_property
    def _counted(self) -> int:
        with foreign_failures(f"counting the rows of {self.name}", self.name):
            return self.frame.count()

    @cached_property
    def columns(self) -> dict[str, pl.DataType]:
        """The columns with the types they have in Polars."""
        try:
            return dict(pl.DataFrame(self.frame.limit(0).toArrow()).schema)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, NotImplementedError, TypeError, ValueError):
            raise SchemaError(
                f"{self.name} has a column of a type that Polars does not know.", "Cast or drop it first."
            ) from None

    @property
    def scan(self) -> pl.LazyFrame:
        """The rows as a lazy frame, which come through this process when they are collected."""
        from polars.io.plugins import register_io_source

        def batches(wanted: list[str] | None, predicate: pl.Expr | None, n: int | None, _: int | None) -> Any:
            left = n
            for batch in self.batches(*(wanted or self.columns)):
                rows = batch if left is None else batch.head(left)
                yield rows if predicate is None else rows.filter(predicate)
                left = None if left is None else left - rows.height
                if left == 0:
                    return

        return register_io_source(batches, schema=self.columns)

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield these columns in batches of rows, partition by partition."""
        task = Task(ReadColumns({name: self.columns[name] for name in columns}))
        with foreign_failures(f"reading {self.name}", self.name):
            for row in made_of(self.selected(*columns), task).toLocalIterator():
                yield pl.read_ipc_stream(bytes(row["block"]))

    def selected(self, *columns: str) -> "DataFrame":
        """Return some columns under plain names, as ``mapInArrow`` does not take all characters."""
        quoted = (f"`{name.replace('`', '``')}`" for name in columns)
        return self.frame.selectExpr(*(f"{name} AS column{number}" for number, name in enumerate(quoted)))


@runtime_checkable
class OnCluster(Protocol):
    """A file whose rows are those of a DataFrame of Spark."""

    @property
    def spark_table(self) -> SparkTable:
        """The DataFrame."""
        ...
