"""Chance: from the operating system, or from a seed and a secret, and then the same every time."""

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
    names = Randomness(seed).pseudonyms(n).astype(str).tolist()
    assert len(set(names)) == len(names) == n
    assert names == sorted(names)
    assert all(len(name) == 13 and name[0] == "r" and name.isalnum() and name.islower() for name in names)


@given(seed=st.integers(), other=st.integers())
def test_a_seed_repeats_and_another_seed_does_not(seed, other):
    one, again, different = Randomness(seed), Randomness(seed), Randomness(other)
    assert one.permutation(40).tolist() == again.permutation(40).tolist()
    assert one.pseudonyms(5).tolist() == again.pseudonyms(5).tolist()
    assert one.generator("draws").random() == again.generator("draws").random()
    if seed != other:
        assert one.permutation(40).tolist() != different.permutation(40).tolist()
        assert not set(one.pseudonyms(5).tolist()) & set(different.pseudonyms(5).tolist())


def test_without_a_seed_every_call_is_fresh():
    chance = Randomness()
    assert chance.permutation(40).tolist() != chance.permutation(40).tolist()
    assert not set(chance.pseudonyms(40).tolist()) & set(chance.pseudonyms(40).tolist())
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
    letters = "".join(name[1:] for name in Randomness(7).pseudonyms(8_000).astype(str))
    counts = np.unique(list(letters), return_counts=True)[1]
    assert len(counts) == 32
    assert (abs(counts - 3_000) < 300).all()


def test_pseudonyms_that_coincide_are_drawn_again(monkeypatch):
    monkeypatch.setattr(module, "_PSEUDONYM_LETTERS", 1)  # 32 names: 8 of them mostly coincide, not always
    assert all(len(set(Randomness(seed).pseudonyms(8).tolist())) == 8 for seed in range(4))
    with pytest.raises(AssertionError, match="distinct"):
        Randomness(1).pseudonyms(40)


@pytest.mark.parametrize(
    ("seed", "secret", "published"),
    [
        (None, None, "Randomness(system)"),
        (1234567, None, "Randomness(seeded)"),
        (None, b"s" * 32, "Randomness(secret)"),
        (1234567, b"s" * 32, "Randomness(secret)"),
    ],
)
def test_neither_seed_nor_secret_is_in_the_repr(seed, secret, published):
    assert repr(Randomness(seed, secret)) == published


SECRETS = st.binary(min_size=32, max_size=32)


@given(seed=SEEDS, secret=SECRETS, other=SECRETS)
def test_a_secret_makes_another_stream_of_the_same_seed(seed, secret, other):
    one, again, without = Randomness(seed, secret), Randomness(seed, secret), Randomness(seed)
    assert one.words(4, "draws").tolist() == again.words(4, "draws").tolist()
    assert one.words(4, "draws").tolist() != without.words(4, "draws").tolist()
    if secret != other:
        assert one.words(4, "draws").tolist() != Randomness(seed, other).words(4, "draws").tolist()


@given(seed=SEEDS)
def test_a_secret_is_drawn_where_there_is_none(seed):
    one, other = Randomness(seed).with_secret(), Randomness(seed).with_secret()
    assert one.secret != other.secret
    assert one.with_secret() is one
    assert one.words(4, "draws").tolist() != other.words(4, "draws").tolist()
    assert one.words(4, "draws").tolist() == Randomness(seed, one.secret).words(4, "draws").tolist()


@given(seed=SEEDS, secret=SECRETS, content=st.binary(), other=st.binary())
def test_chance_that_is_bound_to_content_is_another_for_other_content(seed, secret, content, other):
    chance = Randomness(seed, secret)
    drawn = [each.words(4, "draws").tolist() for each in (chance, chance.bound_to(content), chance.bound_to(other))]
    assert drawn[0] != drawn[1]
    assert (drawn[1] == drawn[2]) == (content == other)


@pytest.mark.parametrize("secret", [b"", b"s" * 31, b"s" * 33])
def test_a_secret_of_another_length_is_refused(secret):
    with pytest.raises(ValueError, match="32 bytes"):
        Randomness(1, secret)
    with pytest.raises(ValueError, match="only a secret"):
        Randomness(1).bound_to(b"content")
