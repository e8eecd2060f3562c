"""The estimated risk of generated samples beside the truth, which is known because the population is.

A record's true risk is 1 divided by the number of people of the population who equal it in what others may know. Over
seeds: expected re-identifications, estimated and true, in the whole sample and among records that are unique in it, on
the raw sample with three and with five quasi-identifiers, and on a release with k = 5.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from measuring import measured
from shoal.anonymizers import methods
from shoal.attacks import Exposure
from shoal.attacks.uniqueness.risk import population_sizes
from shoal.attacks.uniqueness.sample_risk import risks_of_records
from shoal.data import Column, Microdata, Role
from shoal.datasets.generators.sample_model import SampleModel
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.randomness import Randomness

PEOPLE, SAMPLED, STRATA = 1_000_000, 20_000, 8
SEEDS = 10
KNOWN = {
    "three": ("sex", "age", "education"),
    "five": ("sex", "age", "education", "race", "marital-status"),
}


def main(folder: Path) -> dict[str, float]:  # noqa: ARG001
    """Estimate over seeds, and tell how far off the mean and the single runs are."""
    results: dict[str, float] = {}
    runs: dict[str, list[dict[str, float]]] = {}
    for seed in range(SEEDS):
        model = SampleModel.draw(PEOPLE, SAMPLED, STRATA, seed)
        everybody, sample = model.everybody(), model.records()
        for name, known in KNOWN.items():
            runs.setdefault(name, []).append(_raw(sample, everybody, known))
        runs.setdefault("k5", []).append(_released(sample, everybody, KNOWN["five"]))
    for name, found in runs.items():
        results |= {f"{name}_{key}": value for key, value in _over_seeds(found).items()}
    return results


def _raw(sample: Microdata, everybody: pl.DataFrame, known: Sequence[str]) -> dict[str, float]:
    table, names = _with_quasi_identifiers(sample, known), [*known, "region"]
    grouping = LocalEngine().group(table)
    risks, seconds, _ = measured(lambda: risks_of_records(table, grouping.labels, grouping.n_groups))
    true = 1 / _people_alike(table.frame().select(names), everybody.select(names))
    unique = np.bincount(grouping.labels)[grouping.labels] == 1
    return {
        "estimated": float(risks.sum()),
        "true": float(true.sum()),
        "estimated_of_unique": float(risks[unique].sum()),
        "true_of_unique": float(true[unique].sum()),
        "unique_records": float(unique.mean()),
        "correlation": float(np.corrcoef(risks, true)[0, 1]),
        "seconds": seconds,
    }


def _released(sample: Microdata, everybody: pl.DataFrame, known: Sequence[str]) -> dict[str, float]:
    """Publish with k = 5; the truth are the people of the population whom the labels of a class cover."""
    table = _with_quasi_identifiers(sample, known)
    asked = [promises.read("k-anonymity:k=5")]
    recoding = methods.read("mondrian").recode(table, asked, LocalEngine(), Randomness(1))
    published = recoding.records
    assert isinstance(published, Microdata)
    columns = [Column.encode(name, table[name].role, everybody[name]) for name in [*known, "region"]]
    exposure = Exposure(table, published, np.arange(len(table)), population=Microdata(tuple(columns)))
    risks = risks_of_records(published, exposure.grouping.labels, exposure.grouping.n_groups)
    true = 1 / population_sizes(exposure).covered[exposure.grouping.labels]
    return {"estimated": float(risks.sum()), "true": float(true.sum()), "largest_estimated": float(risks.max())}


def _with_quasi_identifiers(sample: Microdata, known: Sequence[str]) -> Microdata:
    kept = [column for column in sample.columns if column.name in known or column.role in (Role.STRATUM, Role.WEIGHT)]
    return Microdata(tuple(kept))


def _people_alike(some: pl.DataFrame, everybody: pl.DataFrame) -> np.ndarray:
    counts = everybody.group_by(everybody.columns).len("people")
    return some.join(counts, on=some.columns, how="left", maintain_order="left")["people"].to_numpy()


def _over_seeds(found: Sequence[dict[str, float]]) -> dict[str, float]:
    means = {key: float(np.mean([each[key] for each in found])) for key in found[0]}
    figures = {key: round(value, 4) for key, value in means.items()}
    for what in (what for what in ("", "_of_unique") if f"true{what}" in means):
        ratios = [each[f"estimated{what}"] / each[f"true{what}"] for each in found]
        figures[f"estimated_by_true{what}"] = round(float(np.mean(ratios)), 4)
        figures[f"spread_over_seeds{what}"] = round(float(np.std(ratios, ddof=1)), 4)
    return figures
