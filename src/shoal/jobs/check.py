"""Judge promises on data as they stand."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from shoal.backends.spark import SparkFrame
from shoal.data import Records
from shoal.display import Displayed, Summary, Table
from shoal.engines import judge
from shoal.engines.local import RememberingEngine
from shoal.engines.neighbor_search import Search
from shoal.errors import WordingError
from shoal.evidence import NeedNeighborhoods, NeedPartition
from shoal.io import Data
from shoal.io.schemas import GivenSchema
from shoal.jobs.explain.explanation import Explanation, claimed, write_explanation
from shoal.models import PrivacyModel, Verdict
from shoal.models.asked_models import AskedModels, asked_models
from shoal.progress import whole
from shoal.release import Unit, n_published, unit_of
from shoal.wording.format import format_count

from .asked_engine import AskedEngine, Where, asked_engine
from .engine_choice import TableOnDisk, opened_backend, table_on_disk
from .phases import CHECKING
from .ratings_on_disk import RatingsOnDisk, opened_ratings, ratings_on_disk
from .read import read

__all__ = ["CheckResult", "check"]


@dataclass(frozen=True, repr=False)
class CheckResult(Displayed):
    """The verdicts on one data set."""

    records: int
    verdicts: tuple[Verdict, ...]
    seconds: float
    people: int | None = None
    """How many different people the records are of; None: a release in which people have several does not say it."""
    unit: Unit = "people"
    """What sizes count."""
    reasons: tuple[str, ...] = ()
    """What else speaks against it, in sentences."""
    notes: tuple[str, ...] = ()
    """What a reader should know of the records, in sentences."""
    explanation: Explanation | None = None
    """What was written about the records that break a promise, if that was asked for."""
    accepted_against_audit: tuple[str, ...] = ()
    """Of a release, the insensitive columns to which the audit objected and which its owner accepted by name."""

    @classmethod
    def of(
        cls,
        records: Records,
        verdicts: tuple[Verdict, ...],
        seconds: float,
        reasons: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Return the verdicts on some records."""
        return cls(n_published(records), verdicts, seconds, _n_people(records), unit_of(records), reasons, notes)

    @property
    def holds(self) -> bool:
        """Whether every promise holds and nothing else speaks against it."""
        return not self.reasons and all(verdict.holds for verdict in self.verdicts)

    @property
    def among(self) -> str:
        """Among how many the violations are, in words."""
        if self.people is None:
            return " people"
        return f" of {self.people:,} people" if self.people != self.records else f" of {self.records:,} records"

    def _summary(self) -> Summary:
        rows = [
            (each.promise, "holds" if each.holds else "does not hold", each.reached, f"{each.violations:,}{self.among}")
            for each in self.verdicts
        ]
        head = ("promise", "verdict", "reached", "violations")
        table = Table.of("Promises", head, rows, ("verdict", "reached"))
        verdict = "holds" if self.holds else "does not hold"
        title = f"{type(self).__name__}: {verdict} ({format_count(self.records, 'record')})"
        return Summary(title, self.holds, tables=(table,), sentences=tuple(self._sentences()))

    def _sentences(self) -> Iterator[str]:
        """Return what is to be said beside the verdicts."""
        for verdict in self.verdicts:
            yield from (f"{verdict.promise}: {remark}" for remark in verdict.remarks)
        yield from self.reasons
        yield from self.notes
        if self.accepted_against_audit:
            yield f"Published against the audit, accepted by name: {', '.join(self.accepted_against_audit)}."
        yield from () if self.explanation is None else self.explanation.sentences

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        promises = [
            {
                "promise": verdict.promise,
                "holds": verdict.holds,
                "level": dict(verdict.level),
                "violations": verdict.violations,
                **({"why": list(verdict.why)} if verdict.why else {}),
                **_caveat(verdict),
            }
            for verdict in self.verdicts
        ]
        published = {
            "holds": self.holds,
            "records": self.records,
            "people": self.people,
            "unit": self.unit,
            "promises": promises,
            "seconds": round(self.seconds, 3),
        }
        if self.notes:
            published["notes"] = list(self.notes)
        if self.reasons:
            published["reasons"] = list(self.reasons)
        if self.accepted_against_audit:
            published["accepted_against_audit"] = list(self.accepted_against_audit)
        if self.explanation is not None:
            published["explained"] = self.explanation.file
        return published


def _n_people(records: Records) -> int | None:
    """Return how many people there are; a release of which a person may have several records does not say it."""
    return records.n_people if records.stated is None else None


def _caveat(verdict: Verdict) -> dict[str, Any]:
    """Return whether the promise is vacuous and in which words, where there is something to say."""
    caveat = verdict.caveat
    return {} if caveat is None else {"vacuous": caveat.vacuous, "caveat": caveat.sentence}


@whole("checking promises", *CHECKING)
def check(
    data: Data | SparkFrame,
    models: AskedModels | None = None,
    schema: GivenSchema | None = None,
    *,
    model: AskedModels | None = None,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
    search: Search = "auto",
    explain: str | Path | None = None,
    force: bool = False,
    engine: AskedEngine = "auto",
    memory: str | None = None,
    spark_master: str | None = None,
    spark_staging: str | None = None,
) -> CheckResult:
    """Judge promises on data as they stand: one or several, each an object or its wording.

    >>> shoal.check(frame, "k-anonymity:k=5", {"age": "quasi-identifier", "disease": "sensitive"})  # doctest: +SKIP

    ``search`` says how neighbors are found; the answers are the same. ``explain`` names a file, CSV or Parquet, to
    write which records break a promise and what sets them apart: for the owner alone, who alone can read it. One that
    exists is replaced only with ``force``.

    ``engine`` says where records are: ``local`` in memory, ``stream`` on disk; ``auto`` leaves them on disk if they
    would take more than ``memory``, such as ``4GiB``, which is half of what the machine has unless said. ``spark``, or
    a session of Spark, leaves them on a cluster, and so does a DataFrame of Spark; ``spark_master`` is its address, and
    ``spark_staging`` a folder that all its executors see.
    """
    began = time.perf_counter()
    asked = asked_models(models, model)
    if not asked:
        raise WordingError("There is no promise to check.", "Add --model k-anonymity:k=5, for example.")
    if force and explain is None:
        raise WordingError("There is nothing to replace by force.", "--force goes with --explain FILE.")
    if search != "auto" and not any(isinstance(each.need, NeedNeighborhoods | NeedPartition) for each in asked):
        raise WordingError(
            "--search is for neighbors, and none of these promises is about them.", "Leave out --search."
        )
    with asked_engine(engine, data, spark_master, spark_staging) as asked_place:
        where = _where_for(asked_place, explain)
        ratings = ratings_on_disk(data, schema, where, memory, duplicates, partial(_obstacle, asked))
        if ratings is not None:
            return _checked_ratings(ratings, asked, search, began)
        on_disk = table_on_disk(data, schema, where, memory)
        if on_disk is not None:
            return _checked_on_disk(on_disk, asked, began)
    assert not isinstance(data, SparkFrame)
    with ExitStack() as files:
        # claimed before the long work, so that a bad path is reported at once
        staging = None if explain is None else files.enter_context(claimed(Path(explain), force=force))
        source = read(data, schema, duplicates=duplicates)
        remembering = RememberingEngine(search=search)
        judgment = judge(source.records, asked, remembering)
        explanation = None
        if staging is not None:
            explanation = write_explanation(source, asked, judgment, remembering, staging, name=str(explain))
    seconds = time.perf_counter() - began
    return replace(CheckResult.of(source.records, judgment.verdicts, seconds), explanation=explanation)


def _where_for(where: Where, explain: str | Path | None) -> Where:
    """Return where to check; what breaks a promise is explained of records in memory."""
    if explain is not None and where not in ("auto", "local"):
        raise WordingError("--explain needs the records in memory.", "Leave out --engine, or --explain.")
    return "local" if explain is not None else where


def _obstacle(models: Sequence[PrivacyModel]) -> WordingError | None:
    from shoal.partitioned.ratings import why_in_memory

    return why_in_memory(models)


def _checked_ratings(
    ratings: RatingsOnDisk, models: Sequence[PrivacyModel], search: Search, began: float
) -> CheckResult:
    from shoal.partitioned.ratings import judge_partitioned_ratings

    with opened_ratings(ratings) as records:
        verdicts = judge_partitioned_ratings(records, models, search)
    return CheckResult.of(records, verdicts, time.perf_counter() - began)


def _checked_on_disk(table: TableOnDisk, models: Sequence[PrivacyModel], began: float) -> CheckResult:
    from shoal.partitioned import judge_partitioned, read_partitioned_table

    with opened_backend(table.memory, table.where) as backend:
        records, _ = read_partitioned_table(table.file, table.schema, backend)
        judgment = judge_partitioned(records, models)
    return CheckResult.of(records, judgment.verdicts, time.perf_counter() - began)
