"""The nine attributes of Table 5.4, what the thesis varies, and how a point is measured."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from experiments.claims import Series
from experiments.data import CENSUS, load
from experiments.experiment import Panel, Point, Row, Setting, Size
from experiments.recoded import recoded
from shoal.data import Column, Microdata, Role

__all__ = ["AMA", "ATTRIBUTES", "FIXED", "MA", "SHARE", "K", "measure", "of_both", "panel", "series", "sweep"]

MA, AMA = "MA", "AMA"
_METHODS = {MA: "microaggregation:method=mdav", AMA: "microaggregation:method=approximate"}
SHARE, K, ATTRIBUTES = "share", "k", "attributes"
_LABELS = {SHARE: "share of the records, %", K: "k", ATTRIBUTES: "attributes"}
_UNITS = {"seconds": "s", "loss": "%", "keys": ""}
_COLUMNS = ("age", "sex", "education", "marital", "race", "worker", "birthplace", "occupation", "income")
"""In the order of Table 5.4; the income has two classes here, and 50 there."""
_QUICK_RECORDS = 20_000
FIXED = (
    "k = 20, all records and all nine attributes where they are not varied: age, sex, education, marital status, race, "
    "class of worker, country of birth, occupation and income, the nearest to those of Table 5.4. Microaggregation "
    "computes squares, so words are taken as whole numbers, in alphabetical order. *MA* is `microaggregation` with "
    "`method=mdav`, *AMA* with `method=approximate`. Which values k takes in the figures is not printed."
)


def sweep(varied: str, size: Size) -> list[dict[str, Setting]]:
    """Return the settings at which one thing is varied."""
    values: Sequence[Setting] = {
        SHARE: size.pick([20, 40, 60, 80, 100], [20, 60, 100], [50, 100]),
        K: size.pick([5, 10, 20, 40], [5, 10, 20, 40], [5, 10]),
        ATTRIBUTES: size.pick([5, 6, 7, 8, 9], [5, 6, 7, 8, 9], [5, 9]),
    }[varied]
    fixed: dict[str, Setting] = {SHARE: 100, K: 20, ATTRIBUTES: len(_COLUMNS)}
    return [
        {"data": CENSUS.name, "varied": varied, **fixed, varied: value, "seed": seed}
        for value in values
        for seed in range(size.pick(2, size.seeds, 1))
    ]


def measure(point: Point) -> Iterator[Row]:
    """Group the records by both methods, and return time, loss and the number of attributes that were looked at."""
    table = _table(point)
    for name, method in _METHODS.items():
        recoded(table.take(np.arange(min(len(table), 500))), [f"k-anonymity:k={point[K]}"], method)  # compiles
        made = recoded(table, [f"k-anonymity:k={point[K]}"], method, point["seed"])
        yield {
            "method": name,
            "records": len(table),
            "seconds": made.seconds,
            "loss": made.measured("information loss")["information loss"],
            "keys": int(made.notes.get("key attributes", point[ATTRIBUTES])),
        }


def _table(point: Point) -> Microdata:
    whole = load(CENSUS, point.size, point.size.pick(None, _QUICK_RECORDS, 120), seed=point["seed"])
    assert isinstance(whole, Microdata)
    chosen = np.random.default_rng(point["seed"]).permutation(len(whole))[: len(whole) * point[SHARE] // 100]
    some = whole.take(np.sort(chosen))
    return Microdata(tuple(_numbered(some[name]) for name in _COLUMNS[: point[ATTRIBUTES]]))


def _numbered(column: Column) -> Column:
    values = column.values
    whole = values if values.dtype.is_integer() else values.cast(pl.String).rank("dense").cast(pl.Int64)
    return Column.encode(column.name, Role.QUASI_IDENTIFIER, whole)


def panel(varied: str, y: str, y_label: str) -> Panel:
    """Return the plot of one sweep."""
    return Panel(varied, y, where={"varied": varied}, x_label=_LABELS[varied], y_label=y_label)


def of_both(varied: str, y: str) -> Series:
    """Return the means of both methods along one sweep, each a part of its own."""
    return Series(y, varied, {"varied": varied}, across="method", unit=_UNITS[y])


def series(varied: str, method: str, y: str) -> Series:
    """Return the means of one method along one sweep."""
    return Series(y, varied, {"varied": varied, "method": method}, across="", unit=_UNITS[y])
