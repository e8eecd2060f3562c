"""What does padding do to sparsity and to the distribution of ratings? Paper 002, Table 2."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from experiments.claims import Series, below
from experiments.data import MOVIELENS_1M
from experiments.experiment import Claim, Experiment, Found, Panel, Point, Row, Size, Stated, grid
from experiments.predictive._profiles import DATA, GENERATED, METHODS, fitted, profiles, split
from shoal.anonymizers.predictive.similarity import PaddedUsers
from shoal.utility.ratings.items import rating_histograms

_SHARE = "share of the cells"
_BEFORE, _AFTER = "original", "padded"
_BLOCK = 256
_ORIGINAL = (0.9884, 0.00053, 0.00117, 0.00334, 0.0039, 0.00267)
_PADDED = (0.0, 0.0079, 0.1412, 0.4671, 0.3349, 0.0489)


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(data=DATA, k=size.pick(50, 50, 5), seed=range(size.seeds))


def _measure(point: Point) -> Iterator[Row]:
    of = point["data"], point.size, point.size.pick(None, 1_500, 80), point["seed"]
    given = split(*of).given
    published = {}
    for name in ("padded", "predictive"):
        made = profiles(given, point["k"], METHODS[name], point["seed"]).made
        before, published[name] = rating_histograms(made.comparison)
    yield from _rows(_BEFORE, before)
    yield from _rows(_AFTER, _padded_histogram(PaddedUsers(given.observable, fitted(*of), "printed", True)))
    for name, counts in published.items():
        yield from _rows(f"published by {name}", counts)


def _padded_histogram(users: PaddedUsers) -> np.ndarray:
    """Count the cells of the padded ratings by the nearest rating, first those without any."""
    counts = np.zeros(users.factors.points + 1, np.int64)
    for start in range(0, len(users), _BLOCK):
        rows = users.rows(np.arange(start, min(start + _BLOCK, len(users))))
        counts[1:] += np.bincount(np.floor(rows.ravel() + 0.5).astype(np.int64), minlength=users.factors.points)
    return counts


def _rows(stage: str, counts: np.ndarray) -> Iterator[Row]:
    for rating, share in enumerate(counts / counts.sum()):
        yield {"ratings": stage, "rating": "null" if rating == 0 else str(rating), _SHARE: float(share)}


def _shares(table: pl.DataFrame, stage: str) -> dict[str, float]:
    """Return which share of the ratings of MovieLens, not of the cells, each rating has."""
    part = table.filter(pl.col("data") == MOVIELENS_1M.name, pl.col("ratings") == stage, pl.col("rating") != "null")
    means = part.group_by("rating").agg(pl.col(_SHARE).mean()).sort("rating")
    total = means[_SHARE].sum()
    return {rating: share / total for rating, share in means.select("rating", _SHARE).iter_rows()}


def _most_frequent(table: pl.DataFrame) -> Found:
    before, after = (_shares(table, stage) for stage in (_BEFORE, _AFTER))
    most = [max(shares, key=lambda rating, of=shares: of[rating]) for shares in (before, after)]
    shown = f"{most[0]} before ({before[most[0]]:.1%} of the ratings), {most[1]} after ({after[most[1]]:.1%})"
    return Found(most == ["4", "3"], shown)


def _extremes(table: pl.DataFrame) -> Found:
    ends = [shares["1"] + shares["5"] for shares in (_shares(table, stage) for stage in (_BEFORE, _AFTER))]
    return Found(ends[1] < 0.25 * ends[0], f"{ends[0]:.1%} of the ratings before, {ends[1]:.1%} after")


EXPERIMENT = Experiment(
    id="002-T2",
    figures="Table 2",
    asks="What does padding do to the sparsity and to the distribution of ratings?",
    data=DATA,
    points=_points,
    measure=_measure,
    panels=(Panel("rating", _SHARE, lines="ratings", kind="bar", log_y=True),),
    stated=(
        Stated("before", _ORIGINAL, ("null", "1", "2", "3", "4", "5"), line=_BEFORE),
        Stated("after padding", _PADDED, ("null", "1", "2", "3", "4", "5"), line=_AFTER),
    ),
    claims=(
        Claim(
            "Averages of padded ratings eliminate sparsity from what is released (5.2; 7.2): no cell is null, from "
            "98.84 % before (Table 2); here less than 1 %: movies of which no rating is given.",
            below(Series(_SHARE, "k", {"rating": "null", "ratings": f"published by {_AFTER}"}, show=".2%"), 0.01),
        ),
        Claim(
            "Padding significantly changes the distribution: the most frequent rating is 4 before and 3 after (Table "
            "2). Decided on MovieLens: generated ratings have the distribution they were given.",
            _most_frequent,
        ),
        Claim(
            "Ratings of 1 and 5 are 27.6 % of all ratings before, and 5.7 % after, about a fifth; here less than a "
            "quarter (Table 2). Decided on MovieLens.",
            _extremes,
        ),
    ),
    parameters="Predictions of `als:factors=4`, kept to the scale and counted at the nearest rating; ratings that were "
    "given stay. So no cell is null after padding, by construction. Beside them are the cells of what is published "
    "with k = 50: *padded*, the paper's way, and *predictive*, the method unless told otherwise, which leaves out "
    "items of fewer than k raters. A tenth of the ratings of MovieLens was held out before, and 1.4 % of the Netflix "
    "shape, the share that the probe set was.",
    why="Movies that many people rated are rated higher, and they have most of the cells that are filled before "
    "padding; after it, every movie has as many cells as any other. Predictions are means, which avoid the ends of "
    "the scale. So a part of the change is in which cells are filled, and not in what people would rate. What "
    "`predictive` publishes has nulls: items of fewer than k raters are left out, because their predictions would "
    "give single people's ratings away. " + GENERATED,
)
