"""Records for tests of files, in plain words."""

from typing import Any

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.io import RatingsSchema

__all__ = ["ratings_of", "ratings_schema"]


def ratings_of(cells: dict[tuple[str, str], float], scale: tuple[float, float, float]) -> Ratings:
    """Return ratings of which each is told by its person and item."""
    people, items = (sorted({pair[place] for pair in cells}) for place in (0, 1))
    dense = np.full((len(people), len(items)), -1, np.int32)
    for (person, item), value in cells.items():
        dense[people.index(person), items.index(item)] = round((value - scale[0]) / scale[2])
    matrix = RatingMatrix.from_dense(Vocabulary(pl.Series(items)), dense)
    return Ratings(Vocabulary(pl.Series(people)), matrix, RatingMatrix.empty(len(people)), Scale.of(*scale))


def ratings_schema(layout: Any, scale: tuple[float, float], step: float) -> RatingsSchema:
    """Return the schema of such ratings."""
    ids = ("who",) if layout == "wide" else ()
    return RatingsSchema(layout=layout, scale=scale, step=step, id=ids)
