"""Where the data of a version are: with the desk, sealed, or outside, at a path."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from shoal.desk.people.population import Version, population_of
from shoal.desk.store.log import keep
from shoal.desk.store.rows import rows
from shoal.desk.store.tables import KEPT, KEPT_BLOCKS, RELEASES, VERSIONS
from shoal.errors import FileError, WordingError

from .sealing import key_id, opened, sealed

__all__ = [
    "content_of",
    "faults_of_kept",
    "keep_content",
    "keep_path",
    "kept_bytes",
    "kept_datasets",
    "needed_versions",
]


def keep_content(connection: Connection, fingerprint: str, content: bytes, key: bytes) -> Version:
    """Keep the data of a version, sealed, in place of what was kept of it before."""
    dataset, number = _version(connection, fingerprint)
    connection.execute(delete(KEPT_BLOCKS).where(*_is(KEPT_BLOCKS, (dataset, number))))
    digest = hashlib.sha256()
    for place, block in enumerate(sealed(content, key, fingerprint.encode())):
        row = {"dataset": dataset, "number": number, "place": place, "block": block}
        connection.execute(insert(KEPT_BLOCKS).values(**row))
        digest.update(_counted(block))
    place = {"path": None, "schema_path": None, "key_id": key_id(key), "sha256": digest.hexdigest()}
    keep(connection, "kept", KEPT, {"dataset": dataset, "number": number, **place})
    return dataset, number


def keep_path(connection: Connection, fingerprint: str, path: str, schema: str | None) -> Version:
    """Write down where the data of a version are, in place of what was kept of it before."""
    dataset, number = _version(connection, fingerprint)
    connection.execute(delete(KEPT_BLOCKS).where(*_is(KEPT_BLOCKS, (dataset, number))))
    place = {"path": path, "schema_path": schema, "key_id": None, "sha256": None}
    keep(connection, "kept", KEPT, {"dataset": dataset, "number": number, **place})
    return dataset, number


def needed_versions(connection: Connection, dataset: str) -> dict[Version, dict[str, Any] | None]:
    """Return the versions that a request needs, and where each is kept; None where it is not.

    They are those of the data set, the newest first, and of all others of its population that views were given of.
    """
    population = population_of(connection, dataset)
    given = set(connection.execute(select(RELEASES.c.dataset).distinct()).scalars())
    kept = {(row["dataset"], row["number"]): row for row in rows(connection, select(KEPT))}
    versions = [(row["dataset"], row["number"]) for row in rows(connection, select(VERSIONS))]
    own = sorted((each for each in versions if each[0] == dataset), reverse=True)
    others = sorted(each for each in versions if each[0] in (population.policies.keys() & given) - {dataset})
    return {version: kept.get(version) for version in (*own, *others)}


def kept_datasets(connection: Connection) -> set[str]:
    """Return the data sets of which a version is kept, or its place known."""
    return set(connection.execute(select(KEPT.c.dataset).distinct()).scalars())


def kept_bytes(connection: Connection, datasets: Sequence[str]) -> int:
    """Return how many bytes are kept of some data sets, sealed."""
    asked = select(func.sum(func.length(KEPT_BLOCKS.c.block))).where(KEPT_BLOCKS.c.dataset.in_(list(datasets)))
    return int(connection.execute(asked).scalar() or 0)


def content_of(connection: Connection, row: dict[str, Any], key: bytes) -> bytes:
    """Return the data of a version that the desk keeps, or raise if they are not as they were sealed."""
    if row["key_id"] != key_id(key):
        raise FileError("The data that the desk keeps were sealed with another key.", "Give that one.")
    version = row["dataset"], row["number"]
    fingerprint = connection.execute(select(VERSIONS.c.fingerprint).where(*_is(VERSIONS, version))).scalar_one()
    return opened(_blocks(connection, version), key, fingerprint.encode())


def faults_of_kept(connection: Connection) -> list[str]:
    """Return a sentence for each version whose sealed data are gone or changed; no key is needed for that."""
    kept = rows(connection, select(KEPT).order_by(KEPT.c.dataset, KEPT.c.number))
    faults = [
        f"The data that are kept of {row['dataset']!r}, version {row['number']}, are gone or changed."
        for row in kept
        if row["sha256"] != _sha256(_blocks(connection, (row["dataset"], row["number"])))
    ]
    owned = {(row["dataset"], row["number"]) for row in kept}
    places = connection.execute(select(KEPT_BLOCKS.c.dataset, KEPT_BLOCKS.c.number).distinct())
    unknown = {(row.dataset, row.number) for row in places} - owned
    return [*faults, "Data are kept that belong to no version."] if unknown else faults


def _version(connection: Connection, fingerprint: str) -> Version:
    found = rows(connection, select(VERSIONS).where(VERSIONS.c.fingerprint == fingerprint))
    if not found:
        raise WordingError("These data are not registered at the desk.", "Register them with shoal desk dataset.")
    return found[0]["dataset"], found[0]["number"]


def _is(table: Any, version: Version) -> tuple[Any, Any]:
    return table.c.dataset == version[0], table.c.number == version[1]


def _blocks(connection: Connection, version: Version) -> list[bytes]:
    asked = select(KEPT_BLOCKS.c.block).where(*_is(KEPT_BLOCKS, version)).order_by(KEPT_BLOCKS.c.place)
    return [bytes(block) for block in connection.execute(asked).scalars()]


def _sha256(blocks: Iterable[bytes]) -> str | None:
    digest, count = hashlib.sha256(), 0
    for block in blocks:
        digest.update(_counted(block))
        count += 1
    return digest.hexdigest() if count else None


def _counted(block: bytes) -> bytes:
    return len(block).to_bytes(8, "big") + block
