"""How long methods take to make ratings (k,ε)-anonymous: which are timed on what, and how."""

from collections.abc import Sequence

from experiments.data import MOVIELENS
from experiments.experiment import Point, Setting, Size, grid
from shoal.data import Ratings

from ._publication import BOTH, OURS, lines, published

__all__ = ["TIMED", "seconds_to_publish", "timed_points"]

_RUNS, _ENOUGH = 5, 1.0
"""So many runs are timed, or fewer where they take so many seconds together."""
TIMED = (
    "Seconds are processor time with one thread, the least of up to five runs. `align`, which searches for cheap "
    "groups, takes seconds where the others take a fraction of one; it is timed on MovieLens, and not in a quick run. "
    + OURS
    + "."
)


def timed_points(size: Size, data: Sequence[str] = BOTH, **axes: Sequence[Setting]) -> list[dict[str, Setting]]:
    """Return the points at which methods are timed."""
    points = grid(data=data, **axes, method=lines(size), seed=range(size.seeds))
    long = size.pick(MOVIELENS.name, None, None)
    return [point for point in points if point["method"] != "align" or point["data"] == long]


def seconds_to_publish(point: Point, records: Ratings, k: int, epsilon: int) -> float:
    """Return how long it takes to make records (k,ε)-anonymous."""
    runs: list[float] = []
    while len(runs) < point.size.pick(_RUNS, _RUNS, 1) and sum(runs) < _ENOUGH:
        runs.append(published(point, records, k, epsilon).seconds)
    return min(runs)
