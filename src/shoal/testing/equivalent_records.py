"""The same records written differently: nothing changes that a promise speaks of."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata, RatingMatrix, Ratings, Records, Role, Scale, Survey, Vocabulary

__all__ = ["equivalent_records"]


def equivalent_records(records: Records, chance: Random) -> dict[str, Records]:
    """Return records that every promise must judge like these, by the difference between them."""
    order = np.array(chance.sample(range(len(records)), len(records)), np.int64)
    others: dict[str, Records] = {"the order of the rows": records.take(order)}
    if isinstance(records, Ratings):
        return others | _equivalent_ratings(records, chance)
    if isinstance(records, Survey):
        return others | _equivalent_surveys(records, chance)
    assert isinstance(records, Microdata)
    return others | _equivalent_tables(records, chance)


def _equivalent_surveys(survey: Survey, chance: Random) -> dict[str, Records]:
    tables, answers = _equivalent_tables(survey.table, chance), _equivalent_ratings(survey.ratings, chance)
    return {
        **{difference: replace(survey, table=table) for difference, table in tables.items()},
        **{difference: replace(survey, ratings=ratings) for difference, ratings in answers.items()},
    }


def _equivalent_ratings(ratings: Ratings, chance: Random) -> dict[str, Records]:
    ratings = replace(ratings, hierarchy=None)  # no promise speaks of it, and it would have to follow the items
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


def _equivalent_tables(table: Microdata, chance: Random) -> dict[str, Records]:
    return {
        "the order of the columns": Microdata(tuple(chance.sample(table.columns, len(table.columns)))),
        "the words for the values": _each(table, lambda column: _renamed(column, chance)),
        "the codes of the values": _each(table, lambda column: _reordered(column, chance)),
        "values that nobody has": _each(table, _widened),
        "the type of the numbers": _each(table, _as_floats),
    }


def _each(table: Microdata, change: Callable[[Column], Column]) -> Microdata:
    return Microdata(tuple(change(column) for column in table.columns))


def _renamed(column: Column, chance: Random) -> Column:
    """Return the column with another word for every value.

    Sensitive numbers and dates are left alone: words are in another order, or in none. Missing values get a word too,
    unless categories are declared: a missing value is in none of them.
    """
    if column.vocabulary.is_ordered and column.role is Role.SENSITIVE:
        return column
    old = column.vocabulary.values.cast(pl.String).to_list()
    numbers = chance.sample(range(len(old)), len(old))
    words = {word: f"word {number}" for word, number in zip(old, numbers, strict=True)}
    categories = tuple(
        tuple(words.get(word, f"{word}, which nobody has") for word in each) for each in column.categories
    )
    new = [None if word is None and categories else words[word] for word in old]
    return _with_vocabulary(replace(column, categories=categories), Vocabulary(pl.Series(new, dtype=pl.String)))


def _reordered(column: Column, chance: Random) -> Column:
    """Shuffle the codes of the values."""
    old = np.array(chance.sample(range(len(column.vocabulary)), len(column.vocabulary)), np.int32)
    new = np.argsort(old).astype(np.int32)
    hierarchy = None if column.hierarchy is None else column.hierarchy.select(old)
    return replace(column, vocabulary=column.vocabulary.select(old), codes=new[column.codes], hierarchy=hierarchy)


def _widened(column: Column) -> Column:
    """Put values that nobody has before, between and after the others."""
    values = column.vocabulary.values
    if column.vocabulary.is_ordered:
        known = values.drop_nulls().sort().to_list()
        between = [low + (high - low) // 2 for low, high in pairwise(known)]
        beyond = [known[0] - (known[1] - known[0])] if len(known) > 1 else []
        extra = [value for value in (*beyond, *between) if value not in known]
        first, last = pl.Series(extra, dtype=values.dtype), values[:0]
    else:
        values = values.cast(pl.String)
        first, last = pl.Series(["nobody has this"]), pl.Series(["nor this"])
    wide = Vocabulary(pl.concat([first, values, last]))
    # a hierarchy generalizes the added values like the first of the others
    places = np.concatenate([np.zeros(len(first), np.int64), np.arange(len(values)), np.zeros(len(last), np.int64)])
    hierarchy = _hierarchy_of(column.hierarchy, wide, places)
    return replace(column, vocabulary=wide, codes=column.codes + np.int32(len(first)), hierarchy=hierarchy)


def _as_floats(column: Column) -> Column:
    if column.vocabulary.values.dtype != pl.Int64:
        return column
    return _with_vocabulary(column, Vocabulary(column.vocabulary.values.cast(pl.Float64)))


def _with_vocabulary(column: Column, words: Vocabulary) -> Column:
    hierarchy = _hierarchy_of(column.hierarchy, words, np.arange(len(words)))
    return replace(column, vocabulary=words, hierarchy=hierarchy)


def _hierarchy_of(hierarchy: Hierarchy | None, words: Vocabulary, places: np.ndarray) -> Hierarchy | None:
    """Return the hierarchy over another vocabulary, whose values have the labels of those at ``places``."""
    if hierarchy is None:
        return None
    above = zip(hierarchy.labels[1:], hierarchy.maps[1:], strict=True)
    return Hierarchy.from_columns([words.values, *(labels.take(codes[places]) for labels, codes in above)])
