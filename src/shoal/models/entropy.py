"""How diverse the values of a group are by their entropy, compared exactly.

A group of n records, c of which have a value, for each value, is as diverse as l values that are equally common when
its entropy is at least ln l: when nⁿ ≥ lⁿ · ∏ cᶜ. Both sides are whole numbers once l is a fraction, so there is a
right answer also at the edge, as for 3 and 3 with l = 2, or 4, 1, 1, 1 and 1 with l = 4. Doubles decide where they are
far enough apart. Where they are not, equality is decided by exponents over numbers without common divisors, and
anything else by logarithms with as many digits as it takes.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np

from shoal.evidence import ValueCounts

__all__ = ["diversities", "fewest_undiverse", "is_diverse", "least_diversity"]

_EPSILON = float(np.finfo(np.float64).eps)
_UNIT = 10**6
_MARGIN = 1e-9
"""Doubles err by far less than this share of their size; what must not be too large is lowered by it."""
_Powers = list[tuple[int, int]]


def is_diverse(counts: ValueCounts, l: Fraction) -> np.ndarray:  # noqa: E741 - the letter of the literature
    """Return the mask of the groups whose entropy is at least ln l."""
    surplus, doubt = _surplus(counts, l)
    diverse = surplus >= 0
    even = _is_even(counts)
    diverse[even] = counts.n_distinct[even] >= min(math.ceil(l), np.iinfo(np.int64).max)
    for row, groups in _distinct_rows(counts, (np.abs(surplus) <= doubt) & ~even):
        diverse[groups] = _reaches(row, l)
    return diverse


def diversities(counts: ValueCounts) -> np.ndarray:
    """Return for each group the number of equally likely values of the same entropy: for display, not for verdicts."""
    return np.exp(_surplus(counts, Fraction(1))[0] / np.maximum(counts.sizes, 1))


def fewest_undiverse(counts: ValueCounts, l: Fraction) -> np.ndarray:  # noqa: E741
    """Return for each group how many of its records are in parts of entropy below ln l, at least, however it is split.

    Entropy is concave: over the parts of a group, sizes times entropies add up to no more than for the group. Parts
    that are diverse enough have at least ln l each, and the others at least nothing.
    """
    surplus, doubt = _surplus(counts, l)
    missing = (-surplus - doubt) / (math.log(l.numerator) - math.log(l.denominator))
    return np.ceil(np.maximum(missing * (1 - _MARGIN), 0)).astype(np.int64)


def least_diversity(counts: ValueCounts) -> Fraction:
    """Return the largest l with six decimals that every group reaches; there must be a group."""
    surplus, doubt = _surplus(counts, Fraction(1))
    sizes = np.maximum(counts.sizes, 1)
    entropy, doubt = surplus / sizes, doubt / sizes
    close = entropy <= np.min(entropy + doubt)
    even = _is_even(counts)
    least = [Fraction(int(number)) for number in np.unique(counts.n_distinct[close & even])]
    least += [_rounded_down(row) for row, _ in _distinct_rows(counts, close & ~even)]
    return min(least)


def _surplus(counts: ValueCounts, l: Fraction) -> tuple[np.ndarray, np.ndarray]:  # noqa: E741
    """Return n times the entropy less n·ln l, and how far that may be off."""
    above, below = math.log(l.numerator), math.log(l.denominator)
    sizes = counts.sizes.astype(np.float64)
    whole = sizes * np.log(np.maximum(sizes, 1))
    parts = counts.sums(counts.counts * np.log(counts.counts.astype(np.float64)))
    surplus = whole - parts - sizes * (above - below)
    # every term is right to a few digits at the end, and so is every sum of two
    return surplus, (counts.n_distinct + 16) * _EPSILON * (whole + parts + sizes * (above + below))


def _is_even(counts: ValueCounts) -> np.ndarray:
    """Return the mask of the groups whose values are all equally common: their diversity is the number of values."""
    first = counts.counts[np.repeat(counts.indptr[:-1], counts.n_distinct)]
    return counts.sums((counts.counts != first).astype(np.int64)) == 0


def _distinct_rows(counts: ValueCounts, chosen: np.ndarray) -> Iterator[tuple[list[int], np.ndarray]]:
    """Return every different list of counts among the chosen groups, and which groups have it."""
    for width in np.unique(counts.n_distinct[chosen]):
        groups = np.flatnonzero(chosen & (counts.n_distinct == width))
        rows = np.sort(counts.counts[counts.indptr[groups][:, None] + np.arange(width)], axis=1)
        found, labels = np.unique(rows, axis=0, return_inverse=True)
        order = np.argsort(labels.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(labels.ravel(), minlength=len(found)))[:-1]
        yield from zip(found.tolist(), (groups[part] for part in np.split(order, ends)), strict=True)


def _rounded_down(row: Sequence[int]) -> Fraction:
    """Return the largest l with six decimals that a list of counts reaches."""
    n = sum(row)
    entropy = math.log(n) - math.fsum(count * math.log(count) for count in row) / n
    steps = int(math.exp(entropy) * _UNIT)
    while not _reaches(row, Fraction(steps, _UNIT)):
        steps -= 1
    while _reaches(row, Fraction(steps + 1, _UNIT)):
        steps += 1
    return Fraction(steps, _UNIT)


def _reaches(row: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    """Decide whether nⁿ ≥ lⁿ · ∏ cᶜ; only the shares of the values matter, so common divisors are left out."""
    common = math.gcd(*row)
    parts = [count // common for count in row]
    n = sum(parts)
    powers = [(n, n), (l.denominator, n), (l.numerator, -n), *((count, -count) for count in parts)]
    return _is_one(powers) or _is_above_one(powers)


def _is_one(powers: _Powers) -> bool:
    """Decide whether a product of powers is one: over numbers without common divisors, all exponents must be 0."""
    for base in _coprime({number for number, _ in powers}):
        exponent = 0
        for number, times in powers:
            while number % base == 0:
                number //= base
                exponent += times
        if exponent:
            return False
    return True


def _coprime(numbers: set[int]) -> list[int]:
    """Return numbers above 1, no two with a common divisor, of which all of these are products."""
    found: list[int] = []
    waiting = [number for number in numbers if number > 1]
    while waiting:
        number = waiting.pop()
        other = next((other for other in found if math.gcd(number, other) > 1), None)
        if other is None:
            found.append(number)
            continue
        found.remove(other)
        divisor = math.gcd(number, other)
        waiting += [part for part in (divisor, number // divisor, other // divisor) if part > 1]
    return found


def _is_above_one(powers: _Powers) -> bool:
    """Decide whether a product of powers that is not one is above it."""
    digits = 50
    while True:
        with localcontext(Context(prec=digits)):
            terms = [times * Decimal(number).ln() for number, times in powers]
            total = sum(terms, Decimal(0))
            doubt = sum((abs(term) for term in terms), Decimal(0)) * len(terms) * Decimal(10) ** (3 - digits)
            if abs(total) > doubt:
                return total > 0
        digits *= 2
