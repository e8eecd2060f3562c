"""Chance: from the operating system unless a seed is given, and then the same every time."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import randomness as module
from shoal.randomness import Randomness

SEEDS = st.none() | st.integers(-(2**70), 2**70)


@given(seed=SEEDS, n=st.integers(0, 200))
def test_a_permutation_holds_every_number_once(seed, n):
    assert sorted(Randomness(seed).permutation(n).tolist()) == list(range(n))


@given(seed=SEEDS, n=st.integers(0, 200))
def test_pseudonyms_are_distinct_and_never_numbers(seed, n):
    names = Randomness(seed).pseudonyms(n)
    assert len(set(names)) == len(names) == n
    assert all(len(name) == 13 and name[0] == "r" and name.isalnum() and name.islower() for name in names)


@given(seed=st.integers(), other=st.integers())
def test_a_seed_repeats_and_another_seed_does_not(seed, other):
    one, again, different = Randomness(seed), Randomness(seed), Randomness(other)
    assert one.permutation(40).tolist() == again.permutation(40).tolist()
    assert one.pseudonyms(5) == again.pseudonyms(5)
    assert one.generator("draws").random() == again.generator("draws").random()
    if seed != other:
        assert one.permutation(40).tolist() != different.permutation(40).tolist()
        assert not set(one.pseudonyms(5)) & set(different.pseudonyms(5))


def test_without_a_seed_every_call_is_fresh():
    chance = Randomness()
    assert chance.permutation(40).tolist() != chance.permutation(40).tolist()
    assert not set(chance.pseudonyms(40)) & set(chance.pseudonyms(40))
    assert chance.generator("draws").random() != chance.generator("draws").random()


def test_without_a_seed_every_byte_is_asked_of_the_operating_system(monkeypatch):
    asked = []
    monkeypatch.setattr(os, "urandom", lambda n: asked.append(n) or bytes(range(256)) * (n // 256) + bytes(n % 256))
    Randomness().permutation(10)
    Randomness().words(3, "anything")
    assert asked == [80, 24]


def test_purposes_have_streams_of_their_own():
    chance = Randomness(5)
    assert chance.words(4, "order").tolist() != chance.words(4, "names").tolist()
    assert chance.generator("order").random() != chance.generator("names").random()
    permuted = np.argsort(chance.words(40, "pseudonyms:0"), kind="stable")
    assert chance.permutation(40).tolist() != permuted.tolist()


def test_a_permutation_moves_every_number_everywhere():
    """Each of 6 numbers comes to each of 6 places in about a sixth of 6,000 permutations."""
    seen = np.zeros((6, 6), np.int64)
    for seed in range(6_000):
        seen[np.arange(6), Randomness(seed).permutation(6)] += 1
    assert (abs(seen - 1_000) < 150).all()  # more than five standard deviations


def test_pseudonyms_use_all_letters_evenly():
    letters = "".join(name[1:] for name in Randomness(7).pseudonyms(8_000))
    counts = np.unique(list(letters), return_counts=True)[1]
    assert len(counts) == 32
    assert (abs(counts - 3_000) < 300).all()


def test_pseudonyms_that_coincide_are_drawn_again(monkeypatch):
    monkeypatch.setattr(module, "_PSEUDONYM_LETTERS", 1)  # 32 names: 8 of them mostly coincide, not always
    assert all(len(set(Randomness(seed).pseudonyms(8))) == 8 for seed in range(4))
    with pytest.raises(AssertionError, match="distinct"):
        Randomness(1).pseudonyms(40)


@pytest.mark.parametrize(("seed", "told"), [(None, "Randomness(system)"), (1234567, "Randomness(seeded)")])
def test_the_seed_is_not_in_the_repr(seed, told):
    assert repr(Randomness(seed)) == told
