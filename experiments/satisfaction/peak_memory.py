"""Does slicing need half the memory of comparing all pairs? Thesis, Figures 7.7 and 7.8."""

from experiments.claims import both, lower, times
from experiments.data import BIG_FIVE, MOVIELENS, NETFLIX
from experiments.experiment import Claim, Experiment

from ._searches import MATRIX, PAIRWISE, SLICING
from ._sweeps import BESIDE, DECIDED, EPSILON, FIXED, SHARE, K, L, beside_pairs, measuring, panel, series

EXPERIMENT = Experiment(
    id="004-7.7",
    figures="Figures 7.7 and 7.8",
    asks="Does deciding by slicing need half the memory that all pairs of records do?",
    data=(MOVIELENS.name, NETFLIX.name, BIG_FIVE.name),
    points=beside_pairs,
    measure=measuring(SLICING, PAIRWISE, MATRIX, users={NETFLIX.name: (1_000, 300), BIG_FIVE.name: (4_000, 1_000)}),
    panels=tuple(panel(varied, "mib") for varied in (SHARE, EPSILON, K, L)),
    claims=(
        Claim(
            "On MovieLens, slicing needs less memory at its peak than the matrix of all distances, whatever the share "
            "of the data and ε (7.4.3, Figure 7.7).",
            both(
                *(lower(series(varied, SLICING, "mib"), series(varied, MATRIX, "mib")) for varied in (SHARE, EPSILON))
            ),
        ),
        Claim(
            "On Netflix the matrix needs almost twice as much, whatever k and l are (7.4.3, Figure 7.8); we take 1.5 "
            "to 2.5 times.",
            both(
                *(times(series(varied, MATRIX, "mib"), series(varied, SLICING, "mib"), 1.5, 2.5) for varied in (K, L))
            ),
        ),
    ),
    parameters=FIXED
    + "All 943 users of MovieLens, 1,000 of the shape of Netflix, where the thesis had 480,189, whose matrix would "
    "take 920 GB, and 4,000 of Big Five (in a quick run 300 and 1,000). " + BESIDE + DECIDED,
    why="What needs memory is the matrix of all distances, not the comparing of pairs: comparing them until an "
    "issue separates them (*pairwise*) needs less than slicing. The matrix grows with the square of the "
    "number of people, and before it the ratings are written out with a cell for every movie, so no factor "
    "holds for all data: the more people and movies, the larger it is. The thesis adopts the peak of memory "
    "without saying whether the data and the program are part of it; what is the same for both brings any "
    "factor nearer to one. Here only what a search needs above the data is counted.",
)
