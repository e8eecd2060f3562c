"""The schema that records are written with, in releases and ledgers."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Ratings, Records, Role, Survey
from shoal.data.item_periods import without_periods
from shoal.errors import InternalError

from .column_labels import ColumnLabels
from .column_schema import ColumnSchema
from .hierarchy_schema import TreeHierarchy
from .schema import AttributesSchema, RatingsSchema, Schema, TableSchema

__all__ = ["has_silent_lines", "lacks_observable", "schema_of", "tree_of"]


def schema_of(
    records: Records, source: Schema, accepted: Collection[str] = (), *, attributes: str = "attributes.parquet"
) -> Schema:
    """Return a complete schema of records as they will be written: in the layout of their ``source``.

    ``accepted`` are the columns that were accepted against the audit, and ``attributes`` is the file that the
    demographics of a survey are written to where its ratings have one line each.
    """
    if isinstance(records, Survey) and isinstance(source, RatingsSchema):
        return _survey_schema(records, source, accepted, attributes)
    if isinstance(records, Ratings) and isinstance(source, RatingsSchema):
        return _ratings_schema(records, source)
    if isinstance(records, Microdata):
        return TableSchema(
            columns={column.name: _column_schema(column, column.name in accepted) for column in records.columns},
            labels=_labels_of_table(records, source),
            **_unit(records, source),
        )
    raise InternalError(f"There is no schema for records of kind {records.kind!r}.")


def _unit(table: Microdata, source: Schema) -> dict[str, Any]:
    """Return how people are counted: by person in data that stay, by stated numbers in data that are released."""
    if table.stated is not None:
        return {"people": "people.csv"}
    if table.unit == "record":
        return {"unit": "record"}
    person = source.person if isinstance(source, TableSchema) else ()
    return {"person": person} if set(person) <= set(table.names) else {}


def _labels_of_table(table: Microdata, source: Schema) -> dict[str, ColumnLabels]:
    """Return the labels of columns and of the values that are in the records: others would tell what else there was."""
    labels = {}
    for column in table.columns:
        if column.name in source.labels and column.role is not Role.IDENTIFIER:
            words = {str(_plain(word) if isinstance(word, float) else word) for word in column.vocabulary.values}
            labels[column.name] = source.labels[column.name].restricted(words)
    return labels


def _labels_of_ratings(ratings: Ratings, source: RatingsSchema, names: Iterable[str]) -> dict[str, ColumnLabels]:
    """Return the labels of rated columns and of the points of their scale."""
    scale = ratings.scale
    points = {str(_plain(float(scale.lowest + code * scale.step))) for code in range(scale.points)}
    return {name: source.labels[name].restricted(points) for name in names if name in source.labels}


def _survey_schema(survey: Survey, source: RatingsSchema, accepted: Collection[str], attributes: str) -> RatingsSchema:
    columns = {column.name: _column_schema(column, column.name in accepted) for column in survey.table.columns}
    schema = _ratings_schema(survey.ratings, source, taken=columns)
    user = _other_name(schema.user or "user", columns)
    beside = None if schema.layout == "wide" else AttributesSchema(file=attributes, user=user)
    labels = {**schema.labels, **_labels_of_table(survey.table, source)}
    return schema.model_copy(update={"columns": columns, "attributes": beside, "labels": labels})


def _other_name(name: str, taken: Collection[str]) -> str:
    """Return the name of a column that names the records, other than those that are taken."""
    names = (name, "record", "pseudonym", *(f"record {i}" for i in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _ratings_schema(ratings: Ratings, source: RatingsSchema, taken: Collection[str] = ()) -> RatingsSchema:
    common = {
        **_scale_settings(ratings),
        "sensitive": tuple(ratings.sensitive.items.values.cast(pl.String).to_list()),
        "people": None if ratings.people is None else "people.csv",
    }
    if source.layout == "wide":
        items = {*ratings.observable.items.values.to_list(), *common["sensitive"]}
        name = _other_name(source.id[0] if source.id else "record", {*items, *taken})
        labels = _labels_of_ratings(ratings, source, sorted(items))
        return RatingsSchema(layout="wide", id=(name,), labels=labels, **common)
    rating = _rating_column(ratings, source)
    return RatingsSchema(
        layout="long",
        user=source.user or "user",
        item=source.item or "item",
        rating=rating,
        labels=_labels_of_ratings(ratings, source, () if rating is None else (rating,)),
        **(common if source.dates is None else {**common, **_dates(source, common["sensitive"])}),
    )


def _dates(source: RatingsSchema, sensitive: tuple[str, ...]) -> dict[str, Any]:
    """Return what a schema says of periods: their column, and sensitive items without their periods."""
    items = without_periods(pl.Series(sensitive, dtype=pl.String))[0].unique(maintain_order=True)
    return {"date": source.date or "date", "dates": source.dates, "sensitive": tuple(items)}


def _rating_column(ratings: Ratings, source: RatingsSchema) -> str | None:
    """Return the column of ratings; sets need one only where a line must say that somebody has nothing."""
    if not ratings.is_sets:
        return source.rating or "rating"
    return source.rating or ("count" if has_silent_lines(ratings) else None)


def _scale_settings(ratings: Ratings) -> dict[str, Any]:
    if ratings.is_sets:
        return {"kind": "sets"}
    scale = ratings.scale
    return {
        "scale": tuple(_plain(float(end)) for end in (scale.lowest, scale.highest)),
        "step": _plain(float(scale.step)),
    }


def has_silent_lines(ratings: Ratings) -> bool:
    """Decide whether the long layout needs lines without a rating: for people or items that have none."""
    given = np.diff(ratings.observable.indptr) + np.diff(ratings.sensitive.indptr)
    unrated = len(np.unique(ratings.sensitive.indices)) < len(ratings.sensitive.items)
    return bool((given == 0).any()) or unrated or lacks_observable(ratings)


def lacks_observable(ratings: Ratings) -> bool:
    """Decide whether there are items that others may know, and nobody rated one of them."""
    return len(ratings.observable.items) > 0 and ratings.observable.n_ratings == 0


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _column_schema(column: Column, accepted: bool) -> ColumnSchema:  # noqa: FBT001
    kind = column.dtype
    words = "number" if kind.is_numeric() else "date" if kind.is_temporal() else "text"
    tree = tree_of(column.hierarchy) if column.hierarchy is not None and column.role is Role.SENSITIVE else None
    return ColumnSchema(
        role=column.role,
        hierarchy=tree,
        categories=column.categories,
        type=words,
        accepted_against_audit=accepted,
    )


def tree_of(hierarchy: Hierarchy) -> TreeHierarchy:
    """Write a hierarchy as a tree, from below the root down to the values; a missing value is an empty leaf."""
    levels = [labels.take(codes) for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)][-2::-1]
    rows = zip(*(level.cast(pl.String).fill_null("").to_list() for level in levels), strict=True)
    return TreeHierarchy(kind="tree", tree=_branch(list(rows)))


def _branch(paths: list[tuple[str, ...]]) -> dict[str, Any] | list[str]:
    if not paths or len(paths[0]) <= 1:
        return list(dict.fromkeys(leaf for path in paths for leaf in path))
    below: dict[str, list[tuple[str, ...]]] = {}
    for label, *rest in paths:
        below.setdefault(label, []).append(tuple(rest))
    return {label: _branch(rest) for label, rest in below.items()}
