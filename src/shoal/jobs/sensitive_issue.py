"""How far the ratings of a sensitive issue could spread at best, known before any neighbourhood is."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data import Ratings
from shoal.models.bounds import largest_squared_spread
from shoal.models.spread import Spread

__all__ = ["SensitiveIssue", "sensitive_issues"]


@dataclass(frozen=True, repr=False)
class SensitiveIssue:
    """One sensitive issue: how many rated it, and between which ratings."""

    spread: Spread
    records: int
    raters: int
    lowest: Fraction
    highest: Fraction

    def never_reaches(self, l: Fraction) -> bool:  # noqa: E741
        """Say whether certainly no ε makes every neighbourhood spread by l on this issue.

        A rater's own neighbourhood has a rating, so it is not excused from spreading. Where an odd number rated, some
        rater has an odd number of raters around, itself included, as being near is mutual; and odd numbers of ratings
        spread by less than even ones, the fewer the less.
        """
        if self.raters < self.records and self.spread.reading in ("pairwise", "null-as-zero"):
            return False  # these take nulls for ratings far off
        return largest_squared_spread(self.lowest, self.highest, self.raters) < l**2

    def falls_short(self, size: int, l: Fraction) -> bool:  # noqa: E741
        """Say whether a neighbourhood of this size certainly spreads by less than l on this issue."""
        everybody_rated = self.raters == self.records
        return everybody_rated and largest_squared_spread(self.lowest, self.highest, size) < l**2


def sensitive_issues(ratings: Ratings, spread: Spread) -> list[SensitiveIssue]:
    """Give the sensitive issues that anybody rated; the others say nothing and are asked nothing."""
    matrix, scale = ratings.sensitive, ratings.scale
    n_items = len(matrix.items)
    raters = np.bincount(matrix.indices, minlength=n_items)
    lowest, highest = np.full(n_items, scale.points), np.zeros(n_items, np.int64)
    np.minimum.at(lowest, matrix.indices, matrix.codes)
    np.maximum.at(highest, matrix.indices, matrix.codes)
    return [
        SensitiveIssue(
            spread,
            len(ratings),
            int(raters[item]),
            scale.lowest + int(lowest[item]) * scale.step,
            scale.lowest + int(highest[item]) * scale.step,
        )
        for item in np.flatnonzero(raters)
    ]
