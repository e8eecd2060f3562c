"""What the default method is worth on ratings: ``align`` at ε = 1 against ``predictive``, for k = 5.

On MovieLens 100K and on 2,000 people of Jester (ratings rounded to whole points). How many people the attack
``scoreboard`` finds with 8 known ratings, exact or up to a point off, and ``nearest`` with all of them; which share of
ratings survives; and how well a person's own published record foretells their ratings of a tenth that was held out
before publishing: the root mean square error, the mean of the item being taken where the record has no rating. Needs
the data sets beside the project.
"""

import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from experiments.held_out import held_out, item_means
from measuring import SHARED
from shoal import road
from shoal.anonymizers import Align, Anonymizer, Predictive
from shoal.anonymizers.default_method import default_method
from shoal.attacks import Exposure, attacks
from shoal.data import Ratings
from shoal.io import RatingsSchema
from shoal.models import KEpsilon
from shoal.randomness import Randomness

FILMS, JOKES = SHARED / "ratings/ml-100k/u.data", SHARED / "ratings/jester-1"
PROMISE = KEpsilon(5, Fraction(1))
METHODS: tuple[Anonymizer, ...] = (Align(groups="led"), Align(), Predictive())
ATTACKS = ("scoreboard:items=8", "scoreboard:items=8,error=1", "nearest:items=all,error=1")


def main(folder: Path) -> dict[str, Any]:
    """Publish each set by each method, and give rates and errors."""
    if not (FILMS.exists() and JOKES.exists()):
        return {"skipped_for_want_of_data": 1}
    films = shoal.read(FILMS, RatingsSchema(layout="movielens", scale=(1, 5))).records
    sets = {"ml-100k": films, "jester": _jokes(folder)}
    points = []
    for name, records in sets.items():
        assert isinstance(records, Ratings)
        chosen, _ = default_method(records, [PROMISE])
        for method in METHODS:
            share = records.n_ratings / len(records) / len(records.observable.items)
            points.append({"data": name, "filled": round(share, 4), "method": str(method), "default": method == chosen})
            points[-1] |= _point(records, method)
            print(points[-1], flush=True)
    return {
        "highest_rate_of_the_default": max(point[ATTACKS[0]] for point in points if point["default"]),
        "highest_rate_of_align": max(point[ATTACKS[0]] for point in points if point["method"].startswith("align")),
        "points": points,
    }


def _jokes(folder: Path) -> Ratings:
    """Write 2,000 people as a wide file; the first column counts jokes, and 99 is no rating."""
    archive = next(JOKES.glob("*.zip"))
    with zipfile.ZipFile(archive) as packed:
        (folder / "jokes.csv").write_bytes(packed.read(packed.namelist()[0]))
    frame = pl.read_csv(folder / "jokes.csv", has_header=False, infer_schema_length=None)[:2000, 1:]
    frame.rename({old: f"joke {number}" for number, old in enumerate(frame.columns)}).write_csv(folder / "wide.csv")
    schema = RatingsSchema(layout="wide", scale=(-10, 10), null=(99,), round=True)
    records = shoal.read(folder / "wide.csv", schema).records
    assert isinstance(records, Ratings)
    return records


def _point(records: Ratings, method: Anonymizer) -> dict[str, Any]:
    exposure = _exposed(records, method)
    rates = {wording: round(attacks.read(wording).run(exposure, Randomness(1)).main, 4) for wording in ATTACKS}
    given, (users, items, codes) = held_out(records, 0.1, 1)
    published = _exposed(given, method)
    seen = published.seen
    assert isinstance(seen, Ratings)
    cells = seen.observable.dense()[published.place[users], items]
    shown = float(seen.scale.lowest) + cells * float(seen.scale.step)
    errors = np.where(cells < 0, item_means(given)[items], shown) - given.scale.decode(codes)
    return {
        **rates,
        "own_rmse": round(float(np.sqrt(np.mean(errors**2))), 4),
        "held_out_ratings_published": round(float(np.mean(cells >= 0)), 4),
    }


def _exposed(records: Ratings, method: Anonymizer) -> Exposure:
    release, ledger = road.publish(records, [PROMISE], method, randomness=Randomness(1))
    place = np.full(len(records), -1, np.int64)
    place[ledger.origins] = np.arange(len(ledger.origins)) if ledger.places is None else ledger.places
    return Exposure(records, release.records, place)
