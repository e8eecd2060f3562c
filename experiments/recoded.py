"""Records as a method recodes them, compared with the originals: what most experiments measure."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.anonymizers import Anonymizer, methods
from shoal.data import Records
from shoal.datasets import generate_survey, generate_table
from shoal.engines import LocalEngine
from shoal.errors import ShoalError
from shoal.models import PrivacyModel, promised_k, promises
from shoal.peak_memory import PeakMemory
from shoal.randomness import Randomness
from shoal.utility import MEASURES, Comparison, measured

__all__ = ["ENGINE", "Recoded", "recoded"]

ENGINE = LocalEngine()


@dataclass(frozen=True)
class Recoded:
    """Original and recoded records, and what the recoding took."""

    comparison: Comparison
    seconds: float
    """Of the processor: a worker has one core, and what else the machine does hardly counts."""
    mib: float
    notes: Mapping[str, int | float]

    def asked(self, **settings: Any) -> "Recoded":
        """Return the same release, to be measured with other settings of the comparison, as of queries."""
        return replace(self, comparison=replace(self.comparison, **settings))

    def measured(self, *names: str) -> dict[str, float | None]:
        """Return measures of the release by name, as ``shoal measure`` has them; None where there is no such number."""
        values = measured(self.comparison, [MEASURES[name] for name in names]).values
        return {name: float(values[name]) if name in values else None for name in names}


_COMPILED: set[object] = set()


def _compile(method: Anonymizer, models: Sequence[PrivacyModel], kind: str) -> None:
    """Recode a few generated records, once for each method and kinds of promises, so that compiling is not timed."""
    key = method, tuple(type(model) for model in models), kind
    if key in _COMPILED:
        return
    _COMPILED.add(key)
    few = generate_survey(60, 5, 1, 0) if kind == "ratings" else generate_table(60, 0)
    with suppress(ShoalError):  # promises may not hold for so few
        method.recode(few, models, ENGINE, Randomness(0, bytes(range(32))))


def recoded(
    records: Records,
    models: Sequence[str | PrivacyModel],
    method: str | Anonymizer,
    seed: int = 0,
    **comparison: Any,
) -> Recoded:
    """Recode records so that the promises hold; nothing is withheld. Methods and promises may be given as wordings."""
    kept = [promises.read(model) if isinstance(model, str) else model for model in models]
    used = methods.read(method) if isinstance(method, str) else method
    _compile(used, kept, records.kind)
    memory, began = PeakMemory(), time.process_time()
    recoding = used.recode(records, kept, ENGINE, Randomness(seed, bytes(range(32))))
    seconds = time.process_time() - began
    sizes = ENGINE.count(recoding.records, ENGINE.group(recoding.records), sensitive=False).sizes
    epsilon = next((model.radius for model in kept if model.radius is not None), None)
    known = {"k": promised_k(kept), "replaced": bool(used.instead_of_ratings), "epsilon": epsilon, "seed": seed}
    rows = np.arange(len(records))
    whole = Comparison(records, rows, recoding.records, sizes, places=recoding.stands_for, **{**known, **comparison})
    return Recoded(whole, seconds, memory.mib, recoding.notes)
