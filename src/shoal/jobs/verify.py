"""Check a release folder alone, without the originals and without trust in whoever made it.

What the data show is judged anew. Two things they cannot show: who made the folder, as hashes only tie its files
together; and how many people stand behind its records. These are listed as claims, unless the owner's ledger is there
to check them against.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, cast

import numpy as np

from shoal.column_audit import Objection, revealing_columns
from shoal.data import Column, Microdata, Ratings, Records, Role, Survey, part_of
from shoal.engines import Judgment, LocalEngine, judge
from shoal.errors import InputError, WordingError
from shoal.io.folders.ledger import LedgerFolder
from shoal.io.folders.release import OpenedRelease, ReleaseFolder, certificate_sha256, open_release, read_opened
from shoal.io.schemas import TableSchema
from shoal.models import PrivacyModel, Verdict, promised_k, promises
from shoal.progress import whole
from shoal.release import Certificate, n_published, unit_of
from shoal.version import __version__

from .asked_engine import AskedEngine, OpenCluster, Where, asked_engine
from .check import CheckResult
from .engine_choice import none_unless, table_on_disk
from .phases import VERIFYING
from .ratings_on_disk import RatingsOnDisk, ratings_on_disk
from .release_and_truth import GivenLedger, GivenRelease, against_ledger, given_ledger

__all__ = ["Compared", "Judging", "VerifyResult", "ledger_in_memory", "verified", "verify"]


@dataclass(frozen=True, repr=False)
class VerifyResult(CheckResult):
    """The verdicts on a release, and what is behind them that was not shown."""

    claimed: tuple[str, ...] = ()
    """What is the publisher's word and was checked against nothing, in sentences."""

    def _sentences(self) -> Iterator[str]:
        yield from super()._sentences()
        yield from self.claimed

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {**super().to_json(), "claimed": list(self.claimed)}


@whole("verifying", *VERIFYING)
def verify(
    folder: GivenRelease,
    ledger: GivenLedger | None = None,
    *,
    engine: AskedEngine | OpenCluster = "auto",
    memory: str | None = None,
    spark_master: str | None = None,
    spark_staging: str | None = None,
) -> VerifyResult:
    """Judge every promise of the certificate on the published data, and compare what the certificate claims.

    A release in memory is verified as it is. A folder that is no release, or whose files were altered after the
    certificate, is refused with an error. With the ``ledger`` of its owner, how many people stand behind each
    record is counted there, and the certificate must be the one that was made with it.

    ``engine`` says where records are: ``local`` in memory, ``stream`` on disk; ``auto`` leaves them on disk if they
    would take more than ``memory``, such as ``4GiB``, which is half of what the machine has unless said. ``spark``, or
    a session of Spark, leaves them on a cluster: ``spark_master`` is its address, ``spark_staging`` a folder that all
    its executors see. Where the release was made does not matter.
    """
    began = time.perf_counter()
    with asked_engine(engine, None, spark_master, spark_staging) as where:
        result = _verified(folder, ledger, where, memory)
    return replace(result, seconds=time.perf_counter() - began)


def _verified(folder: GivenRelease, ledger: GivenLedger | None, engine: Where, memory: str | None) -> VerifyResult:
    if isinstance(folder, ReleaseFolder):
        none_unless(engine, "This release is in memory.")
        return verified(folder, folder, None if ledger is None else given_ledger(ledger))
    opened = open_release(folder)
    ratings = _ratings_on_disk(opened, engine, memory, ledger)
    if ratings is not None:
        from .on_disk.verify_ratings import ratings_verified_on_disk

        assert not isinstance(ledger, LedgerFolder)
        return ratings_verified_on_disk(folder, opened, ratings, ledger)
    table = table_on_disk(opened.data, opened.schema, engine, memory, partial(_obstacle, ledger))
    if table is not None:
        from .on_disk.verify_table import verified_on_disk  # loads what releases in memory need not

        assert not isinstance(ledger, LedgerFolder)
        return verified_on_disk(folder, opened, table, ledger)
    return verified(folder, read_opened(opened), None if ledger is None else given_ledger(ledger))


def _ratings_on_disk(
    opened: OpenedRelease, engine: Where, memory: str | None, ledger: GivenLedger | None
) -> RatingsOnDisk | None:
    """Return the ratings of a release that is verified where they are; None where that is in memory, or a table."""

    def obstacle() -> WordingError | None:
        from .on_disk.verify_ratings import obstacle_to_verifying_ratings

        return obstacle_to_verifying_ratings(opened, ledger)

    return ratings_on_disk(opened.data, opened.schema, engine, memory, obstacle=obstacle, with_people=True)


def ledger_in_memory() -> WordingError:
    """Return the refusal to compare a ledger that is in memory with records that are not."""
    return WordingError("This ledger is in memory.", "Leave out --engine, or give the folder of the ledger.")


def _obstacle(ledger: GivenLedger | None, _: TableSchema) -> WordingError | None:
    """Return why a release must be read into memory to be verified, if it must."""
    return ledger_in_memory() if isinstance(ledger, LedgerFolder) else None


@dataclass(frozen=True)
class Compared:
    """What was found in comparing a release with its ledger."""

    reasons: tuple[str, ...]
    """Where they contradict each other, in sentences."""
    names_release: bool
    """Whether the ledger says which certificate was made with it."""


class Judged(Protocol):
    """What was found of promises, wherever the records are."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """A verdict for each promise."""
        ...

    @property
    def n_groups(self) -> int:
        """How many equivalence classes there are."""
        ...


@dataclass(frozen=True)
class Judging:
    """How records are judged, wherever they are."""

    judge: Callable[[Any, Sequence[PrivacyModel]], Judged]
    objection: Callable[[Any, int], Objection | None]
    """What the audit objects to in the insensitive columns of a table, given k."""


def _judged(records: Records, models: Sequence[PrivacyModel]) -> Judgment:
    return judge(records, models, LocalEngine())


def _objection(table: Any, k: int) -> Objection | None:
    return revealing_columns(table.with_role(Role.INSENSITIVE), k)


_IN_MEMORY = Judging(_judged, _objection)


def verified(
    folder: GivenRelease, release: ReleaseFolder, truth: LedgerFolder | Compared | None, judging: Judging = _IN_MEMORY
) -> VerifyResult:
    """Verify a release that was read from a folder, and with its ledger, if that was read or compared too."""
    began = time.perf_counter()
    compared = _compared(folder, release, truth) if isinstance(truth, LedgerFolder) else truth
    beside = () if compared is None else compared.reasons
    claimed = _claims(release, counted=compared is not None, known=compared is not None and compared.names_release)
    models = [promises.read(certified.promise) for certified in release.certificate.promises]
    try:
        judgment = judging.judge(release.records, models)
    except InputError as error:  # the certificate promises what these data cannot even be asked
        seconds = time.perf_counter() - began
        return replace(VerifyResult.of(release.records, (), seconds, (str(error), *beside)), claimed=claimed)
    reasons = (
        *_contradictions(release, judgment),
        *_other_words(release.certificate, models, judgment),
        *_unaccepted(release, models, judging),
        *beside,
    )
    accepted = release.certificate.accepted_against_audit
    result = VerifyResult.of(release.records, judgment.verdicts, time.perf_counter() - began, reasons)
    return replace(result, accepted_against_audit=accepted, notes=_emptiness(release.records), claimed=claimed)


def _compared(folder: GivenRelease, release: ReleaseFolder, truth: LedgerFolder) -> Compared:
    sha256 = None if isinstance(folder, ReleaseFolder) else certificate_sha256(folder)
    return Compared(against_ledger(release, sha256, truth), truth.release is not None)


def _claims(release: ReleaseFolder, *, counted: bool, known: bool) -> tuple[str, ...]:
    """Say what the release does not show, as far as no ledger does."""
    claims = []
    if not counted and release.certificate.unit == "records":
        claims.append(
            "How many people stand behind its records and classes is not stated, and a release alone cannot show it."
        )
    elif not counted:
        where = "people.csv" if release.states_people else "one each"
        claims.append(
            f"How many people stand behind its records and classes is the publisher's word ({where}): a release alone "
            "cannot show it."
        )
    if not known:
        claims.append("Hashes prove that its files belong together, not who made them.")
    return tuple(claims)


def _emptiness(records: Records) -> tuple[str, ...]:
    """Say where promises hold because nothing is left, as far as published records show it."""
    if isinstance(records, Survey):
        silent = records.ratings.observable.n_ratings == 0
        return (*_emptiness(records.table), *(("No record has an answer that others may know.",) if silent else ()))
    if isinstance(records, Ratings) and records.observable.n_ratings == 0:
        return ("No record has a rating that others may know: the promises hold because the records are empty.",)
    table = _table(records)
    known = () if table is None else table.quasi_identifiers
    if known and all(_one_label(column) for column in known):
        return ("Every quasi-identifier has one value for all records: it is suppressed, or generalized to its root.",)
    return ()


def _table(records: Records) -> Microdata | None:
    """Return records that are a table, in memory or not: what is asked of one here, both can say."""
    return cast(Microdata, records) if records.kind == "table" else None


def _one_label(column: Column) -> bool:
    return np.count_nonzero(column.counts) == 1


def _other_words(certificate: Certificate, models: Sequence[PrivacyModel], judgment: Judged) -> tuple[str, ...]:
    """Say where the certificate explains a promise otherwise than the version of Shoal that it names."""
    if certificate.version != __version__:
        return ()
    caveats = ("" if verdict.caveat is None else verdict.caveat.sentence for verdict in judgment.verdicts)
    return tuple(
        f"The certificate explains {model} in other words than Shoal does."
        for certified, model, caveat in zip(certificate.promises, models, caveats, strict=True)
        if (certified.meaning, certified.caveat) != (model.stated_meaning, caveat)
    )


def _unaccepted(release: ReleaseFolder, models: Sequence[PrivacyModel], judging: Judging) -> Iterator[str]:
    """Say where certificate, schema and data differ in which insensitive columns were accepted against the audit.

    Whether columns single people out is judged anew. Whether they depend on what the quasi-identifiers were before they
    were generalized cannot be: that takes the originals.
    """
    named, records = release.certificate.accepted_against_audit, _table(part_of(release.records, "demographics"))
    if records is None:
        return
    in_schema = {name for name, column in release.schema.columns.items() if column.accepted_against_audit}
    if set(named) != in_schema:
        yield "The certificate and the schema do not name the same columns as accepted against the audit."
    if records.has_repeated_people:  # how many people share a value is not in a release
        return
    objection = judging.objection(records, promised_k(models) or 2)
    if objection is not None and not set(objection.columns) <= set(named):
        yield f"{objection.reason} The certificate does not say that this was accepted."


def _contradictions(release: ReleaseFolder, judgment: Judged) -> tuple[str, ...]:
    """Say where the certificate claims something else than the data show."""
    certificate = release.certificate
    claims = [
        ("records", certificate.records, n_published(release.records)),
        ("unit", certificate.unit, unit_of(release.records)),
        ("groups", certificate.groups, judgment.n_groups),
    ]
    claims += [
        (f"{verdict.promise}: level", dict(certified.level), dict(verdict.level))
        for certified, verdict in zip(certificate.promises, judgment.verdicts, strict=True)
    ]
    return tuple(
        f"The certificate claims {what} {claimed}, but the data show {shown}."
        for what, claimed, shown in claims
        if claimed != shown
    )
