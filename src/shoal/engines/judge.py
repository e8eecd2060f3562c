"""Promises judged on records: the evidence each needs is computed once, and every verdict is exact."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Records
from shoal.errors import DataError, SchemaError, WordingError
from shoal.evidence import NeedGroups, NeedNeighbourhoods
from shoal.models import PrivacyModel, Verdict
from shoal.progress import stage

from .base import Engine

__all__ = ["Judgement", "judge", "refuse_misfits"]


@dataclass(frozen=True)
class Judgement:
    """The verdicts on one data set."""

    verdicts: tuple[Verdict, ...]
    violating: np.ndarray
    """Mask of the records that break any of the promises."""
    n_groups: int
    """How many groups of records with equal observable parts there are."""

    @property
    def holds(self) -> bool:
        """Whether every promise holds."""
        return all(verdict.holds for verdict in self.verdicts)


def judge(records: Records, models: Sequence[PrivacyModel], engine: Engine) -> Judgement:
    """Judge promises on records as they stand."""
    refuse_misfits(records, models)
    with stage("grouping records"):
        grouping = engine.group(records)
    violating = np.zeros(len(records), dtype=bool)
    verdicts: list[Verdict] = []
    sensitive = any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in models)
    counts = engine.count(records, grouping, sensitive=sensitive)
    for model in models:
        if isinstance(model.need, NeedNeighbourhoods):
            with stage("counting neighbours"):
                verdict = model.judge(engine.neighbours(records, model.need.epsilon))
            violating |= verdict.violating
        else:
            verdict = model.judge(counts)
            violating |= grouping.members(verdict.violating)
        verdicts.append(verdict)
    return Judgement(tuple(verdicts), violating, grouping.n_groups)


def refuse_misfits(records: Records, models: Sequence[PrivacyModel]) -> None:
    """Refuse promises that cannot be made on such records at all."""
    for model in models:
        _refuse_misfit(records, model)


def _refuse_misfit(records: Records, model: PrivacyModel) -> None:
    if records.kind not in model.kinds:
        kinds = " and ".join(sorted(model.kinds))
        raise WordingError(f"The promise {model.name!r} is made on {kinds}, and these data are {records.kind}.")
    if not records.has_observable:
        raise SchemaError(
            f"The promise {model.name!r} would say nothing: no part of the records is declared as known to others.",
            "Give columns the role 'quasi-identifier', or leave some items out of 'sensitive'.",
        )
    if model.needs_sensitive and not records.has_sensitive:
        raise SchemaError(
            f"The promise {model.name!r} speaks of sensitive values, and none is declared.",
            "Give at least one column the role 'sensitive' in the schema.",
        )
    if len(records) < model.fewest_records:
        raise DataError(
            f"There are {len(records):,} records, fewer than the {model.fewest_records:,} that {model} needs.",
            "Ask for less, or collect more.",
        )
