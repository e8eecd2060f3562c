"""The kernels behind generated ratings against plain twins that share no code with them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.sampling import alias_table, low_rank_codes, mixed, sample_rows, stream

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
words = st.integers(0, MASK)
positive_weights = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=40)


def plain(kernel):
    """The kernel as Python runs it; there, words that wrap around warn."""

    def run(*arguments):
        with np.errstate(over="ignore"):
            return kernel.py_func(*arguments)

    return run


BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, plain], ids=["compiled", "plain"])


def plain_mixed(word: int) -> int:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def plain_words(key: int, index: int):
    state = plain_mixed((key + plain_mixed((index + 1) * GOLDEN & MASK)) & MASK)
    while True:
        state = (state + GOLDEN) & MASK
        yield plain_mixed(state)


def plain_sample(key: int, row: int, count: int, fixed: list[int], weights: np.ndarray) -> list[int]:
    """Draw by the alias table while draws last, then by the smallest exponential keys."""
    thresholds, aliases = (array.tolist() for array in alias_table(weights))
    n, source, taken = len(weights), plain_words(key, row), list(fixed)
    for _ in range(count + n):
        if len(taken) == count:
            return sorted(taken)
        word = next(source)
        place = (word >> 32) * n >> 32
        place = place if word & 0xFFFFFFFF < thresholds[place] else aliases[place]
        if place not in taken:
            taken.append(place)
    keys = [
        (-math.log(((next(source) >> 11) + 1) * 2.0**-53) / weights[place], place)
        for place in range(n)
        if place not in taken
    ]
    return sorted(taken + [place for _, place in sorted(keys)[: count - len(taken)]])


@BOTH
@given(word=words)
def test_mixing_a_word_follows_splitmix64(run, word):
    assert int(run(mixed)(np.uint64(word))) == plain_mixed(word)


def test_the_words_of_splitmix64_are_the_published_ones():
    # the first two words of the reference implementation for the seed 1234567
    states = [(1234567 + step * GOLDEN) & MASK for step in (1, 2)]
    assert [int(mixed(np.uint64(state))) for state in states] == [6457827717110365317, 3203168211198807973]


@BOTH
@given(key=words, index=st.integers(0, 2**40))
def test_a_stream_starts_where_its_twin_does(run, key, index):
    state = int(run(stream)(np.uint64(key), index))
    assert plain_mixed((state + GOLDEN) & MASK) == next(plain_words(key, index))


@BOTH
@given(weights=positive_weights)
def test_an_alias_table_gives_each_place_its_weight(run, weights):
    thresholds, aliases = run(alias_table)(np.array(weights))
    n = len(weights)
    shares = [Fraction(0)] * n
    for place in range(n):
        own = Fraction(int(thresholds[place]), 2**32)
        assert 0 <= own <= 1
        shares[place] += own / n
        shares[aliases[place]] += (1 - own) / n
    assert sum(shares) == 1
    assert np.allclose([float(share) for share in shares], np.array(weights) / sum(weights), rtol=1e-6, atol=1e-8)


@given(weights=positive_weights, key=words, data=st.data())
def test_sampled_rows_are_those_of_the_plain_twin(weights, key, data):
    n = len(weights)
    counts = data.draw(st.lists(st.integers(1, n), min_size=1, max_size=5))
    dealt = [data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=count)) for count in counts]
    first, start = data.draw(st.integers(0, 10**6)), data.draw(st.integers(0, 10**6))
    indptr = start + np.cumsum([0, *counts])
    fixed_indptr = np.cumsum([0, *map(len, dealt)])
    fixed = np.array([place for row in dealt for place in row], np.int32)
    array = np.array(weights)
    found = sample_rows(first, indptr, fixed_indptr, fixed, array, *alias_table(array), np.uint64(key))
    expected = [
        plain_sample(key, first + row, *what, array) for row, what in enumerate(zip(counts, dealt, strict=True))
    ]
    assert found.tolist() == [place for row in expected for place in row]


@pytest.mark.parametrize("weight", [1.0, 1e4])  # drawn from the alias table, and by exponential keys for the most part
def test_successive_samples_have_the_chances_of_their_law(weight):
    rows, weights = 20_000, np.array([weight, 3.0, 2.0, 1.0])
    indptr, none = np.arange(0, 3 * rows + 1, 3), np.zeros(rows + 1, np.int64)
    found = sample_rows(0, indptr, none, np.zeros(0, np.int32), weights, *alias_table(weights), np.uint64(9))
    left_out = np.bincount(6 - found.reshape(rows, 3).sum(axis=1), minlength=4) / rows
    expected = [chance_of_being_last(place, weights.tolist()) for place in range(4)]
    assert np.allclose(left_out, expected, atol=4 * math.sqrt(0.25 / rows))


def chance_of_being_last(place: int, weights: list[float]) -> float:
    """Follow every order of drawing."""

    def follow(left: frozenset[int]) -> float:
        if left == {place}:
            return 1.0
        total = sum(weights[one] for one in left)
        return sum(weights[one] / total * follow(left - {one}) for one in left if one != place)

    return follow(frozenset(range(len(weights))))


@given(
    key=words,
    first=st.integers(0, 3),
    points=st.integers(2, 2000),
    noise=st.floats(0, 300),
    seed=st.integers(0, 2**32 - 1),
)
def test_codes_are_those_of_the_plain_twin(key, first, points, noise, seed):
    chance = np.random.default_rng(seed)
    rows, columns, factors = 4, 6, 3
    biases = chance.normal(points / 2, points / 3, first + rows), chance.normal(0, 1, columns)
    products = chance.normal(0, 1, (first + rows, factors)), chance.normal(0, 1, (columns, factors))
    indptr = 10 + np.array([0, 2, 2, 5, 9])
    cells = chance.integers(0, columns, 9).astype(np.int32)
    found = low_rank_codes(first, indptr, cells, *biases, *products, noise, points, np.uint64(key))
    expected = []
    for row in range(rows):
        source = plain_words(key, first + row)
        for cell in cells[indptr[row] - 10 : indptr[row + 1] - 10]:
            word = next(source)
            four = sum((word >> shift) & 0xFFFF for shift in (0, 16, 32, 48))
            value = biases[0][first + row] + biases[1][cell] + noise * math.sqrt(3) / 65536 * (four - 131070)
            for one, other in zip(products[0][first + row], products[1][cell], strict=True):
                value += one * other
            expected.append(min(max(math.floor(value + 0.5), 0), points - 1))
    assert found.tolist() == expected


def test_the_noise_of_codes_has_the_deviation_asked_for():
    cells, flat = np.zeros(100_000, np.int32), np.zeros((1, 1))
    codes = low_rank_codes(
        0, np.array([0, 100_000]), cells, np.array([500.0]), np.zeros(1), flat, flat, 80.0, 1001, np.uint64(5)
    )
    assert abs(codes.mean() - 500) < 1.5
    assert abs(codes.std() - 80) < 1
