"""What the join costs: the Big Five survey with its demographics at k = 5, joined and each part for itself.

Each part for itself keeps k-anonymity of the demographics and of the answers, and not of both together: the share of
people who are unique in the two together says how many of them somebody finds who knows both as they are published,
and the attack, how many of them somebody finds who knows all demographics and some answers as they were, within a
point. Loss is that of the measures ``loss-mean`` of the demographics and ``rating loss`` of the answers. Needs the data
set beside the project.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from measuring import SHARED, measured
from shoal.data import Survey
from shoal.engines import LocalEngine
from shoal.io import Source
from shoal.io.folders.release import read_release

BIG5 = SHARED / "surveys" / "big5" / "data.csv"
KNOWN = ("race", "age", "gender", "country")
OTHERS = ("engnat", "hand", "source")
OLDEST = 100
"""Whoever wrote a higher age wrote a year of birth, or nonsense: such ages are missing."""
K = 5
APART = (f"k-anonymity:k={K},part=demographics", f"k-anonymity:k={K},part=answers")
JOINED = (f"k-anonymity:k={K}",)
RUNS: dict[str, tuple[Sequence[str], str]] = {
    "apart": (APART, "joined"),
    **{f"spread_{spread}": (JOINED, f"joined:spread={spread}") for spread in (1, 4, 16, 64)},
    **{f"weight_{name}": (JOINED, f"joined:weight={weight}") for name, weight in (("quarter", "1/4"), ("four", "4"))},
    "by_class_4": (JOINED, "joined:spread=4,weight=0"),
}
"""Promises and method; with a weight of 0, classes of demographics are published as such."""
ATTACK = f"known-answers:demographics={len(KNOWN)},items=10,tolerance=1,targets=1000"


def main(folder: Path) -> dict[str, Any]:
    """Publish in every way, and count who is unique in the two parts together."""
    if not BIG5.exists():
        return {"skipped_for_want_of_data": 1}
    source = shoal.read(_prepared(folder), _schema(folder))
    assert isinstance(source.records, Survey)
    results: dict[str, Any] = {"people": len(source.records), "raw_unique": _unique(source.records)}
    results["raw_found"] = _found(shoal.attack(source, wordings=ATTACK, seed=1))
    for name, (models, method) in RUNS.items():
        results |= {f"{name}_{key}": value for key, value in _point(source, models, method, folder / name).items()}
    return results


def _point(source: Source, models: Sequence[str], method: str, folder: Path) -> dict[str, Any]:
    def publish() -> Any:
        return shoal.publish(
            source, models=models, method=method, out=str(folder), ledger=str(ledger), force=True, seed=1
        )

    ledger = folder.with_name(f"{folder.name}-ledger")
    made, seconds, mib = measured(publish)
    published = read_release(folder).records
    assert isinstance(published, Survey)
    point = {
        "demographics_loss": round(made.demographics_loss, 4),
        "rating_loss": round(made.loss, 4),
        "unique": _unique(published),
        "found": _found(shoal.attack(str(folder), str(ledger), wordings=ATTACK, seed=1)),
        "seconds": seconds,
        "mib": mib,
    }
    print(method, models, point, file=sys.stderr, flush=True)
    return point


def _unique(survey: Survey) -> float:
    """Return the share of the people who are alone with their demographics and answers."""
    engine = LocalEngine()
    sizes = engine.count(survey, engine.group(survey), sensitive=False).sizes
    return round(float((sizes == 1).sum() / len(survey)), 4)


def _found(result: Any) -> float:
    """Return the success of the attack, person by person: 1 by the number of candidates."""
    return round(result.findings[0].main, 4)


def _prepared(folder: Path) -> Path:
    people = pl.read_csv(BIG5, separator="\t", infer_schema_length=None)
    aged = pl.when(pl.col("age") <= OLDEST).then("age")
    people.with_columns(aged, pl.col(*KNOWN[::2]).cast(pl.String)).write_csv(folder / "people.csv")
    return folder / "people.csv"


def _schema(folder: Path) -> Path:
    roles = "".join(f'[columns.{name}]\nrole = "quasi-identifier"\n' for name in KNOWN)
    ignored = ", ".join(f'"{name}"' for name in OTHERS)
    (folder / "people.toml").write_text(
        f'kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nnull = [0]\nignore = [{ignored}]\n{roles}'
    )
    return folder / "people.toml"
