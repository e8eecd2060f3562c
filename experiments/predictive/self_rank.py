"""Is the profile that stands for a user among those nearest to the user? Paper 002, Figure 5."""

from collections.abc import Iterator

import numpy as np

from experiments.claims import Series, at_least
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, grid
from experiments.predictive._profiles import (
    DATA,
    GENERATED,
    METHODS,
    PREDICTOR,
    Profiles,
    padded_distances,
    profiles,
    rated,
)
from shoal.anonymizers.predictive.similarity import PaddedUsers
from shoal.data import Ratings
from shoal.predictors import predictors
from shoal.randomness import Randomness
from shoal.utility.ratings.profile_ranks import self_rank_histogram

_USERS = "share of the users"
_WITHIN = (1, 2, 5, 10, 20, 50, 100)
_LOW = 5
_RATED, _PADDED = "on rated items", "by padded ratings"
_USERS_ASKED = 1_000


def _points(size: Size) -> list[dict[str, int | float | str]]:
    sizes = size.pick([5, 50], [5, 50], [2, 5])
    return grid(data=DATA, k=sizes, method=list(METHODS), seed=range(size.seeds))


def _measure(point: Point) -> Iterator[Row]:
    ratings = rated(point["data"], point.size, point.size.pick(None, 3_000, 80), point["seed"])
    made = profiles(ratings, point["k"], METHODS[point["method"]], point["seed"])
    ranks = {
        _RATED: self_rank_histogram(made.made.comparison, 100),
        _PADDED: _by_padded(ratings, made, point["seed"]),
    }
    part = f"{point['data']}, k = {point['k']}"
    for by, counts in ranks.items():
        within = np.cumsum(counts)
        for percent in _WITHIN:
            yield {"part": part, "by": by, "within": percent, _USERS: float(within[percent - 1] / within[-1])}


def _by_padded(ratings: Ratings, made: Profiles, seed: int) -> np.ndarray:
    """Count users by the rank of their own profile, in percent of the profiles, by the distance of padded ratings."""
    factors = predictors.read(PREDICTOR).fit(ratings.observable, ratings.scale, Randomness(seed))
    users = PaddedUsers(ratings.observable, factors, "squared", True)
    some = np.random.default_rng(seed).permutation(len(ratings))[:_USERS_ASKED]
    distances = padded_distances(users, some, made.stars)
    own = distances[np.arange(len(some)), made.own[some]][:, None]
    doubled = 2 + 2 * (distances < own).sum(axis=1) + (distances == own).sum(axis=1) - 1
    return np.bincount((doubled * 100 - 1) // (2 * len(made.stars)), minlength=100)


def _low(method: str, by: str) -> Claim:
    return Claim(
        f"Most self-ranks are quite low (7.4), with *{method}*; here, at least half of the users have theirs in the "
        f"first {_LOW} % of the profiles, ranked {by}.",
        at_least(Series(_USERS, "k", {"method": method, "by": by, "within": _LOW}, show=".1%"), 0.5),
    )


EXPERIMENT = Experiment(
    id="002-F5",
    figures="Figure 5",
    asks="Is the profile that stands for a user among those nearest to the user?",
    data=DATA,
    points=_points,
    measure=_measure,
    panels=tuple(
        Panel(
            "within",
            _USERS,
            across="part",
            where={"by": by},
            x_label="self-rank within % of the profiles",
            y_label=f"share of the users, {by}",
            log_x=True,
        )
        for by in (_RATED, _PADDED)
    ),
    claims=tuple(_low(method, by) for by in (_RATED, _PADDED) for method in ("padded", "simple")),
    parameters="k = 5 and 50; the text does not say which k Figure 5 has, nor by which similarity profiles are "
    "ranked. Here it is by squared distance, either from all ratings of a user on the items that the user rated, "
    "where null stands one step below the lowest rating, or from the padded ratings of the user on all items, where "
    "null is 0. Equally near profiles share their ranks. 1,000 users are drawn.",
    why="On the items that a user rated, the nearest profile is mostly the one into which the user's own ratings went. "
    "The lower the self-ranks, the easier is re-identification: an attacker who knows somebody's ratings looks for the "
    "nearest profile too. So what the paper takes for a sign of quality is also a disclosure, and `predictive`, where "
    "no rating of a member enters a cell, has higher ranks. By padded ratings, where null is 0, the profiles with the "
    "fewest nulls are nearest to everybody, and the ranks of *simple* are spread about as by chance. Table 3, where "
    "*simple* gains by the nearest profile, fits this second reading only, in which the claim does not hold for "
    "*simple*; the text says neither which reading nor which of the two ways Figure 5 shows. " + GENERATED,
)
