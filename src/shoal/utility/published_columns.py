"""The published labels of a table's columns, read once for all measures."""

from collections.abc import Callable, Mapping

import numpy as np

from shoal.data import PARTS, Microdata, Ratings, Role, Survey
from shoal.labels import PublishedColumn, published_column

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["is_root_for_all", "mean_loss", "nothing_left", "published_columns", "published_quasi_identifiers"]


def published_columns(comparison: Comparison) -> Mapping[str, PublishedColumn]:
    """Return the quasi-identifiers, the strata and the sensitive columns by name."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Microdata) and isinstance(released, Microdata)):
        raise Unmeasurable("Defined on tables only.")
    return {
        column.name: published_column(whole[column.name], column, comparison.origins)
        for column in released.columns
        if column.role.is_observable or column.role is Role.SENSITIVE
    }


def published_quasi_identifiers(comparison: Comparison) -> list[PublishedColumn]:
    """Return the quasi-identifiers; raise where there is none."""
    columns = comparison.once(published_columns)
    assert isinstance(comparison.released, Microdata)
    if not comparison.released.quasi_identifiers:
        raise Unmeasurable("There is no quasi-identifier.")
    return [columns[column.name] for column in comparison.released.quasi_identifiers]


def mean_loss(comparison: Comparison, of_labels: Callable[[PublishedColumn], np.ndarray]) -> float:
    """Return the loss of the labels, averaged over all records and quasi-identifiers.

    ``of_labels`` returns the loss of each label of a column; a withheld record loses 1.
    """
    columns = published_quasi_identifiers(comparison)
    lost = [float(column.counts @ of_labels(column)) + comparison.withheld for column in columns]
    return sum(lost) / len(columns) / len(comparison.whole)


def nothing_left(comparison: Comparison) -> bool:
    """Return whether no observable rating is published though some were given, or every label is the root.

    A column with one value has nothing to lose, and does not count; nor do strata, which are never generalized. Of a
    survey nothing is left when that is so of each part that has something to lose.
    """
    survey = isinstance(comparison.whole, Survey)
    parts = [comparison.part(part) for part in PARTS] if survey else [comparison]
    lost = [_lost_everything(part) for part in parts]
    return True in lost and False not in lost


def _lost_everything(comparison: Comparison) -> bool | None:
    """Return whether nothing is left of a table or of ratings; None where they have nothing to lose."""
    whole, released = comparison.whole, comparison.released
    if isinstance(whole, Ratings) and isinstance(released, Ratings):
        return released.observable.n_ratings == 0 if whole.observable.n_ratings else None
    if not (isinstance(released, Microdata) and released.quasi_identifiers):
        return None
    columns = [column for column in published_quasi_identifiers(comparison) if column.n_leaves > 1]
    return all(is_root_for_all(column) for column in columns) if columns else None


def is_root_for_all(column: PublishedColumn) -> bool:
    """Decide whether every label of a column is the root of its hierarchy."""
    labels = zip(column.forms, column.heights.tolist(), strict=True)
    return all(form in ("everything", "node", "homonym") and height == column.height for form, height in labels)
