"""Is slicing faster than comparing all pairs? Paper 003, Figure 2."""

from experiments.claims import grow_apart, lower
from experiments.data import BIG_FIVE, MOVIELENS
from experiments.experiment import Claim, Experiment, Setting, Size

from ._searches import MATRIX, PAIRWISE, SLICING
from ._sweeps import BESIDE, DECIDED, EPSILON, FIXED, SHARE, measuring, panel, series, sweep

_DATA = (MOVIELENS.name, BIG_FIVE.name)


def _points(size: Size) -> list[dict[str, Setting]]:
    return [*sweep(SHARE, _DATA, size), *sweep(EPSILON, _DATA, size)]


EXPERIMENT = Experiment(
    id="003-2",
    figures="Figure 2",
    asks="Is deciding by slicing faster than by all pairs of records?",
    data=_DATA,
    points=_points,
    measure=measuring(SLICING, PAIRWISE, MATRIX, users={BIG_FIVE.name: (6_000, 1_500)}),
    panels=(panel(SHARE), panel(EPSILON)),
    claims=(
        Claim(
            "On MovieLens, slicing is faster than the matrix of all distances, whatever the share of the data (5, "
            "Figure 2a).",
            lower(series(SHARE, SLICING), series(SHARE, MATRIX)),
        ),
        Claim(
            "The more data, the larger the difference (5, Figure 2a).",
            grow_apart(series(SHARE, MATRIX), series(SHARE, SLICING)),
        ),
        Claim("It is faster whatever ε is (5, Figure 2b).", lower(series(EPSILON, SLICING), series(EPSILON, MATRIX))),
    ),
    parameters=FIXED + "All 943 users of MovieLens, and 6,000 of Big Five (1,500 in a quick run). " + BESIDE + DECIDED,
    why="It is, on the data of the paper; but there is nothing to slice in them: no two people rated the same movies, "
    "and it is enough to see that. The matrix looks at every movie, however soon two people turn out to differ. "
    "Comparing pairs only until an issue separates them (*pairwise*) is nearly as fast as slicing there, and holds no "
    "distance. On Big Five, where everybody answered the same 50 statements, the matrix costs the same for every ε, "
    "while slices grow with ε: with ε of 3 and 4 slicing is the slower one. With ε = 5 both searches of Shoal need not "
    "look at all.",
)
