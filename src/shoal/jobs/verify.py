"""Check a release folder alone, without the originals and without trust in whoever made it.

What the data show is judged anew. Two things they cannot show: who made the folder, as hashes only tie its files
together; and how many people stand behind its records. These are listed as claims, unless the owner's ledger is there
to check them against.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shoal.column_audit import revealing_columns
from shoal.data import Column, Microdata, Ratings, Records, Role, Survey, part_of
from shoal.engines import Judgment, LocalEngine, judge
from shoal.errors import InputError
from shoal.io.folders.ledger import LedgerFolder
from shoal.io.folders.release import ReleaseFolder, certificate_sha256
from shoal.models import PrivacyModel, promised_k, promises
from shoal.release import Certificate, n_published, unit_of
from shoal.version import __version__

from .check import CheckResult
from .release_and_truth import GivenLedger, GivenRelease, against_ledger, given_ledger, given_release

__all__ = ["VerifyResult", "verified", "verify"]


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


def verify(folder: GivenRelease, ledger: GivenLedger | None = None) -> VerifyResult:
    """Judge every promise of the certificate on the published data, and compare what the certificate claims.

    A release in memory is verified as it is. A folder that is no release, or whose files were altered after the
    certificate, is refused with an error. With the ``ledger`` of its owner, how many people stand behind each
    record is counted there, and the certificate must be the one that was made with it.
    """
    began = time.perf_counter()
    result = verified(folder, given_release(folder), None if ledger is None else given_ledger(ledger))
    return replace(result, seconds=time.perf_counter() - began)


def verified(folder: GivenRelease, release: ReleaseFolder, truth: LedgerFolder | None) -> VerifyResult:
    """Verify a release that was read from a folder, and with its ledger, if that was read too."""
    began = time.perf_counter()
    sha256 = None if truth is None or isinstance(folder, ReleaseFolder) else certificate_sha256(folder)
    beside = () if truth is None else against_ledger(release, sha256, truth)
    claimed = _claims(release, counted=truth is not None, known=truth is not None and truth.release is not None)
    models = [promises.read(certified.promise) for certified in release.certificate.promises]
    try:
        judgment = judge(release.records, models, LocalEngine())
    except InputError as error:  # the certificate promises what these data cannot even be asked
        seconds = time.perf_counter() - began
        return replace(VerifyResult.of(release.records, (), seconds, (str(error), *beside)), claimed=claimed)
    reasons = (
        *_contradictions(release, judgment),
        *_other_words(release.certificate, models, judgment),
        *_unaccepted(release, models),
        *beside,
    )
    accepted = release.certificate.accepted_against_audit
    result = VerifyResult.of(release.records, judgment.verdicts, time.perf_counter() - began, reasons)
    return replace(result, accepted_against_audit=accepted, notes=_emptiness(release.records), claimed=claimed)


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
    known = records.quasi_identifiers if isinstance(records, Microdata) else ()
    if known and all(_one_label(column) for column in known):
        return ("Every quasi-identifier has one value for all records: it is suppressed, or generalized to its root.",)
    return ()


def _one_label(column: Column) -> bool:
    return len(column.codes) > 0 and bool((column.codes == column.codes[0]).all())


def _other_words(certificate: Certificate, models: Sequence[PrivacyModel], judgment: Judgment) -> tuple[str, ...]:
    """Say where the certificate explains a promise otherwise than the version of Shoal that it names."""
    if certificate.version != __version__:
        return ()
    caveats = ("" if verdict.caveat is None else verdict.caveat.sentence for verdict in judgment.verdicts)
    return tuple(
        f"The certificate explains {model} in other words than Shoal does."
        for certified, model, caveat in zip(certificate.promises, models, caveats, strict=True)
        if (certified.meaning, certified.caveat) != (model.stated_meaning, caveat)
    )


def _unaccepted(release: ReleaseFolder, models: Sequence[PrivacyModel]) -> Iterator[str]:
    """Say where certificate, schema and data differ in which insensitive columns were accepted against the audit.

    Whether columns single people out is judged anew. Whether they depend on what the quasi-identifiers were before they
    were generalized cannot be: that takes the originals.
    """
    named, records = release.certificate.accepted_against_audit, part_of(release.records, "demographics")
    if not isinstance(records, Microdata):
        return
    in_schema = {name for name, column in release.schema.columns.items() if column.accepted_against_audit}
    if set(named) != in_schema:
        yield "The certificate and the schema do not name the same columns as accepted against the audit."
    if records.has_repeated_people:  # how many people share a value is not in a release
        return
    objection = revealing_columns(records.with_role(Role.INSENSITIVE), promised_k(models) or 2)
    if objection is not None and not set(objection.columns) <= set(named):
        yield f"{objection.reason} The certificate does not say that this was accepted."


def _contradictions(release: ReleaseFolder, judgment: Judgment) -> tuple[str, ...]:
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
