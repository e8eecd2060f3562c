"""Nested views of ratings at the release desk by trust: groups of people that merge, on MovieLens 100K with k = 5.

For each trust, with the linear projection: how many groups there are, the share of the ratings whose item the profile
of their group has, how many it has that somebody of the group did not give, as a share of those given, and the root
mean square difference of the ratings that are kept. Beside it what the mean of each item leaves. Needs the data set
beside the project.
"""

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from shoal.data import Ratings
from shoal.desk import LinearProjection, Policy, Purpose
from shoal.desk.people.people_table import people_table
from shoal.desk.views.rating_views import RatingViews
from shoal.desk.views.trees_of_versions import new_views

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ratings" / "ml-100k" / "u.data"
POLICY = Policy(("k-anonymity:k=5",))
TRUSTS = [Fraction(tenths, 10) for tenths in (2, 4, 6, 8, 10)]


def main(folder: Path) -> dict[str, Any]:  # noqa: ARG001
    """Measure the view of each trust."""
    if not DATA.exists():
        return {"skipped_for_want_of_data": 1}
    ratings = shoal.read(DATA).records
    assert isinstance(ratings, Ratings)
    began = time.perf_counter()
    views = new_views(ratings, people_table(ratings), POLICY, Purpose(), b"")
    assert isinstance(views, RatingViews)
    found: dict[str, Any] = {"views": len(views.degrees), "grow_seconds": round(time.perf_counter() - began, 2)}
    given = _dense(ratings)
    means = np.nanmean(given, axis=0)
    found["item_means_difference"] = round(float(np.sqrt(np.nanmean((given - means) ** 2))), 3)
    for trust in TRUSTS:
        began = time.perf_counter()
        profiles, labels = views.published(views.cuts(views.place(LinearProjection().degree(trust))))
        seconds = round(time.perf_counter() - began, 2)
        told = {"groups": len(profiles), **_compared(given, _dense(profiles)[labels]), "seconds": seconds}
        found |= {f"trust_{float(trust)}_{what}": value for what, value in told.items()}
    return found


def _dense(ratings: Ratings) -> np.ndarray:
    """Return people × items, NaN where there is no rating."""
    codes = ratings.observable.dense()
    values = ratings.scale.decode(np.maximum(codes, 0)).astype(float)
    return np.where(codes >= 0, values, np.nan)


def _compared(given: np.ndarray, told: np.ndarray) -> dict[str, float]:
    rated, published = ~np.isnan(given), ~np.isnan(told)
    both = rated & published
    return {
        "kept": round(float(both.sum() / rated.sum()), 3),
        "invented": round(float((published & ~rated).sum() / rated.sum()), 3),
        "difference": round(float(np.sqrt(np.mean((given[both] - told[both]) ** 2))), 3) if both.any() else 0.0,
    }
