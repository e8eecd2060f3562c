"""The same records told differently: nothing that any promise speaks of changes."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Scale, Vocabulary

__all__ = ["disguises"]


def disguises(records: Records, chance: Random) -> dict[str, Records]:
    """Give records that every promise must judge like these, by what is different about them."""
    order = np.array(chance.sample(range(len(records)), len(records)), np.int64)
    told: dict[str, Records] = {"the order of the rows": records.take(order)}
    if isinstance(records, Ratings):
        return told | _rating_disguises(records, chance)
    assert isinstance(records, Microdata)
    return told | _table_disguises(records, chance)


def _rating_disguises(ratings: Ratings, chance: Random) -> dict[str, Records]:
    scale = ratings.scale
    lower = Scale(scale.lowest - 7, scale.highest - 7, scale.step)
    return {
        "the order of the items": _over(ratings, lambda items: chance.sample(items, len(items))),
        "items that nobody rated": _over(ratings, lambda items: ["unrated", *items, "unrated too"]),
        "the names of the people": ratings.renamed(Vocabulary.numbered(len(ratings))),
        "where the scale begins": replace(ratings, scale=lower),
    }


def _over(ratings: Ratings, rearrange: Callable[[list[str]], list[str]]) -> Ratings:
    observable, sensitive = (
        matrix.over(Vocabulary(pl.Series(rearrange(matrix.items.values.cast(pl.String).to_list()), dtype=pl.String)))
        for matrix in (ratings.observable, ratings.sensitive)
    )
    return replace(ratings, observable=observable, sensitive=_unless_empty(sensitive, ratings.sensitive))


def _unless_empty(new: RatingMatrix, old: RatingMatrix) -> RatingMatrix:
    return new if len(old.items) else old


def _table_disguises(table: Microdata, chance: Random) -> dict[str, Records]:
    return {
        "the order of the columns": Microdata(tuple(chance.sample(table.columns, len(table.columns)))),
        "the words for the values": _each(table, lambda column: _renamed(column, chance)),
        "values that nobody has": _each(table, _widened),
        "the type of the numbers": _each(table, _as_floats),
    }


def _each(table: Microdata, change: Callable[[Column], Column]) -> Microdata:
    return Microdata(tuple(change(column) for column in table.columns))


def _renamed(column: Column, chance: Random) -> Column:
    """Give every value another word, missing ones included, and shuffle the codes with them."""
    n = len(column.vocabulary)
    new = np.array(chance.sample(range(n), n), np.int32)
    words = pl.Series([f"word {number}" for number in range(n)], dtype=pl.String)
    return column.recoded(Vocabulary(words), new[column.codes])


def _widened(column: Column) -> Column:
    """Put values that nobody has before and after the others."""
    words = column.vocabulary.values.cast(pl.String).to_list()
    wide = pl.Series(["nobody has this", *words, "nor this"], dtype=pl.String)
    return column.recoded(Vocabulary(wide), column.codes + 1)


def _as_floats(column: Column) -> Column:
    if column.vocabulary.values.dtype != pl.Int64:
        return column
    return Column.encode(column.name, column.role, column.values.cast(pl.Float64))
