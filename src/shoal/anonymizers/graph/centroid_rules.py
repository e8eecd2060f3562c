"""The survey-rating paper's rules for moving the ratings of a clique toward their centroid, as printed and corrected.

*Definition* (section 4.5; thesis 6.4). For each issue, let c be the mean of the n ratings. Where c is an integer
(*integer strategy*), the lower half is moved to c − 1 and the upper half to c + 1 (2.1.1, n even), with the middle one
at c (2.1.2, n odd, ε > 1), or all to c (2.1.3, n odd, ε = 1). Where c = ⌊c⌋ + r/n is not (*fraction strategy*), all are
moved to ⌊c⌋, and r is added to the first record (2.2.1, r ≤ ε); or, with r = pε + s, p to the first pε records and s to
the last (2.2.2, r > ε). A clique with issues of both kinds (*mixed strategy*) applies to each issue its own rule.

*Where we differ.* As printed, 2.1.1 moves ratings 2 apart where ε = 1, 2.2.2 changes the mean and often exceeds ε where
p > 1, and every rule may leave the scale and changes issues that are within ε already. So an issue within ε is left
unchanged; a rule is applied where its outcome is within ε, on the scale, and has the same mean; elsewhere all go to ⌊c⌋
and 1 is added to the r largest, which is always within 1, on the scale, and keeps the mean. With ε = 0 no rule keeps a
fractional mean: all go to the nearest integer. 2.1.2 is printed for n + 1 ratings; there are (n − 1)/2 on either side
of the middle one.
"""

import numpy as np

__all__ = ["corrected_centroid", "printed_centroid"]


def printed_centroid(ratings: np.ndarray, epsilon: int) -> np.ndarray:
    """Return the ratings of a clique (records × issues) after the paper's rules as printed, right or wrong."""
    n = len(ratings)
    floor, over = np.divmod(ratings.sum(axis=0), n)
    return np.where(over == 0, _by_integer(ratings, floor, epsilon), _by_fraction(n, floor, over, epsilon))


def _by_integer(ratings: np.ndarray, centroid: np.ndarray, epsilon: int) -> np.ndarray:
    """Apply cases 2.1.1 to 2.1.3; ties go by the order of the records."""
    n = len(ratings)
    if epsilon < 1 or (n % 2 and epsilon == 1):
        return np.broadcast_to(centroid, ratings.shape)
    rank = _ranks(ratings)
    side = np.where(rank < n // 2, -1, 1)
    if n % 2:
        side[rank == n // 2] = 0
    return centroid + side


def _by_fraction(n: int, floor: np.ndarray, over: np.ndarray, epsilon: int) -> np.ndarray:
    """Apply cases 2.2.1 and 2.2.2."""
    record = np.arange(n)[:, None]
    first = np.where(record == 0, over, 0)
    times, rest = np.divmod(over, max(epsilon, 1))
    shared = np.where(record < times * epsilon, times, 0) + np.where(record == n - 1, rest, 0)
    return floor + np.where(over <= epsilon, first, shared)


def corrected_centroid(ratings: np.ndarray, epsilon: int, highest: int) -> np.ndarray:
    """Return the ratings of a clique within ε on every issue, on the scale 0…highest, after the corrected rules."""
    made = printed_centroid(ratings, epsilon)
    right = (np.ptp(made, axis=0) <= epsilon) & (made.sum(axis=0) == ratings.sum(axis=0))
    right &= (made.min(axis=0) >= 0) & (made.max(axis=0) <= highest)
    made = np.where(right, made, _balanced(ratings) if epsilon > 0 else _nearest_whole(ratings))
    return np.where(np.ptp(ratings, axis=0) <= epsilon, ratings, made)


def _balanced(ratings: np.ndarray) -> np.ndarray:
    n = len(ratings)
    floor, over = np.divmod(ratings.sum(axis=0), n)
    return floor + (_ranks(ratings) >= n - over)


def _nearest_whole(ratings: np.ndarray) -> np.ndarray:
    n = len(ratings)
    return np.broadcast_to((2 * ratings.sum(axis=0) + n) // (2 * n), ratings.shape)


def _ranks(ratings: np.ndarray) -> np.ndarray:
    """Return the rank of each rating among those of its issue, from the smallest; ties go by record."""
    return np.argsort(np.argsort(ratings, axis=0, kind="stable"), axis=0, kind="stable")
