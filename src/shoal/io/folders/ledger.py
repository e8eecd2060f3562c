"""The ledger on disk, which its owner keeps: originals, links to the release, plan, secret and utility report.

Of a release that was made where its records are, originals and links are in parts, each in a folder.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl

from shoal.data import Hierarchy, Microdata, Ratings, Records, Survey
from shoal.errors import FileError, InputError
from shoal.io.read import read
from shoal.io.schemas import Schema, TableSchema, read_schema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.write_errors import unwritable_as_error
from shoal.randomness import SECRET_BYTES
from shoal.release import Ledger

from .data_parts import DataPart, is_folder_of_parts
from .ledger_parts import LEDGER_PARTS, refuse_damaged_parts, write_ledger_parts
from .write_records import write_records

__all__ = [
    "KEPT_HIERARCHIES",
    "LEDGER_FILES",
    "LEDGER_SECRET",
    "LINKS_FOLDER",
    "ORIGINAL_FOLDER",
    "LedgerFolder",
    "OpenedLedger",
    "complete_ledger",
    "damage_told",
    "open_ledger",
    "read_ledger",
    "read_secret",
    "refuse_unfit_links",
    "with_kept_hierarchies",
    "write_hierarchies",
    "write_ledger",
    "write_secret",
]


_FEWEST_DISTINCT = 16
"""Of 32 random bytes about 30 are distinct. With fewer than half of them, the secret was written by hand."""


def write_secret(secret: bytes, file: Path) -> None:
    """Write a secret into a file that does not exist yet, readable by its owner alone from the first byte on."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as handle:
        handle.write(secret.hex() + "\n")


def read_secret(file: str | Path) -> bytes:
    """Return the secret that a file holds."""
    try:
        text = Path(file).read_text(encoding="ascii").strip()
        secret = bytes.fromhex(text) if len(text) == 2 * SECRET_BYTES else b""  # no spaces between
    except OSError:
        raise FileError(f"The secret {file} cannot be read.", "It is the file secret.txt of a ledger.") from None
    except ValueError:
        secret = b""
    if len(secret) == SECRET_BYTES and len(set(secret)) < _FEWEST_DISTINCT:
        raise FileError(f"The secret {file} was not drawn at random.", "Leave it out, and a new one is drawn.")
    if len(secret) != SECRET_BYTES:
        raise FileError(
            f"{file} does not hold a secret.", f"A secret is written as {2 * SECRET_BYTES} hexadecimal digits."
        )
    return secret


_REPORT = "report.json"
_ORIGINAL = "original.parquet"
_SCHEMA = "original.schema.toml"
_ATTRIBUTES = "original.attributes.parquet"
_LINKS = "links.parquet"
ORIGINAL_FOLDER = "original"
LINKS_FOLDER = "links"
_PLAN = "plan.toml"
KEPT_HIERARCHIES = "hierarchies.json"
_ITEM_HIERARCHY = "item_hierarchy.json"
_ITEMS = "items"
LEDGER_SECRET = "secret.txt"  # noqa: S105 - a name
_RELEASE = "release.sha256"
LEDGER_FILES = (
    _REPORT,
    _ORIGINAL,
    _ATTRIBUTES,
    _SCHEMA,
    _LINKS,
    _PLAN,
    KEPT_HIERARCHIES,
    _ITEM_HIERARCHY,
    LEDGER_SECRET,
    _RELEASE,
    ORIGINAL_FOLDER,
    LINKS_FOLDER,
    LEDGER_PARTS,
)
"""Every file and folder of parts a ledger may consist of."""


@dataclass(frozen=True, repr=False)
class LedgerFolder:
    """What a ledger folder holds, written or not: the truth behind a release, for its owner only."""

    original: Records
    links: pl.DataFrame
    """For each published person the pseudonym of their record, and its row in the original."""
    report: Mapping[str, int | float]
    person: tuple[str, ...] = ()
    """The columns of the original that name the person of a record."""
    release: str | None = None
    """The SHA-256 of the certificate of its release; None where it was not kept."""

    def __repr__(self) -> str:
        return f"LedgerFolder({len(self.links):,} of {len(self.original):,} records published)"

    @classmethod
    def of(cls, ledger: Ledger, schema: Schema) -> "LedgerFolder":
        """Return what a folder of this ledger would hold."""
        person = schema.person if isinstance(schema, TableSchema) else ()
        return cls(ledger.original, _links(ledger), ledger.report, person)

    def linked(self, pseudonyms: pl.Series) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the original rows of the people published under ``pseudonyms``, and for each which pseudonym it was.

        The second is None where every pseudonym belongs to one person.
        """
        asked = pl.DataFrame({"pseudonym": pseudonyms.cast(pl.String)}).with_row_index("place")
        found = asked.join(self.links, on="pseudonym", how="left", maintain_order="left")
        missing = found["row"].null_count()
        if missing:
            raise FileError(
                f"{missing:,} records of the release are not in the ledger.",
                "Check that the ledger belongs to this release.",
            )
        alone = len(found) == len(asked)
        return found["row"].to_numpy(), None if alone else found["place"].cast(pl.Int64).to_numpy()


def write_ledger(ledger: Ledger, source: Schema, plan: str, folder: Path, release: str | None = None) -> None:
    """Write a ledger into an empty folder; ``release`` is the SHA-256 of the certificate of its release."""
    schema = schema_of(ledger.original, source, attributes=_ATTRIBUTES)
    with unwritable_as_error(folder):
        write_records(ledger.original, schema, folder / _ORIGINAL)
        table, ratings = _parts(ledger.original)
        if ratings is not None and ratings.hierarchy is not None:
            _write_levels({_ITEMS: _levels(ratings.hierarchy)}, folder / _ITEM_HIERARCHY)
        _links(ledger).write_parquet(folder / _LINKS)
        if ledger.secret is not None:
            write_secret(ledger.secret, folder / LEDGER_SECRET)
    complete_ledger(folder, schema, table, ledger.report, plan, release)


def complete_ledger(
    folder: Path,
    schema: Schema,
    table: Microdata | None,
    report: Mapping[str, int | float],
    plan: str,
    release: str | None,
    parts: Mapping[str, Sequence[DataPart]] | None = None,
) -> None:
    """Write what a ledger holds besides originals, links and secret; ``table`` has the hierarchies of the original.

    ``parts`` are those that originals and links were written in, by folder, if they were.
    """
    with unwritable_as_error(folder):
        if parts is not None:
            write_ledger_parts(parts, folder)
        (folder / _SCHEMA).write_text(schema.to_toml(), encoding="utf-8")
        if table is not None:
            write_hierarchies(table, folder / KEPT_HIERARCHIES)
        (folder / _PLAN).write_text(plan, encoding="utf-8")
        if release is not None:
            (folder / _RELEASE).write_text(release + "\n", encoding="ascii")
        (folder / _REPORT).write_text(json.dumps(dict(report), indent=2) + "\n", encoding="utf-8")


def _parts(records: Records) -> tuple[Microdata | None, Ratings | None]:
    """Return the table and the ratings of records, of which only a survey has both."""
    if isinstance(records, Survey):
        return records.table, records.ratings
    return (records, None) if isinstance(records, Microdata) else (None, cast(Ratings, records))


def _links(ledger: Ledger) -> pl.DataFrame:
    """Return for each published person the pseudonym of their record, and the row of the original."""
    pseudonyms = pl.Series(ledger.pseudonyms).cast(pl.String)
    if ledger.places is not None:
        pseudonyms = pseudonyms.gather(ledger.places)
    links = pl.DataFrame({"pseudonym": pseudonyms, "row": ledger.origins.astype(np.int64)})
    ratings = _parts(ledger.original)[1]
    if ratings is not None:
        links = links.with_columns(ratings.users.take(ledger.origins).cast(pl.String).alias("user"))
    return links


@dataclass(frozen=True)
class OpenedLedger:
    """A ledger folder whose originals and links are not read yet."""

    folder: Path
    schema: Schema
    original: Path
    links: Path
    release: str | None
    """The SHA-256 of the certificate of its release; None where it was not kept."""


def open_ledger(folder: str | Path, *, whole: bool = True) -> OpenedLedger:
    """Open a ledger folder; refuse one that is not a ledger, or is damaged.

    Unless the ``whole`` of it is asked for, its parts are not looked at.
    """
    folder = Path(folder)
    if whole:
        refuse_damaged_parts(folder, ORIGINAL_FOLDER, LINKS_FOLDER)
    data, linked = _file_or_parts(folder, _ORIGINAL, ORIGINAL_FOLDER), _file_or_parts(folder, _LINKS, LINKS_FOLDER)
    missing = [each.name for each in (data, folder / _SCHEMA, linked, folder / _REPORT) if not each.exists()]
    if missing:
        raise FileError(
            f"{folder} is not a ledger: it has no {missing[0]}.", "Give the folder that was named with --ledger."
        )
    with damage_told(folder):
        release = _kept_sha256(folder / _RELEASE)
        if (folder / LEDGER_SECRET).is_file():
            read_secret(folder / LEDGER_SECRET)  # a damaged secret would not repeat the run
    return OpenedLedger(folder, read_schema(folder / _SCHEMA), data, linked, release)


def read_ledger(folder: str | Path) -> LedgerFolder:
    """Read a ledger folder."""
    opened = open_ledger(folder)
    original = read(opened.original, opened.schema).records
    with damage_told(opened.folder):
        links = pl.read_parquet(opened.links)
        refuse_unfit_links(links.lazy(), len(original))
        report = json.loads((opened.folder / _REPORT).read_text(encoding="utf-8"))
        original = _with_hierarchies_of(original, opened.folder)
    person = opened.schema.person if isinstance(opened.schema, TableSchema) else ()
    return LedgerFolder(original, links, report, person, opened.release)


def refuse_unfit_links(links: pl.LazyFrame, n_rows: int | None = None) -> None:
    """Raise if a link has no pseudonym, or leads to no row of the original, which has ``n_rows`` if that is known."""
    row, pseudonym = pl.col("row"), pl.col("pseudonym").cast(pl.String)
    missing = row.null_count() + pseudonym.null_count()
    found = links.select(missing, first=row.min(), last=row.max()).collect(engine="streaming")
    missing, first, last = found.row(0)
    if missing or (first is not None and (first < 0 or (n_rows is not None and last >= n_rows))):
        raise ValueError


@contextmanager
def damage_told(folder: Path) -> Iterator[None]:
    """Report whatever goes wrong as damage of a ledger."""
    try:
        yield
    except (OSError, ValueError, AttributeError, TypeError, InputError, RecursionError, pl.exceptions.PolarsError):
        raise FileError(f"The ledger {folder} is damaged.", "Take it from a backup.") from None


def _file_or_parts(folder: Path, file: str, parts: str) -> Path:
    return folder / parts if is_folder_of_parts(folder / parts) else folder / file


def _with_hierarchies_of(original: Records, folder: Path) -> Records:
    """Return the original with the hierarchies that are kept of its columns and of its items."""
    table, ratings = _parts(original)
    if table is not None and (folder / KEPT_HIERARCHIES).is_file():
        table = with_kept_hierarchies(table, folder / KEPT_HIERARCHIES)
    if ratings is not None and (folder / _ITEM_HIERARCHY).is_file():
        levels = json.loads((folder / _ITEM_HIERARCHY).read_text(encoding="utf-8"))[_ITEMS]
        ratings = replace(ratings, hierarchy=_hierarchy(levels).rebased(ratings.observable.items, "the items"))
    if isinstance(original, Survey):
        return replace(original, table=table, ratings=ratings)
    return cast(Records, ratings if table is None else table)


def _kept_sha256(file: Path) -> str | None:
    """Return the SHA-256 that a file holds, or None if the file does not exist."""
    if not file.is_file():
        return None
    text = file.read_text(encoding="ascii").strip()
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise ValueError
    return text


def write_hierarchies(table: Microdata, path: Path) -> None:
    """Write each level of the hierarchy of each column, as a list with one label a leaf."""
    levels = {column.name: _levels(column.hierarchy) for column in table.columns if column.hierarchy is not None}
    _write_levels(levels, path)


def _write_levels(levels: Mapping[str, list[list[str | None]]], path: Path) -> None:
    path.write_text(json.dumps(levels, ensure_ascii=False) + "\n", encoding="utf-8")


def with_kept_hierarchies(table: Microdata, path: Path) -> Microdata:
    """Return a table with the hierarchies that :func:`write_hierarchies` wrote."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    columns = []
    for name, levels in kept.items():
        columns.append(table[name].with_hierarchy(_hierarchy(levels).rebased(table[name].vocabulary)))
    return table.replaced(tuple(columns))


def _hierarchy(levels: list[list[str | None]]) -> Hierarchy:
    return Hierarchy.from_columns([pl.Series(level, dtype=pl.String) for level in levels])


def _levels(hierarchy: Hierarchy) -> list[list[str | None]]:
    whole = hierarchy.declared or hierarchy
    levels = zip(whole.labels, whole.maps, strict=True)
    return [labels.words.gather(codes).to_list() for labels, codes in levels]
