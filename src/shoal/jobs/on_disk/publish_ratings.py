"""Publish ratings that stay on disk: written in parts, proof-read where they are, and named at the end."""

from collections.abc import Callable, Iterator

from shoal.anonymizers import Anonymizer, methods
from shoal.anonymizers.nothing import Nothing
from shoal.errors import WordingError
from shoal.io.folders.ledger import LINKS_FOLDER, ORIGINAL_FOLDER, complete_ledger
from shoal.io.folders.release import certificate_sha256
from shoal.jobs.make_release import MadeRelease, Published, ReleaseFolders, proof_read
from shoal.jobs.ratings_on_disk import RatingsOnDisk, opened_ratings
from shoal.partitioned.methods import RATINGS_ON_DISK, ratings_need_memory
from shoal.partitioned.rating_release.original_ratings import write_original_ratings
from shoal.partitioned.rating_release.publish_ratings import promise_needs_memory, publish_ratings
from shoal.partitioned.ratings.ratings_by_user import ratings_by_user, refuse_too_many_users
from shoal.partitioned.write_parts import Destination
from shoal.plan import Plan

__all__ = ["obstacle_to_publishing_ratings", "publish_ratings_on_disk"]

_DEFAULT = "predictive"
_LOCAL = "read the ratings into memory (--engine local)"


def obstacle_to_publishing_ratings(plan: Plan) -> WordingError | None:
    """Return the first reason for which a plan cannot be followed where the ratings are; None where it can."""
    return next(_obstacles(plan), None)


def _obstacles(plan: Plan) -> Iterator[WordingError]:
    if plan.seed is not None or plan.secret is not None:
        yield WordingError(
            "A seed or a secret repeats what is drawn for records in their order, and those on disk have none.",
            f"Leave out --seed and --secret, or {_LOCAL}.",
        )
    if plan.format not in (None, "parquet"):
        yield WordingError(
            f"Records on disk are published in parts, as Parquet, not as {plan.format}.",
            f"Leave out --format, or {_LOCAL}.",
        )
    if plan.expand:
        yield WordingError("Records are expanded in memory.", f"Leave out --expand, or {_LOCAL}.")
    method = plan.method_or(_default)[0]
    if (refusal := ratings_need_memory(method)) is not None:
        yield refusal
    yield from filter(None, (promise_needs_memory(model, method) for model in plan.promises))
    if isinstance(method, Nothing) and plan.share_withheld:
        yield WordingError(
            "Which users to withhold is decided with all of them in memory.", f"Leave out --withhold, or {_LOCAL}."
        )


def publish_ratings_on_disk(
    source: RatingsOnDisk, plan: Plan, folders: ReleaseFolders, origin: Callable[[Anonymizer], str]
) -> Published:
    """Publish ratings as a plan says; ``origin`` is what the ledger keeps of how that came about (TOML)."""
    method, reason = plan.method_or(_default)
    with opened_ratings(source) as partitioned:
        partitioned.backend.refuse_unseen(*(each for each in (folders.release, folders.ledger) if each is not None))
        refuse_too_many_users(partitioned)
        ratings = ratings_by_user(partitioned)
        to = Destination(folders.release, folders.ledger)
        schema = source.layout.schema_of(source.file, ratings.scale)
        made = publish_ratings(ratings, schema, source.file.types, plan.promises, method, to, accept=plan.accept)
        if folders.ledger is not None:
            original, parts = write_original_ratings(ratings, schema, folders.ledger / ORIGINAL_FOLDER)
            certificate, kept = certificate_sha256(folders.release), {ORIGINAL_FOLDER: parts, LINKS_FOLDER: made.links}
            complete_ledger(folders.ledger, original, None, made.report, origin(method), certificate, kept)
        records = len(ratings)
    proof_read(folders.release, engine=source.where, memory=str(source.memory))
    released = MadeRelease(made.certificate, made.report, made.group_sizes, made.remarks)
    return Published(released, records, method, reason)


def _default() -> tuple[Anonymizer, str]:
    """Return the method for ratings on disk, and why it is."""
    others = f"--method names another, of {', '.join(RATINGS_ON_DISK)}"
    return methods.read(_DEFAULT), f"Method: {_DEFAULT}, since ratings stay on disk; {others}."
