"""How many groups give a category away under each model? Thesis, Table 3.8."""

import itertools
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from experiments.data import ADULT
from experiments.experiment import Claim, Experiment, Found, Panel, Point, Row, Size, Stated, grid
from experiments.recoded import recoded
from shoal.data import Microdata

from ._minimal_tables import minimal_tables, vulnerable_groups
from ._tables import ABOUT_ADULT, MODELS, adult, promised

_DISCLOSED = "groups that disclose a category"
_MINIMAL, _LOCAL = "all minimal tables", "local recoding"
_PRINTED = {
    "k = 3, p = 2": (25, 3, 2),
    "k = 4, p = 2": (30, 4, 6),
    "k = 3, p = 3": (15, 2, 3),
    "k = 4, p = 3": (21, 1, 2),
}


def _points(size: Size) -> list[dict[str, int | float | str]]:
    seeds = range(size.pick(5, 2, 1))
    points = grid(
        data=ADULT.name, how=[_MINIMAL, _LOCAL], p=size.pick([2, 3], [2, 3], [2]), k=[3, 4], model=MODELS, seed=seeds
    )
    return [{**point, "setting": f"k = {point['k']}, p = {point['p']}"} for point in points]


def _measure(point: Point) -> Iterator[Row]:
    table = adult(point.size, None, point.size.pick(7, 7, 2), point["seed"])
    wordings = promised(point["model"], point["k"], point["p"], alpha=1)
    if point["how"] == _MINIMAL:
        tables = minimal_tables(table, wordings)
    else:
        made = recoded(table, wordings, "top-down:numbers=hierarchy,search=0,looked_ahead=0").comparison.published
        assert isinstance(made, Microdata)
        tables = [made]
    groups = [vulnerable_groups(each) for each in tables]
    yield {
        "tables": len(tables),
        _DISCLOSED: sum(map(len, groups)),
        "records in them": int(sum(sizes.sum() for sizes in groups)),
    }


def _means(table: pl.DataFrame) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return the means of the three models, for each kind of tables and each setting."""
    found = {}
    for how, setting in itertools.product((_MINIMAL, _LOCAL), _PRINTED):
        part = table.filter((pl.col("setting") == setting) & (pl.col("how") == how))
        means = [part.filter(pl.col("model") == model)[_DISCLOSED].mean() for model in MODELS]
        if None not in means:
            found[how, setting] = tuple(float(mean) for mean in means)  # type: ignore[arg-type]
    return found


def _shown(table: pl.DataFrame, models: Sequence[int]) -> str:
    parts = []
    for how, several in itertools.groupby(_means(table).items(), key=lambda item: item[0][0]):
        means = ["/".join(f"{three[model]:g}" for model in models) for _, three in several]
        parts.append(f"{how}: {', '.join(means)}")
    names = "/".join(str(model + 1) for model in models)
    return f"Model {names} in the four settings, {'; '.join(parts)}"


def _fewer(model: int) -> Callable[[pl.DataFrame], Found]:
    """Return a test whether a model discloses at most half as much as Model 1 wherever there is something to reduce."""

    def test(table: pl.DataFrame) -> Found:
        means = list(_means(table).values())
        holds = all(2 * n[model] <= n[0] for n in means) and any(n[0] for n in means)
        return Found(holds, _shown(table, (0, model)))

    return test


def _as_many(model: int) -> Callable[[pl.DataFrame], Found]:
    """Return a test whether the lowest and highest numbers printed bracket all that were found."""
    printed = [row[model] for row in _PRINTED.values()]

    def test(table: pl.DataFrame) -> Found:
        found = [n[model] for n in _means(table).values()]
        return Found(all(min(printed) <= n <= max(printed) for n in found), _shown(table, (model,)))

    return test


def _some(model: int) -> Callable[[pl.DataFrame], Found]:
    def test(table: pl.DataFrame) -> Found:
        return Found(any(n[model] for n in _means(table).values()), _shown(table, (model,)))

    return test


EXPERIMENT = Experiment(
    id="004-T3.8",
    figures="Table 3.8",
    asks="How many groups give a category of health conditions away under each model?",
    data=(ADULT.name,),
    points=_points,
    measure=_measure,
    panels=(Panel("setting", _DISCLOSED, lines="model", across="how", kind="bar", x_label=" "),),
    stated=tuple(
        Stated(f"Model {at + 1}", tuple(row[at] for row in _PRINTED.values()), tuple(_PRINTED), line=model)
        for at, model in enumerate(MODELS)
    ),
    claims=(
        Claim(
            "Model 2 reduces the number of disclosures significantly (3.7.1), in Table 3.8 to less than a fifth; here "
            "at least by half.",
            _fewer(1),
        ),
        Claim(
            "So does Model 3, in Table 3.8 to a fifth or less; here at least by half.",
            _fewer(2),
        ),
        Claim("Under Model 1 there are 15 to 30 disclosures (Table 3.8).", _as_many(0)),
        Claim("Even under Model 2 disclosures exist (3.7.1; Table 3.8: 1 to 4).", _some(1)),
        Claim("Even under Model 3 disclosures exist (3.7.1; Table 3.8: 2 to 6).", _some(2)),
    ),
    parameters="α = 1, seven quasi-identifiers, nothing withheld. The thesis says neither what a disclosure is nor"
    " in which tables they were counted. Here it is a group with sensitive values of one category only,"
    " counted in all minimal tables together, as its Incognito finds them, and in the table that its "
    f"local recoding makes (`top-down:numbers=hierarchy,search=0`, without looking ahead). {ABOUT_ADULT}",
    why="If what is disclosed is a value or a category that is certain, most of Table 3.8 is impossible, in whatever "
    "tables it was counted. Under every model a group has at least two "
    "different values, so no value is disclosed. Under Model 2 it has values of two categories at "
    "least, so no category is. And every category has two values, so three different values are of two "
    "categories: with p = 3 no model can disclose one, though the table has 15 and 21 under Model 1. "
    "What is left, p = 2 under Models 1 and 3, is nothing in the minimal tables, whose groups of three "
    "and four records are few, and more than printed in tables of local recoding, which have many of "
    "them.",
)
