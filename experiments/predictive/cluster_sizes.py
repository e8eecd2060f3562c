"""Are clusters around virtual centers more even in size than those around real users? Paper 002, Figure 3."""

import math
from collections.abc import Iterator

import numpy as np

from experiments.claims import Series, at_most, lower
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, Stated, grid
from experiments.predictive._profiles import DATA, GENERATED, fitted, split
from shoal.anonymizers.predictive.bins import Bins, Space, nearest_bins
from shoal.anonymizers.predictive.points import padded_points
from shoal.anonymizers.predictive.similarity import PaddedUsers
from shoal.anonymizers.predictive.size_constrained_kmeans import Points

_SIZE = "size, as a share of the average"
_UNEVEN = "standard deviation of the sizes"
_AVERAGE = math.sqrt(480_189)
"""Of the paper's clusters: √m of them for m users."""


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(
        data=DATA,
        similarity=size.pick(["printed", "squared"], ["printed", "squared"], ["printed", "squared"]),
        centers=["virtual", "real", "drawn"],
        seed=range(size.seeds),
    )


def _measure(point: Point) -> Iterator[Row]:
    of = point["data"], point.size, point.size.pick(None, 1_500, 80), point["seed"]
    space, chance = _space(point["similarity"], *of), np.random.default_rng(point["seed"])
    centers = Bins(centers=point["centers"]).find_centers(space, math.isqrt(len(space)), chance)
    sizes = np.bincount(nearest_bins(space, centers), minlength=len(centers)) / (len(space) / len(centers))
    for percent in range(0, 101, 5):
        yield {
            "smaller clusters, %": percent,
            _SIZE: float(np.quantile(sizes, percent / 100, method="nearest")),
            _UNEVEN: float(sizes.std()),
        }


def _space(similarity: str, data: str, size: Size, users: int | None, seed: int) -> Space:
    """Return users as the paper compares them, by padded ratings; or as the method does, by predictions alone."""
    factors = fitted(data, size, users, seed)
    if similarity == "squared":
        return Points(padded_points(factors.users, factors.items))
    return PaddedUsers(split(data, size, users, seed).given.observable, factors, "printed", True)


def _series(y: str, centers: str, **where: str | int) -> Series:
    return Series(y, "similarity", {"centers": centers, **where}, show=".2f")


def _largest(centers: str) -> Series:
    return _series(_SIZE, centers, **{"smaller clusters, %": 100})


def _smallest(centers: str) -> Series:
    return _series(_SIZE, centers, **{"smaller clusters, %": 0})


_EDGES = (0, 100)
EXPERIMENT = Experiment(
    id="002-F3",
    figures="Figure 3",
    asks="Are clusters around virtual centers more even in size than clusters around real users?",
    data=DATA,
    points=_points,
    measure=_measure,
    panels=tuple(
        Panel(
            "smaller clusters, %",
            _SIZE,
            lines="centers",
            where={"similarity": similarity},
            y_label=f"size / average, {name}",
        )
        for similarity, name in (("printed", "as printed"), ("squared", "squared distances"))
    ),
    stated=tuple(
        Stated(f"{line}: {low} to {high}", (low / _AVERAGE, high / _AVERAGE), _EDGES, panel, line=line)
        for panel in (0, 1)
        for line, low, high in (("virtual", 200, 900), ("real", 50, 2000))
    ),
    claims=(
        Claim(
            "Sizes are less skewed around virtual centers than around real users (4.2), here the members nearest to "
            "the means.",
            lower(_series(_UNEVEN, "virtual"), _series(_UNEVEN, "real")),
        ),
        Claim(
            "The same beside users drawn at random: the paper does not say which users its real centers are.",
            lower(_series(_UNEVEN, "virtual"), _series(_UNEVEN, "drawn")),
        ),
        Claim(
            "Around virtual centers the largest cluster has about 900 users (4.2), 1.3 times an average of 693; here "
            "at most twice the average.",
            at_most(_largest("virtual"), 2),
        ),
        Claim(
            "Around real users the largest has 2,000 (4.2), 2.9 times that average, and so it is larger than around "
            "virtual centers.",
            lower(_largest("virtual"), _largest("real")),
        ),
        Claim(
            "The smallest has 50 around real users and about 200 around virtual centers, and so it is smaller around "
            "real users (4.2).",
            lower(_smallest("real"), _smallest("virtual")),
        ),
    ),
    parameters="√m centers for m users, as in Algorithm 1; 16 users are sampled for each center and split into "
    "clusters of at least as many; every user then goes to the nearest center, and the size of that cluster is counted "
    "before small ones are merged. *Virtual*: the mean of a cluster; *real*: its member nearest to the mean; *drawn*: "
    "a user drawn at random. Above, padded ratings by the printed formula and bounded t-means; below, predictions by "
    "squared distances, as the method does unless told otherwise. The paper's sizes are shown as shares of 693, the "
    "average size of √m clusters of 480,189 users; it does not say that Figure 3 shows these, nor how large the sample "
    "is.",
    why="Means of clusters and the members nearest to them lead to similar sizes, a little more even around the means. "
    "What makes sizes even is mostly that centers come from clusters at all: users drawn at random lead to sizes from "
    "less than a tenth to about three times the average. That is close to what the paper shows for real users. It does "
    "not say how these were chosen; if they were drawn, Figure 3 compares clusters with none rather than virtual "
    "centers with real ones. " + GENERATED,
)
