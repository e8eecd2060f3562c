"""The attack exact-knowledge, against an attacker who looks at every record by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.attacks import ExactKnowledge, Exposure, attacks
from shoal.attacks.exposure import control_targets
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.models import KAnonymity, KEpsilon
from shoal.randomness import Randomness
from shoal.testing import ratings
from surveys import survey

HALVES = Scale.of(1, 5, "0.5")
CELL = st.none() | st.integers(1, 5)


def apart(one, other, r):
    """The dissimilarity of two lists of ratings, by the definition in the papers."""
    pairs = zip(one, other, strict=True)
    return max(0 if a is None and b is None else r if a is None or b is None else abs(a - b) for a, b in pairs)


def chance(known, own, records, people, tolerance, r):
    """The chance of an attacker to pick the target, and the number of candidates."""
    fitting = [row for row, record in enumerate(records) if apart(known, record, r) <= tolerance]
    candidates = sum(people[row] for row in fitting)
    if not candidates:
        return Fraction(1, sum(people)), 0
    return Fraction(own in fitting, candidates), candidates


def matrix(rows, scale, r):
    codes = [[-1 if x is None else int((Fraction(x) - 1) / scale.step) for x in row] for row in rows]
    names = Vocabulary(pl.Series([f"issue {i}" for i in range(r)], dtype=pl.String))
    return RatingMatrix.from_dense(names, np.array(codes, np.int32).reshape(len(rows), r), scale.dtype)


def exposure_of(truth, published, place, people=None, promised=(), scale=None):
    width = len(truth[0])
    whole, fine = Scale.of(1, 5), scale or Scale.of(1, 5)
    known = Ratings(Vocabulary.numbered(len(truth)), matrix(truth, whole, width), RatingMatrix.empty(len(truth)), whole)
    seen = Ratings(
        Vocabulary.numbered(len(published)),
        matrix(published, fine, width),
        RatingMatrix.empty(len(published)),
        fine,
        None if people is None else np.array(people, np.int64),
    )
    return Exposure(known, seen, np.array(place, np.int64), promised)


@st.composite
def releases(draw):
    """People and the records, on a finer scale, that stand for some of them; some people are withheld."""
    width = draw(st.integers(1, 3))
    truth = draw(st.lists(st.tuples(*[CELL] * width), min_size=1, max_size=6))
    cell = st.none() | st.sampled_from([Fraction(i, 2) for i in range(2, 11)])
    published = draw(st.lists(st.tuples(*[cell] * width) | st.sampled_from(truth), min_size=1, max_size=5))
    place = draw(st.lists(st.integers(-1, len(published) - 1), min_size=len(truth), max_size=len(truth)))
    people = draw(st.lists(st.integers(1, 3), min_size=len(published), max_size=len(published)))
    return truth, published, place, people


@settings(max_examples=150)
@given(releases(), st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(4, 5), Fraction(3), Fraction(9, 2)]))
def test_every_figure_is_that_of_an_attacker_by_hand(release, tolerance):
    truth, published, place, people = release
    targets = [person for person, row in enumerate(place) if row >= 0]
    exposure = exposure_of(truth, published, place, people, scale=HALVES)
    attack = ExactKnowledge(tolerance)
    if not targets:
        assert attack.misfit(exposure) is not None
        return
    outcome = attack._run(exposure, Randomness(3))
    r = Fraction(9, 2)  # on 1, 1.5, …, 5 a rating is a step more from none than from any other
    expected = [chance(truth[t], place[t], published, people, tolerance, r) for t in targets]
    assert outcome.main == pytest.approx([float(hit) for hit, _ in expected])
    assert outcome.baseline == pytest.approx(1 / sum(people))
    generator = Randomness(3).generator("exact-knowledge")
    others = control_targets(np.arange(len(targets)), generator)
    control = [
        chance(truth[targets[other]], place[t], published, people, tolerance, r)
        for other, t in zip(others, targets, strict=True)
    ]
    assert outcome.control == pytest.approx([float(hit) for hit, _ in control])
    at = {0: "0", Fraction(1, 2): "0_5", Fraction(4, 5): "0_8", 3: "3", Fraction(9, 2): "4_5"}[tolerance]
    counted = [candidates for _, candidates in expected]
    assert outcome.details[f"candidates_at_{at}"] == pytest.approx(sum(counted) / len(counted))
    assert outcome.details[f"share_without_candidates_at_{at}"] == pytest.approx(counted.count(0) / len(counted))
    changes = [apart(truth[t], published[place[t]], r) for t in targets]
    assert outcome.details["largest_change"] == float(max(changes))


@settings(max_examples=100)
@given(releases(), st.integers(2, 4), st.sampled_from([Fraction(0), Fraction(1), Fraction(3, 2)]))
def test_who_is_found_among_fewer_than_k_is_counted_at_every_tolerance(release, k, epsilon):
    truth, published, place, people = release
    targets = [person for person, row in enumerate(place) if row >= 0]
    if not targets:
        return
    promised = (KEpsilon(k, epsilon), KAnonymity(7)) if epsilon else (KAnonymity(k),)
    outcome = ExactKnowledge()._run(exposure_of(truth, published, place, people, promised, HALVES), Randomness(1))
    r = Fraction(9, 2)
    tried = {"0": Fraction(0), "1": Fraction(1), "1_5": Fraction(3, 2)}
    best = Fraction(0)
    for at, tolerance in tried.items():
        if tolerance > epsilon:
            assert f"success_at_{at}" not in outcome.details
            continue
        found = [chance(truth[t], place[t], published, people, tolerance, r) for t in targets]
        success = sum(hit for hit, _ in found) / len(targets)
        best = max(best, success)
        few = sum(hit > 0 and 0 < candidates < k for hit, candidates in found) / len(targets)
        assert outcome.details[f"success_at_{at}"] == pytest.approx(float(success))
        assert outcome.details[f"share_found_among_fewer_than_k_at_{at}"] == pytest.approx(few)
    assert outcome.main.mean() == pytest.approx(float(best))
    safe = [
        chance(truth[t], place[t], published, people, apart(truth[t], published[place[t]], r) + epsilon, r)
        for t in targets
    ]
    few = sum(candidates < k for _, candidates in safe) / len(targets)
    assert outcome.details["share_found_among_fewer_than_k_at_change_plus_epsilon"] == pytest.approx(few)


@settings(max_examples=60)
@given(ratings(min_records=2, max_sensitive=0), st.data())
def test_a_kept_promise_leaves_nobody_among_fewer_than_k_who_allows_for_the_change_plus_epsilon(data, draw):
    epsilon = draw.draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(30)]))
    promise = KEpsilon(2, epsilon)
    if not judge(data, [promise], LocalEngine()).verdicts[0].holds:
        return
    rows = np.array(draw.draw(st.permutations(range(len(data)))))  # other people's ratings: truths far from the records
    exposure = Exposure(data.take(rows), data, np.arange(len(data)), (promise,))
    details = ExactKnowledge()._run(exposure, Randomness(1)).details
    assert details["share_found_among_fewer_than_k_at_change_plus_epsilon"] == 0


def test_the_example_of_the_papers_is_isolated_by_exact_knowledge_and_not_with_epsilon():
    pair = survey([[1, None, 5], [2, None, 6]], r=6)
    found = ExactKnowledge().run(Exposure.of_itself(pair, promises=(KEpsilon(2, Fraction(1)),)), Randomness(1))
    assert found.main == 1
    assert found.baseline == 0.5
    assert found.details == {
        "success_at_0": 1,
        "candidates_at_0": 1,
        "share_without_candidates_at_0": 0,
        "share_found_among_fewer_than_k_at_0": 1,
        "success_at_1": 0.5,
        "candidates_at_1": 2,
        "share_without_candidates_at_1": 0,
        "share_found_among_fewer_than_k_at_1": 0,
        "share_found_among_fewer_than_k_at_change_plus_epsilon": 0,
        "best_tolerance": 0,
        "largest_change": 0,
    }


def test_an_attacker_who_fits_only_others_is_wrong_and_without_candidates_guesses():
    exposure = exposure_of([[1], [2], [5]], [[2], [4], [4]], [0, 1, 2])
    # the first knows 1, which nobody has; the second knows 2, which is the first one's; the third knows 5
    assert ExactKnowledge(Fraction(0))._run(exposure, Randomness(1)).main.tolist() == [1 / 3, 0, 1 / 3]
    # within 1: the record 2 for the first; again that of the first for the second; and two records, one of them right
    assert ExactKnowledge(Fraction(1))._run(exposure, Randomness(1)).main.tolist() == [1, 0, 0.5]


def test_a_tolerance_that_reaches_from_a_rating_to_none_reaches_everybody():
    exposure = exposure_of([[1, None], [5, 5]], [[None, None], [1, 1]], [0, 1])
    assert ExactKnowledge(Fraction(5))._run(exposure, Randomness(1)).main.tolist() == [0.5, 0.5]
    assert ExactKnowledge(Fraction(499, 100))._run(exposure, Randomness(1)).main.tolist() == [0.5, 1]
    assert ExactKnowledge(Fraction(10) ** 30)._run(exposure, Randomness(1)).details["success_at_5"] == 0.5


def test_long_scales_are_tried_at_a_few_tolerances_from_0_to_epsilon():
    exposure = replace(
        Exposure.of_itself(survey([[1], [90]], r=100)), promises=(KEpsilon(2, Fraction(95)), KEpsilon(5, Fraction(1)))
    )
    details = ExactKnowledge().run(exposure, Randomness(1)).details
    tried = [float(name.removeprefix("success_at_")) for name in details if name.startswith("success_at_")]
    assert tried == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95]
    assert details["share_found_among_fewer_than_k_at_80"] == 1
    assert details["share_found_among_fewer_than_k_at_90"] == 0


def test_an_epsilon_beyond_the_scale_is_tried_up_to_where_everybody_fits():
    exposure = replace(Exposure.of_itself(survey([[1], [2]], r=2)), promises=(KEpsilon(2, Fraction(10) ** 40),))
    details = ExactKnowledge().run(exposure, Randomness(1)).details
    assert [details[f"candidates_at_{tolerance}"] for tolerance in (0, 1, 2)] == [1, 2, 2]
    assert "candidates_at_3" not in details


def test_so_many_targets_are_drawn():
    exposure = Exposure.of_itself(survey([[i % 5 + 1, None] for i in range(9)], r=5))
    assert ExactKnowledge(targets=4).run(exposure, Randomness(1)).targets == 4
    assert ExactKnowledge.usual(exposure) == (ExactKnowledge(),)


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(WordingError, match="at least 0"):
        ExactKnowledge(Fraction(-1))
    assert attacks.read("exact-knowledge:tolerance=1/2") == ExactKnowledge(0.5)  # pyright: ignore[reportArgumentType]
    hidden = survey([[1], [2]], r=5)
    hidden = replace(hidden, observable=RatingMatrix.empty(2), sensitive=hidden.observable)
    assert ExactKnowledge().misfit(Exposure.of_itself(hidden)) == "No item is observable."
