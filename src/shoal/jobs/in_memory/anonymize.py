"""Anonymize data in memory: the road of :func:`shoal.publish`, without folders."""

import warnings
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal, overload

from shoal import road
from shoal.anonymizers import Anonymizer
from shoal.backends.spark import is_spark_frame
from shoal.errors import WordingError
from shoal.io import Data
from shoal.io.folders.ledger import LedgerFolder, read_secret
from shoal.io.frames.records_frame import refuse_two_frames
from shoal.io.schemas import GivenSchema
from shoal.jobs.publish import caveats_of, kept_plan
from shoal.jobs.read import read
from shoal.models.asked_models import AskedModels, asked_models
from shoal.plan import IN_MEMORY, Plan
from shoal.randomness import Randomness
from shoal.utility import kept_in_words, warnings_of

from .owner_ledger import OwnerLedger
from .release import Release, release_in_memory

__all__ = ["anonymize"]

Duplicates = Literal["refuse", "last", "mean"]


@overload
def anonymize(
    data: Data,
    schema: GivenSchema | None = None,
    models: AskedModels | None = None,
    *,
    model: AskedModels | None = None,
    method: str | Anonymizer | None = None,
    withhold: str | float | Fraction = "0",
    accept: str | Sequence[str] = (),
    expand: bool = False,
    boost: str | float | None = None,
    time: str | None = None,
    duplicates: Duplicates = "refuse",
    seed: int | None = None,
    secret: str | Path | None = None,
    warn_below: str | float = "50%",
    warn_unique: str | float = "5%",
    ledger: Literal[False] = False,
) -> Release: ...
@overload
def anonymize(
    data: Data,
    schema: GivenSchema | None = None,
    models: AskedModels | None = None,
    *,
    model: AskedModels | None = None,
    method: str | Anonymizer | None = None,
    withhold: str | float | Fraction = "0",
    accept: str | Sequence[str] = (),
    expand: bool = False,
    boost: str | float | None = None,
    time: str | None = None,
    duplicates: Duplicates = "refuse",
    seed: int | None = None,
    secret: str | Path | None = None,
    warn_below: str | float = "50%",
    warn_unique: str | float = "5%",
    ledger: Literal[True],
) -> tuple[Release, OwnerLedger]: ...
def anonymize(
    data: Data,
    schema: GivenSchema | None = None,
    models: AskedModels | None = None,
    *,
    model: AskedModels | None = None,
    method: str | Anonymizer | None = None,
    withhold: str | float | Fraction = "0",
    accept: str | Sequence[str] = (),
    expand: bool = False,
    boost: str | float | None = None,
    time: str | None = None,
    duplicates: Duplicates = "refuse",
    seed: int | None = None,
    secret: str | Path | None = None,
    warn_below: str | float = "50%",
    warn_unique: str | float = "5%",
    ledger: bool = False,
) -> Release | tuple[Release, OwnerLedger]:
    """Return a release that keeps the promises, or raise; nothing is written.

    >>> shoal.anonymize(frame, schema, "k-anonymity:k=5", withhold="2%").to_pandas()  # doctest: +SKIP

    The settings are those of a plan. The release holds nothing of the originals. With ``ledger``, a second object is
    returned beside it that does: which record became which, and what it cost. It stays with the owner. What the owner
    must know before the release is handed out is said there too, and issued as Python warnings where there is none.
    """
    if is_spark_frame(data):
        raise WordingError(
            "shoal.anonymize works in memory, and a DataFrame of Spark is not there.",
            "Give it to shoal.publish, which leaves it on the cluster, or bring it here: frame.toArrow().",
        )
    plan = Plan.of(
        data=IN_MEMORY,
        out=IN_MEMORY,
        models=asked_models(models, model),
        method=method,
        withhold=withhold,
        accept=accept,
        expand=expand,
        boost=boost,
        time=time,
        duplicates=duplicates,
        seed=seed,
        secret=secret,
        warn_below=warn_below,
        warn_unique=warn_unique,
    )
    share, at, promised = plan.share_withheld, plan.warn_at, plan.promises
    drawn = Randomness(plan.seed, None if plan.secret is None else read_secret(plan.secret)).with_secret()
    source = read(data, schema, duplicates=plan.duplicates)
    refuse_two_frames(source.records, source.schema)  # before the long work
    how, reason = plan.anonymizer(source.records)
    published, truth = road.publish(
        source.records, promised, how, randomness=drawn, withhold=share, accept=plan.accept, expand=plan.expand
    )
    release = release_in_memory(published, source)
    warned = (*caveats_of(release.certificate), *warnings_of(truth.report, at))
    if not ledger:
        for warning in warned:
            warnings.warn(warning, stacklevel=3)  # at the line that calls shoal.anonymize
        return release
    kept = LedgerFolder.of(truth, source.schema)
    return release, OwnerLedger(
        **vars(kept),
        truth=truth,
        schema=source.schema,
        plan=kept_plan(plan, source, how).to_toml(),
        kept=kept_in_words(truth.report, how.instead_of_ratings),
        warnings=warned,
        notes=truth.remarks if reason is None else (reason, *truth.remarks),
    )
