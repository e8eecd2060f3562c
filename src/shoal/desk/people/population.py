"""Data sets that have people in common count as one population.

*Definition.* Two data sets overlap if somebody of one is noticed in the other (:mod:`.marks`), whichever versions. The
population of a data set is what is reached from it over overlaps, and over names that owners give to populations: A and
C are in one population if B has people in common with both, because views of all three reveal together who of B is in
A, in C, or in neither; and if their policies name the same population, whether or not anybody is noticed.

*Law.* Whatever a coalition holds of a population is judged together (:mod:`.joint_views`): in each data set, every
joint cell must keep the promises of that data set.

Where views of two data sets cannot be judged together, whoever may have one of the first gets none of the second,
unless the owner says on record that the two are to be judged apart. Of data sets of a named population nobody can say
that.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select

from shoal.data import Role
from shoal.desk.policy import Policy
from shoal.desk.store.log import canonical, entry_hash, keep
from shoal.desk.store.rows import dataset_row, rows
from shoal.desk.store.tables import DATASETS, LOG, MARK_LISTS, MARKS, OVERLAPS, VERSIONS
from shoal.errors import FileError, RequestRefused

from .marks import Marks, mark_list

__all__ = [
    "Overlap",
    "Population",
    "Version",
    "add_marks",
    "all_populations",
    "faults_of_marks",
    "population_of",
    "refuse_unjudged",
    "refuse_unmarked",
    "unjudged",
]

Version = tuple[str, int]
"""The name of a data set, and the number of a version of it."""


@dataclass(frozen=True)
class Overlap:
    """How much of a version of the data was noticed in a version of another data set."""

    version: Version
    other: Version
    people: int
    """The number of people with the same name in both."""
    records: int
    """The number of equal records, 0 if chance explains them."""

    @property
    def turned(self) -> "Overlap":
        """The same, told from the other side."""
        return Overlap(self.other, self.version, self.people, self.records)


@dataclass(frozen=True)
class Population:
    """The data sets that are judged together, with their policies as written, and what they have in common."""

    policies: Mapping[str, str]
    overlaps: tuple[Overlap, ...]

    def policy(self, dataset: str) -> Policy:
        """Return the policy of one of them."""
        return Policy.of_json(json.loads(self.policies[dataset]))


def population_of(connection: Connection, dataset: str) -> Population:
    """Return the population of a data set: itself, and all that is reached over names and overlaps not set apart."""
    for population in all_populations(connection):
        if dataset in population.policies:
            return population
    dataset_row(connection, dataset)  # raises
    raise AssertionError


def all_populations(connection: Connection) -> list[Population]:
    """Return all populations; each data set is in one of them."""
    written = {row["name"]: row["policy"] for row in rows(connection, select(DATASETS).order_by(DATASETS.c.name))}
    policies = {name: json.loads(policy) for name, policy in written.items()}
    apart = {frozenset((name, other)) for name, each in policies.items() for other in each.get("apart_from", ())}
    found = [each for each in _overlaps(connection) if frozenset((each.version[0], each.other[0])) not in apart]
    links = [{each.version[0], each.other[0]} for each in found]
    named = {each["population"] for each in policies.values() if each.get("population")}
    links += [{name for name, each in policies.items() if each.get("population") == one} for one in named]
    made, left = list[Population](), dict.fromkeys(written)
    while left:
        reached = _reached(next(iter(left)), links)
        within = tuple(each for each in found if each.version[0] in reached)
        made.append(Population({name: written[name] for name in sorted(reached)}, within))
        left = {name: None for name in left if name not in reached}
    return made


def _reached(dataset: str, links: Sequence[set[str]]) -> set[str]:
    reached, before = {dataset}, set[str]()
    while reached != before:
        before = set(reached)
        reached |= set[str]().union(*(link for link in links if link & before))
    return reached


def refuse_unmarked(connection: Connection, dataset: str) -> None:
    """Refuse to go on where it is not known who is in several data sets: some are from before people were marked."""
    versions = rows(connection, select(VERSIONS).order_by(*VERSIONS.primary_key.columns))
    marked = {(row["dataset"], row["number"]) for row in rows(connection, select(MARKS))}
    lacking = [(row["dataset"], row["number"]) for row in versions if (row["dataset"], row["number"]) not in marked]
    if lacking and {row["dataset"] for row in versions} != {dataset}:
        name, number = lacking[0]
        raise RequestRefused(
            f"Version {number} of {name!r} was registered before the desk noticed people who are in several data sets.",
            f"Hand it in once more, as it was: shoal desk dataset {name} DATA --schema SCHEMA.",
        )


def add_marks(connection: Connection, version: Version, marks: Marks) -> None:
    """Keep the marks of a version; find and keep what it has in common with other data sets."""
    dataset, number = version
    kept = {"people": _keep_lists(connection, [marks.people]), "records": _keep_lists(connection, marks.records)}
    keep(connection, "marked", MARKS, {"dataset": dataset, "number": number, **kept})
    for row in rows(connection, select(MARKS).where(MARKS.c.dataset != dataset).order_by(*MARKS.primary_key.columns)):
        other = row["dataset"], row["number"]
        people = max(marks.people_among(each) for each in _lists(connection, row["people"]))
        records = marks.records_among(_lists(connection, row["records"]))
        if people or records:
            published = {"dataset": dataset, "number": number, "other": other[0], "other_number": other[1]}
            keep(connection, "overlap", OVERLAPS, {**published, "people": people, "records": records})


def faults_of_marks(connection: Connection) -> list[str]:
    """Return a sentence for each version whose marks are gone or changed: nobody of it would be noticed any more.

    Marks that belong to no version are reported, too.
    """
    lists = {row["sha256"]: _sha256(row["marks"]) for row in rows(connection, select(MARK_LISTS))}
    kept = rows(connection, select(MARKS).order_by(*MARKS.primary_key.columns))
    needed = [(row, {*row["people"].split(), *row["records"].split()}) for row in kept]
    faults = [
        f"The marks of {row['dataset']!r}, version {row['number']}, are gone or changed."
        for row, hashes in needed
        if any(lists.get(sha256) != sha256 for sha256 in hashes)
    ]
    unknown = lists.keys() - set[str]().union(*(hashes for _, hashes in needed))
    return [*faults, "There are marks that belong to no version of any data set."] if unknown else faults


def refuse_unjudged(connection: Connection, dataset: str, held: Collection[str]) -> None:
    """Refuse a request if it cannot be judged what its view reveals together with views ``held`` of other data sets."""
    for refusal in unjudged(connection, dataset, held):
        raise refusal


def unjudged(connection: Connection, dataset: str, held: Collection[str] | None = None) -> list[RequestRefused]:
    """Return why views of a data set and of others, or of those that are ``held``, cannot be judged together."""
    population = population_of(connection, dataset)
    found = {}
    for overlap in population.overlaps:
        pair = {overlap.version[0], overlap.other[0]}
        concerned = dataset in pair if held is None else pair <= {dataset, *held}
        if concerned and frozenset(pair) not in found:
            found[frozenset(pair)] = _unjudged(connection, overlap, population)
    return [refusal for refusal in found.values() if refusal is not None]


def _unjudged(connection: Connection, overlap: Overlap, population: Population) -> RequestRefused | None:
    (one, _), (other, number) = overlap.version, overlap.other
    way_out = (
        f"Register them as versions of one data set; or, if they are other people or you take the risk, say so on "
        f"record: shoal desk policy {one} --apart-from {other}."
    )
    if overlap.records > 2 * overlap.people:  # a few more are alike by chance
        named = f"only {overlap.people:,} named" if overlap.people else "nobody is named"
        return RequestRefused(
            f"{_also(overlap.records, 'record', one)} in {other!r}, version {number}, and {named} alike: what views of "
            "both reveal together cannot be judged.",
            way_out,
        )
    common = f"{_also(overlap.people, 'person', one)} in {other!r}, version {number}"
    for name in (one, other):
        if population.policy(name).identifier is None:
            return RequestRefused(
                f"{common}, and what views of both reveal together cannot be judged: the policy of {name!r} names no "
                "identifier by which people are known again.",
                f"Name one: shoal desk policy {name} --identifier COLUMN; data that count records must be registered "
                f"again with a schema that names the person. {way_out}",
            )
    for column, roles in _clashing(_roles(connection, one), _roles(connection, other)):
        return RequestRefused(
            f"{common}, and what views of both reveal together cannot be judged: the column {column!r} is {roles[0]} "
            f"in {one!r} and {roles[1]} in {other!r}.",
            f"Give it the same role in both. {way_out}",
        )
    return None


def _also(count: int, what: str, dataset: str) -> str:
    """Say how many of a data set are also somewhere."""
    if count == 1:
        return f"1 {what} of {dataset!r} is also"
    return f"{count:,} {'people' if what == 'person' else f'{what}s'} of {dataset!r} are also"


def _clashing(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[tuple[str, tuple[str, str]]]:
    """Return columns that are published as they are in one data set, and protected in the other."""
    protected = {str(Role.QUASI_IDENTIFIER), str(Role.SENSITIVE)}
    pairs = [(name, (ours[name], theirs[name])) for name in sorted(ours.keys() & theirs.keys())]
    return [(name, roles) for name, roles in pairs if str(Role.INSENSITIVE) in roles and set(roles) & protected]


def _roles(connection: Connection, dataset: str) -> dict[str, str]:
    """Return the roles of columns, which are the same in all versions."""
    asked = select(VERSIONS.c.columns).where(VERSIONS.c.dataset == dataset).limit(1)
    columns: list[dict[str, Any]] = json.loads(connection.execute(asked).scalar_one())
    return {column["name"]: column["role"] for column in columns}


def _overlaps(connection: Connection) -> list[Overlap]:
    """Return what was found in common, having compared it with the log: who is not in it would be judged alone."""
    kept = rows(connection, select(OVERLAPS).order_by(*OVERLAPS.primary_key.columns))
    entries = rows(connection, select(LOG).where(LOG.c.event == "overlap"))
    logged = [json.loads(entry["told"])["row"] for entry in entries if entry_hash(entry) == entry["hash"]]
    if len(logged) != len(entries) or sorted(map(canonical, kept)) != sorted(map(canonical, logged)):
        raise FileError("The overlaps of data sets are not as the log says.", "See shoal desk audit.")
    return [
        Overlap((row["dataset"], row["number"]), (row["other"], row["other_number"]), row["people"], row["records"])
        for row in kept
    ]


def _keep_lists(connection: Connection, lists: Iterable[np.ndarray]) -> str:
    """Store lists under their hashes, which are what the log records; return the hashes."""
    kept = {_sha256(marks): marks for marks in map(mark_list, lists)}
    for sha256, marks in kept.items():
        if connection.execute(select(MARK_LISTS.c.sha256).where(MARK_LISTS.c.sha256 == sha256)).first() is None:
            connection.execute(insert(MARK_LISTS).values(sha256=sha256, marks=marks))
    return " ".join(kept)


def _lists(connection: Connection, hashes: str) -> list[np.ndarray]:
    return [_list(connection, sha256) for sha256 in hashes.split()]


def _list(connection: Connection, sha256: str) -> np.ndarray:
    found = connection.execute(select(MARK_LISTS.c.marks).where(MARK_LISTS.c.sha256 == sha256)).scalar()
    if found is None or _sha256(found) != sha256:
        raise FileError("Marks of people that the desk kept are gone or changed.", "See shoal desk audit.")
    return np.frombuffer(found, "<u8")


def _sha256(marks: bytes) -> str:
    return hashlib.sha256(marks).hexdigest()
