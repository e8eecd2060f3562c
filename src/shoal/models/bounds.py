"""What k and l can be at most: the bounds of chapter 7 of the thesis, as far as they are true.

They are necessary, never sufficient: the thesis calls Theorem 7.1 "a sufficient condition", which it is not.
"""

from fractions import Fraction

import numpy as np

from shoal.evidence import RatingMoments

from .spread import Spread, root_below

__all__ = ["largest_k", "largest_spread", "largest_spread_of_groups", "largest_squared_spread"]


def largest_k(neighbourhood_sizes: np.ndarray) -> int:
    """Give the largest k for which every neighbourhood, of the record itself and all others within ε, is large enough.

    That is the smallest of the sizes. By neighbourhoods it is the largest k itself; by partition it bounds k from
    above, as the group of a record lies inside its neighbourhood.

    It takes the place of Theorem 7.1, which says k ≤ ⌈maxsize(T)·|Gⱼ| / |T|⌉ for the part Gⱼ of a partition that has
    the largest maxsize(G)/|G|. That is false on the thesis's own example: in Table 7.1 with ε = 1, the parts {t1…t4}
    and {t5, t6} have 3/4 and 2/2, so j = 2 and k ≤ ⌈3·2/6⌉ = 1, while k = 2 holds; the text takes j = 1 instead. The
    theorem rests on Lemma 7.1, which takes being within ε for transitive and is false too: for {(3,3), (1,5)} and
    {(2,2), (4,4)} with ε = 1 it says 3/4 ≤ 1/2.
    """
    return int(neighbourhood_sizes.min())


def largest_squared_spread(lowest: Fraction, highest: Fraction, ratings: int) -> Fraction:
    """Give the square of the largest standard deviation of so many ratings between a lowest and a highest.

    It is reached by half of them at either end: (highest − lowest)²·⌊n/2⌋⌈n/2⌉ / n². Theorem 7.2 says
    (highest − lowest) / 2, which is true (Popoviciu 1935) and the same for even n; its proof looks at n = 3 only, and
    bounds a parabola that opens upwards by the smaller of its ends. On 1…5 nothing spreads by more than 2, so l = 2,
    the thesis's usual setting, asks for exactly as many ones as fives and nothing else in every group.
    """
    assert ratings > 0
    half = ratings // 2
    return (highest - lowest) ** 2 * Fraction(half * (ratings - half), ratings * ratings)


def largest_spread(lowest: Fraction, highest: Fraction, ratings: int) -> float:
    """Give the root of :func:`largest_squared_spread`, rounded down to six decimals."""
    return root_below(largest_squared_spread(lowest, highest, ratings))


def largest_spread_of_groups(everybody: RatingMoments, spread: Spread) -> Fraction | None:
    """Give the square of the largest l that any split into groups can reach; nothing where no such bound is known.

    That is how far the ratings of all records spread: Lemma 7.2 and Corollary 7.1 say that not all groups can spread by
    more than their union, which follows from the law of total variance where nulls are left out of account. It is
    false for the papers' own reading of nulls: as zeros, {1, 5} spreads by 2 and {3, 4, null} by 2.06, and together
    they spread by 1.97. It is false for the pairwise reading too ({1, 5}, and nine 3s with two nulls on 1…5), and for
    neighbourhoods, which overlap, under any.
    """
    assert len(everybody) == 1, "one set of all records"
    if spread.reading in ("pairwise", "null-as-zero"):
        return None
    # dividing by all members can only make less of it, and a group in which nobody rated is not held against the others
    return Spread("non-null", spread.all_null).smallest(everybody)
