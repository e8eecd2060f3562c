"""Is slicing three times as fast as comparing all pairs? Thesis, Figures 7.5 and 7.6."""

from experiments.claims import both, grow_apart, lower, times
from experiments.data import BIG_FIVE, MOVIELENS, NETFLIX
from experiments.experiment import Claim, Experiment, Setting, Size

from ._searches import MATRIX, PAIRWISE, SLICING
from ._sweeps import EPSILON, FIXED, SHARE, K, L, measuring, panel, series, sweep

_SMALL, _LARGE = (MOVIELENS.name, BIG_FIVE.name), (NETFLIX.name, BIG_FIVE.name)


def _points(size: Size) -> list[dict[str, Setting]]:
    small = [settings for varied in (SHARE, EPSILON) for settings in sweep(varied, _SMALL, size)]
    return small + [settings for varied in (K, L) for settings in sweep(varied, _LARGE, size)]


EXPERIMENT = Experiment(
    id="004-7.5",
    figures="Figures 7.5 and 7.6",
    asks="Is deciding by slicing three times as fast as by all pairs of records?",
    data=(MOVIELENS.name, NETFLIX.name, BIG_FIVE.name),
    points=_points,
    measure=measuring(SLICING, PAIRWISE, MATRIX, users={NETFLIX.name: (1_000, 300), BIG_FIVE.name: (6_000, 1_500)}),
    panels=(panel(SHARE), panel(EPSILON), panel(K), panel(L)),
    claims=(
        Claim(
            "Slicing is faster than the matrix of all distances, and the more data, the larger the difference "
            "(7.4.2, Figure 7.5a).",
            both(
                lower(series(SHARE, SLICING), series(SHARE, MATRIX)),
                grow_apart(series(SHARE, MATRIX), series(SHARE, SLICING)),
            ),
        ),
        Claim(
            "As ε is varied, it is almost three times as fast as the matrix (7.4.2, Figure 7.5b; held to 2 to 4).",
            times(series(EPSILON, MATRIX), series(EPSILON, SLICING), 2, 4),
        ),
        Claim(
            "On the larger data it is faster whatever k and l are (7.4.2, Figure 7.6).",
            both(*(lower(series(varied, SLICING), series(varied, MATRIX)) for varied in (K, L))),
        ),
    ),
    parameters=FIXED,
    why="The thesis computes all distances and keeps them (*matrix*). On MovieLens and in the shape of Netflix, "
    "where no two people rated the same movies, slicing is done when it has seen that; the matrix has to look"
    " at every movie, and the factor is that of the number of movies rather than three. On Big Five the "
    "matrix costs the same for every ε, k and l, while slices grow with ε: slicing is a few times as fast "
    "with ε = 1 and slower from ε = 3 on. The factor of the thesis is near that between slicing and comparing"
    " pairs until an issue separates them (*pairwise*) on Big Five, two to three. With ε = 5 both searches of"
    " Shoal need not look at all, which raises the average.",
)
