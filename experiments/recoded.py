"""Records as a method recodes them, compared with the originals: what most experiments measure."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
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
from shoal.utility import MEASURES, Comparison

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

    def measured(self, *names: str) -> dict[str, float]:
        """Return measures of the release by name, as ``shoal measure`` has them."""
        return {name: float(MEASURES[name](self.comparison)) for name in names}


@cache
def _compiled(method: Anonymizer, models: tuple[PrivacyModel, ...], kind: str) -> None:
    """Recode a few generated records, so that what is timed afterwards is not compiling."""
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
    _compiled(used, tuple(kept), records.kind)
    memory, began = PeakMemory(), time.process_time()
    recoding = used.recode(records, kept, ENGINE, Randomness(seed, bytes(range(32))))
    seconds = time.process_time() - began
    sizes = ENGINE.count(recoding.records, ENGINE.group(recoding.records), sensitive=False).sizes
    epsilon = next((model.radius for model in kept if model.radius is not None), None)
    known = {"k": promised_k(kept), "replaced": bool(used.instead_of_ratings), "epsilon": epsilon, "seed": seed}
    rows = np.arange(len(records))
    whole = Comparison(records, rows, recoding.records, sizes, places=recoding.stands_for, **{**known, **comparison})
    return Recoded(whole, seconds, memory.mib, recoding.notes)
