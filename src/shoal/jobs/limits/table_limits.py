"""The best k, l and t that a table meets as it stands: those of its classes of equal quasi-identifiers."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.backends.spark import SparkFrame
from shoal.data import Microdata
from shoal.display import Displayed, Summary
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.io import Data
from shoal.io.schemas import GivenSchema
from shoal.jobs.asked_engine import Where
from shoal.jobs.engine_choice import TableOnDisk, opened_backend, table_on_disk
from shoal.jobs.read import read
from shoal.models import PrivacyModel, Verdict, promises
from shoal.release import Unit, unit_of
from shoal.wording.format import format_count

__all__ = ["TableLimitsResult", "table_limits"]

_SOUGHT = {
    "k": ("largest k", "k-anonymity:k=2"),
    "l": ("largest l", "l-diversity:l=2"),
    "entropy_l": ("largest entropy l", "l-diversity:l=2,kind=entropy"),
    "t": ("smallest t", "t-closeness:t=0"),
}
"""What is sought of a table, in words, and a promise whose verdict says what is reached."""


@dataclass(frozen=True, repr=False)
class TableLimitsResult(Displayed):
    """The best parameters that a table meets as it stands; without sensitive columns k alone."""

    records: int
    unit: Unit
    """What k counts."""
    reached: Mapping[str, int | float]
    """By letter, the best that the table meets."""
    seconds: float
    promise: PrivacyModel | None
    """k-anonymity as it holds; nothing where nobody is hidden."""

    @property
    def question(self) -> str:
        """What the limits are of, in words."""
        return f"{format_count(self.records, 'record')}, in classes of equal quasi-identifiers"

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """What was sought, in words, each with what was found."""
        return tuple((_SOUGHT[letter][0], f"{best:,}") for letter, best in self.reached.items())

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else is to be said of the answers, in sentences."""
        return (
            *(("No column is sensitive, so there is no l and no t.",) if "l" not in self.reached else ()),
            *(("With k = 1 nobody is hidden.",) if self.reached["k"] == 1 else ()),
            *(("k counts records, of which a person may have several.",) if self.unit == "records" else ()),
        )

    def _summary(self) -> Summary:
        return Summary(f"TableLimitsResult: {self.question}", None, self.answers, sentences=self.remarks)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "given": {},
            **self.reached,
            "unit": self.unit,
            "promise": None if self.promise is None else str(self.promise),
            "records": self.records,
            "seconds": round(self.seconds, 3),
        }


def table_limits(
    data: Data | SparkFrame, schema: GivenSchema | None, engine: Where = "auto", memory: str | None = None
) -> TableLimitsResult:
    """Find the largest k and l, and the smallest t, that a table meets as it stands."""
    began = time.perf_counter()
    table = table_on_disk(data, schema, engine, memory)
    if table is not None:
        return _of_table_on_disk(table, began)
    assert not isinstance(data, SparkFrame)
    records = read(data, schema).records
    if not isinstance(records, Microdata):
        raise WordingError("Nothing is given to find the limits for.", "Add --given k=5, for example.")
    models = _sought(has_sensitive=records.has_sensitive)
    verdicts = judge(records, list(models.values()), LocalEngine()).verdicts
    return _result(len(records), unit_of(records), models, verdicts, began)


def _of_table_on_disk(table: TableOnDisk, began: float) -> TableLimitsResult:
    from shoal.partitioned import judge_partitioned, read_partitioned_table

    with opened_backend(table.memory, table.where) as backend:
        records, _ = read_partitioned_table(table.file, table.schema, backend)
        models = _sought(has_sensitive=records.has_sensitive)
        verdicts = judge_partitioned(records, list(models.values())).verdicts
        return _result(len(records), unit_of(records), models, verdicts, began)


def _sought(*, has_sensitive: bool) -> dict[str, PrivacyModel]:
    return {
        letter: promises.read(wording) for letter, (_, wording) in _SOUGHT.items() if has_sensitive or letter == "k"
    }


def _result(
    records: int, unit: Unit, models: Mapping[str, PrivacyModel], verdicts: Sequence[Verdict], began: float
) -> TableLimitsResult:
    reached = {letter: next(iter(each.level.values())) for letter, each in zip(models, verdicts, strict=True)}
    promise = promises.read(f"k-anonymity:k={reached['k']}") if reached["k"] >= 2 else None
    return TableLimitsResult(records, unit, reached, time.perf_counter() - began, promise)
