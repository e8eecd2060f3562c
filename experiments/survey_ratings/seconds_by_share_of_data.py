"""How long does it take to make ratings (k,ε)-anonymous, as the data grow? Paper 000, Figure 14a; thesis, 6.14a."""

from collections.abc import Iterator

from experiments.claims import Series, rises
from experiments.data import DATA_SETS, load
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Setting, Size

from ._publication import BOTH, OF_PAPER, survey
from ._timing import TIMED, seconds_to_publish, timed_points

_SHARE = "share of the data (%)"


def _points(size: Size) -> list[dict[str, Setting]]:
    shares = size.pick([15, 25, 50, 75, 100], [15, 50, 100], [50, 100])
    return timed_points(size, share=shares)


def _measure(point: Point) -> Iterator[Row]:
    whole = len(load(DATA_SETS[point["data"]], point.size, point.size.pick(None, 943, 40)))
    users = round(point["share"] / 100 * whole)
    records = survey(point, users)
    taken = seconds_to_publish(point, records, min(20, users), 1)
    yield {_SHARE: point["share"], "users": users, "ratings": records.observable.n_ratings, "seconds": taken}


EXPERIMENT = Experiment(
    id="000-14a",
    figures="Figure 14a; thesis, Figure 6.14a",
    asks="How long does it take to make ratings (k,ε)-anonymous, as the data grow?",
    data=BOTH,
    points=_points,
    measure=_measure,
    panels=(Panel(_SHARE, "seconds", log_y=True),),
    claims=(
        Claim(
            "The running time grows with the share of the data (5.2; thesis 6.4.2).",
            rises(Series("seconds", _SHARE, OF_PAPER, unit="s"), at_every_step=True),
        ),
    ),
    parameters="k = 20, ε = 1, as in the paper, and samples of 15 % to 100 % of the users. 100 % are the 943 users of "
    "MovieLens and 10,000 of the shape of Netflix (943 in a quick run), where the paper had 480,189. " + TIMED,
    why="It does, and on the larger samples more than in proportion: records are compared with each other to find the "
    "nearest. The paper explains the growth by more dimensions, but what it varies is the share of the data, which we "
    "take for that of the users.",
)
