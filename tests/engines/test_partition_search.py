"""The search for partitions never claims what is not so, whether it tries everything or not."""

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.engines import LocalEngine, judge, partition_search
from shoal.evidence import NeedPartition
from shoal.models import KEpsilon
from shoal.models.spread import Spread
from shoal.testing import ratings
from surveys import survey


@pytest.mark.parametrize("search", ["auto", "slicing", "pairwise"])
@settings(deadline=None, max_examples=40)
@given(data=ratings(max_records=8, max_sensitive=0), k=st.integers(2, 4), epsilon=st.integers(0, 3))
def test_without_trying_everything_only_real_partitions_are_claimed(search, data, k, epsilon):
    model = KEpsilon(k, Fraction(epsilon), semantics="partition")
    if len(data) < k:
        return
    need = model.need
    assert isinstance(need, NeedPartition)
    fewest = oracles.fewest_left_over(data, model)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(partition_search, "_SMALL", 0)
        verdict = judge(data, [model], LocalEngine(search=search)).verdicts[0]
        proven = LocalEngine(search=search).partition(data, need).proven
    assert verdict.violations >= fewest
    assert not (verdict.holds and fewest)
    if not verdict.holds and proven:
        assert fewest > 0, "it was called proven that there is none, and there is one"


@settings(deadline=None, max_examples=25)
@given(
    data=ratings(max_records=7, max_sensitive=2),
    k=st.integers(2, 3),
    epsilon=st.integers(0, 3),
    l=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 2)]),
)
def test_spread_is_never_claimed_where_it_is_not(data, k, epsilon, l):  # noqa: E741
    if len(data) < k or not data.has_sensitive:
        return
    model = KEpsilon(k, Fraction(epsilon), l, semantics="partition")
    fewest = oracles.fewest_left_over(data, model)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(partition_search, "_SMALL_SPREAD", 0)
        verdict = judge(data, [model], LocalEngine()).verdicts[0]
    assert verdict.violations >= fewest


def test_a_large_component_is_split_and_nobody_is_left_over():
    chance = np.random.default_rng(4)
    rows = chance.integers(1, 4, (3000, 3)).tolist()
    verdict = judge(survey(rows, 5), [KEpsilon(5, Fraction(1), semantics="partition")], LocalEngine()).verdicts[0]
    assert verdict.holds
    assert verdict.level["k"] >= 5


def test_what_is_not_found_in_a_large_component_is_not_called_impossible():
    # a chain 1–1–2–2–…: every record has two neighbors or more, yet groups of three cannot be made everywhere
    rows = [[i] for i in range(1, 41)]
    data = survey(rows, 60)
    found = judge(data, [KEpsilon(3, Fraction(1), semantics="partition")], LocalEngine()).verdicts[0]
    assert not found.holds
    assert "None exists" in found.why[0]  # the ends have one neighbor only
    pairs = judge(data, [KEpsilon(2, Fraction(1), semantics="partition")], LocalEngine()).verdicts[0]
    assert pairs.holds
    longer = survey([[i] for i in range(1, 42)], 60)  # an odd chain cannot be cut into pairs
    odd = judge(longer, [KEpsilon(2, Fraction(1), semantics="partition")], LocalEngine()).verdicts[0]
    assert (odd.holds, odd.violations) == (False, 1)
    assert "may exist" in odd.why[0]


def test_the_verdict_does_not_depend_on_the_order_of_the_file():
    chance = np.random.default_rng(8)
    rows = chance.integers(1, 6, (400, 4)).tolist()
    model = KEpsilon(3, Fraction(2), semantics="partition")
    published = set()
    for _ in range(3):
        verdict = judge(survey([rows[i] for i in chance.permutation(400)], 5), [model], LocalEngine()).verdicts[0]
        published.add((verdict.holds, verdict.violations, verdict.level["k"]))
    assert len(published) == 1


def few_questions(seed: int, people: int, questions: int) -> tuple[list[list[int]], list[int]]:
    """Answers that go by two traits, and a sensitive one, 1 or 5, that has nothing to do with them."""
    chance = np.random.default_rng(seed)
    traits, weights = chance.normal(size=(people, 2)), chance.normal(size=(2, questions))
    noise = chance.normal(size=(people, questions)) * 0.5
    answers = np.clip(np.round(3 + traits @ weights * 0.7 + noise), 1, 5).astype(int)
    return answers.tolist(), np.where(chance.random(people) < 0.5, 5, 1).tolist()


@pytest.mark.parametrize("seed", [1, 100])
def test_with_l_a_partition_is_found_in_any_order_of_the_file_and_is_one(seed):
    rows, secrets = few_questions(seed, 120, 4)
    model = KEpsilon(4, Fraction(1), Fraction(1), semantics="partition")
    need = model.need
    assert isinstance(need, NeedPartition)
    levels = set()
    for shuffle in range(6):
        order = np.random.default_rng(shuffle).permutation(120)
        data = survey([rows[i] for i in order], 5, [secrets[i] for i in order])
        verdict = judge(data, [model], LocalEngine()).verdicts[0]
        assert verdict.holds
        levels.add(tuple(verdict.level.items()))
        groups = LocalEngine().partition(data, need).best.labels
        known, hidden = oracles.profiles(data), oracles.sensitive_profiles(data)
        assert (groups >= 0).all()
        for group in set(groups.tolist()):
            members = np.flatnonzero(groups == group)
            assert len(members) >= model.k
            assert all(oracles.proximate(known[i], known[j], 1, 5) for i in members for j in members)
            assert oracles.spreads_enough([hidden[i] for i in members], model, 5)
    assert len(levels) == 1


def test_with_l_the_order_of_rows_does_not_decide_where_nothing_is_found_either():
    rows, secrets = few_questions(3, 90, 6)
    model = KEpsilon(4, Fraction(1), Fraction(1), semantics="partition")
    published = set()
    for shuffle in range(4):
        order = np.random.default_rng(shuffle).permutation(90)
        data = survey([rows[i] for i in order], 5, [secrets[i] for i in order])
        verdict = judge(data, [model], LocalEngine()).verdicts[0]
        assert not verdict.holds
        published.add((verdict.violations, tuple(verdict.level.items())))
    assert len(published) == 1


@settings(deadline=None, max_examples=40)
@given(
    data=ratings(max_records=9, max_sensitive=1),
    size=st.integers(1, 4),
    epsilon=st.integers(0, 3),
    l=st.sampled_from([None, Fraction(1, 2), Fraction(1)]),
)
def test_where_the_largest_groups_do_not_matter_a_split_is_found_all_the_same(data, size, epsilon, l):  # noqa: E741
    spread = None if l is None or not data.has_sensitive else Spread().need(l)
    plain, whole = (
        LocalEngine().partition(data, NeedPartition(Fraction(epsilon), size, spread, largest))
        for largest in (False, True)
    )
    assert plain.left_over.any() == whole.left_over.any(), "components this small are split by trying everything"
    if not plain.left_over.any():
        assert size <= plain.moments.sizes.min(initial=size) <= whole.moments.sizes.min(initial=size)


def test_a_search_in_vain_comes_to_an_end():
    """Six hundred people, nearly all near each other, in groups that spread as much as all of them: none is found."""
    chance = np.random.default_rng(1)
    rows, secrets = chance.integers(1, 6, (600, 3)).tolist(), chance.integers(1, 6, 600).tolist()
    data = survey(rows, 5, secrets)
    model = KEpsilon(142, Fraction(2), Fraction(7, 5), semantics="partition")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(partition_search, "_WEIGHED", 200_000)
        began = time.perf_counter()
        verdict = judge(data, [model], LocalEngine()).verdicts[0]
    assert not verdict.holds
    assert time.perf_counter() - began < 60, "two thousand attempts took minutes, at each size"
