"""Describe data: records, items or columns, density, roles, and how many records are unique."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from shoal.column_audit import Dependency, dependencies, revealing_columns
from shoal.data import Column, Microdata, Ratings, Records, Role
from shoal.engines import LocalEngine
from shoal.errors import SchemaError
from shoal.evidence import equal_tuples, people_by_class
from shoal.io import ColumnOverview, Data, Source, overview, starter_schema
from shoal.io.frames import ReadableData
from shoal.io.schemas import GivenSchema

from .read import read

__all__ = ["Description", "describe"]


@dataclass(frozen=True)
class Description:
    """Facts about a data set in numbers, and in sentences how it was understood."""

    facts: dict[str, Any]
    notes: tuple[str, ...]
    columns: tuple[dict[str, Any], ...] = ()
    """For tables, one entry a column."""
    dependencies: tuple[Dependency, ...] = ()
    """For tables, which columns outside the promises determine a quasi-identifier or are determined by one."""
    starter: str | None = None
    """A schema to start from, where the data could not be read without one."""

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published: dict[str, Any] = {**self.facts, "notes": list(self.notes)}
        if self.columns:
            published["columns"] = list(self.columns)
        if self.dependencies:
            published["dependencies"] = [asdict(each) for each in self.dependencies]
        if self.starter is not None:
            published["starter_schema"] = self.starter
        return published


def describe(
    data: Data,
    schema: GivenSchema | None = None,
    *,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
) -> Description:
    """Describe data; without a schema, data that need one are described column by column."""
    try:
        source = read(data, schema, duplicates=duplicates)
    except SchemaError as error:
        if schema is not None or isinstance(data, Source):
            raise
        return _described_columns(data, str(error))
    records = source.records
    facts = _facts_of_ratings(records) if isinstance(records, Ratings) else _facts_of_table(records)
    facts = {**facts, **_uniqueness(records)}
    if not isinstance(records, Microdata):
        return Description(facts, source.notes)
    more, notes, found = _outside_the_promises(records)
    return Description({**facts, **more}, (*source.notes, *notes), _columns_of(records), found)


def _outside_the_promises(table: Microdata) -> tuple[dict[str, Any], list[str], tuple[Dependency, ...]]:
    """Return what is to be known of insensitive and sensitive columns before they are published as they are."""
    insensitive, facts = table.with_role(Role.INSENSITIVE), {}
    persons = None if table.persons is None else np.unique(table.persons, return_inverse=True)[1]
    found = [*dependencies(insensitive, table.quasi_identifiers, persons)]
    notes = [f"The insensitive column {each}. {_UNDONE}" for each in found]
    if insensitive:
        facts["unique_on_insensitive"] = _unique_on(insensitive, persons)
        objection = revealing_columns(insensitive, _USUAL_K, persons)
        notes += [] if objection is None else [f"{objection.reason} {_REFUSED}"]
    secret = [each for each in dependencies(table.sensitive, table.quasi_identifiers, persons) if each.exact]
    secret = [each for each in secret if each.which == "determines"]
    notes += [f"The sensitive column {each}. {_REVEALS}" for each in secret]
    return facts, notes, (*found, *secret)


_USUAL_K = 5
_UNDONE = (
    "It is published as it is: where the quasi-identifier is generalized, this column can undo that, and publish then "
    "refuses it unless it is accepted by name."
)
_REFUSED = f"Publish refuses this with k = {_USUAL_K} unless they are accepted by name."
_REVEALS = (
    "Sensitive columns are published as they are, and whoever learns this one has the quasi-identifier however it is "
    "generalized."
)


def _unique_on(columns: Sequence[Column], persons: np.ndarray | None) -> int:
    """Return how many records no record of anybody else equals in these columns."""
    labels, found = equal_tuples(columns, len(columns[0]))
    return int(np.count_nonzero(people_by_class(labels, found, persons)[labels] == 1))


def _described_columns(data: ReadableData, reason: str) -> Description:
    columns = overview(data)
    published = tuple(_overview_of(column) for column in columns)
    facts = {"kind": "unknown", "records": columns[0].rows, "columns": len(columns)}
    return Description(facts, (reason,), published, starter=starter_schema(data))


def _overview_of(column: ColumnOverview) -> dict[str, Any]:
    return {"name": column.name, "type": column.type, "distinct": column.distinct, "missing": column.missing}


def _facts_of_ratings(ratings: Ratings) -> dict[str, Any]:
    items = len(ratings.observable.items) + len(ratings.sensitive.items)
    a_record = np.diff(ratings.observable.indptr) + np.diff(ratings.sensitive.indptr)
    return {
        "kind": "ratings",
        "records": len(ratings),
        "items": items,
        "sensitive_items": len(ratings.sensitive.items),
        "ratings": ratings.n_ratings,
        "density": ratings.n_ratings / max(len(ratings) * items, 1),
        "ratings_a_record": {
            "fewest": int(a_record.min()),
            "median": float(np.median(a_record)),
            "most": int(a_record.max()),
        },
        "scale": str(ratings.scale),
    }


def _facts_of_table(table: Microdata) -> dict[str, Any]:
    roles: dict[str, list[str]] = {}
    for column in table.columns:
        roles.setdefault(str(column.role), []).append(column.name)
    people = {"people": table.n_people} if table.persons is not None else {}
    return {"kind": "table", "records": len(table), **people, "roles": roles}


def _columns_of(table: Microdata) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "name": column.name,
            "role": str(column.role),
            "type": "number" if column.vocabulary.is_numeric else "text",
            "distinct": len(column.vocabulary),
            "missing": int(column.values.null_count()),
            "levels": column.hierarchy.height if column.hierarchy is not None else None,
        }
        for column in table.columns
    )


def _uniqueness(records: Records) -> dict[str, Any]:
    """Return how many records are unique on what an attacker may know."""
    engine = LocalEngine()
    grouping = engine.group(records)
    sizes = engine.count(records, grouping, sensitive=False).sizes
    if records.n_people == len(records) and records.stated is None:
        return {"groups": len(sizes), "unique_records": int(np.count_nonzero(sizes == 1))}
    alone = records.take(np.flatnonzero(grouping.members(sizes == 1)))
    # of published records only the numbers by class are known, and those who are alone are one a class
    unique = int(np.count_nonzero(sizes == 1)) if records.stated is not None else alone.n_people
    return {"groups": len(sizes), "unique_people": unique, "unique_records": len(alone)}
