"""Factors of items in which no rating weighs more than one of *k*.

An item of *k* raters is not an average over *k* people, if as many numbers are fitted to it as there are raters: a line
through two points follows each of them. So a rater's own rating shows in the prediction for that rater and for whoever
is like them, and the predictions for an item are most extreme near those who rated it. Here an item has one number for
each *k* of its raters, at most as many as the predictor fits:

- with *k* raters and less than 2k, a *level*: everybody's prediction for an average item, moved by one amount. Who is
  foretold most and who least is the same for all such items, and does not depend on who rated them;
- with 2k and more, one further *direction* for each k raters. Directions are the same for all items: those in which
  predictions differ most between people, over all ratings.

*Pull.* How much a cell of an item's column moves with one rating of the item, by unit of its change. One number for
each k raters bounds the pull on average, not the largest: where one rater lies far out along a direction and the others
do not, the coefficient is that rater's. With the raters' lines x (1, then where they lie along the directions) and
weights w, what is fitted is linear in the ratings, and the pull of a rater on the profile p is ``w·pᵀ·M·x`` with
``M = (Σ w·x·xᵀ + R)⁻¹``. By Cauchy and Schwarz it is at most the root of ``pᵀ·M·p`` times ``w²·xᵀ·M·x``, so the largest
of both over all profiles and all raters bound every pull. The penalty on the coefficients, a part of R, is made larger,
item by item, until that is at most 1/k. It ends: the larger it is, the nearer are all pulls to that of a level alone.

*Weights.* Raters farther out than three quarters of all users weigh the less the farther they are, so that they count
along a direction as though they were not: less is then lost by penalties. Levels alone are fitted without weights, and
so are items whose weights would be those of fewer than k people.

*What stays.* Penalties only lower these bounds. Where they are kept without any, and an item has k raters for each
number, its factors are what the predictor fitted.

*How.* A rating is fitted as the prediction for an average item, plus the level, plus the coefficients times where the
rater lies along the directions. What is made least is the sum of squared errors over their variance, plus the squares
of level and coefficients over the variances they have among all items: the less is known, the nearer they are to 0.
"""

from dataclasses import dataclass, replace

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.factorization import add_up_errors, add_up_squares, largest_squares
from shoal.predictors import Factors
from shoal.progress import stage

__all__ = ["numbers_of_items", "supported_factors"]

_SEEN = 1e-10
"""A direction in which users vary less than this part of the most is left out: it may be rounding."""
_SAMPLE = 1 << 20
"""The variance of errors is learned from about so many ratings."""
_LEAST, _MOST, _NOTHING = 0.01, 1e6, 1e-12
"""The variance of errors is no less and no more than so many times that of levels, which is more than nothing."""
_TASKS = 64
_NUMBERS = 1 << 22
"""So many numbers are worked on at a time."""
_ROUNDING = 1e-3
"""Pulls are kept so much, by unit, below what they may be: factors are published from single precision."""
_HALVINGS = 6
"""So often the step between a penalty that is too small and one that is not is halved; each is twice the last."""
_NEAR = 0.75
"""This part of all users lie near enough to weigh in full."""
_ENOUGH = 1.02
"""Weights are those of so many times as many people as a pull may be a part of, so that a penalty is found."""


def numbers_of_items(factors: Factors) -> int:
    """Return how many numbers the predictor fits to an item: the columns of factors in which items differ."""
    return int(np.count_nonzero(np.ptp(factors.items, axis=0))) if len(factors.items) else 0


def supported_factors(
    matrix: RatingMatrix, factors: Factors, raters: int, profiles: np.ndarray, *, at_raters: bool = False
) -> Factors:
    """Return the factors, with those of items fitted anew on which a rating could weigh more than one of ``raters``.

    Profiles are the mean factors of groups; no pull on any of them is more than 1/raters, nor with ``at_raters`` on the
    prediction for any rater of the item. Every item must have at least ``raters`` raters. There is one factor more than
    before: 1 for every user.
    """
    counts = matrix.raters
    assert counts.min(initial=raters) >= raters
    lines = np.column_stack([factors.items, np.zeros(len(counts), np.float32)])
    with stage("bounding what a rating weighs"):
        space = _Space.of(matrix, factors, counts)
        by_item = matrix.by_item()
        pulls = _Pulls(by_item, space.places, space.weights, space.lines(profiles), (1 - _ROUNDING) / raters, at_raters)
        full = max(numbers_of_items(factors), 1)
        numbers = np.clip(counts // raters, 1, full)
        stay = np.flatnonzero(numbers == full)
        stay = stay[pulls.are_small_anyway(stay, full)]
        few = np.flatnonzero(~pulls.leave_enough(space.ridge))
        numbers[few], numbers[stay] = 1, 0
        for n in np.unique(numbers[numbers > 0]).tolist():
            some = np.flatnonzero(numbers == n)
            lines[some] = space.factors(pulls.of_items(some).fitted(n, space.base, space.ridge))
    users = np.column_stack([factors.users, np.ones(len(factors.users), np.float32)])
    return Factors(users, lines, factors.points)


@dataclass(frozen=True, eq=False)
class _Space:
    """What people are foretold for an average item, and the directions in which predictions differ from that."""

    middle: np.ndarray
    """The average factors of users."""
    average: np.ndarray
    """The average factors of items, by ratings."""
    base: np.ndarray
    """What each user is foretold for the average item."""
    places: np.ndarray
    """1, then where users lie along the directions, in units in which a coefficient varies as levels do: float32."""
    weights: np.ndarray
    """What a rating of each user counts where more than a level is fitted."""
    back: np.ndarray
    """Turns coefficients into factors of items."""
    ridge: float
    """The variance of errors, by that of levels."""

    @classmethod
    def of(cls, matrix: RatingMatrix, factors: Factors, counts: np.ndarray) -> "_Space":
        users, items = factors.users.astype(np.float64), factors.items.astype(np.float64)
        weights = counts / counts.sum()
        middle, average = users.mean(axis=0), weights @ items
        apart = items - average
        errors = _error_variance(matrix, factors)
        levels = max(float(weights @ (apart @ middle) ** 2), errors / _MOST, _NOTHING)
        directions, variances = _directions(users - middle, (apart * weights[:, None]).T @ apart)
        back = directions * np.sqrt(variances / levels)
        places = _with_one((users - middle) @ back).astype(np.float32)
        far = np.linalg.norm(places[:, 1:], axis=1)
        near = max(float(np.quantile(far, _NEAR)), _NOTHING)
        weights = np.minimum(near / np.maximum(far, near), 1)
        return cls(middle, average, users @ average, places, weights, back, max(errors / levels, _LEAST))

    def lines(self, profiles: np.ndarray) -> np.ndarray:
        """Return for mean factors of users 1 and where they lie along the directions."""
        return _with_one((profiles - self.middle) @ self.back)

    def factors(self, found: np.ndarray) -> np.ndarray:
        """Return factors of items, with the constant last, from their levels and coefficients."""
        moved = found[:, 1:] @ self.back[:, : found.shape[1] - 1].T
        return np.column_stack([self.average + moved, found[:, 0] - moved @ self.middle])


@dataclass(frozen=True, eq=False)
class _Pulls:
    """How much the ratings of items move the cells of profiles, at most."""

    by_item: RatingMatrix
    places: np.ndarray
    weights: np.ndarray
    profiles: np.ndarray
    most: float
    at_raters: bool

    def of_items(self, items: np.ndarray) -> "_Pulls":
        """Return the same of some items."""
        return replace(self, by_item=self.by_item.take(items))

    def leave_enough(self, ridge: float) -> np.ndarray:
        """Tell of all items whether the weights of their raters are those of enough people."""
        squares = self.squares(self.weighted(0.5, 1))[:, 0, 0]
        heaviest = np.sqrt(self._largest_of_raters(self.weighted(1, 1), np.ones((len(self.by_item), 1, 1))))
        return (squares + ridge) * self.most >= _ENOUGH * heaviest

    def are_small_anyway(self, items: np.ndarray, width: int) -> np.ndarray:
        """Tell of items whether pulls are small without weights or any penalty, and so with every penalty."""
        published, some = np.zeros(len(items), bool), replace(self.of_items(items), weights=np.ones(len(self.places)))
        squares = some.squares(self.places[:, :width])
        sure = np.flatnonzero(np.linalg.cond(squares) < 1 / _SEEN) if len(items) else np.zeros(0, np.int64)
        published[sure] = some.of_items(sure).are_small(np.linalg.inv(squares[sure]))
        return published

    def fitted(self, width: int, base: np.ndarray, ridge: float) -> np.ndarray:
        """Return so many numbers for each item, with the least penalty of those tried that keeps pulls small."""
        some = self if width > 1 else replace(self, weights=np.ones(len(self.places)))
        known = some.squares(some.weighted(0.5, width))
        known += ridge * np.eye(known.shape[1])
        matrix, points = self.by_item, some.weighted(1, width)
        wanted = add_up_errors(matrix.indptr, matrix.indices, matrix.codes, points, base)
        inverse = some.bounded(known) if width > 1 else 1 / known  # a level's pull is less than 1 by the raters
        return (inverse @ wanted[:, :, None])[:, :, 0]

    def bounded(self, known: np.ndarray) -> np.ndarray:
        """Return M for each item, of M⁻¹ without further penalties."""
        slope = np.diag(np.arange(known.shape[1]) > 0).astype(np.float64)
        penalties, inverse = np.zeros(len(known)), np.linalg.inv(known)

        def tried(some: np.ndarray, more: np.ndarray) -> np.ndarray:
            """Try penalties on some items, keep those that do, and tell which."""
            made = np.linalg.inv(known[some] + more[:, None, None] * slope)
            small = self.of_items(some).are_small(made)
            inverse[some[small]], penalties[some[small]] = made[small], more[small]
            return small

        high = left = np.flatnonzero(~self.are_small(inverse))
        more = np.ones(len(left))
        while len(left):
            small = tried(left, more)
            left, more = left[~small], more[~small] * 2
        low = np.where(penalties[high] > 1, penalties[high] / 2, 0.0)
        for _ in range(_HALVINGS if len(high) else 0):
            middle = (low + penalties[high]) / 2
            low = np.where(tried(high, middle), low, middle)
        return inverse

    def are_small(self, inverse: np.ndarray) -> np.ndarray:
        """Tell of items with these M whether no pull can be more than the most."""
        width = inverse.shape[1]
        rater = self._largest_of_raters(self.weighted(1, width), inverse)
        profile = _largest(self.profiles[:, :width], inverse)
        if self.at_raters:
            profile = np.maximum(profile, self._largest_of_raters(self.places, inverse))
        return profile * rater <= self.most**2

    def weighted(self, power: float, width: int) -> np.ndarray:
        """Return so many columns of where users lie, times a power of what they weigh: float32."""
        return (self.places[:, :width] * (self.weights**power)[:, None]).astype(np.float32)

    def _largest_of_raters(self, points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
        return largest_squares(self.by_item.indptr, self.by_item.indices, points, matrices)

    def squares(self, points: np.ndarray) -> np.ndarray:
        """Return for each item the sum of the outer products of its raters' points with themselves."""
        return add_up_squares(self.by_item.indptr, self.by_item.indices, points, _borders(self.by_item))


def _largest(points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return for each matrix M the largest pᵀ·M·p over all points, by products of matrices."""
    left, right = np.tril_indices(points.shape[1])
    products = points[:, left] * points[:, right] * np.where(left == right, 1, 2)
    largest, size = np.zeros(len(matrices)), max(_NUMBERS // max(len(matrices), 1), 1)
    for start in range(0, len(points), size):
        found = products[start : start + size] @ matrices[:, left, right].T
        np.maximum(largest, found.max(axis=0), out=largest)
    return largest


def _with_one(places: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(places)), places])


def _borders(by_item: RatingMatrix) -> np.ndarray:
    borders = np.searchsorted(by_item.indptr, np.linspace(0, by_item.n_ratings, _TASKS + 1))
    borders[[0, -1]] = 0, len(by_item)
    return borders


def _directions(users: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return directions as columns along which users vary by 1, and the variance of items' coefficients along them.

    Predictions differ most along the first. Squares are the mean outer product of items' factors with themselves.
    """
    values, axes = np.linalg.eigh(users.T @ users / len(users))
    seen = values > _SEEN * values.max(initial=0)
    root = np.sqrt(values[seen])
    variances, turn = np.linalg.eigh((axes[:, seen] * root).T @ squares @ (axes[:, seen] * root))
    return (axes[:, seen] / root @ turn)[:, ::-1], np.maximum(variances[::-1], 0)


def _error_variance(matrix: RatingMatrix, factors: Factors) -> float:
    """Return the mean squared error of predictions, of some ratings at equal distances."""
    some = np.arange(0, matrix.n_ratings, -(-matrix.n_ratings // _SAMPLE))
    rows = np.searchsorted(matrix.indptr, some, side="right") - 1
    errors = factors.predict(rows, matrix.indices[some]) - matrix.codes[some]
    return float(np.mean(errors.astype(np.float64) ** 2))
