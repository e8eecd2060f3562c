"""The hierarchy of the items of sets, which a schema names."""

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, ItemTree, Ratings, Role, Survey
from shoal.errors import HierarchyError
from shoal.io.hierarchies.file import built_hierarchy
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source

__all__ = ["with_item_hierarchy"]


def with_item_hierarchy(source: Source) -> Source:
    """Return a source of sets with the hierarchy of items that its schema names; others as they are."""
    schema, records = source.schema, source.records
    sets = records.ratings if isinstance(records, Survey) else records
    if not isinstance(schema, RatingsSchema) or not isinstance(sets, Ratings) or schema.hierarchy is None:
        return source
    items = sets.observable.items
    column = Column("item", Role.QUASI_IDENTIFIER, items, np.array(sets.observable.indices))
    hierarchy = built_hierarchy(schema.hierarchy, column, schema.null)
    _refuse_labels(hierarchy, sets)
    said = f"Items have a hierarchy of {hierarchy.height:,} levels above them."
    sets = replace(sets, hierarchy=hierarchy)
    known = replace(records, ratings=sets) if isinstance(records, Survey) else sets
    return replace(source, records=known, notes=(*source.notes, said))


def _refuse_labels(hierarchy: Hierarchy, sets: Ratings) -> None:
    """Refuse labels that would be read as something else: as another label, or as a sensitive item."""
    labels = ItemTree.of(hierarchy).labels.values
    sensitive = sets.sensitive.items.values.cast(pl.String)
    taken = int(labels.is_in(sensitive.implode()).sum())
    if taken:
        raise HierarchyError(
            f"{taken:,} labels of the hierarchy of items are names of sensitive items.", "Choose other labels."
        )
