"""Do promises hold on data as they stand?"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.io import Source
from shoal.io.schema import Schema
from shoal.models import PrivacyModel, Verdict, promises

from .read import read

__all__ = ["CheckResult", "check"]


@dataclass(frozen=True)
class CheckResult:
    """The verdicts on one data set."""

    records: int
    verdicts: tuple[Verdict, ...]
    seconds: float
    reasons: tuple[str, ...] = ()
    """What else speaks against it, in sentences."""

    @property
    def holds(self) -> bool:
        """Whether every promise holds and nothing else speaks against it."""
        return not self.reasons and all(verdict.holds for verdict in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        promises = [
            {
                "promise": verdict.promise,
                "holds": verdict.holds,
                "level": dict(verdict.level),
                "violations": verdict.violations,
            }
            for verdict in self.verdicts
        ]
        told = {"holds": self.holds, "records": self.records, "promises": promises, "seconds": round(self.seconds, 3)}
        return {**told, "reasons": list(self.reasons)} if self.reasons else told


def check(
    data: str | Path | Source,
    models: Sequence[str | PrivacyModel],
    schema: Schema | str | Path | None = None,
    *,
    duplicates: Literal["refuse", "last", "mean"] = "refuse",
) -> CheckResult:
    """Judge promises on data as they stand; each promise is an object or its wording."""
    began = time.perf_counter()
    asked = [promises.read(model) if isinstance(model, str) else model for model in models]
    if not asked:
        raise WordingError("There is no promise to check.", "Add --model k-anonymity:k=5, for example.")
    records = read(data, schema, duplicates=duplicates).records
    judgement = judge(records, asked, LocalEngine())
    return CheckResult(len(records), judgement.verdicts, time.perf_counter() - began)
