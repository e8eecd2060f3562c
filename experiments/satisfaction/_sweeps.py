"""What the papers vary when they decide (k,ε,l)-anonymity, one thing at a time, and how a point is measured."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from experiments.claims import Series, Test, either, labeled
from experiments.data import BIG_FIVE, DATA_SETS, MOVIELENS, MOVIELENS_1M, NETFLIX, load
from experiments.experiment import Panel, Point, Row, Setting, Size
from shoal.data import Ratings

from ._searches import GROUPS, SLICING, cost_of_deciding

__all__ = [
    "BESIDE",
    "DECIDED",
    "EPSILON",
    "FIXED",
    "SEEN",
    "SHARE",
    "K",
    "L",
    "beside_pairs",
    "in_either_reading",
    "measuring",
    "panel",
    "series",
    "sweep",
]

SHARE, EPSILON, K, L = "share", "epsilon", "k", "l"
FIXED = (
    "k = 20, ε = 1 and l = 2 where they are not varied, as in the papers (ε = 2 where k or l is; the thesis says so of "
    "k and nothing of l). What is sensitive is the income, drawn at random: l = 2 is the largest possible on a scale "
    "from 1 to 5, and only neighborhoods of which exactly half have 1 and half have 5 reach it. The thesis says only "
    "that what is not about movies is sensitive. "
)
DECIDED = (
    "Claims are decided on MovieLens 100K and the shape of Netflix, the data of the papers. *slicing* first sets apart "
    "the people who rated different movies, as the thesis does (7.2; the paper of 2010 does not speak of it). Seconds "
    "are of the processor, the quickest of up to seven runs. "
)
BESIDE = (
    "For the figures with both algorithms the papers state no k, ε and l; they are those of the other figures. "
    "*matrix* is what the papers call pairwise: SciPy computes all distances, over a cell for every movie, and they "
    "are kept as doubles. *pairwise* compares two people until an issue separates them, and keeps nothing. "
)
_DEFAULTS: dict[str, Setting] = {SHARE: 100, EPSILON: 1, K: 20, L: 2}
_LABELS = {SHARE: "share of the records, %", EPSILON: "ε", K: "k", L: "l"}
SEEN = 0.1
"""By which share a time must move before it counts: less is how times scatter."""
_OF_PAPERS = (MOVIELENS.name, NETFLIX.name)
_UNITS = {"seconds": "seconds", "mib": "MiB above the data"}
_USERS = {  # of all sizes but full, fewer
    MOVIELENS.name: (943, 943),
    MOVIELENS_1M.name: (6_040, 2_000),
    NETFLIX.name: (10_000, 1_000),
    BIG_FIVE.name: (4_000, 1_000),
}


def sweep(varied: str, data: Sequence[str], size: Size) -> list[dict[str, Setting]]:
    """Return the settings at which one thing is varied: as the papers have them, fewer where it must be quick."""
    values: Sequence[Setting] = {
        SHARE: size.pick(range(10, 101, 10), [20, 60, 100], [50, 100]),
        EPSILON: size.pick([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 5]),
        K: size.pick([10, 20, 30, 40, 50, 60], [10, 30, 60], [10, 20]),
        L: size.pick([0, 0.5, 1, 1.5, 2], [0, 1, 2], [0, 2]),
    }[varied]
    fixed = {**_DEFAULTS, EPSILON: 2} if varied in (K, L) else _DEFAULTS
    return [
        {"data": name, "varied": varied, **fixed, varied: value, "seed": seed}
        for name in (data[:1] if size.name == "tiny" else data)
        for value in values
        for seed in range(size.seeds)
    ]


def beside_pairs(size: Size) -> list[dict[str, Setting]]:
    """Return the points at which slicing is compared with all pairs, in time and in memory (Figures 7.5 to 7.8)."""
    small, large = (MOVIELENS.name, BIG_FIVE.name), (NETFLIX.name, BIG_FIVE.name)
    by_size = [settings for varied in (SHARE, EPSILON) for settings in sweep(varied, small, size)]
    return by_size + [settings for varied in (K, L) for settings in sweep(varied, large, size)]


def measuring(*searches: str, users: dict[str, tuple[int, int]] | None = None) -> Callable[[Point], Iterator[Row]]:
    """Return a measure of what these ways to decide take; ``users`` are how many of a data set, whole and quick."""

    def measure(point: Point) -> Iterator[Row]:
        records = _records(point, {**_USERS, **(users or {})})
        for search in searches:
            cost, verdict = cost_of_deciding(records, search, point[K], point[EPSILON], point[L])
            yield {
                "search": search,
                "records": len(records),
                "seconds": cost.seconds,
                "mib": cost.mib,
                "violations": verdict.violations,
            }

    return measure


def _records(point: Point, users: dict[str, tuple[int, int]]) -> Ratings:
    full, quick = users[point["data"]]
    whole = load(DATA_SETS[point["data"]], point.size, point.size.pick(full, quick, 60), seed=point["seed"])
    assert isinstance(whole, Ratings)
    chosen = np.random.default_rng(point["seed"]).permutation(len(whole))[: len(whole) * point[SHARE] // 100]
    return whole.take(np.sort(chosen))


def panel(varied: str, y: str = "seconds") -> Panel:
    """Return the plot of one sweep, on a logarithmic scale: the ways to decide lie far apart."""
    return Panel(varied, y, "search", where={"varied": varied}, x_label=_LABELS[varied], y_label=_UNITS[y], log_y=True)


def series(varied: str, search: str, y: str = "seconds", **where: Setting) -> Series:
    """Return the means of one way to decide along one sweep, on the data of the papers."""
    chosen = {"varied": varied, "search": search, "data": _OF_PAPERS, **where}
    return Series(y, varied, chosen, show=".2g", unit={"seconds": "s", "mib": "MiB"}[y])


def in_either_reading(claimed: Callable[[Series], Test], varied: str) -> Test:
    """Return a test that holds where it does for neighborhoods, as the papers define them, or for groups, as they work.

    Their definition counts neighbors, and their algorithm makes groups: which of the two was timed is not said.
    """
    return either(*(labeled(f"*{reading}*", claimed(series(varied, search))) for reading, search in _READINGS.items()))


_READINGS = {"neighborhoods": SLICING, "groups": GROUPS}
