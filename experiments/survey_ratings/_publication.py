"""Ratings made (k,ε)-anonymous by the methods that are put beside each other, and how many are taken at which size."""

from experiments.data import BIG_FIVE, DATA_SETS, MOVIELENS, NETFLIX, load
from experiments.experiment import Point, Setting, Size
from experiments.recoded import Recoded, recoded
from shoal.data import Ratings

__all__ = [
    "BOTH",
    "METHODS",
    "OF_PAPER",
    "ORIGINAL",
    "OURS",
    "SAMPLES",
    "WITH_SURVEY",
    "lines",
    "published",
    "survey",
]

BOTH = (MOVIELENS.name, NETFLIX.name)
"""The data sets of the paper."""
WITH_SURVEY = (*BOTH, BIG_FIVE.name)
"""And a survey that everybody answers, to see what sparse data change."""
OF_PAPER: dict[str, Setting | tuple[Setting, ...]] = {"method": "graph, centroid", "data": BOTH}
"""The line that the claims of the paper are about: it modifies the graph, and moves ratings toward their mean."""
METHODS = {
    "graph, centroid": "graph:strategy=centroid",
    "graph": "graph",
    "greedy-interval": "greedy-interval",
    "align": "align",
}
"""The methods by the names of their lines."""
ORIGINAL = "original"
"""The name of the line of the ratings as they were given."""
OURS = (
    "Claims are decided for `graph, centroid` (`graph:strategy=centroid`), which is [our reading]"
    "(../../reference/methods/graph.md#where-we-differ-from-the-papers) of the paper's method with its rules that move "
    "ratings toward their mean"
)
"""What stands for the method of the paper."""
SAMPLES = (
    "All 943 users of MovieLens and 1,000 of each other data set; 300 of each in a quick run. "
    + OURS
    + ", on the data of the paper; `graph` moves ratings into the best interval instead."
)


def lines(size: Size) -> tuple[str, ...]:
    """Return the names of the methods that are measured; tests take two that are fast."""
    names = tuple(METHODS)
    return size.pick(names, names, ("graph, centroid", "greedy-interval"))


def survey(point: Point, users: int | None = None) -> Ratings:
    """Return so many users of the data set of a point; which ones, its seed decides."""
    count = users or point.size.pick(1_000, 300, 64)
    records = load(DATA_SETS[point["data"]], point.size, count, seed=point["seed"])
    assert isinstance(records, Ratings)
    return records


def published(point: Point, records: Ratings, k: int, epsilon: int) -> Recoded:
    """Return the records as the method of the point makes them (k,ε)-anonymous."""
    return recoded(records, [f"k-epsilon:k={k},epsilon={epsilon}"], METHODS[point["method"]], point["seed"])
