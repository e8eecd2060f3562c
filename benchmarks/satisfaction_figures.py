"""The papers' Figures 1–2 (003) and 7.3–7.8: pairwise, slicing and auto against data, ε, k and l.

The papers took 200 to 800 seconds for such points on 100,000 ratings. Defaults are theirs: k = 20, ε = 1, l = 2; the
two most rated items (ratings) or the last two issues (surveys) are sensitive, because the data sets name none.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from measuring import SHARED, measured
from shoal.data import Ratings
from shoal.engines import LocalEngine, judge
from shoal.io import RatingsSchema
from shoal.models import KEpsilon

SEARCHES = ("auto", "slicing", "pairwise")
K, EPSILON, L = 20, Fraction(1), Fraction(2)
SHARES = range(10, 101, 10)
SWEEPS: dict[str, list[Any]] = {
    "data %": list(SHARES),
    "epsilon": [1, 2, 3, 4, 5],
    "k": [10, 20, 30, 40, 50, 60],
    "l": [0, 0.5, 1, 1.5, 2],
}


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Measure every point on every data set that is there."""
    points: list[dict[str, Any]] = []
    for name, data in _data_sets():
        for search in SEARCHES:  # compiled once before anything is timed
            _judge(data.take(np.arange(200)), search, K, EPSILON, L)
        for sweep, values in SWEEPS.items():
            for value in values:
                points += [_point(name, data, sweep, value, search) for search in SEARCHES]
                published = ", ".join(f"{point['search']} {point['seconds']} s" for point in points[-3:])
                print(f"{name}: {sweep} = {value}: {published}", flush=True)
    return {"points": points} if points else {"skipped_for_want_of_data": 1}


def _point(name: str, data: Ratings, sweep: str, value: Any, search: str) -> dict[str, Any]:
    settings: dict[str, Any] = {"k": K, "epsilon": EPSILON, "l": L}
    records = data
    if sweep == "data %":
        chosen = np.random.default_rng(0).permutation(len(data))[: len(data) * value // 100]
        records = data.take(np.sort(chosen))
    else:
        settings[sweep] = value if sweep == "k" else Fraction(str(value))
    verdict, seconds, mib = measured(lambda: _judge(records, search, **settings))
    said = {"holds": verdict.holds, "violations": verdict.violations}
    return {"data": name, "sweep": sweep, "value": value, "search": search, "seconds": seconds, "mib": mib, **said}


def _judge(data: Ratings, search: Any, k: int, epsilon: Fraction, l: Fraction) -> Any:  # noqa: E741
    return judge(data, [KEpsilon(k, epsilon, l)], LocalEngine(search=search)).verdicts[0]


def _data_sets() -> list[tuple[str, Ratings]]:
    found = []
    for name, (path, schema) in _SOURCES.items():
        if (SHARED / path).exists():
            records = shoal.read(SHARED / path, schema).records
            assert isinstance(records, Ratings)
            found.append((name, records))
    return found


def _survey(ignored: str, sensitive: str) -> RatingsSchema:
    ignore, hidden = tuple(ignored.split()), tuple(sensitive.split())
    return RatingsSchema(layout="wide", scale=(1, 5), null=(0,), ignore=ignore, sensitive=hidden)


def _movies(*sensitive: str) -> RatingsSchema:
    return RatingsSchema(layout="movielens", scale=(1, 5), sensitive=sensitive)


_SOURCES: dict[str, tuple[str, RatingsSchema]] = {
    "ml-100k": ("ratings/ml-100k/u.data", _movies("50", "258")),
    "ml-1m": ("ratings/ml-1m/ratings.dat.gz", _movies("2858", "260")),
    "big5": ("surveys/big5/data.csv", _survey("race age engnat gender hand source country", "O9 O10")),
    "ecr": ("surveys/ecr/data.csv", _survey("age gender country", "Q35 Q36")),
}
