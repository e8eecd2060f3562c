"""Make a release folder that keeps its promises, or nothing."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.anonymizers import Anonymizer
from shoal.assumed import assumptions
from shoal.backends.spark import SparkFrame, is_spark_session
from shoal.display import Displayed, Picture, Summary
from shoal.errors import FileError, WordingError
from shoal.io import Data, Source
from shoal.io.folders.ledger import LEDGER_SECRET, read_secret
from shoal.io.formats import Location
from shoal.io.formats.registry import release_format
from shoal.io.frames import is_frame
from shoal.io.schemas import GivenSchema, TableSchema
from shoal.models.asked_models import AskedModels
from shoal.peak_memory import PeakMemory
from shoal.plan import IN_MEMORY, Plan
from shoal.progress import whole
from shoal.randomness import Randomness
from shoal.release import Certificate
from shoal.utility import figures_of, kept_in_words, unique_in_words, warnings_of
from shoal.wording.format import format_count, format_share

from .asked_engine import Where, asked_engine
from .engine_choice import TableOnDisk, table_on_disk
from .make_release import MadeRelease, Published, ReleaseFolders, claimed_folders, make_release
from .phases import PUBLISHING
from .ratings_on_disk import RatingsOnDisk, ratings_on_disk
from .read import read

if TYPE_CHECKING:
    from .in_memory.release import Release

__all__ = ["PublishResult", "caveats_of", "kept_plan", "publish"]


@dataclass(frozen=True, repr=False)
class PublishResult(Displayed):
    """What was published, and what it cost."""

    holds: bool
    records_in: int
    records_out: int
    groups: int
    cells_changed: int
    ratings_invented: int
    ratings_dropped: int
    distortion: float
    release: str
    seconds: float
    peak_mib: int
    ratings_kept: float | None
    """The share of the ratings given that are still published, moved or not; None of tables."""
    cells_kept: float
    """The share of the ratings given, or of the quasi-identifier cells, that are published as they were."""
    loss: float
    """How much is lost, a share: the measure rating loss, or loss-mean."""
    original_and_unique: float
    """The share of published records that equal their original and no other published record."""
    demographics_loss: float | None = None
    """Of a survey, how much is lost of the demographics, the measure loss-mean; the other figures are of answers."""
    accepted_against_audit: tuple[str, ...] = ()
    """Insensitive columns to which the audit objected and which were accepted by name."""
    group_sizes: Mapping[int, int] = field(default_factory=dict)
    """How many equivalence classes there are of each size."""
    kept: str = ""
    """What was kept and lost, in one line."""
    unique: str = "exactly original and unique"
    """What the records are that ``original_and_unique`` counts: of sets, items may be published generalized."""
    warnings: tuple[str, ...] = ()
    """What the owner must know before this is handed out, in sentences."""
    notes: tuple[str, ...] = ()
    """What the owner should know of how it was made, in sentences."""

    def _summary(self) -> Summary:
        groups = format_count(self.groups, "equivalence class", "equivalence classes")
        facts = (
            ("release", self.release),
            ("kept", self.kept),
            (self.unique, f"{format_share(self.original_and_unique)} of published records"),
            ("time and memory", f"{self.seconds:.1f} s, {self.peak_mib:,} MiB at the peak"),
        )
        of = f"{self.records_out:,} of {format_count(self.records_in, 'record')}"
        warnings = (f"Warning: {warning}" for warning in self.warnings)
        sentences = (*warnings, *self._accepted(), *self.notes)
        return Summary(f"PublishResult: {of} published in {groups}", self.holds, facts, sentences=sentences)

    def _pictures(self) -> Iterator[Picture]:
        from shoal.pages.group_sizes import group_sizes_picture

        if self.group_sizes:
            yield group_sizes_picture(np.repeat([*self.group_sizes], [*self.group_sizes.values()]))

    def _accepted(self) -> Iterator[str]:
        if self.accepted_against_audit:
            yield f"Published against the audit, accepted by name: {', '.join(self.accepted_against_audit)}."

    def data(self) -> "Release":
        """Return the release that was written, to be had as a frame: ``result.data().to_pandas()``."""
        from .in_memory.release import open_release

        return open_release(self.release)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        published = asdict(self)
        published["group_sizes"] = {str(size): groups for size, groups in self.group_sizes.items()}
        published["warnings"] = list(self.warnings)
        del published["unique"]
        if self.demographics_loss is None:
            del published["demographics_loss"]
        for key in ("accepted_against_audit", "notes"):
            words = list(published.pop(key))
            if words:
                published[key] = words
        return published


@whole("publishing", *PUBLISHING)
def publish(
    data: Data | SparkFrame | Plan,
    schema: GivenSchema | None = None,
    models: AskedModels | None = None,
    *,
    force: bool = False,
    **settings: Any,
) -> PublishResult:
    """Publish data as a plan says: either the plan itself, or data and the settings of a plan.

    Data are a path or a frame, and a schema is a file, a dict or an object.

    >>> shoal.publish("people.csv", schema="people.toml", models=["k-anonymity:k=5"], out="release")  # doctest: +SKIP

    The release and the ledger appear whole or not at all; an existing folder is replaced only with ``force``. The plan
    in the ledger repeats the run: it names the secret there, without which a seed repeats nothing that was drawn.
    """
    began = time.perf_counter()
    settings |= {name: value for name, value in (("schema", schema), ("models", models)) if value is not None}
    engine = settings.get("engine", "auto")
    if is_spark_session(engine):
        settings["engine"] = "spark"
    plan, data, given = _planned(data, settings)
    _ = plan.promises, plan.share_withheld  # what is written wrongly is told at once
    secret = None if plan.secret is None else read_secret(plan.secret)
    _refuse_unkeepable(plan)
    asked = engine if is_spark_session(engine) else plan.engine
    with (
        claimed_folders(plan.out, plan.ledger, force=force) as folders,
        assumptions() as assumed,
        asked_engine(asked, data, plan.spark_master, plan.spark_staging) as where,
    ):
        published = _published(plan, data, given, secret, folders, where)
    made, method = published.made, published.method
    return replace(
        _result(plan, published.records, made, time.perf_counter() - began),
        notes=(*(() if published.reason is None else (published.reason,)), *assumed, *made.remarks),
        kept=kept_in_words(made.report, method.instead_of_ratings),
        unique=unique_in_words(made.report),
        warnings=(*caveats_of(made.certificate), *warnings_of(made.report, plan.warn_at)),
    )


def _published(
    plan: Plan,
    data: Data | SparkFrame,
    given: GivenSchema | None,
    secret: bytes | None,
    folders: ReleaseFolders,
    where: Where,
) -> Published:
    """Publish data where they are, if they do not fit into memory; else from there."""
    ratings = ratings_on_disk(data, given, where, plan.memory, plan.duplicates, partial(_obstacle_of_ratings, plan))
    if ratings is not None:
        from .on_disk.publish_ratings import publish_ratings_on_disk

        return publish_ratings_on_disk(ratings, plan, folders, lambda method: _on_disk(plan, ratings, method).to_toml())
    table = table_on_disk(data, given, where, plan.memory, partial(_obstacle, plan))
    if table is not None:
        from .on_disk.publish_table import publish_on_disk  # loads what tables in memory need not

        return publish_on_disk(table, plan, folders, lambda method: _on_disk(plan, table, method).to_toml())
    assert not isinstance(data, SparkFrame)
    source = read(data, given, duplicates=plan.duplicates)
    method, reason = plan.anonymizer(source.records)
    made = make_release(
        source,
        plan.promises,
        method,
        folders,
        origin=kept_plan(plan, source, method).to_toml(),
        format_=release_format(plan.format, "data.parquet" if is_frame(data) else plan.data),
        randomness=Randomness(plan.seed, secret),
        withhold=plan.share_withheld,
        accept=plan.accept,
        expand=plan.expand,
    )
    return Published(made, len(source.records), method, reason)


def _obstacle(plan: Plan, schema: TableSchema) -> WordingError | None:
    """Return why a table must be read into memory to be published as a plan says, if it must."""
    from .on_disk.obstacles import obstacle_to_publishing

    return obstacle_to_publishing(plan, schema)


def _obstacle_of_ratings(plan: Plan) -> WordingError | None:
    """Return why ratings must be read into memory to be published as a plan says, if they must."""
    from .on_disk.publish_ratings import obstacle_to_publishing_ratings

    return obstacle_to_publishing_ratings(plan)


def caveats_of(certificate: Certificate) -> tuple[str, ...]:
    """Return what the promises of a certificate do not guarantee, each under its wording."""
    return tuple(f"{each.promise}: {each.caveat}" for each in certificate.promises if each.caveat)


def _planned(
    data: Data | SparkFrame | Plan, settings: dict[str, Any]
) -> tuple[Plan, Data | SparkFrame, GivenSchema | None]:
    """Return the plan, and what it does not hold where that is in memory: the data and the schema."""
    if isinstance(data, Plan):
        _refuse_said(settings, settings, "A plan says everything")
        if IN_MEMORY in (data.data, data.schema_file):
            raise FileError("The data or the schema of this plan were in memory.", "Give them to shoal.publish again.")
        return data, data.location, data.schema_file
    if isinstance(data, Source):
        _refuse_said(settings, ("schema", "schema_file", "duplicates"), "These data were read already")
    schema = settings.pop("schema", settings.pop("schema_file", None))
    if schema is not None:
        settings["schema"] = schema if isinstance(schema, str | Path) else IN_MEMORY
    plan = Plan.of(data=data if isinstance(data, str | Path | Location) else IN_MEMORY, **settings)
    return plan, plan.location if isinstance(data, str | Path | Location) else data, schema


def _refuse_said(settings: Mapping[str, Any], names: Iterable[str], why: str) -> None:
    """Refuse what is said twice or in vain: who says it expects it to count."""
    for name in names:
        if name in settings:
            raise WordingError(f"{why}, and {name!r} is given as well.", "Leave one of them out.")


def kept_plan(plan: Plan, source: Source, method: Anonymizer) -> Plan:
    """Return the plan as the ledger keeps it: it means the same wherever it is read, and names the secret there."""
    # beside the plan: a ledger that was moved still repeats its run
    return _kept(plan, source.schema_file, method).model_copy(update={"secret": LEDGER_SECRET, "engine": "local"})


def _on_disk(plan: Plan, table: TableOnDisk | RatingsOnDisk, method: Anonymizer) -> Plan:
    """Return the plan as the ledger keeps it where records stay on disk: what is drawn there has no secret."""
    engine = "stream" if table.where == "stream" else "spark"
    return _kept(plan, table.schema_file, method).model_copy(update={"engine": engine})


def _kept(plan: Plan, schema_file: Path | None, method: Anonymizer) -> Plan:
    """Return the plan with absolute paths, the schema that was found beside the data, and the method that was taken.

    The method is named whole where it was left open: another version may choose another.
    """
    if plan.schema_file is None and schema_file is not None:
        plan = plan.model_copy(update={"schema_file": str(schema_file)})
    if plan.method is None:
        plan = plan.model_copy(update={"method": str(method), "boost": None, "time": None})
    return plan.absolute()


def _refuse_unkeepable(plan: Plan) -> None:
    """Refuse a plan that the ledger could not keep, because a path in it is not text."""
    try:
        _ = plan.ledger is None or plan.absolute().to_toml().encode()
    except UnicodeEncodeError:
        raise FileError(
            "The ledger cannot keep the plan: the name of a file or folder in it is not UTF-8 text.",
            "Choose another name, or leave the ledger out.",
        ) from None


def _result(plan: Plan, records_in: int, made: MadeRelease, seconds: float) -> PublishResult:
    certificate, report = made.certificate, figures_of(made.report, "answers")
    demographics = figures_of(made.report, "demographics")
    return PublishResult(
        holds=True,
        records_in=records_in,
        records_out=certificate.records,
        groups=certificate.groups,
        cells_changed=int(report["cells changed"]),
        demographics_loss=None if "loss-mean" in report else demographics.get("loss-mean"),
        ratings_invented=int(report["ratings invented"]),
        ratings_dropped=int(report["ratings dropped"]),
        distortion=float(report["distortion"]),
        release=plan.out,
        seconds=round(seconds, 3),
        peak_mib=PeakMemory.of_process(),
        group_sizes=made.group_sizes,
        accepted_against_audit=certificate.accepted_against_audit,
        ratings_kept=report.get("ratings kept"),
        cells_kept=float(report["cells kept"]),
        loss=float(report["rating loss" if "rating loss" in report else "loss-mean"]),
        original_and_unique=float(report["original and unique"]),
    )
