"""Check (k,ε) on the Big Five survey, 19,719 × 50: auto against compiled pairwise and slicing, in one run."""

from fractions import Fraction
from pathlib import Path

import numpy as np

import shoal
from measuring import SHARED, measured
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema
from shoal.models import KEpsilon

IGNORED = ("race", "age", "engnat", "gender", "hand", "source", "country")


def main(folder: Path) -> dict[str, float]:  # noqa: ARG001
    """Time all three at ε = 1, 2 and 3, warm; they must agree."""
    path = SHARED / "surveys" / "big5" / "data.csv"
    if not path.exists():
        return {"skipped_for_want_of_data": 1}
    data = shoal.read(path, RatingsSchema(layout="wide", null=(0,), scale=(1, 5), ignore=IGNORED)).records
    found: dict[str, float] = {"records": len(data)}
    for epsilon in (1, 2, 3):
        published = set()
        for search, repeat in (("auto", 5), ("slicing", 1), ("pairwise", 1)):
            engine = LocalEngine(search=search)  # type: ignore[arg-type]
            model = KEpsilon(5, Fraction(epsilon))
            judge(data.take(np.arange(500)), [model], engine)
            verdict, seconds, mib = measured(lambda: judge(data, [model], engine).verdicts[0], repeat)  # noqa: B023
            published.add((verdict.violations, verdict.level["k"]))
            found |= {f"{search}_{epsilon}_seconds": seconds, f"{search}_{epsilon}_mib": mib}
        assert len(published) == 1, "the searches disagree"
        for search in ("slicing", "pairwise"):
            ratio = found[f"{search}_{epsilon}_seconds"] / found[f"auto_{epsilon}_seconds"]
            found[f"{search}_to_auto_{epsilon}"] = round(ratio, 1)
    return found
