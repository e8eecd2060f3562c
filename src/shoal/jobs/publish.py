"""Make a release folder that keeps its promises, or nothing."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.anonymizers import Anonymizer
from shoal.assumed import assumptions
from shoal.display import Displayed, Picture, Summary
from shoal.errors import FileError, WordingError
from shoal.io import Data, Source
from shoal.io.folders.ledger import LEDGER_SECRET, read_secret
from shoal.io.formats import Location
from shoal.io.formats.registry import release_format
from shoal.io.frames import is_frame
from shoal.io.schemas import GivenSchema
from shoal.models.asked_models import AskedModels
from shoal.peak_memory import PeakMemory
from shoal.plan import IN_MEMORY, Plan
from shoal.randomness import Randomness
from shoal.release import Certificate
from shoal.utility import figures_of, kept_in_words, unique_in_words, warnings_of
from shoal.wording.format import format_count, format_share

from .make_release import MadeRelease, claimed_folders, make_release
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


def publish(
    data: Data | Plan,
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
    plan, data, given = _planned(data, settings)
    promises, withhold = plan.promises, plan.share_withheld
    secret = None if plan.secret is None else read_secret(plan.secret)
    _refuse_unkeepable(plan)
    with claimed_folders(plan.out, plan.ledger, force=force) as folders:
        with assumptions() as assumed:
            source = read(data, given, duplicates=plan.duplicates)
        method, reason = plan.anonymizer(source.records)
        made = make_release(
            source,
            promises,
            method,
            folders,
            origin=kept_plan(plan, source, method).to_toml(),
            format_=release_format(plan.format, "data.parquet" if is_frame(data) else plan.data),
            randomness=Randomness(plan.seed, secret),
            withhold=withhold,
            accept=plan.accept,
            expand=plan.expand,
        )
    return replace(
        _result(plan, len(source.records), made, time.perf_counter() - began),
        notes=(*(() if reason is None else (reason,)), *assumed, *made.remarks),
        kept=kept_in_words(made.report, method.instead_of_ratings),
        unique=unique_in_words(made.report),
        warnings=(*caveats_of(made.certificate), *warnings_of(made.report, plan.warn_at)),
    )


def caveats_of(certificate: Certificate) -> tuple[str, ...]:
    """Return what the promises of a certificate do not guarantee, each under its wording."""
    return tuple(f"{each.promise}: {each.caveat}" for each in certificate.promises if each.caveat)


def _planned(data: Data | Plan, settings: dict[str, Any]) -> tuple[Plan, Data, GivenSchema | None]:
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
    """Return the plan as the ledger keeps it: it means the same wherever it is read, and names the secret there.

    It also names the method that was taken, whole, where that was left open: another version may choose another; and
    the schema that was found beside the data.
    """
    # beside the plan: a ledger that was moved still repeats its run
    update: dict[str, str | None] = {"secret": LEDGER_SECRET}
    if plan.method is None:
        update |= {"method": str(method), "boost": None, "time": None}
    if plan.schema_file is None and source.schema_file is not None:
        plan = plan.model_copy(update={"schema_file": str(source.schema_file)})
    return plan.absolute().model_copy(update=update)


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
