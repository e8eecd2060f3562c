"""Weights and households of a table that is not in memory: refused where they are unfit, as in memory."""

from dataclasses import dataclass

import polars as pl

from shoal.backends import Backend, Columns
from shoal.data import Role
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import TableSchema
from shoal.io.tables.sample_columns import (
    odd_weights,
    refuse_missing_of_sample,
    refuse_odd_weights,
    refuse_text_weights,
)

from .persons import Named, Written, missing_values, types_of_names

__all__ = ["refuse_unfit_sample_columns"]

_ODD: Columns = {"odd": pl.Int64()}


def refuse_unfit_sample_columns(file: TabularFile, schema: TableSchema, written: Written, backend: Backend) -> None:
    """Refuse weights that are not positive numbers, and weights and households with missing values."""
    roles = {name: schema.columns[name].role for name in file.names}
    names = [name for name, role in roles.items() if role in (Role.WEIGHT, Role.HOUSEHOLD)]
    if not names:
        return
    scanned = backend.scan(file, *names)
    naming = Named(types_of_names(scanned, names, written), written)
    for name, missing in zip(names, missing_values(naming.within(scanned), names), strict=True):
        refuse_missing_of_sample(name, roles[name], missing)
    for name in (name for name in names if roles[name] is Role.WEIGHT):
        own = scanned.columns[name]
        refuse_text_weights(name, naming.types[name] if own == pl.String else own)
        found = scanned.map_batches(_CountOdd(name, written), _ODD).collect("looking at weights")
        refuse_odd_weights(name, int(found["odd"].sum()))


@dataclass(frozen=True)
class _CountOdd:
    name: str
    written: Written

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        weights = self.written.typed(batch[self.name])
        return pl.DataFrame({"odd": [odd_weights(weights)]}, schema=dict(_ODD))
