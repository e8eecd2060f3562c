"""What sparse ratings keep and lose, what was printed of it before, and what is printed now.

Each case is published as it was before releases without ratings were refused (``--accept empty``); that shows what was
printed then, the number of cells changed alone, and what is printed now. Then it is published as the owner would now.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED
from shoal.errors import NothingLeft, VacuousPromise

ML_100K = SHARED / "ratings" / "ml-100k"
PROMISE = "k-epsilon:k=5,epsilon=1"
RANDOM = (300, 200, 0.1)
"""People, items, and the share of items that everybody rates, all at random."""


def main(folder: Path) -> dict[str, Any]:
    """Publish sparse ratings by methods that drop most of them; say what each release kept."""
    random = _random(folder)
    cases = [
        ("random ratings, align", random, "align:groups=led", PROMISE),
        ("random ratings, greedy-interval", random, "greedy-interval", PROMISE),
    ]
    if ML_100K.exists():
        cases += [
            ("MovieLens 100K, align", ML_100K, "align", "k-anonymity:k=5"),
            ("MovieLens 100K, greedy-interval", ML_100K, "greedy-interval", PROMISE),
            ("MovieLens 100K, predictive", ML_100K, "predictive", "k-anonymity:k=5"),
        ]
    points = [_point(*case) for case in cases]
    vacuous = _refused(_survey(folder), "none", "k-epsilon:k=5,epsilon=5")
    return {
        "cases": len(points),
        "refused_now": sum(point["refused"] for point in points),
        "vacuous": vacuous,
        "points": points,
    }


def _point(name: str, data: Path, method: str, promise: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        ask = {"models": [promise], "method": method, "seed": 1}
        made = shoal.publish(data, **ask, out=f"{place}/accepted", accept=["empty"])
    point = {
        "data": name,
        "promise": promise,
        "told_before": f"{made.cells_changed:,} cells changed",
        "told_now": made.kept,
        "ratings_kept": round(made.ratings_kept or 0.0, 4),
        "cells_kept": round(made.cells_kept, 4),
        "loss": round(made.loss, 4),
        "dropped": made.ratings_dropped,
        "invented": made.ratings_invented,
        "original_and_unique": round(made.original_and_unique, 4),
        "warnings": list(made.warnings),
        "refused": made.kept.startswith("0 % of ratings kept") and _refused(data, method, promise),
        "seconds": round(made.seconds, 1),
    }
    print(point, flush=True)
    return point


def _refused(data: Path, method: str, promise: str) -> bool:
    """Tell whether the owner who accepts nothing is refused."""
    schema = data.with_suffix(".toml")
    said = str(schema) if schema.exists() else None
    with tempfile.TemporaryDirectory() as place:
        try:
            shoal.publish(data, models=[promise], method=method, out=f"{place}/release", seed=1, schema=said)
        except (NothingLeft, VacuousPromise):
            return True
    return False


def _random(folder: Path) -> Path:
    people, items, share = RANDOM
    chance = np.random.default_rng(1)
    cells = np.argwhere(chance.random((people, items)) < share)
    ratings = chance.integers(1, 6, len(cells))
    lines = [f"u{user},i{item},{rating}" for (user, item), rating in zip(cells.tolist(), ratings.tolist(), strict=True)]
    file = folder / "random.csv"
    file.write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    return file


def _survey(folder: Path) -> Path:
    """Write 4,000 complete answers to 22 questions from 1 to 5, and their schema."""
    answers = np.random.default_rng(2).integers(1, 6, (4000, 22)).tolist()
    heads = ",".join(f"q{place}" for place in range(22))
    lines = [f"p{person}," + ",".join(map(str, row)) for person, row in enumerate(answers)]
    file = folder / "survey.csv"
    file.write_text("\n".join([f"who,{heads}", *lines]) + "\n", encoding="utf-8")
    schema = 'kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["who"]\n'
    file.with_suffix(".toml").write_text(schema, encoding="utf-8")
    return file
