"""A value to be predicted from others: what is learnt from, and what is asked.

*What is predicted.* On ratings, the first sensitive item with two different ratings; where there is none, the non-
sensitive item that the originals rate most often. On tables, the column that is named; or else the first sensitive
one with two to 100 different values, or else the first such insensitive one. *From what.* On ratings, from the 50
other non-sensitive items that the originals rate most often; null is a value of its own. On tables, from the other
quasi-identifiers and insensitive columns, each label being a category; categories stand in the order of values,
labels in that of the middle between the lowest and the highest value they cover. *On what.* At most 5,000 published
records, drawn at random among those of which the target is known before or after; in each of 5 random splits, two
thirds are learnt from and one third is asked about, on each side those that have the target. What is predicted from
what, and the splits, are the same before and after; accuracy is the average over the splits.
"""

from shoal.data import Microdata, Ratings

from .comparison import Comparison
from .guesses import Guesses
from .rating_prediction import rating_prediction
from .table_prediction import table_prediction

__all__ = ["prediction_task"]


def prediction_task(comparison: Comparison) -> Guesses:
    """Choose what to predict from what, and split the records."""
    if isinstance(comparison.whole, Ratings):
        return rating_prediction(comparison)
    assert isinstance(comparison.whole, Microdata)
    return table_prediction(comparison)
