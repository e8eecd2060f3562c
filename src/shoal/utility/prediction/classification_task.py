"""A classification task: one target, features and splits, the same before and after."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role
from shoal.labels import PublishedColumn, published_column
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable

__all__ = ["ClassificationTask", "Classifier", "rating_prediction", "table_prediction"]


_RECORDS = 5_000
_SPLITS = 5
_FEWEST = 20

Pair = tuple[np.ndarray, np.ndarray]
"""Before and after."""


class Classifier(Protocol):
    """A classifier with the interface of scikit-learn."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> object:  # noqa: N803 - scikit-learn calls them so
        """Train on examples."""
        ...

    def predict(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        """Predict the target of each row."""
        ...


@dataclass(frozen=True)
class ClassificationTask:
    """The same records before and after: targets (−1: unknown), and the categories of their features."""

    targets: Pair
    features: Pair
    n_values: Pair
    """How many categories each feature has."""
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    """The records for training and those for testing, once for each split."""

    @classmethod
    def drawn(
        cls, targets: Pair, features: Callable[[np.ndarray], Pair], n_values: Pair, chance: np.random.Generator
    ) -> Self:
        """Draw records, take their features, and split them."""
        rows = _drawn_records(targets, chance)
        splits = tuple(_split(len(rows), chance) for _ in range(_SPLITS))
        return cls((targets[0][rows], targets[1][rows]), features(rows), n_values, splits)

    def accuracy(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> float:
        """Return the share of correct predictions, averaged over the splits.

        ``make`` builds a classifier from the number of categories of each feature.
        """
        accuracies = [*self._accuracies(make, after=after)]
        if not accuracies:
            raise Unmeasurable("No split has a value to train on and one to test.")
        return float(np.mean(accuracies))

    def _accuracies(self, make: Callable[[np.ndarray], Classifier], *, after: bool) -> Iterator[float]:
        target, features = self.targets[after], self.features[after]
        for rows in self.splits:
            training, tested = (part[target[part] >= 0] for part in rows)
            if not (len(training) and len(tested)):
                continue
            if 2 * len(np.unique(target[training])) > len(training):
                raise Unmeasurable("The target has too many different values for the number of records.")
            model = make(self.n_values[after])
            model.fit(features[training], target[training])
            yield float(np.mean(model.predict(features[tested]) == target[tested]))


def _drawn_records(targets: Pair, chance: np.random.Generator) -> np.ndarray:
    """Draw records whose target is known before or after; raise unless it is known often enough on both sides."""
    known = [target >= 0 for target in targets]
    rows = np.sort(chance.permutation(np.flatnonzero(known[0] | known[1]))[:_RECORDS])
    if min(np.count_nonzero(side[rows]) for side in known) < _FEWEST:
        raise Unmeasurable(f"The target is known for fewer than {_FEWEST} records before or after.")
    return rows


def _split(n: int, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Split ``n`` records at random: two thirds for training, one third for testing."""
    order = chance.permutation(n)
    return order[: 2 * n // 3], order[2 * n // 3 :]


_MOST_VALUES = 100


def table_prediction(comparison: Comparison) -> ClassificationTask:
    """Predict the named column, or the first suitable one, from quasi-identifiers and insensitive columns."""
    whole, released = comparison.whole, comparison.released
    assert isinstance(whole, Microdata)
    assert isinstance(released, Microdata)
    target = _target(comparison.target, whole, released)
    plain = (*released.quasi_identifiers, *released.with_role(Role.INSENSITIVE))
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
    return ClassificationTask.drawn(targets, features, n_values, comparison.generator("prediction"))


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


_FEATURES = 50
_MOST_POINTS = 100


def rating_prediction(comparison: Comparison) -> ClassificationTask:
    """Predict one item from the items rated most often; null is the lowest category."""
    before, after = comparison.original, comparison.published
    assert isinstance(before, Ratings)
    assert isinstance(after, Ratings)
    if before.scale.points > _MOST_POINTS:
        raise Unmeasurable(f"The scale has more than {_MOST_POINTS} points: predicting the exact one means little.")
    sensitive, target = _rating_target(before)
    rated = np.bincount(before.observable.indices, minlength=len(before.observable.items))
    if not sensitive:
        rated[target] = 0
    items = np.argsort(-rated, kind="stable")[: min(_FEATURES, np.count_nonzero(rated))]
    if not len(items):
        raise Unmeasurable("There is no other rated item to predict from.")
    one, other = (
        _dense(each.sensitive if sensitive else each.observable, np.array([target]))[:, 0] for each in (before, after)
    )

    def features(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _dense(before.observable.take(rows), items) + 1, _dense(after.observable.take(rows), items) + 1

    n_values = np.full(len(items), before.scale.points + 1)
    return ClassificationTask.drawn((one, other), features, (n_values, n_values), comparison.generator("prediction"))


def _rating_target(ratings: Ratings) -> tuple[bool, int]:
    """Choose the first sensitive item with two different ratings, or else the item rated most often."""
    for item in range(len(ratings.sensitive.items)):
        if len(np.unique(ratings.sensitive.codes[ratings.sensitive.indices == item])) > 1:
            return True, item
    rated = np.bincount(ratings.observable.indices, minlength=len(ratings.observable.items))
    if not rated.any():
        raise Unmeasurable("No item is rated.")
    return False, int(rated.argmax())


def _dense(matrix: RatingMatrix, items: np.ndarray) -> np.ndarray:
    """Return records × some items, −1 where there is no rating."""
    place = np.full(len(matrix.items), -1)
    place[items] = np.arange(len(items))
    chosen = np.flatnonzero(place[matrix.indices] >= 0)
    rows = np.searchsorted(matrix.indptr, chosen, side="right") - 1
    out = np.full((len(matrix), len(items)), -1, np.int32)
    out[rows, place[matrix.indices[chosen]]] = matrix.codes[chosen]
    return out
