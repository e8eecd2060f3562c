"""The hierarchies of a table in one file, for the owner's ledger: measures and attacks read labels by them."""

import json
from pathlib import Path

import polars as pl

from shoal.data import Hierarchy, Microdata

__all__ = ["with_kept_hierarchies", "write_hierarchies"]


def write_hierarchies(table: Microdata, path: Path) -> None:
    """Write, by column, each level of its hierarchy as a list with an entry a leaf."""
    kept = {column.name: _levels(column.hierarchy) for column in table.columns if column.hierarchy is not None}
    path.write_text(json.dumps(kept, ensure_ascii=False) + "\n", encoding="utf-8")


def with_kept_hierarchies(table: Microdata, path: Path) -> Microdata:
    """Give a table with the hierarchies that were written."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    columns = []
    for name, levels in kept.items():
        hierarchy = Hierarchy.from_columns([pl.Series(level, dtype=pl.String) for level in levels])
        columns.append(table[name].with_hierarchy(hierarchy.rebased(table[name].vocabulary)))
    return table.replaced(tuple(columns))


def _levels(hierarchy: Hierarchy) -> list[list[str | None]]:
    whole = hierarchy.declared or hierarchy
    levels = zip(whole.labels, whole.maps, strict=True)
    return [labels.words.gather(codes).to_list() for labels, codes in levels]
