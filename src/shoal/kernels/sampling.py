"""Weighted samples without replacement, one a row.

Weighted drawing in constant time a draw.

*Reference.* Walker 1977; Vose, A linear algorithm for generating random numbers with a given distribution, 1991.

Streams of random 64-bit words that can be entered anywhere: SplitMix64, one stream an index.

A stream depends on a key and its own index alone, so rows may be made in any order, in blocks of any size and by any
number of threads, and come out the same.

*Reference.* Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
"""

import math

import numpy as np

from .compiled import compiled
from .sorting import nth_smallest

__all__ = ["GOLDEN", "alias_table", "low_rank_codes", "mixed", "sample_rows", "stream"]


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""What is added to the state of a stream before each word."""


@compiled
def mixed(word):
    """Return the word with its bits mixed; a bijection of the 64-bit words."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def stream(key, index):
    """Return the starting state of the stream with this index; its words are ``mixed(state += GOLDEN)``."""
    return mixed(key + mixed((np.uint64(index) + np.uint64(1)) * GOLDEN))


@compiled
def sample_rows(
    first_row: int,
    indptr: np.ndarray,
    fixed_indptr: np.ndarray,
    fixed: np.ndarray,
    weights: np.ndarray,
    thresholds: np.ndarray,
    aliases: np.ndarray,
    key: np.uint64,
) -> np.ndarray:
    """Return for each row distinct places in ascending order, their number by its pointers.

    The places fixed for a row are taken first; the others are drawn one after the other with chances in proportion to
    the weights of those not yet taken. Most are drawn from the alias table and refused when taken already. A row that
    asks for so many places that most draws are refused gets the rest by exponential keys, which follows the same law:
    successive sampling has no memory but the set already taken.
    """
    places = np.empty(indptr[-1] - indptr[0], np.int32)
    taken = np.zeros(len(weights), np.bool_)
    for row in range(len(indptr) - 1):
        mine = places[indptr[row] - indptr[0] : indptr[row + 1] - indptr[0]]
        given = fixed[fixed_indptr[row] : fixed_indptr[row + 1]]
        mine[: len(given)] = given
        for place in given:
            taken[place] = True
        state, got = _draw(stream(key, first_row + row), len(given), mine, taken, thresholds, aliases)
        if got < len(mine):
            _fill_by_keys(state, got, mine, taken, weights)
        mine.sort()
        for place in mine:
            taken[place] = False
    return places


@compiled
def _draw(state, got, mine, taken, thresholds, aliases):
    """Draw and refuse until the row is full or the draws have cost what a pass over all places would."""
    n = np.uint64(len(taken))
    for _ in range(len(mine) + len(taken)):
        if got == len(mine):
            break
        state += GOLDEN
        word = mixed(state)
        place = np.int64(((word >> np.uint64(32)) * n) >> np.uint64(32))
        if (word & np.uint64(0xFFFFFFFF)) >= thresholds[place]:
            place = np.int64(aliases[place])
        if not taken[place]:
            taken[place] = True
            mine[got] = place
            got += 1
    return state, got


@compiled
def _fill_by_keys(state, got, mine, taken, weights):
    """Fill the row with the places of the smallest exponential keys: Efraimidis and Spirakis 2006."""
    free = np.nonzero(~taken)[0]
    keys = np.empty(len(free))
    for at in range(len(free)):
        state += GOLDEN
        unit = (np.float64(mixed(state) >> np.uint64(11)) + 1.0) * 2.0**-53  # never 0
        keys[at] = -math.log(unit) / weights[free[at]]
    last = nth_smallest(keys, len(mine) - got - 1)
    for at in range(len(free)):
        if got < len(mine) and keys[at] <= last:
            mine[got] = free[at]
            got += 1


@compiled
def alias_table(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, for positive weights, each place's threshold in units of 2⁻³² and its alias.

    A draw takes a place at random and a number below 2³²; below the threshold it is the place, else its alias.
    """
    n = len(weights)
    share = weights * (n / weights.sum())
    thresholds = np.full(n, np.uint64(1) << np.uint64(32), np.uint64)
    aliases = np.arange(n).astype(np.int32)
    small, large = np.nonzero(share < 1.0)[0], np.nonzero(share >= 1.0)[0]
    lows = np.empty(n, np.int64)  # a stack: large places that have become small are pushed on it
    n_low, n_high = len(small), len(large)
    lows[:n_low] = small
    while n_low > 0 and n_high > 0:
        low, high = lows[n_low - 1], large[n_high - 1]
        n_low -= 1
        thresholds[low] = np.uint64(share[low] * 4294967296.0)
        aliases[low] = high
        share[high] -= 1.0 - share[low]
        if share[high] < 1.0:
            n_high -= 1
            lows[n_low] = high
            n_low += 1
    return thresholds, aliases


@compiled
def low_rank_codes(
    first_row: int,
    indptr: np.ndarray,
    columns: np.ndarray,
    row_bias: np.ndarray,
    column_bias: np.ndarray,
    row_factors: np.ndarray,
    column_factors: np.ndarray,
    noise: float,
    points: int,
    key: np.uint64,
) -> np.ndarray:
    """Return for each cell its value on the points, rounded and clipped; the rows begin at ``first_row``.

    The noise of a cell is the sum of four uniform numbers, brought to mean 0 and the standard deviation asked for: near
    enough to normal, of bounded size, and of one random word.
    """
    codes = np.empty(len(columns), np.uint16)
    width = noise * np.sqrt(3.0) / 65536.0
    for row in range(len(indptr) - 1):
        state = stream(key, first_row + row)
        for at in range(indptr[row] - indptr[0], indptr[row + 1] - indptr[0]):
            column = columns[at]
            state += GOLDEN
            value = row_bias[first_row + row] + column_bias[column] + width * (_four(mixed(state)) - 131070.0)
            for factor in range(row_factors.shape[1]):
                value += row_factors[first_row + row, factor] * column_factors[column, factor]
            codes[at] = min(max(np.floor(value + 0.5), 0.0), points - 1.0)
    return codes


@compiled
def _four(word):
    """Return the sum of the four 16-bit parts of a word."""
    low = np.uint64(0xFFFF)
    parts = (word & low) + ((word >> np.uint64(16)) & low) + ((word >> np.uint64(32)) & low) + (word >> np.uint64(48))
    return np.float64(parts)
