"""Compile everything that the commands need, ahead of the first one: each is run once on a few generated records."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.datasets import write_generated
from shoal.kernels.compiled import compiling_everything
from shoal.progress import stage

from .attack import attack
from .check import check
from .limits import limits
from .publish import publish
from .report import report

__all__ = ["WarmUpResult", "warm_up"]

_NEAR, _SPREAD, _GROUPS = "k-epsilon:k=3,epsilon=1", "k-epsilon:k=3,epsilon=1,l=0.3", "k-anonymity:k=3"
_ITEMS = "km-anonymity:k=3,m=2"
_RELEASES = (
    ("survey", "align", (_NEAR,)),
    ("survey", "align", (_SPREAD,)),
    ("survey", "align", (_GROUPS,)),
    ("survey", "graph", (_NEAR,)),
    ("survey", "greedy-interval", (_NEAR,)),
    ("ratings", "predictive", (_GROUPS,)),
    ("baskets", "item-suppression", (_ITEMS,)),
    ("baskets", "item-generalization", (_ITEMS,)),
    ("demographics", "joined", (_GROUPS,)),
    ("table", "mondrian", (_GROUPS,)),
    ("table", "top-down", (_GROUPS,)),
    ("table", "specialization", (_GROUPS,)),
    ("table", "greedy-clustering", (_GROUPS,)),
    ("table", "greedy-clustering", ("l-diversity:l=1.3,kind=entropy",)),
    ("table", "lattice", (_GROUPS,)),
    ("table", "microaggregation", (_GROUPS,)),
    ("table", "decomposition:degree=0.2", (_GROUPS,)),
)
"""Data, method and promises of the releases that are made."""
_REPORTED = ("align", "predictive", "mondrian")
"""Methods of which the last release is attacked and measured for a report."""


@dataclass(frozen=True)
class WarmUpResult:
    """What was compiled, and where it is kept."""

    compiled: int
    """How many kernels were compiled, each for one combination of types; 0 where all of them were kept already."""
    kept_in: str | None
    """The folder in which they are kept; None where no folder can be written to, so that every run compiles anew."""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {"compiled": self.compiled, "kept_in": self.kept_in, "seconds": round(self.seconds, 3)}


def warm_up() -> WarmUpResult:
    """Compile every kernel that the commands use, for one thread and for several, unless it is kept already."""
    from shoal.kernels import compiler

    began, before = time.perf_counter(), compiler.announcer.compiled
    with tempfile.TemporaryDirectory(prefix="shoal-warm-up-") as folder, compiling_everything():
        steps = _steps(Path(folder))
        with stage("warming up", total=len(steps)) as bar:
            for step in steps:
                step()
                bar.advance()
    return WarmUpResult(compiler.announcer.compiled - before, compiler.kept_in(), time.perf_counter() - began)


def _steps(folder: Path) -> list[Callable[[], object]]:
    """Write the data, and return what is to be run on them, in order."""
    schemas = {
        "survey": write_generated("survey", folder / "survey.csv", respondents=150, issues=10, sensitive=2, seed=1),
        "ratings": write_generated("ratings", folder / "ratings.csv", users=150, items=60, ratings=2500, seed=1),
        "table": write_generated("table", folder / "table.csv", rows=150, seed=1),
        "baskets": write_generated(
            "baskets", folder / "baskets.csv", people=150, items=60, purchases=1000, hierarchy=True, seed=1
        ),
        "demographics": write_generated(
            "survey", folder / "demographics.csv", respondents=150, issues=5, sensitive=1, demographics=True, seed=1
        ),
    }
    survey = folder / "survey.csv"
    steps: list[Callable[[], object]] = [
        lambda: check(survey, [_NEAR, _SPREAD, _GROUPS], schemas["survey"]),
        lambda: check(folder / "table.csv", [_GROUPS], schemas["table"]),
        lambda: check(folder / "ratings.csv", [_NEAR, _GROUPS], schemas["ratings"], engine="stream"),
        lambda: limits(survey, {"k": 3}, schema=schemas["survey"]),
    ]
    for kind, method, promises in _RELEASES:
        asked = {"schema": str(schemas[kind]), "models": list(promises), "method": method, "withhold": "20%"}
        name = method.partition(":")[0]
        where = {"out": str(folder / name), "ledger": str(folder / f"{name}-ledger")}
        steps.append(lambda data=folder / f"{kind}.csv", settings=asked | where: publish(data, force=True, **settings))
    for method in _REPORTED:
        made, page = (folder / method, folder / f"{method}-ledger"), folder / f"{method}.html"
        steps.append(lambda made=made, page=page: report(*made, page))
    steps.append(lambda: attack(folder / "predictive", folder / "predictive-ledger", ["scoreboard"]))
    return steps
