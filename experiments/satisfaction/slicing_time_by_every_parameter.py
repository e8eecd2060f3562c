"""How long does slicing take as the data, ε, k and l grow? Thesis, Figures 7.3 and 7.4."""

from functools import partial

from experiments.claims import falls, falls_then_rises, rises
from experiments.data import BIG_FIVE, MOVIELENS, NETFLIX
from experiments.experiment import Claim, Experiment, Setting, Size

from ._searches import GROUPS, SLICING
from ._sweeps import DECIDED, EPSILON, FIXED, SEEN, SHARE, K, L, in_either_reading, measuring, panel, sweep

_DATA = (MOVIELENS.name, NETFLIX.name, BIG_FIVE.name)


def _points(size: Size) -> list[dict[str, Setting]]:
    return [settings for varied in (SHARE, EPSILON, K, L) for settings in sweep(varied, _DATA, size)]


EXPERIMENT = Experiment(
    id="004-7.3",
    figures="Figures 7.3 and 7.4",
    asks="How long does deciding by slicing take as the data, ε, k and l grow?",
    data=_DATA,
    points=_points,
    measure=measuring(SLICING, GROUPS),
    panels=(panel(SHARE), panel(EPSILON), panel(K), panel(L)),
    claims=(
        Claim("The time grows with the share of the data (7.4.2, Figure 7.3a).", in_either_reading(rises, SHARE)),
        Claim(
            "As ε grows, the time falls at first and then rises at every step (7.4.2, Figure 7.3b); we take a tenth at "
            "least.",
            in_either_reading(partial(falls_then_rises, by=SEEN), EPSILON),
        ),
        Claim(
            "It falls as k grows from 10 to 60 (7.4.2, Figure 7.4a); we take a tenth at least.",
            in_either_reading(partial(falls, by=SEEN), K),
        ),
        Claim(
            "It rises as l grows from 0 to 2 (7.4.2, Figure 7.4b); we take a tenth at least.",
            in_either_reading(partial(rises, by=SEEN), L),
        ),
    ),
    parameters=FIXED
    + "All users of MovieLens, 10,000 of the shape of Netflix, where the thesis had 480,189, and 4,000 of Big "
    "Five (in a quick run 1,000 and 1,000). " + DECIDED,
    why="On MovieLens and in the shape of Netflix no two people rated the same movies, so with ε below 5 nobody "
    "has a neighbor, and slicing is done once it has seen that, in milliseconds; with ε = 5 all are neighbors"
    " of all. On Big Five, where people answered the same statements, finding neighbors takes longer with "
    "every ε below 5, while groups are found sooner on the whole, as more people fit into each. Neighbors are counted "
    "once, whatever k is compared with their number; only the search for groups ends a little earlier with a "
    "large k, and only on Big Five. With l, the sensitive ratings of all neighbors are added up, and groups "
    "are taken apart again where they spread too little: that costs something as soon as l is above 0, and "
    "hardly more when it is larger. No group reaches l = 2, the setting of the thesis, unless half of its "
    "incomes are the lowest and half the highest, so what is timed here is how soon it is seen not to hold.",
)
