"""Verify a release of ratings where its records are."""

from dataclasses import replace
from pathlib import Path

from shoal.column_audit import Objection
from shoal.errors import WordingError
from shoal.evidence import NeedGroups
from shoal.io.folders.release import OpenedRelease, ReleaseFolder
from shoal.io.tables.profile_sizes import people_by_record
from shoal.jobs.ratings_on_disk import RatingsOnDisk, opened_ratings
from shoal.jobs.release_and_truth import GivenRelease
from shoal.jobs.verify import Judging, VerifyResult, verified
from shoal.models import promises
from shoal.partitioned.rating_release.released_ratings import ReleasedRatings, judge_released
from shoal.partitioned.ratings import why_in_memory

__all__ = ["obstacle_to_verifying_ratings", "ratings_verified_on_disk"]


def obstacle_to_verifying_ratings(opened: OpenedRelease, *, with_ledger: bool) -> WordingError | None:
    """Return why a release of ratings must be read into memory to be verified, if it must."""
    if with_ledger:
        return WordingError("A ledger is compared in memory.", "Leave out --engine, or --ledger.")
    models = [promises.read(certified.promise) for certified in opened.certificate.promises]
    if opened.states_people and not all(isinstance(model.need, NeedGroups) for model in models):
        return WordingError(
            "Records that stand for several people are compared on disk for being equal alone, and this release "
            "promises more.",
            "Leave out --engine.",
        )
    return None if opened.states_people else why_in_memory(models)


def ratings_verified_on_disk(folder: GivenRelease, opened: OpenedRelease, ratings: RatingsOnDisk) -> VerifyResult:
    """Verify a release whose files are those of its certificate."""
    with opened_ratings(ratings) as records:
        people = opened.schema.people
        released = records if people is None else ReleasedRatings(records, people_by_record(Path(people)))
        release = ReleaseFolder(released, opened.written(opened.schema), opened.certificate, opened.states_people)
        result = verified(folder, release, None, Judging(judge_released, _no_objection))
    if records.n_ratings:
        return result
    empty = "No record has a rating that others may know: the promises hold because the records are empty."
    return replace(result, notes=(*result.notes, empty))


def _no_objection(_: object, __: int) -> Objection | None:
    """Return nothing: ratings have no insensitive columns."""
    return None
