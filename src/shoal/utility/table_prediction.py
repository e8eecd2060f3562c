"""A column to be predicted from others."""

import numpy as np

from shoal.data import Column, Microdata, Role
from shoal.labels import ToldColumn, told_column

from .comparison import Comparison
from .guesses import Guesses
from .measure import Unmeasurable

__all__ = ["table_prediction"]

_MOST_VALUES = 100


def table_prediction(comparison: Comparison) -> Guesses:
    """Predict the column that is named, or one that is suited, from quasi-identifiers and insensitive columns."""
    whole, released = comparison.whole, comparison.released
    assert isinstance(whole, Microdata)
    assert isinstance(released, Microdata)
    target = _target(comparison.target, whole, released)
    plain = (*released.quasi_identifiers, *released.with_role(Role.INSENSITIVE))
    others = [column for column in plain if column.name != target.name]
    if not others:
        raise Unmeasurable("There is no other column to predict from.")
    told = [told_column(whole[column.name], column, comparison.origins) for column in others]

    def features(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        before = [column.before[comparison.origins[rows]] for column in told]
        after = [_in_order(column)[rows] for column in told]
        return np.stack(before, axis=1), np.stack(after, axis=1)

    targets = (_known(whole[target.name].take(comparison.origins)), _known(target))
    n_values = (np.array([len(column.values) for column in told]), np.array([len(column.begins) for column in told]))
    return Guesses.drawn(targets, features, n_values, comparison.generator("prediction"))


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
    """Give the codes of a column, −1 where the value is missing."""
    missing = column.vocabulary.values.is_null().to_numpy()
    return np.where(missing[column.codes], -1, column.codes)


def _in_order(column: ToldColumn) -> np.ndarray:
    """Give each published record the place of its label among all labels, by the middle of what they cover."""
    order = np.lexsort((column.lowest, column.lowest + column.highest))
    return np.argsort(order)[column.labels]
