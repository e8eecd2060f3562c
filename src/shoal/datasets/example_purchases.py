"""A few purchases with a hierarchy of what was bought: an example of our own, small enough to check by hand."""

import numpy as np
import polars as pl

from shoal.data import PRESENT, Hierarchy, RatingMatrix, Ratings, Vocabulary

__all__ = ["example_purchases"]

_ITEMS = ("beer", "wine", "bread", "cheese")
_KINDS = ("drinks", "drinks", "food", "food")
_BOUGHT = {
    "ann": {"beer", "bread", "cheese"},
    "bob": {"wine", "bread"},
    "cleo": {"wine", "bread", "cheese"},
    "dan": {"beer", "wine", "cheese"},
}


def example_purchases() -> Ratings:
    """Return who bought what of four items, of which two are drinks and two are food.

    Only Ann bought beer and bread, and only Dan beer and wine. With both drinks published as *drinks*, any two things
    that somebody bought were bought by two people.
    """
    codes = np.array([[0 if item in bought else -1 for item in _ITEMS] for bought in _BOUGHT.values()], np.int32)
    levels = [pl.Series(_ITEMS), pl.Series(_KINDS), pl.Series(["*"] * len(_ITEMS))]
    return Ratings(
        Vocabulary(pl.Series([*_BOUGHT])),
        RatingMatrix.from_dense(Vocabulary(pl.Series(_ITEMS)), codes, PRESENT.dtype),
        RatingMatrix.empty(len(_BOUGHT), PRESENT.dtype),
        PRESENT,
        hierarchy=Hierarchy.from_columns(levels),
    )
