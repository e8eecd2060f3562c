"""How wrong are COUNT queries on (k,ε)-anonymous ratings, as ε grows? Paper 000, Figure 15a; thesis, Figure 6.15a."""

from collections.abc import Iterator

import polars as pl

from experiments.data import DATA_SETS, MOVIELENS, NETFLIX, load
from experiments.experiment import Claim, Experiment, Found, Panel, Point, Row, Size, Stated, grid
from experiments.recoded import recoded

_ERROR = "average query error"


def _points(size: Size) -> list[dict[str, int | float | str]]:
    return grid(
        data=[MOVIELENS.name, NETFLIX.name],
        epsilon=size.pick([1, 2, 3, 4], [1, 2, 3, 4], [1, 2]),
        method=["graph", "greedy-interval", "align"],
        seed=range(size.seeds),
    )


def _measure(point: Point) -> Iterator[Row]:
    records = load(DATA_SETS[point["data"]], point.size, point.size.pick(2_000, 300, 80), seed=point["seed"])
    made = recoded(records, [f"k-epsilon:k=10,epsilon={point['epsilon']}"], point["method"], point["seed"])
    yield {**made.measured(_ERROR), "seconds": made.seconds}


def _below(share: float) -> "Claim":
    def test(table: pl.DataFrame) -> Found:
        worst = table.filter(pl.col("method") == "graph").group_by("data", "epsilon").agg(pl.col(_ERROR).mean())
        highest = float(worst[_ERROR].max())  # type: ignore[arg-type]
        return Found(highest < share, f"at most {highest:.1%} with `graph`")

    return Claim("The average error is below 15 % (5.3).", test)


def _falls(table: pl.DataFrame) -> Found:
    parts, holds = [], True
    for (data,), part in table.filter(pl.col("method") == "graph").group_by("data", maintain_order=True):
        means = part.group_by("epsilon").agg(pl.col(_ERROR).mean()).sort("epsilon")[_ERROR].to_list()
        holds = holds and means[-1] < means[0]
        parts.append(f"{data}: {means[0]:.1%} at the smallest ε, {means[-1]:.1%} at the largest")
    return Found(holds, "; ".join(parts))


EXPERIMENT = Experiment(
    id="000-15a",
    figures="Figure 15a; thesis, Figure 6.15a",
    asks="How wrong are COUNT queries on (k,ε)-anonymous ratings as ε grows?",
    data=(MOVIELENS.name, NETFLIX.name),
    points=_points,
    measure=_measure,
    panels=(Panel("epsilon", _ERROR, x_label="ε"),),
    stated=(Stated("below 15 %", (0.15,)),),
    claims=(_below(0.15), Claim("The error falls as ε grows (5.3).", _falls)),
    parameters="k = 10; 100 random queries of three movies and the income, selectivity 10 %. The paper says neither "
    "how many movies a query asks for nor its selectivity.",
    why="To be written from the results.",
)
