"""Tables to predict from: one column, from the quasi-identifiers and the insensitive columns."""

import numpy as np

from shoal.data import Column, Microdata, Role
from shoal.labels import PublishedColumn, published_column
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable

from .classification_task import Material

__all__ = ["table_material"]

_MOST_VALUES = 100


def table_material(comparison: Comparison) -> Material:
    """Predict the named column, or the first suitable one, from quasi-identifiers, strata and insensitive columns."""
    whole, released = comparison.whole, comparison.released
    assert isinstance(whole, Microdata)
    assert isinstance(released, Microdata)
    target = _target(comparison.prediction.target, whole, released)
    plain = (*released.observable, *released.with_role(Role.INSENSITIVE))
    others = [column for column in plain if column.name != target.name]
    if not others:
        raise Unmeasurable("There is no other column to predict from.")
    columns = [published_column(whole[column.name], column, comparison.origins) for column in others]

    def features(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        before = [column.before[comparison.origins[rows]] for column in columns]
        after = [_label_ranks(column)[rows] for column in columns]
        return np.stack(before, axis=1), np.stack(after, axis=1)

    targets = (_known(whole[target.name].take(comparison.origins)), _known(target))
    n_values = (
        np.array([len(column.values) for column in columns]),
        np.array([len(column.begins) for column in columns]),
    )
    return Material(targets, features, n_values)


def _target(name: str | None, whole: Microdata, released: Microdata) -> Column:
    """Choose the column to predict."""
    if name is not None:
        return released[name]
    for column in (*released.sensitive, *released.with_role(Role.INSENSITIVE)):
        original = whole[column.name]
        if 2 <= len(np.unique(original.codes[_known(original) >= 0])) <= _MOST_VALUES:
            return column
    raise Unmeasurable(f"No sensitive or insensitive column has from 2 to {_MOST_VALUES} different values to predict.")


def _known(column: Column) -> np.ndarray:
    """Return the codes of a column, −1 where the value is missing."""
    missing = column.vocabulary.values.is_null().to_numpy()
    return np.where(missing[column.codes], -1, column.codes)


def _label_ranks(column: PublishedColumn) -> np.ndarray:
    """Return for each published record the rank of its label among all labels, by the middle of their ranges."""
    order = np.lexsort((column.lowest, column.lowest + column.highest))
    return np.argsort(order)[column.labels]
