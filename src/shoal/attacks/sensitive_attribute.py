"""The sensitive attribute that attackers infer: a sensitive column, or the ratings of a sensitive item."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import numpy as np
import polars as pl

from shoal.data import PARTS, Column, RatingMatrix, Vocabulary

from .exposure import Exposure

__all__ = ["SensitiveAttribute", "WeightedValues", "value_categories"]


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveAttribute:
    """The true and the published values of all records, as codes of one list of values."""

    name: str
    true: np.ndarray
    """For each record of the truth the code of its value; −1 where no rating was given."""
    seen: np.ndarray
    """For each published record the code of its value."""
    n_values: int
    positions: np.ndarray | None = None
    """The position of each value between 0 and 1; None where values have no order."""

    @classmethod
    def names(cls, exposure: Exposure) -> tuple[str, ...]:
        """Return the names of the sensitive columns or items that are published."""
        if exposure.truth.kind == "survey":
            return tuple(name for part in PARTS for name in cls.names(exposure.of_part(part)))
        if exposure.truth.kind == "ratings":
            return tuple(exposure.ratings[1].sensitive.items.values.cast(pl.String))
        truth, seen = exposure.tables
        return tuple(column.name for column in truth.sensitive if column.name in seen.names)

    @classmethod
    def read(cls, exposure: Exposure, name: str) -> Self:
        """Read the sensitive attribute of this name."""
        exposure = _part_with(exposure, name)
        if exposure.truth.kind == "ratings":
            return cls._of_item(exposure, name)
        truth, seen = exposure.tables
        return cls._of_columns(truth[name], seen[name])

    @classmethod
    def _of_item(cls, exposure: Exposure, name: str) -> Self:
        truth, seen = exposure.ratings
        true, published = _ratings_of(truth.sensitive, name), _ratings_of(seen.sensitive, name)
        if truth.is_sets:  # what is inferred is whether somebody has the item: 1 or 0
            return cls(name, true + 1, published + 1, 2, np.array([0.0, 1.0]))
        points = truth.scale.points
        return cls(name, true, published, points, np.arange(points) / (points - 1))

    @classmethod
    def _of_columns(cls, truth: Column, seen: Column) -> Self:
        known = truth.vocabulary.codes(seen.vocabulary.values).astype(np.int64)
        new = np.flatnonzero(known < 0)  # values that only the release has
        known[new] = len(truth.vocabulary) + np.arange(len(new))
        published = known[seen.codes]
        n_values = len(truth.vocabulary) + len(new)
        positions = None if len(new) else _positions(truth.vocabulary, published)
        return cls(truth.name, truth.codes.astype(np.int64), published, n_values, positions)

    @property
    def someone_published(self) -> bool:
        """Whether anybody's value is published."""
        return bool((self.seen >= 0).any())

    def numbered(self, numbers: np.ndarray, n_values: int) -> Self:
        """Return the attribute with another code for each value; several values may share one."""
        true, seen = (np.where(side >= 0, numbers[side], -1) for side in (self.true, self.seen))
        return type(self)(self.name, true, seen, n_values)

    def in_order(self) -> Self:
        """Return the attribute with values coded by their positions."""
        assert self.positions is not None
        order = np.argsort(self.positions, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return replace(self.numbered(ranks, self.n_values), positions=self.positions[order])


def _part_with(exposure: Exposure, name: str) -> Exposure:
    """Return the part of a survey that has this sensitive attribute; other data as they are."""
    if exposure.truth.kind != "survey":
        return exposure
    demographics = exposure.of_part("demographics")
    return demographics if name in SensitiveAttribute.names(demographics) else exposure.of_part("answers")


def _positions(vocabulary: Vocabulary, published: np.ndarray) -> np.ndarray | None:
    """Place published numbers and dates at equal steps from 0 to 1; None for other values, or if one is missing."""
    occurring = np.unique(published)
    values = vocabulary.take(occurring)
    if not vocabulary.is_ordered or values.has_nulls():
        return None
    positions = np.zeros(len(vocabulary))
    positions[occurring] = (values.rank("ordinal").to_numpy() - 1) / max(len(occurring) - 1, 1)
    return positions


def _ratings_of(matrix: RatingMatrix, name: str) -> np.ndarray:
    item = matrix.items.values.cast(pl.String).index_of(name)
    out = np.full(len(matrix), -1, np.int64)
    places = np.flatnonzero(matrix.indices == item)
    out[np.searchsorted(matrix.indptr, places, side="right") - 1] = matrix.codes[places]
    return out


_ROUNDING = 1e-9


class WeightedValues:
    """For each owner (a group, for example) its possible values, each with a weight.

    Among values of the largest weight the attacker draws one. An owner without any weight gives no basis for a guess:
    its probabilities are NaN.
    """

    def __init__(
        self, owners: np.ndarray, values: np.ndarray, weights: np.ndarray, *, n_owners: int, n_values: int
    ) -> None:
        """Add up the weights by owner and value."""
        assert len(owners) == len(values) == len(weights)
        self._n_values = n_values
        keys, place = np.unique(owners.astype(np.int64) * n_values + values, return_inverse=True)
        summed = np.bincount(place, weights, minlength=len(keys))
        self._keys, self._weights = keys[summed > 0], summed[summed > 0]
        of = self._keys // n_values
        self._totals = np.bincount(of, self._weights, minlength=n_owners)
        self._most = np.zeros(n_owners)
        np.maximum.at(self._most, of, self._weights)
        best = self._weights >= self._most[of] * (1 - _ROUNDING)
        self._n_best = np.bincount(of[best], minlength=n_owners)
        self.n_possible = np.bincount(of, minlength=n_owners)
        """For each owner, the number of possible values."""

    @classmethod
    def counted(cls, owners: np.ndarray, values: np.ndarray, *, n_owners: int, n_values: int) -> "WeightedValues":
        """Weigh values by how often they occur."""
        return cls(owners, values, np.ones(len(owners)), n_owners=n_owners, n_values=n_values)

    @property
    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The owners, the values and their weights, in order."""
        return self._keys // self._n_values, self._keys % self._n_values, self._weights

    @property
    def largest_shares(self) -> np.ndarray:
        """The probability of the likeliest value, for each owner."""
        with np.errstate(invalid="ignore"):
            return self._most / self._totals

    def weight(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the weight of values; 0 where a value is not possible."""
        asked = owners.astype(np.int64) * self._n_values + values
        if not len(self._keys):
            return np.zeros(len(asked))
        place = np.minimum(np.searchsorted(self._keys, asked), len(self._keys) - 1)
        return np.where(self._keys[place] == asked, self._weights[place], 0.0)

    def share(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the probability of values."""
        with np.errstate(invalid="ignore"):
            return self.weight(owners, values) / self._totals[owners]

    def guessed(self, owners: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the probability that the best guess is this value."""
        best = self.weight(owners, values) >= self._most[owners] * (1 - _ROUNDING)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self._n_best[owners] == 0, np.nan, best / self._n_best[owners])


def value_categories(exposure: Exposure, attribute: SensitiveAttribute, level: int, parts: int) -> np.ndarray | None:
    """Return the category of each value of an attribute; None where none is defined.

    For a column: the categories of its schema; else the labels of a level of its hierarchy, unless that is the root;
    else, for numbers and dates, parts of equal length between the lowest and the highest that are published. For
    ratings: parts of equal length of the scale. A value that is in no category is one of its own.
    """
    exposure = _part_with(exposure, attribute.name)
    if exposure.truth.kind == "ratings":
        codes = np.arange(attribute.n_values)
        return np.minimum(codes * parts // (attribute.n_values - 1), parts - 1)
    column = exposure.tables[0][attribute.name]
    known = _of_column(column, attribute, level, parts)
    if known is None:
        return None
    categories = np.full(attribute.n_values, -1)
    categories[: len(known)] = known
    alone = categories < 0
    categories[alone] = categories.max(initial=-1) + 1 + np.arange(np.count_nonzero(alone))
    return categories


def _of_column(column: Column, attribute: SensitiveAttribute, level: int, parts: int) -> np.ndarray | None:
    if column.categories:
        return column.category_of
    if column.hierarchy is not None and level < column.hierarchy.height:
        return column.hierarchy.maps[level].astype(np.int64)
    return _parts(column.vocabulary, attribute.seen, parts) if column.vocabulary.is_ordered else None


def _parts(vocabulary: Vocabulary, published: np.ndarray, parts: int) -> np.ndarray:
    """Divide the published range into equal parts; in fractions, as rounding could move a value across a border."""
    numbers = [_exact(value) for value in vocabulary.values.to_physical()]
    inside = [number for code in np.unique(published) if (number := _at(numbers, int(code))) is not None]
    lowest, highest = (min(inside), max(inside)) if inside else (Fraction(0), Fraction(0))
    return np.array([-1 if number is None else _part(number, lowest, highest, parts) for number in numbers], np.int64)


def _exact(value: float | None) -> Fraction | None:
    return None if value is None or not np.isfinite(value) else Fraction(str(value))


def _at(numbers: list[Fraction | None], code: int) -> Fraction | None:
    """Look a value up; None for values that only the release has."""
    return numbers[code] if code < len(numbers) else None


def _part(number: Fraction, lowest: Fraction, highest: Fraction, parts: int) -> int:
    if lowest == highest:
        return 0
    return min(max(int((number - lowest) * parts // (highest - lowest)), 0), parts - 1)
