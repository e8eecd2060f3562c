"""The one road out for ratings that are not in memory: the same steps, each where the ratings are.

recode → draw, shuffle and write in parts → judge as published → measure. The certificate is written last; the caller
reads the release back from its files before it gets its name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from shoal.anonymizers import Anonymizer
from shoal.anonymizers.nothing import Nothing
from shoal.engines import refuse_misfits
from shoal.errors import InternalError, PromiseNotKept, WordingError
from shoal.evidence import NeedGroups
from shoal.io.folders.release import write_certificate
from shoal.io.frames.kept_types import kept_types
from shoal.io.schemas import RatingsSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.tables.profile_sizes import PEOPLE_FILE
from shoal.io.write_errors import unwritable_as_error
from shoal.models import PrivacyModel, Verdict, promised_k
from shoal.partitioned.methods import ratings_need_memory
from shoal.partitioned.predictive.recode import is_predictive, predicted_groups
from shoal.partitioned.publish_table import PartitionedRelease
from shoal.partitioned.ratings import judge_partitioned_ratings, why_in_memory
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser
from shoal.partitioned.ratings.side_rows import Side
from shoal.partitioned.write_parts import Destination, refuse_lost
from shoal.progress import stage
from shoal.randomness import Randomness, pseudonym_names
from shoal.road.acceptance import EMPTY, VACUOUS, refuse_empty, refuse_unknown, refuse_vacuous
from shoal.road.certificate import certificate_of

from .made_profiles import AsTheyAre, MadeProfiles, Profiles, gathered_profiles
from .nobody import nobody_of
from .record_groups import group_sizes
from .report import report_of_ratings
from .size_verdicts import verdicts_on_sizes
from .write_ratings import write_ratings

__all__ = ["promise_needs_memory", "publish_ratings"]


def publish_ratings(
    ratings: RatingsByUser,
    schema: RatingsSchema,
    types: Mapping[str, pl.DataType],
    models: Sequence[PrivacyModel],
    method: Anonymizer,
    to: Destination,
    *,
    accept: Collection[str] = (),
    randomness: Randomness | None = None,
) -> PartitionedRelease:
    """Make a release that keeps the promises, or raise.

    What a method draws is drawn with ``randomness``; order and pseudonyms are from the operating system.
    """
    refuse_unknown(accept, ratings.partitioned)
    refuse_misfits(ratings.partitioned, models)
    refuse_vacuous([(model, model.caveat(ratings.partitioned)) for model in models], accept)
    with stage(f"anonymizing ({method.name})"):
        recoded = _recoded(ratings, models, method, randomness or Randomness())
    made = gathered_profiles(ratings, recoded.profiles, ratings.backend)
    empty, written_as = _without_records(ratings, recoded.profiles, schema, types)
    users = ratings.backend.shared(ratings.users)
    written = write_ratings(made, empty, written_as, users, to)
    refuse_lost(len(ratings), written.people)
    refuse_lost(recoded.profiles.n_published, written.records)
    published = Side(ratings.n_observable, recoded.profiles.scale)
    sizes = group_sizes(written.hashes, made.rows, made.make.published, published, ratings.backend)
    verdicts = recoded.verdicts or verdicts_on_sizes(models, sizes)
    _refuse_broken(verdicts, len(ratings))
    nothing_left = bool(written.moments[0, :, 0].any() and not written.moments[1, :, 0].any())
    refuse_empty(accept, empty=nothing_left)
    certified = certificate_of(ratings.partitioned, models, verdicts, method, sum(sizes.values()), ratings.backend.name)
    vacuous = any(verdict.caveat is not None and verdict.caveat.vacuous for verdict in verdicts)
    words = tuple(word for word, needed in ((VACUOUS, vacuous), (EMPTY, nothing_left)) if needed)
    certificate = replace(certified, accepted=words)
    if recoded.profiles.labels is not None:
        _write_people(made, recoded.profiles.labels, to.release)
    write_certificate(certificate, empty, written.parts, to.release)
    scales, replaced = (ratings.scale, recoded.profiles.scale), bool(method.instead_of_ratings)
    report = report_of_ratings(written, sizes, scales, promised_k(models), replaced=replaced)
    return PartitionedRelease(certificate, {**report, **recoded.notes}, sizes, recoded.remarks, written.links)


@dataclass(frozen=True, eq=False)
class _Recoded:
    """How records are made, and what was found on the way."""

    profiles: Profiles
    notes: Mapping[str, int | float]
    remarks: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """Of promises that were judged already, where what is published is what there is."""


def _recoded(
    ratings: RatingsByUser, models: Sequence[PrivacyModel], method: Anonymizer, randomness: Randomness
) -> _Recoded:
    if isinstance(method, Nothing):
        verdicts = judge_partitioned_ratings(ratings.partitioned, models)
        return _Recoded(AsTheyAre(len(ratings), ratings.scale), {}, verdicts=verdicts)
    refusal = ratings_need_memory(method)
    if refusal is not None or not is_predictive(method):
        raise refusal or InternalError(f"The method {method.name!r} is not done here.")
    for refusal in filter(None, (promise_needs_memory(model, method) for model in models)):
        raise refusal
    bound = randomness.with_secret().bound_to(" ".join(map(str, [method, *models])).encode())
    found = predicted_groups(ratings, models, method, bound)
    return _Recoded(found.profiles, found.notes, found.remarks)


def promise_needs_memory(model: PrivacyModel, method: Anonymizer) -> WordingError | None:
    """Return the refusal of a promise that is judged on what a method publishes in memory alone, if it is."""
    if isinstance(method, Nothing):
        return why_in_memory([model])
    if isinstance(model.need, NeedGroups):
        return None
    return WordingError(
        f"{model} compares every profile with all others, in memory.",
        "Promise k-anonymity, from which (k,ε)-anonymity follows, or read the ratings into memory (--engine local).",
    )


def _without_records(
    ratings: RatingsByUser, profiles: Profiles, source: RatingsSchema, types: Mapping[str, pl.DataType]
) -> tuple[RatingsSchema, dict[str, pl.DataType]]:
    """Return the schema that records are written with, and the types of their columns."""
    empty = nobody_of(ratings, profiles.scale, in_groups=profiles.labels is not None)
    schema = schema_of(empty, source)
    assert isinstance(schema, RatingsSchema)
    return schema, kept_types(empty, schema, types)


def _refuse_broken(verdicts: Sequence[Verdict], n: int) -> None:
    for verdict in verdicts:
        if not verdict.holds:
            raise PromiseNotKept(
                f"{verdict.promise} does not hold for {verdict.violations:,} of {n:,} records (reached: "
                f"{verdict.reached}); nothing was published." + "".join(f" {why}" for why in verdict.why),
                "Promise less, or choose another method.",
            )


def _write_people(made: MadeProfiles, labels: np.ndarray, folder: Path) -> None:
    """Write how many people each published record stands for, in the order of pseudonyms."""
    order = np.argsort(made.drawn)
    names = pl.Series(pseudonym_names(made.drawn[order])).cast(pl.String)
    with unwritable_as_error(folder):
        pl.DataFrame({"record": names, "people": np.bincount(labels)[order]}).write_csv(folder / PEOPLE_FILE)
