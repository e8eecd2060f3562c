"""Published records and their certificate, which leave, and the owner's ledger, which stays: types that never mix."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from .data import Ratings, Records
from .display import Displayed, Summary, Table
from .version import __version__
from .wording.format import format_count, format_level

__all__ = [
    "Certificate",
    "CertifiedPromise",
    "Ledger",
    "PublishedRecords",
    "Unit",
    "n_published",
    "pseudonym_name",
    "unit_of",
]

Unit = Literal["people", "records"]
"""What the sizes in a certificate count."""


def n_published(records: Records) -> int:
    """Return how many records are published; a profile that stands for several people counts once for each."""
    return records.n_people if isinstance(records, Ratings) else len(records)


def pseudonym_name(taken: Collection[str]) -> str:
    """Return the name of the column of pseudonyms of a table whose other columns have these names."""
    names = ("record", "pseudonym", *(f"record {i}" for i in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def unit_of(records: Records) -> Unit:
    """Return what promises on these records count."""
    # only tables, in memory or not, say it
    return "records" if getattr(records, "unit", "person") == "record" else "people"


@dataclass(frozen=True)
class CertifiedPromise:
    """One promise and how far it is kept by the data as published."""

    promise: str
    meaning: str
    level: Mapping[str, int | float]
    caveat: str = ""
    """What the promise does not guarantee for these records, though its wording might suggest it."""


@dataclass(frozen=True, repr=False)
class Certificate(Displayed):
    """The claims about published records: what a reader can verify, and what their owner decided."""

    promises: tuple[CertifiedPromise, ...]
    method: str
    records: int
    groups: int
    accepted_against_audit: tuple[str, ...] = ()
    """Insensitive columns to which the audit objected and which the owner accepted by name."""
    version: str = __version__
    unit: Unit = "people"
    """What sizes count: different people, or records of which a person may have several in a class."""
    accepted: tuple[str, ...] = ()
    """Risks that the owner accepted, by the words of ``--accept``; without that the release would have been refused."""
    engine: str = "local"
    """Where it was made: in memory (``local``), or where records stayed elsewhere (``stream``, ``spark``)."""

    def _summary(self) -> Summary:
        groups = format_count(self.groups, "equivalence class", "equivalence classes")
        rows = [(each.promise, format_level(each.level)) for each in self.promises]
        accepted = (*self.accepted, *self.accepted_against_audit)
        facts = (("method", self.method), *((("accepted", ", ".join(accepted)),) if accepted else ()))
        sentences = tuple(
            f"{each.promise}: {text}" for each in self.promises for text in (each.meaning, each.caveat) if text
        )
        table = Table.of("Promises", ("promise", "reached"), rows, ("reached",))
        title = f"Certificate: {format_count(self.records, 'record')} in {groups}"
        return Summary(title, None, facts, (table,), sentences)


@dataclass(frozen=True, repr=False)
class PublishedRecords(Displayed):
    """Records as they leave, stripped and shuffled, and their certificate."""

    records: Records
    certificate: Certificate

    def _summary(self) -> Summary:
        certified = self.certificate._summary()  # noqa: SLF001 - a release shows what its certificate states
        return replace(certified, title=certified.title.replace("Certificate", "Release", 1), holds=True)


@dataclass(frozen=True, repr=False)
class Ledger:
    """The truth behind a release, for its owner only: the originals, and which record became which."""

    original: Records
    origins: np.ndarray
    """For each person published, the row of the original: in the order of the release, unless places say otherwise."""
    pseudonyms: np.ndarray
    """For each published record, its pseudonym: bytes."""
    report: Mapping[str, int | float]
    """The quick measures of utility by name, and the notes of the method."""
    places: np.ndarray | None = None
    """For each person published, the row of the release, where records stand for several; None: one after the other."""
    remarks: tuple[str, ...] = ()
    """Remarks for the owner on how the release was made, in sentences."""
    group_sizes: Mapping[int, int] = field(default_factory=dict)
    """How many equivalence classes there are of each size."""
    secret: bytes | None = None
    """The secret that order and pseudonyms were drawn with: whoever has it and the seed can undo the shuffle."""

    def __repr__(self) -> str:
        return f"Ledger({len(self.origins):,} of {len(self.original):,} records published)"
