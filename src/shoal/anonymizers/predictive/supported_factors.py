"""Supported factors: factors of items in which the influence of any rating is at most 1/*k*.

An item of *k* raters is not an average over *k* people if as many parameters are fitted to it as there are raters: a
line through two points follows each of them. A rater's own rating would show in the prediction for that rater and for
similar people, and the predictions for an item would be most extreme near those who rated it. Here an item has one
parameter for each *k* of its raters, at most as many as the predictor fits:

- with *k* raters and less than 2k, a *level*: everybody's prediction for an average item, moved by one amount. The
  order of people by prediction is the same for all such items, and does not depend on who rated them;
- with 2k and more, one further *direction* for each k raters. Directions are the same for all items: those in which
  predictions differ most between people, over all ratings.

*Influence.* The influence of a rating on a cell of the item's column is the derivative of the cell. One parameter for
each k raters bounds the mean influence, not the largest: where one rater lies far out along a direction and the others
do not, the coefficient is that rater's. With the raters' lines x (1, then their coordinates along the directions) and
weights w, the fit is linear in the ratings, and the influence of a rater on the profile p is ``w·pᵀ·M·x`` with
``M = (Σ w·x·xᵀ + R)⁻¹``. By Cauchy and Schwarz it is at most the root of ``pᵀ·M·p`` times ``w²·xᵀ·M·x``, so the maxima
of both over all profiles and all raters bound every influence. The penalty on the coefficients, a part of R, is
increased, item by item, until the bound is at most 1/k. This terminates: the larger the penalty, the nearer all
influences are to that of a level alone.

*Weights.* Raters farther out than three quarters of all users weigh the less, the farther they are, so that they count
along a direction as though they were at that distance: penalties can then be smaller. Levels alone are fitted without
weights, and so are items whose weights would be those of fewer than k people.

*Unchanged items.* Penalties only lower these bounds. Where they hold without any, and an item has k raters for each
parameter, its factors are those that the predictor fitted.

*Fit.* A rating is modeled as the prediction for an average item, plus the level, plus the coefficients times the
rater's coordinates. The objective is the sum of squared errors over their variance, plus the squares of level and
coefficients over the variances they have among all items: the less the data say, the nearer they are to 0.
"""

from dataclasses import dataclass, replace

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.factorization import add_up_errors, add_up_squares, largest_squares
from shoal.predictors import Factors
from shoal.progress import stage

from .factor_space import SEEN, FactorSpace, errors_of, sampled_ratings

__all__ = ["Refit", "Support", "parameters_per_item", "supported_factors"]

_TASKS = 64
_NUMBERS = 1 << 22
"""The numbers that are worked on at a time."""
_ROUNDING = 1e-3
"""The relative margin below the allowed influence: factors are published in single precision."""
_BISECTIONS = 6
"""The bisections between the last penalty that is too small and the first that suffices, which is twice as large."""
_SURPLUS = 1e-6
"""What bounds are made larger by, relatively: the maxima they bound are rounded too."""
_MARGIN = 1.02
"""Weights must be those of this many times the people that the allowed influence requires, so that a penalty exists."""


def parameters_per_item(factors: Factors) -> int:
    """Return the number of parameters fitted to an item: the columns of factors in which items differ."""
    return int(np.count_nonzero(np.ptp(factors.items, axis=0))) if len(factors.items) else 0


def supported_factors(
    matrix: RatingMatrix, factors: Factors, raters: int, profiles: np.ndarray, *, at_raters: bool = False
) -> Factors:
    """Return the factors, refitted for items on which the influence of a rating could exceed 1/``raters``.

    ``profiles`` are the mean factors of groups; no influence on any of them exceeds 1/``raters``, nor with
    ``at_raters`` on the prediction for any rater of the item. Every item must have at least ``raters`` raters. There is
    one factor more than before: 1 for every user.
    """
    with stage("bounding the influence of ratings"):
        errors = errors_of(matrix, factors, sampled_ratings(matrix.n_ratings))
        support = Support.of(factors, matrix.raters, errors, raters, profiles, at_raters=at_raters)
        return support.applied(factors, support.refitted(matrix.by_item()))


@dataclass(frozen=True, eq=False)
class Refit:
    """How some items were refitted."""

    numbers: np.ndarray
    """How many parameters each has; 0: its factors stay."""
    parameters: np.ndarray
    """The parameters of each, filled up with 0."""


@dataclass(frozen=True, eq=False)
class Support:
    """What the influence of ratings is bounded by, for any items: each is refitted by itself."""

    space: FactorSpace
    profiles: np.ndarray
    """1 and the coordinates of the mean factors of groups."""
    raters: int
    full: int
    """The parameters that the predictor fits to an item."""
    at_raters: bool

    @classmethod
    def of(
        cls,
        factors: Factors,
        counts: np.ndarray,
        errors: np.ndarray,
        raters: int,
        profiles: np.ndarray,
        *,
        at_raters: bool = False,
    ) -> "Support":
        """Return the bounds; ``counts`` are the raters of items, ``errors`` those of predictions on a sample."""
        assert counts.min(initial=raters) >= raters
        space = FactorSpace.of(factors, counts, float(np.mean(errors**2)))
        return cls(space, space.lines(profiles), raters, max(parameters_per_item(factors), 1), at_raters)

    def refitted(self, by_item: RatingMatrix) -> Refit:
        """Refit some items, given with all their ratings, as far as the influence of a rating could be too large."""
        space, limit = self.space, (1 - _ROUNDING) / self.raters
        influence = _Influence(by_item, space.places, space.weights, self.profiles, limit, self.at_raters)
        numbers = np.clip(np.diff(by_item.indptr) // self.raters, 1, self.full)
        stay = np.flatnonzero(numbers == self.full)
        stay = stay[influence.are_small_without_penalty(stay, self.full)]
        few = np.flatnonzero(~influence.have_enough_weight(space.ridge))
        numbers[few], numbers[stay] = 1, 0
        parameters = np.zeros((len(by_item), space.width))
        for n in np.unique(numbers[numbers > 0]).tolist():
            some = np.flatnonzero(numbers == n)
            parameters[some, : min(n, space.width)] = influence.of_items(some).fitted(n, space.base, space.ridge)
        return Refit(numbers, parameters)

    def applied(self, factors: Factors, refit: Refit) -> Factors:
        """Return the factors with those of all items refitted, and one factor more: 1 for every user."""
        lines = np.column_stack([factors.items, np.zeros(len(factors.items), np.float32)])
        for n in np.unique(refit.numbers[refit.numbers > 0]).tolist():
            some = np.flatnonzero(refit.numbers == n)
            lines[some] = self.space.factors(refit.parameters[some, : min(n, self.space.width)])
        users = np.column_stack([factors.users, np.ones(len(factors.users), np.float32)])
        return Factors(users, lines, factors.points)


@dataclass(frozen=True, eq=False)
class _Influence:
    """Bounds on the influence of the ratings of items on the cells of profiles."""

    by_item: RatingMatrix
    places: np.ndarray
    weights: np.ndarray
    profiles: np.ndarray
    limit: float
    at_raters: bool

    def of_items(self, items: np.ndarray) -> "_Influence":
        """Return the bounds for some items only."""
        return replace(self, by_item=self.by_item.take(items))

    def have_enough_weight(self, ridge: float) -> np.ndarray:
        """Return the mask of the items whose raters' weights are those of enough people."""
        squares = self.squares(self.weighted(0.5, 1))[:, 0, 0]
        heaviest = np.sqrt(self.largest_of_raters(self.weighted(1, 1), np.ones((len(self.by_item), 1, 1))))
        return (squares + ridge) * self.limit >= _MARGIN * heaviest

    def are_small_without_penalty(self, items: np.ndarray, width: int) -> np.ndarray:
        """Return the mask of the items within the limit without weights or penalties, and so with any penalty."""
        small, some = np.zeros(len(items), bool), replace(self.of_items(items), weights=np.ones(len(self.places)))
        squares = some.squares(self.places[:, :width])
        sure = np.flatnonzero(np.linalg.cond(squares) < 1 / SEEN) if len(items) else np.zeros(0, np.int64)
        small[sure] = some.of_items(sure).are_small(np.linalg.inv(squares[sure]))
        return small

    def fitted(self, width: int, base: np.ndarray, ridge: float) -> np.ndarray:
        """Return ``width`` parameters for each item, with the least penalty tried that keeps it within the limit."""
        some = self if width > 1 else replace(self, weights=np.ones(len(self.places)))
        known = some.squares(some.weighted(0.5, width))
        known += ridge * np.eye(known.shape[1])
        matrix, points = self.by_item, some.weighted(1, width)
        wanted = add_up_errors(matrix.indptr, matrix.indices, matrix.codes, points, base)
        inverse = some.bounded(known) if width > 1 else 1 / known  # a level has an influence of less than 1/raters
        return (inverse @ wanted[:, :, None])[:, :, 0]

    def bounded(self, known: np.ndarray) -> np.ndarray:
        """Return M with its penalty for each item; ``known`` is M⁻¹ without penalties."""
        slope = np.diag(np.arange(known.shape[1]) > 0).astype(np.float64)
        penalties, inverse = np.zeros(len(known)), np.linalg.inv(known)

        def tried(some: np.ndarray, more: np.ndarray) -> np.ndarray:
            """Try penalties on some items, keep those that suffice, and return their mask."""
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
        for _ in range(_BISECTIONS if len(high) else 0):
            middle = (low + penalties[high]) / 2
            low = np.where(tried(high, middle), low, middle)
        return inverse

    def are_small(self, inverse: np.ndarray) -> np.ndarray:
        """Return the mask of the items for which M keeps every influence within the limit.

        Bounds on the maxima suffice for most items, and all the more for those of many raters.
        """
        width = inverse.shape[1]
        points, allowed = self.weighted(1, width), self.limit**2
        profile = _at_most(self.profiles[:, :width], inverse)
        if self.at_raters:
            profile = np.maximum(profile, _at_most(self.places[:, :width], inverse))
        small = profile * _at_most(points, inverse) <= allowed
        left = np.flatnonzero(~small)
        some = self.of_items(left)
        rater = some.largest_of_raters(points, inverse[left])
        small[left] = profile[left] * rater <= allowed
        unclear = ~small[left]
        left, rater = left[unclear], rater[unclear]
        small[left] = self.of_items(left).largest_of_profiles(inverse[left]) * rater <= allowed
        return small

    def largest_of_profiles(self, inverse: np.ndarray) -> np.ndarray:
        """Return for each item the largest pᵀ·M·p over the profiles p that its ratings may influence."""
        largest = _largest(self.profiles[:, : inverse.shape[1]], inverse)
        return np.maximum(largest, self.largest_of_raters(self.places, inverse)) if self.at_raters else largest

    def weighted(self, power: float, width: int) -> np.ndarray:
        """Return the first ``width`` coordinates of users, times a power of their weights: float32."""
        return (self.places[:, :width] * (self.weights**power)[:, None]).astype(np.float32)

    def largest_of_raters(self, points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
        """Return for each item the largest xᵀ·M·x over the points x of its raters."""
        return largest_squares(self.by_item.indptr, self.by_item.indices, points, matrices)

    def squares(self, points: np.ndarray) -> np.ndarray:
        """Return for each item the sum of x·xᵀ over the points x of its raters."""
        return add_up_squares(self.by_item.indptr, self.by_item.indices, points, _borders(self.by_item))


def _at_most(points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return for each matrix M a bound on pᵀ·M·p over all points: by its trace, and by the largest coordinates."""
    points = points.astype(np.float64)
    ends = np.abs(points).max(axis=0, initial=0)
    trace = np.trace(matrices, axis1=1, axis2=2) * np.square(points).sum(axis=1).max(initial=0)
    return np.minimum(trace, np.abs(matrices) @ ends @ ends) * (1 + _SURPLUS)


def _largest(points: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Return for each matrix M the largest pᵀ·M·p over all points, by matrix products."""
    left, right = np.tril_indices(points.shape[1])
    products = points[:, left] * points[:, right] * np.where(left == right, 1, 2)
    largest, size = np.zeros(len(matrices)), max(_NUMBERS // max(len(matrices), 1), 1)
    for start in range(0, len(points), size):
        found = products[start : start + size] @ matrices[:, left, right].T
        np.maximum(largest, found.max(axis=0), out=largest)
    return largest


def _borders(by_item: RatingMatrix) -> np.ndarray:
    borders = np.searchsorted(by_item.indptr, np.linspace(0, by_item.n_ratings, _TASKS + 1))
    borders[[0, -1]] = 0, len(by_item)
    return borders
