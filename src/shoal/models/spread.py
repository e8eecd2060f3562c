"""The spread of sensitive ratings: four readings of the papers' standard deviation, compared exactly.

The papers take the mean over those who rated, divide by all g members of a group, and let "s ± null = s". Read
literally that is no standard deviation: {5, null} would spread by 3.54 although nothing differs. So:

* ``non-null``, the default: the population standard deviation of the ratings that were given. It can only understate.
* ``pairwise``: the root of half the mean squared dissimilarity of all ordered pairs, where the dissimilarity of a null
  to anyone else's rating or null is r (equation 6.2). Without nulls it is the standard deviation.
* ``over-all``: the deviations of the ratings given, divided by all members, raters or not.
* ``null-as-zero``: the papers to the letter; a null deviates from the mean as a rating of 0 would. Offered to repeat
  their figures, not to rely on.

With c raters among g members, m = g − c nulls, sum S and sum of squares Q (in steps above the lowest rating), and
V = cQ − S², the squared spreads are V/c², (2V + r²(2cm + m² − m))/2g², V/cg, and V/cg + m·mean²/g. They are rational,
so a spread is compared with l by its square, in whole numbers.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from shoal.data import Scale
from shoal.evidence import NeedSpread, RatingMoments
from shoal.kernels.groups.lacking_spread import READINGS

__all__ = ["AllNull", "Reading", "Spread", "root_below"]

Reading = Literal["non-null", "pairwise", "over-all", "null-as-zero"]
AllNull = Literal["refuse", "accept"]

_DIGITS = 6
_CLOSE = 1e-9
"""Doubles err by far less than this share of their size; what is closer than that is compared exactly."""


@dataclass(frozen=True)
class Spread:
    """One reading of the spread, and how a set counts in which nobody rated the item."""

    reading: Reading = "non-null"
    all_null: AllNull = "refuse"
    """``refuse``: its spread is 0; ``accept``: there is nothing to learn, so any spread is reached.
    Under ``pairwise``, a set that nobody rated has a spread like any other."""

    def reaches(self, moments: RatingMoments, l: Fraction) -> np.ndarray:  # noqa: E741 - the letter of the literature
        """Return the mask of the sets in which every item spreads by at least l."""
        squares, doubt = self._squares(moments)
        target = (l / moments.scale.step) ** 2
        reached = squares >= float(target)
        close = np.abs(squares - float(target)) <= doubt + _CLOSE * float(target)
        for numbers, places in _distinct(moments, close):
            reached[places] = self.square(moments.scale, *numbers) >= l**2
        return np.all(reached, axis=1)

    @property
    def merge_safe(self) -> bool:
        """Whether the union of two sets that spread enough always does: Lemma 7.2, where it is true."""
        return self.reading == "non-null" or (self.reading == "over-all" and self.all_null == "refuse")

    def kernel_row(self, l: Fraction, scale: Scale) -> np.ndarray:  # noqa: E741
        """Return the demand for a spread of l in the form that :mod:`shoal.kernels.groups.lacking_spread` reads."""
        target = float((l / scale.step) ** 2)
        steps = float(scale.null_steps), float(scale.lowest / scale.step)
        return np.array([READINGS.index(self.reading), target, self.all_null == "accept", *steps], np.float64)

    def need(self, l: Fraction) -> NeedSpread:  # noqa: E741
        """Return the demand that sets of records spread by l."""
        return NeedSpread(
            amount=l,
            reaches=lambda sets: self.reaches(sets, l),
            reached=lambda sets: self.reached(sets, l),
            ranks=self.ranks,
            merge_safe=self.merge_safe,
            kernel_row=lambda scale: self.kernel_row(l, scale),
        )

    def reached(self, moments: RatingMoments, l: Fraction) -> float:  # noqa: E741
        """Return the smallest spread, rounded down; where every set is accepted, as much as any ratings can spread."""
        smallest = self.smallest(moments)
        if smallest is not None:
            return root_below(smallest)
        return float(max(l, (moments.scale.highest - moments.scale.lowest) / 2))

    def smallest(self, moments: RatingMoments) -> Fraction | None:
        """Return the square of the smallest spread of any set and item, exactly; None where none is defined."""
        squares, doubt = self._squares(moments)
        if not np.isfinite(squares).any():
            return None
        close = squares <= np.min(squares + doubt)
        return min(self.square(moments.scale, *numbers) for numbers, _ in _distinct(moments, close))

    def defined(self, moments: RatingMoments) -> np.ndarray:
        """Return the mask of the sets in which some item has a spread."""
        if self.all_null == "refuse" or self.reading == "pairwise":
            return np.full(len(moments), moments.given.shape[1] > 0, np.bool_)
        return np.any(moments.given > 0, axis=1)

    def ranks(self, moments: RatingMoments) -> np.ndarray:
        """Rank sets by the smallest spread of their items: equal spreads get equal ranks, larger ones higher ranks."""
        squares = np.full(moments.given.shape, math.inf, object)
        for numbers, places in _distinct(moments, np.ones(moments.given.shape, bool)):
            if self._defined(numbers[1]):
                squares[places] = self.square(moments.scale, *numbers)
        least = squares.min(axis=1, initial=math.inf)
        places = {value: rank for rank, value in enumerate(sorted(set(least)))}
        return np.array([places[value] for value in least], np.int64)

    def least_spread_item(self, moments: RatingMoments) -> tuple[np.ndarray, np.ndarray]:
        """Return for each set the item that spreads least, and by how much, rounded down; every set has a spread."""
        n_items = moments.given.shape[1]
        parts = [part.reshape(-1, 1) for part in (moments.given, moments.sums, moments.squares)]
        one_by_one = RatingMoments(moments.scale, np.repeat(moments.sizes, n_items), *parts)
        least = self.ranks(one_by_one).reshape(len(moments), n_items).argmin(axis=1)
        at = (np.arange(len(moments)), least)
        columns = (moments.sizes, moments.given[at], moments.sums[at], moments.squares[at])
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        return least, np.array([root_below(self.square(moments.scale, *each)) for each in numbers], np.float64)

    def square(self, scale: Scale, size: int, given: int, total: int, squares: int) -> Fraction:
        """Return the squared spread of one set and item, in units of ratings."""
        assert self._defined(given), "a set that is accepted has no spread"
        variance = given * squares - total * total
        if size == 0:
            return Fraction(0)
        if self.reading == "pairwise":
            nulls = size - given
            apart = scale.null_steps**2 * (2 * given * nulls + nulls * (nulls - 1))
            return Fraction(2 * variance + apart, 2 * size * size) * scale.step**2
        if given == 0:
            return Fraction(0)
        if self.reading == "non-null":
            return Fraction(variance, given * given) * scale.step**2
        deviation = Fraction(variance, given * size)
        if self.reading == "null-as-zero":
            mean = scale.lowest / scale.step + Fraction(total, given)
            deviation += (size - given) * mean**2 / size
        return deviation * scale.step**2

    def _defined(self, given: int) -> bool:
        return given > 0 or self.all_null == "refuse" or self.reading == "pairwise"

    def _squares(self, moments: RatingMoments) -> tuple[np.ndarray, np.ndarray]:
        """Return the squared spreads in steps as doubles, infinite where accepted, and bounds on their errors."""
        size = moments.sizes[:, None].astype(np.float64)
        given, total, squares = (part.astype(np.float64) for part in (moments.given, moments.sums, moments.squares))
        nulls, raters = size - given, np.maximum(given, 1)
        size = np.maximum(size, 1)
        variance = given * squares - total * total
        if self.reading == "pairwise":
            apart = float(moments.scale.null_steps) ** 2 * (2 * given * nulls + nulls * (nulls - 1))
            out = (2 * variance + apart) / (2 * size * size)
            return out, _CLOSE * (2 * given * squares + apart) / (2 * size * size)
        if self.reading == "non-null":
            out, mass = variance / (raters * raters), given * squares / (raters * raters)
        else:
            out, mass = variance / (raters * size), given * squares / (raters * size)
        if self.reading == "null-as-zero":
            lowest = float(moments.scale.lowest / moments.scale.step)
            shift = nulls * (lowest + total / raters) ** 2 / size
            out, mass = out + shift, mass + nulls * (abs(lowest) + total / raters) ** 2 / size
        out = np.where(given > 0, out, 0.0 if self.all_null == "refuse" else np.inf)
        return out, np.where(given > 0, _CLOSE * mass, 0.0)


def root_below(square: Fraction) -> float:
    """Return the square root, rounded down to six decimals, so that a printed level is reached."""
    scaled = square.numerator * 10 ** (2 * _DIGITS) // square.denominator
    return math.isqrt(scaled) / 10**_DIGITS


def _distinct(moments: RatingMoments, chosen: np.ndarray) -> list[tuple[tuple[int, int, int, int], tuple]]:
    """Return each combination of size, given, sum and squares among the chosen places, and the places that have it."""
    places = np.nonzero(chosen)
    if not len(places[0]):
        return []
    numbers = np.stack(
        [moments.sizes[places[0]], moments.given[places], moments.sums[places], moments.squares[places]], axis=1
    )
    found, labels = np.unique(numbers, axis=0, return_inverse=True)
    order = np.argsort(labels.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(labels.ravel(), minlength=len(found)))[:-1]
    return [
        (tuple(int(number) for number in row), tuple(axis[part] for axis in places))  # type: ignore[misc]
        for row, part in zip(found, np.split(order, ends), strict=True)
    ]
