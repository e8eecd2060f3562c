"""Verify a release of ratings where its records are."""

from dataclasses import replace
from pathlib import Path

from shoal.column_audit import Objection
from shoal.errors import FileError, WordingError
from shoal.evidence import NeedGroups
from shoal.io.folders.ledger import LedgerFolder, open_ledger
from shoal.io.folders.release import OpenedRelease, ReleaseFolder, certificate_sha256
from shoal.io.schemas import RatingsSchema
from shoal.io.tables.profile_sizes import people_by_record
from shoal.jobs.ratings_on_disk import RatingsOnDisk, opened_ratings
from shoal.jobs.release_and_truth import GivenLedger, GivenRelease, other_certificate, unlinked
from shoal.jobs.verify import Compared, Judging, VerifyResult, ledger_in_memory, verified
from shoal.models import promises
from shoal.partitioned.linked_records import links_of, unlinked_records
from shoal.partitioned.rating_release.claimed_people import claimed_people
from shoal.partitioned.rating_release.released_ratings import ReleasedRatings, judge_released
from shoal.partitioned.ratings import PartitionedRatings, why_in_memory

__all__ = ["obstacle_to_verifying_ratings", "ratings_verified_on_disk"]


def obstacle_to_verifying_ratings(opened: OpenedRelease, ledger: GivenLedger | None) -> WordingError | None:
    """Return why a release of ratings must be read into memory to be verified, if it must."""
    if isinstance(ledger, LedgerFolder):
        return ledger_in_memory()
    models = [promises.read(certified.promise) for certified in opened.certificate.promises]
    if opened.states_people and not all(isinstance(model.need, NeedGroups) for model in models):
        return WordingError(
            "Records that stand for several people are compared on disk for being equal alone, and this release "
            "promises more.",
            "Leave out --engine.",
        )
    return None if opened.states_people else why_in_memory(models)


def ratings_verified_on_disk(
    folder: GivenRelease, opened: OpenedRelease, ratings: RatingsOnDisk, ledger: str | Path | None = None
) -> VerifyResult:
    """Verify a release whose files are those of its certificate, and with its ledger, if that is given."""
    with opened_ratings(ratings) as records:
        people = opened.schema.people
        released = records if people is None else ReleasedRatings(records, people_by_record(Path(people)))
        release = ReleaseFolder(released, opened.written(opened.schema), opened.certificate, opened.states_people)
        sha256 = certificate_sha256(opened.data.parent)
        compared = None if ledger is None else _compared(records, released, sha256, ledger)
        result = verified(folder, release, compared, Judging(judge_released, _no_objection))
    if records.n_ratings:
        return result
    empty = "No record has a rating that others may know: the promises hold because the records are empty."
    return replace(result, notes=(*result.notes, empty))


def _compared(
    records: PartitionedRatings, released: PartitionedRatings | ReleasedRatings, sha256: str, ledger: str | Path
) -> Compared:
    """Compare the records of a release, and the people that each claims to be of, with the links of a ledger."""
    truth = open_ledger(ledger)
    if not isinstance(truth.schema, RatingsSchema) or truth.schema.columns:  # with columns it is of a survey
        raise FileError("The release and the ledger hold different kinds of data.", "Are they a pair?")
    links = links_of(truth.folder, truth.links)
    found = unlinked_records(claimed_people(released), len(records), links, records.backend)
    reasons = unlinked(found.unknown, found.absent, found.others)
    return Compared((*reasons, *other_certificate(sha256, truth.release)), truth.release is not None)


def _no_objection(_: object, __: int) -> Objection | None:
    """Return nothing: ratings have no insensitive columns."""
    return None
