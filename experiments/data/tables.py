"""Adult in full and Census-Income: every column with its hierarchy; experiments choose the roles."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Records, Role
from shoal.io.hierarchies import read_hierarchy

from .data_set import FOLDER, DataSet

__all__ = ["ADULT", "CENSUS", "with_roles"]

_ADULT = ("tables/adult/adult.data", "tables/adult/adult.test")
_ADULT_HIERARCHIES = "tables/adult/arx/adult_hierarchy_{}.csv"
_ADULT_COLUMNS = {
    "age": 0,
    "workclass": 1,
    "education": 3,
    "marital-status": 5,
    "occupation": 6,
    "race": 8,
    "sex": 9,
    "native-country": 13,
    "salary-class": 14,
}
"""Those that have a hierarchy, and their places in a line."""
_CENSUS = tuple(f"tables/census-income-kdd/census_income_1994_1995_{part}.csv.gz" for part in ("train", "test"))
_CENSUS_COLUMNS = {
    "age": 0,
    "worker": 1,
    "industry": 2,
    "occupation": 3,
    "education": 4,
    "marital": 7,
    "race": 10,
    "sex": 12,
    "household": 23,
    "birthplace": 34,
    "citizenship": 35,
    "weeks": 39,
    "income": 41,
}
_CENSUS_NUMBERS = ("age", "industry", "occupation", "weeks")


def with_roles(records: Records, quasi_identifiers: Sequence[str], sensitive: Sequence[str] = ()) -> Microdata:
    """Return these columns of a table, in this order; hierarchies stay with the quasi-identifiers."""
    assert isinstance(records, Microdata)
    known = [replace(records[name], role=Role.QUASI_IDENTIFIER) for name in quasi_identifiers]
    hidden = [replace(records[name], role=Role.SENSITIVE, hierarchy=None) for name in sensitive]
    return Microdata((*known, *hidden))


def _adult() -> Microdata:
    """Read the complete records of both files: 45,222."""
    options = {"has_header": False, "infer_schema": False, "comment_prefix": "|"}
    frame = pl.concat([pl.read_csv(FOLDER / file, **options) for file in _ADULT])
    frame = frame.select(pl.all().str.strip_chars().str.strip_suffix(".")).drop_nulls()
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    columns = []
    for name, place in _ADULT_COLUMNS.items():
        values = frame[:, place].cast(pl.Int64) if name == "age" else frame[:, place]
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values)
        columns.append(
            column.with_hierarchy(read_hierarchy(FOLDER / _ADULT_HIERARCHIES.format(name)).rebased(column.vocabulary))
        )
    return Microdata(tuple(columns))


def _census() -> Microdata:
    """Read both files: 299,285 records."""
    frame = pl.concat([pl.read_csv(FOLDER / file, has_header=False, infer_schema=False) for file in _CENSUS])
    frame = frame.select(pl.all().str.strip_chars())
    return _suggested({name: _numbers(name, frame[:, place]) for name, place in _CENSUS_COLUMNS.items()})


def _numbers(name: str, values: pl.Series) -> pl.Series:
    return values.cast(pl.Int64) if name in _CENSUS_NUMBERS else values


def _suggested(series: dict[str, pl.Series]) -> Microdata:
    """Return a table with the hierarchies that Shoal suggests."""
    columns = []
    for name, values in series.items():
        column = Column.encode(name, Role.QUASI_IDENTIFIER, values)
        columns.append(column.with_hierarchy(Hierarchy.suggest(column.vocabulary, np.bincount(column.codes))))
    return Microdata(tuple(columns))


def _generated(names: Sequence[str], numbers: Sequence[str], classes: dict[str, str]) -> Callable[[int], Microdata]:
    """Return a generator of tables of these columns, whose values hang together a little."""

    def generate(rows: int) -> Microdata:
        draw = np.random.default_rng(1)
        rich = draw.integers(0, 2, rows)
        series: dict[str, pl.Series] = {}
        for name in names:
            if name in numbers:
                series[name] = pl.Series(17 + 10 * rich + draw.integers(0, 12, rows))
            elif name in classes:
                series[name] = pl.Series(np.where(rich == 1, classes[name], "no " + classes[name]))
            else:
                series[name] = pl.Series(
                    [f"{name} {value}" for value in np.minimum(rich + draw.integers(0, 4, rows), 3)]
                )
        return _suggested(series)

    return generate


ADULT = DataSet(
    "Adult",
    "The 45,222 complete records of both files of Adult, as many as the thesis has, with the hierarchies that come "
    "with ARX; those of the thesis are not given.",
    (*_ADULT, *(_ADULT_HIERARCHIES.format(name) for name in _ADULT_COLUMNS)),
    _adult,
    _generated(list(_ADULT_COLUMNS), ["age"], {"salary-class": ">50K"}),
)
CENSUS = DataSet(
    "Census-Income",
    "All 299,285 records of Census-Income with suggested hierarchies. The thesis has 500,000 records of another census "
    "(chapters 3 and 5) and 49,657 (chapter 4), which are not given.",
    _CENSUS,
    _census,
    _generated(list(_CENSUS_COLUMNS), _CENSUS_NUMBERS, {"income": "50000+."}),
)
