"""The people of any data as a table, so that all data sets are marked, joined and judged in one way.

A table is its own. A rating set has a record for each person: an identifier, the user, and a quasi-identifier, the
whole profile as one word. That word is a hash of what somebody rated and how, as it is written: profiles are compared,
and never shown.
"""

import hashlib
from typing import Any, Final

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, Ratings, Records, Role, Vocabulary
from shoal.errors import WordingError

from .marks import as_written

__all__ = ["USER", "are_columns_of_ratings", "people_table"]

USER: Final = "user"
"""The name of the identifier of a rating set."""
_PROFILE: Final = "profile"


def people_table(records: Records) -> Microdata:
    """Return the people of a table or of a rating set; refuse what the desk cannot give views of."""
    if isinstance(records, Microdata):
        return records
    if not isinstance(records, Ratings):
        raise WordingError(
            "The desk gives views of tables and of ratings, and these data are a survey.",
            "Register its answers and its demographics as two data sets.",
        )
    if records.people is not None:
        raise WordingError(
            "These records were published: whose they are is no longer known.", "Register the original data."
        )
    if records.has_sensitive:
        raise WordingError(
            "The desk gives profiles of groups of people, and a sensitive rating is one person's.",
            "Leave sensitive items out of the schema, or name them in 'ignore'.",
        )
    profile = Column.encode(_PROFILE, Role.QUASI_IDENTIFIER, _profiles(records))
    if _are_numbered(records.users):
        return Microdata((profile,))
    return Microdata((Column.encode(USER, Role.IDENTIFIER, records.users.values), profile))


def are_columns_of_ratings(columns: list[dict[str, Any]]) -> bool:
    """Tell whether what is kept of the columns of a version is that of a rating set: a profile has no hierarchy."""
    return columns[-1] == {"name": _PROFILE, "role": str(Role.QUASI_IDENTIFIER), "height": None}


def _are_numbered(users: Vocabulary) -> bool:
    """Tell whether users are numbered from 0 on, as they are where a file names nobody."""
    values = users.values
    return values.dtype.is_integer() and bool((values.to_numpy() == np.arange(len(values))).all())


def _profiles(ratings: Ratings) -> pl.Series:
    """Return the profile of each record as one word, whatever the order of items and the scale that was declared."""
    matrix, scale = ratings.observable, ratings.scale
    points = pl.Series(scale.decode(np.arange(scale.points)))
    items, marks = as_written(matrix.items.words), as_written(points)
    long = pl.DataFrame(
        {
            "row": np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr)),
            "item": items.gather(matrix.indices),
            "rating": marks.gather(matrix.codes),
        }
    )
    # with lengths, so that no two profiles run together alike
    sized = [pl.concat_str(pl.col(name).str.len_bytes(), pl.col(name), separator=":") for name in ("item", "rating")]
    cells = long.select("row", cell=pl.concat_str(*sized)).sort("row", "cell")
    told = cells.group_by("row", maintain_order=True).agg(pl.col("cell").str.join(","))
    words = dict(zip(told["row"].to_list(), told["cell"].to_list(), strict=True))
    return pl.Series([_hashed(words.get(row, "")) for row in range(len(matrix))], dtype=pl.String)


def _hashed(profile: str) -> str:
    return f"profile {hashlib.sha256(profile.encode()).hexdigest()}"
