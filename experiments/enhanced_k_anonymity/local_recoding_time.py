"""How long do local recoding and clustering take? Thesis, Figure 3.5."""

from collections.abc import Iterator

from experiments.claims import Series, both, falls, labeled, rises
from experiments.data import CENSUS
from experiments.experiment import Claim, Experiment, Panel, Point, Row, Size, grid

from ._local_recoding import ABOUT_METHODS, LOCAL, METHODS, published
from ._tables import ABOUT_CENSUS, census

_SECONDS = "seconds"
_BY_K, _BY_ALPHA = "by k", "by α"


def _points(size: Size) -> list[dict[str, int | float | str]]:
    by_k = grid(data=CENSUS.name, panel=_BY_K, method=METHODS, k=size.pick([3, 5, 10, 20], [3, 10, 20], [2]), alpha=1)
    alphas = size.pick([1, 2, 4, 8], [1, 4, 8], [1])
    return [*by_k, *grid(data=CENSUS.name, panel=_BY_ALPHA, method=LOCAL, k=3, alpha=alphas)]


def _measure(point: Point) -> Iterator[Row]:
    table = census(point.size, point.size.pick(None, 20_000, None))
    runs = [published(table, point["method"], point["k"], point["alpha"]) for _ in range(point.size.pick(2, 3, 1))]
    yield {_SECONDS: min(run.seconds for run in runs)}


def _of(method: str, along: str, panel: str) -> Series:
    return Series(_SECONDS, along, {"method": method, "panel": panel}, across="", unit="s")


EXPERIMENT = Experiment(
    id="004-3.5",
    figures="Figure 3.5",
    asks="How long do local recoding and clustering take as k and α grow?",
    data=(CENSUS.name,),
    points=_points,
    measure=_measure,
    panels=(
        Panel("k", _SECONDS, where={"panel": _BY_K}),
        Panel("alpha", _SECONDS, where={"panel": _BY_ALPHA}, x_label="α (k = 3)"),
    ),
    claims=(
        Claim(
            "The time of all algorithms increases with k (3.7.2).",
            both(*(labeled(f"*{method}*", rises(_of(method, "k", _BY_K))) for method in METHODS)),
        ),
        Claim(
            "The time of the local recoding algorithms decreases when α increases (3.7.2): localpk3, which has an α.",
            falls(_of("localpk3", "alpha", _BY_ALPHA)),
        ),
    ),
    parameters="The least of two runs, or of three on a sample. p = 2; by k with α = 1, by α with k = 3. "
    f"{ABOUT_METHODS} {ABOUT_CENSUS}",
    why="With a larger k groups are final earlier: local recoding takes fewer steps, and clustering begins "
    "fewer clusters, each of which looks for its seed among all records. With a larger α groups are "
    "larger and final earlier as well. localpk2 has no α, and its line by α shows by how much times "
    "vary from run to run.",
)
