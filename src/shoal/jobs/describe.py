"""Describe data: records, items or columns, density, roles, and how many records are unique."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from shoal.assumed import assumptions
from shoal.column_audit import Dependency, dependencies, revealing_columns
from shoal.data import PARTS, Column, Microdata, Ratings, Records, Role, Survey
from shoal.errors import InputError, SchemaError, WordingError
from shoal.evidence import equal_tuples, people_by_class
from shoal.io import Data, Source, open_unexplained, starter_schema, typed_columns
from shoal.io.folders.staging import staged_file
from shoal.io.formats import Location
from shoal.io.frames import ReadableData, to_read_again
from shoal.io.schema_beside import schema_beside
from shoal.io.schemas import GivenSchema, RatingsSchema
from shoal.io.starter import MARK
from shoal.profiling import ColumnProfile, ColumnValues, TableProfile, answers_profile, ratings_profile, table_profile
from shoal.progress import whole
from shoal.randomness import Randomness

from .alike import alike
from .description import Description
from .phases import DESCRIBING
from .read import read

__all__ = ["Description", "describe"]


@whole("describing", *DESCRIBING)
def describe(
    data: Data,
    schema: GivenSchema | None = None,
    *,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    values: bool = False,
    out: str | Path | None = None,
    html: str | Path | None = None,
    force: bool = False,
) -> Description:
    """Describe data; without a schema, data that need one are described column by column.

    ``values`` shows frequent values, too. ``out`` is a file for a schema to start from, and ``html`` one for a page
    with histograms, which holds values and is readable by its owner alone; ``force`` replaces earlier ones.
    """
    if out is not None and (schema is not None or isinstance(data, Source)):
        raise WordingError("A starter schema is for data that have none.", "Leave out the schema, or --out.")
    with ExitStack() as files:
        # a name that cannot be written is refused before the long work
        schema_file = out and files.enter_context(staged_file(Path(out), is_ours=_is_starter, force=force))
        page = html and files.enter_context(staged_file(Path(html), is_ours=_is_page, force=force))
        description = replace(_described(to_read_again(data), schema, duplicates), values=values)
        description = replace(description, columns=_with_values(description) if values else description.columns)
        if schema_file:
            schema_file.write_text(str(description.starter), encoding="utf-8")
        if page:
            page.write_text(_page(description, data), encoding="utf-8")
    return description


def _is_starter(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


def _is_page(path: Path) -> bool:
    from shoal.pages.description import is_description_page

    return is_description_page(path)


def _page(description: Description, data: Data) -> str:
    from shoal.pages.description import description_page

    name = Location.of(data).name if isinstance(data, str | Path | Location) else "data in memory"
    sentences = (*description.notes, *description.far_out())
    pictures = list(description.drawings())
    facts = description.facts_in_words
    return description_page(name, facts, sentences, replace(description, values=True).tables(), pictures)


def _with_values(description: Description) -> tuple[dict[str, Any], ...]:
    """Return the entries of the columns with frequent values, but of those that may name people."""
    assert description.table is not None or not description.columns
    profiles = {} if description.table is None else {each.name: each for each in description.table.columns}
    return tuple(
        each if each["name"] in description.hidden else {**each, **profiles[each["name"]].to_json(values=True)}
        for each in description.columns
    )


def _described(data: Data, schema: GivenSchema | None, duplicates: Literal["refuse", "last", "mean"]) -> Description:
    try:
        with assumptions():  # they are among the notes
            source = read(data, schema, duplicates=duplicates)
    except InputError as error:
        if schema is not None or isinstance(data, Source) or not _needs_schema(data, error):
            raise
        return _described_columns(data, error)
    records = source.records
    found = alike(records)
    description = _described_records(source, {**_facts_of(records), **found.facts}, has_schema=schema is not None)
    return replace(description, by_size=found.by_size)


def _described_records(source: Source, facts: dict[str, Any], *, has_schema: bool) -> Description:
    records = source.records
    if isinstance(records, Survey):
        return replace(_described_table(source, records.table, facts), **_of_ratings(records.ratings, source))
    if not isinstance(records, Microdata):
        starter = f"{MARK}\n{source.schema.to_toml()}" if not has_schema else None
        return Description(facts, source.notes, starter=starter, **_of_ratings(records, source))
    return _described_table(source, records, facts)


def _of_ratings(ratings: Ratings, source: Source) -> dict[str, Any]:
    """Return the figures of ratings, and where each item is a column, those of each."""
    has_columns = isinstance(source.schema, RatingsSchema) and source.schema.layout == "wide"
    return {"ratings": ratings_profile(ratings), "answers": answers_profile(ratings) if has_columns else ()}


def _described_table(source: Source, table: Microdata, facts: dict[str, Any]) -> Description:
    more, notes, found = _outside_the_promises(table)
    more = {**more, **_sample(table)}
    persons = None if table.persons is None else np.unique(table.persons, return_inverse=True)[1]
    known = [column.name for column in table.observable]
    profile = table_profile([ColumnValues.of(column) for column in table.columns], known, persons)
    columns = tuple(
        {**each, **_figures(one, profile, hidden=each["role"] in (Role.IDENTIFIER, Role.HOUSEHOLD))}
        for each, one in zip(_columns_of(table), profile.columns, strict=True)
    )
    notes = [*notes, *_contradictions(table, profile)]
    return Description({**facts, **more}, (*source.notes, *notes), columns, found, table=profile, problems=tuple(notes))


def _figures(column: ColumnProfile, profile: TableProfile, *, hidden: bool = False) -> dict[str, Any]:
    """Return what is shown of a column beside its name; no range of one that may name people."""
    figures = column.to_json(values=False)
    if hidden or column.name in profile.identifying:
        figures = {key: value for key, value in figures.items() if key in ("distinct_share", "whole")}
    suggested = [each.to_json() for each in profile.roles[column.name]]
    return {**figures, "suggested_roles": suggested} if suggested else figures


def _contradictions(table: Microdata, profile: TableProfile) -> list[str]:
    """Say which columns surely name people, although their role lets them leave."""
    leaving = {column.name: column.role for column in table.columns if column.role.leaves}
    return [
        f"The column {each.column!r} has the role {leaving[each.column]}, but looks like an identifier "
        f"({each.kind}: {each.reason})."
        for each in profile.screened
        if each.sure and each.column in leaving
    ]


def _needs_schema(data: ReadableData, error: InputError) -> bool:
    """Tell whether data were refused for want of a schema: none lies beside them, and one could mend it."""
    return schema_beside(data) is None and (isinstance(error, SchemaError) or bool(error.declare))


def _facts_of(records: Records) -> dict[str, Any]:
    if isinstance(records, Survey):
        parts = {f"unique_{part}": alike(records.part(part)).facts["unique_records"] for part in PARTS}
        facts = {**_facts_of_table(records.table), **_facts_of_ratings(records.ratings), "kind": records.kind}
        return {"kind": records.kind, **facts, **parts}
    if isinstance(records, Ratings):
        return _facts_of_ratings(records)
    assert isinstance(records, Microdata)
    return _facts_of_table(records)


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


def _sample(table: Microdata) -> dict[str, Any]:
    """Return the risk of a sample whose weights are known, by the attack ``sample-risk``."""
    if table.weights is None or not table.has_observable or not len(table):
        return {}
    from shoal.attacks import Exposure, SampleRisk  # only samples need it

    found = SampleRisk().run(Exposure.of_itself(table), Randomness(0))
    return {"sample_risk": {"mean": found.main, "largest": found.largest, **found.details}}


def _unique_on(columns: Sequence[Column], persons: np.ndarray | None) -> int:
    """Return how many records no record of anybody else equals in these columns."""
    labels, found = equal_tuples(columns, len(columns[0]))
    return int(np.count_nonzero(people_by_class(labels, found, persons)[labels] == 1))


def _described_columns(data: ReadableData, error: InputError) -> Description:
    file = open_unexplained(data, error)
    typed = typed_columns(file)
    profile = table_profile(typed.columns)
    columns = tuple(
        {
            "name": column.name,
            "type": column.type,
            "distinct": column.distinct,
            "missing": column.missing,
            **_figures(column, profile),
        }
        for column in profile.columns
    )
    facts = {
        "kind": "unknown",
        "records": profile.rows,
        "columns": len(columns),
        "duplicate_records": profile.duplicates,
    }
    likely = error.declare if error.declare.get("kind") == "ratings" else None
    starter = starter_schema(profile, file.settings, typed.dates, likely)
    problems = (str(error), *typed.notes)
    return Description(
        facts, problems, columns, starter=starter, table=profile, problems=problems, declare=error.declare
    )


def _facts_of_ratings(ratings: Ratings) -> dict[str, Any]:
    items = len(ratings.observable.items) + len(ratings.sensitive.items)
    a_record = np.diff(ratings.observable.indptr) + np.diff(ratings.sensitive.indptr)
    return {
        "kind": "sets" if ratings.is_sets else "ratings",
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
        **({} if ratings.is_sets else {"scale": str(ratings.scale)}),
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
