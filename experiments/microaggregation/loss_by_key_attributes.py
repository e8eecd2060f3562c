"""How many key attributes are there, and what is lost by looking at no others? Thesis, Figure 5.5."""

from experiments.claims import come_closer, rises, times
from experiments.data import CENSUS
from experiments.experiment import Claim, Experiment, Setting, Size, Stated

from ._census import AMA, ATTRIBUTES, FIXED, MA, SHARE, K, measure, of_both, panel, series, sweep

_A_LITTLE = 1.5
_LOSS = "SSE/SST, %"


def _points(size: Size) -> list[dict[str, Setting]]:
    return [settings for varied in (ATTRIBUTES, SHARE, K) for settings in sweep(varied, size)]


def _a_little_more(varied: str, figure: str) -> Claim:
    return Claim(
        f"AMA loses a little more than MA (5.4.2, {figure}; held to at most {_A_LITTLE:g} times as much).",
        times(series(varied, AMA, "loss"), series(varied, MA, "loss"), 1, _A_LITTLE),
    )


EXPERIMENT = Experiment(
    id="004-5.5",
    figures="Figure 5.5",
    asks="How many key attributes are there, and what is lost by looking at no others?",
    data=(CENSUS.name,),
    points=_points,
    measure=measure,
    panels=(
        panel(ATTRIBUTES, "keys", "attributes looked at"),
        panel(SHARE, "loss", _LOSS),
        panel(K, "loss", _LOSS),
    ),
    claims=(
        Claim(
            "AMA looks at less than half of the attributes (5.4.2, Figure 5.5a).",
            times(series(ATTRIBUTES, AMA, "keys"), series(ATTRIBUTES, MA, "keys"), 0, 0.5),
        ),
        _a_little_more(SHARE, "Figure 5.5b"),
        Claim(
            "The difference does not grow with the number of records (5.4.2, Figure 5.5b).",
            come_closer(series(SHARE, AMA, "loss"), series(SHARE, MA, "loss")),
        ),
        _a_little_more(K, "Figure 5.5c"),
        Claim(
            "The loss of both grows with k (5.4.2, Figure 5.5c).",
            rises(of_both(K, "loss"), at_every_step=True),
        ),
    ),
    stated=(Stated("less than half", (2.5, 3.0, 3.5, 4.0, 4.5), (5, 6, 7, 8, 9), line=AMA),),
    parameters=FIXED,
    why="Attributes that are no keys are not looked at, and their means are means of strangers. With more records"
    " MA, which looks at all attributes, finds neighbors that are closer in all of them, and AMA in its keys "
    "only: the difference in points falls, and the ratio grows. How much a little is the thesis does not say,"
    " but not several times as much. The number of keys is at most ⌈m/2⌉ from three attributes on, and here "
    "it is well below.",
)
