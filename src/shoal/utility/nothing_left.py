"""Whether anything is left that tells one record from another."""

from shoal.data import Ratings
from shoal.labels import ToldColumn

from .comparison import Comparison
from .told_columns import told_quasi_identifiers

__all__ = ["nothing_left"]


def nothing_left(comparison: Comparison) -> bool:
    """Tell whether there were observable ratings and none is published, or every quasi-identifier is told as its root.

    A column in which there is but one value has nothing to lose, and is left out of account.
    """
    whole, released = comparison.whole, comparison.released
    if isinstance(whole, Ratings) and isinstance(released, Ratings):
        return whole.observable.n_ratings > 0 and released.observable.n_ratings == 0
    columns = [column for column in told_quasi_identifiers(comparison) if column.n_leaves > 1]
    return bool(columns) and all(_is_root_for_all(column) for column in columns)


def _is_root_for_all(column: ToldColumn) -> bool:
    labels = zip(column.forms, column.heights.tolist(), strict=True)
    return all(form in ("everything", "node", "homonym") and height == column.height for form, height in labels)
