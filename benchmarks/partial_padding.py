"""What partial padding of MovieLens 1M does to counts and to the popularity of items, and what (b,l)-diversity adds.

Groups of 5. For each method: the share of cells published; Spearman's rank correlation of how many rated an item with
how many people's profiles hold it (null where all are held by equally many); the average relative error of "how many
rated this item" over items, an error of a thousandth of the people counting fully where fewer rated it, and the same
for each quarter of the items, the most rated first; and the average and median relative errors of 100 random COUNT
queries over three items each. Beside them stands a release in which all profiles are empty: what is not better than
that does not answer counts. Needs the data set beside the project.
"""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

import shoal
from measuring import SHARED, measured
from shoal import road
from shoal.anonymizers import Predictive
from shoal.data import RatingMatrix, Ratings
from shoal.io import RatingsSchema
from shoal.models import BLDiversity, KAnonymity
from shoal.randomness import Randomness
from shoal.utility import Comparison
from shoal.utility.queries.query_error import average_query_error, median_query_error

DATA = SHARED / "ratings/ml-1m/ratings.dat.gz"
K = 5
BOOSTS = ("0.05", "0.1", "0.3", "1")
"""0.05 is about the share of cells that are rated."""
ROUNDS = (
    *((Predictive(boost=Fraction(boost)), ()) for boost in BOOSTS),
    *((Predictive(boost=Fraction("0.3")), (BLDiversity(b, 5),)) for b in (1, 2)),
    (Predictive(variant="simple"), ()),
    *((Predictive(variant="simple"), (BLDiversity(b, 5),)) for b in (1, 2)),
)


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Publish by each method, and compare with what was rated."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    records = shoal.read(DATA, RatingsSchema(layout="movielens", scale=(1, 5))).records
    assert isinstance(records, Ratings)
    few = records.take(np.arange(50))
    road.publish(few, [KAnonymity(K)], Predictive(boost=Fraction(1, 2)), randomness=Randomness(1))  # compiled
    rated = records.n_ratings / len(records) / len(records.observable.items)
    points = [_empty(records), *(_point(records, method, promises) for method, promises in ROUNDS)]
    return {"k": K, "share_rated": round(rated, 4), "points": points}


def _point(records: Ratings, method: Predictive, promises: tuple[BLDiversity, ...]) -> dict[str, Any]:
    models = [KAnonymity(K), *promises]
    (release, ledger), seconds, rise = measured(lambda: road.publish(records, models, method, randomness=Randomness(1)))
    released = release.records
    assert isinstance(released, Ratings)
    return {
        "method": str(method),
        "promises": [str(model) for model in models],
        **_compared(Comparison(records, ledger.origins, released, np.zeros(0, np.int64), places=ledger.places)),
        "publish_seconds": round(seconds, 2),
        "publish_mib": rise,
    }


def _empty(records: Ratings) -> dict[str, Any]:
    matrix = records.observable
    nothing = RatingMatrix(matrix.items, np.zeros(len(matrix) + 1, np.int64), matrix.indices[:0], matrix.codes[:0])
    empty = replace(records, observable=nothing)
    return {"method": "empty", **_compared(Comparison(records, np.arange(len(matrix)), empty, np.zeros(0, np.int64)))}


def _compared(comparison: Comparison) -> dict[str, Any]:
    records, released = comparison.whole, comparison.released
    assert isinstance(records, Ratings)
    assert isinstance(released, Ratings)
    before, after = _holders(records), _holders(released)
    errors = np.abs(after - before) / np.maximum(before, len(records) / 1000)
    quarters = np.array_split(errors[np.argsort(-before, kind="stable")], 4)
    return {
        "profiles": len(released),
        "share_published": round(released.n_ratings / len(released) / len(released.observable.items), 4),
        "popularity_correlation": _rank_correlation(before, after),
        "items_held_by_nobody": int(np.count_nonzero(after == 0)),
        "items_held_by_all": int(np.count_nonzero(after == len(records))),
        "average_item_count_error": round(float(errors.mean()), 3),
        "item_count_error_by_quarter": [round(float(quarter.mean()), 3) for quarter in quarters],
        "average_query_error": round(average_query_error(comparison), 3),
        "median_query_error": round(median_query_error(comparison), 3),
    }


def _holders(records: Ratings) -> np.ndarray:
    """Count for each item the people whose profile holds it."""
    people = np.ones(len(records)) if records.people is None else records.people
    matrix = records.observable
    return np.bincount(matrix.indices, np.repeat(people, np.diff(matrix.indptr)), len(matrix.items))


def _rank_correlation(before: np.ndarray, after: np.ndarray) -> float | None:
    """Return Spearman's correlation; None where all items are held by equally many."""
    if np.ptp(after) == 0:
        return None
    return round(float(np.corrcoef(rankdata(before), rankdata(after))[0, 1]), 3)
