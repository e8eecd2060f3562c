"""Ratings on the coarsest scale that represents them exactly."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix, Ratings
from shoal.engines import Engine, judge
from shoal.models import PrivacyModel

__all__ = ["CoarsestScale", "cheapest_that_holds"]


@dataclass(frozen=True, eq=False)
class CoarsestScale:
    """Observable ratings on the coarsest scale that has all of them, both ends, and the radius in whole steps.

    The best interval of the length of the radius begins or ends at a rating, so no omitted point is ever needed.
    Decisions on this scale do not depend on how finely the original one is divided: 10, 20, …, 50 within 10 is
    1, 2, …, 5 within 1.
    """

    ratings: Ratings
    """Without the sensitive ratings, which need not be on this scale."""
    radius: int
    steps: int
    """The number of steps of the original scale that are one step of this scale."""

    @classmethod
    def of(cls, ratings: Ratings, radius: int) -> Self:
        """Convert the observable ratings, and a radius in steps, to that scale."""
        scale, matrix = ratings.scale, ratings.observable
        steps = math.gcd(radius, scale.points - 1, int(np.gcd.reduce(matrix.codes, initial=0))) or 1  # of sets 0
        coarsest = replace(scale, step=scale.step * steps)
        codes = (matrix.codes // matrix.codes.dtype.type(steps)).astype(coarsest.dtype)
        some = replace(matrix, codes=codes), RatingMatrix.empty(len(ratings), coarsest.dtype)
        return cls(Ratings(ratings.users, *some, coarsest, ratings.people), radius // steps, steps)

    def back(self, made: Ratings, given: Ratings) -> Ratings:
        """Convert ratings on this scale back to that of the original ``given``, with its sensitive ratings."""
        kind = given.scale.dtype
        matrix = made.observable
        return replace(given, observable=replace(matrix, codes=matrix.codes.astype(kind) * kind(self.steps)))


def cheapest_that_holds(
    made: Sequence[Ratings], given: Ratings, models: Sequence[PrivacyModel], engine: Engine, costs: RatingCosts
) -> Ratings:
    """Return the cheapest of several ratings on which every promise holds; where none does, the last."""
    for ratings in sorted(made, key=lambda one: costs.between(given.observable, one.observable)):
        if judge(ratings, models, engine).holds:
            return ratings
    return made[-1]
