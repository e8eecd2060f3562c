"""The attack profile-homogeneity, against somebody who goes through all records for each person."""

from collections import Counter
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
from attack_releases import FINE, fitting, ratings_of, releases
from shoal.attacks import Exposure, Label, ProfileHomogeneity, Structure, attacks
from shoal.attacks.known_items import profile_homogeneity
from shoal.attacks.known_items.background_knowledge import KnownItems
from shoal.datasets import load
from shoal.errors import WordingError
from shoal.models import BLDiversity, KAnonymity
from shoal.randomness import Randomness

TOLERANCES = st.none() | st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(9)])
ATTACKS = st.builds(
    ProfileHomogeneity,
    items=st.integers(1, 3),
    outside_top=st.integers(0, 2),
    targets=st.none() | st.integers(1, 5),
    tolerance=TOLERANCES,
    learns=st.sampled_from(["profile", "rating"]),
)


def watched(attack, exposure, seed=0):
    """The finding, and for each person the known items with their true ratings, and the item that is sought."""
    drawn, sought, profiles = [], [], oracles.profiles(exposure.truth)
    candidates, read = profile_homogeneity.CandidateProfiles, profile_homogeneity.SoughtRating.read

    def remember(exposure, known, tolerance):
        drawn.append(known)
        return candidates(exposure, known, tolerance)

    def remember_sought(exposure, entries):
        sought.append(entries)
        return read(exposure, entries)

    with (
        mock.patch.object(profile_homogeneity, "CandidateProfiles", remember),
        mock.patch.object(profile_homogeneity.SoughtRating, "read", remember_sought),
    ):
        finding = attack.run(exposure, Randomness(seed))
    items = exposure.truth.observable.indices
    known = {
        person: {item: profiles[person][item] for item in items[line].tolist()}
        for person, line in zip(drawn[0].targets.tolist(), drawn[0].entries, strict=True)
    }
    hidden = dict(zip(known, items[sought[0]].tolist() if sought else [-1] * len(known), strict=True))
    return finding, known, hidden


def likeliest(weights: Counter, truth, otherwise: float) -> float:
    """The chance that one drawn of the most frequent is the truth; ``otherwise`` if there is nothing to draw from."""
    most = max(weights.values(), default=None)
    best = [each for each, weight in weights.items() if weight == most]
    return (truth in best) / len(best) if best else otherwise


def profiles_among(exposure, rows) -> Counter:
    seen, people = oracles.profiles(exposure.seen), exposure.people.tolist()
    weights = Counter()
    for row in rows:
        weights[seen[row]] += people[row]
    return weights


def rounded(rating: Fraction, scale) -> Fraction:
    steps = (rating - scale.lowest) / scale.step
    return scale.lowest + ((2 * steps + 1) // 2) * scale.step


def ratings_among(exposure, rows, item) -> Counter:
    seen, people = oracles.profiles(exposure.seen), exposure.people.tolist()
    weights = Counter()
    for row in rows:
        if seen[row][item] is not None:
            weights[rounded(seen[row][item], exposure.truth.scale)] += people[row]
    return weights


def chance(exposure, attack, person, ratings, item) -> tuple[float, float]:
    """The chance with what is known, and that of guessing."""
    everybody, rows = range(len(exposure.seen)), fitting(exposure, ratings, attack.tolerance)
    if attack.learns == "profile":
        own = oracles.profiles(exposure.seen)[exposure.place[person]]
        guess = likeliest(profiles_among(exposure, everybody), own, 0.0)
        return likeliest(profiles_among(exposure, rows), own, guess), guess
    own = oracles.profiles(exposure.truth)[person][item]
    guess = likeliest(ratings_among(exposure, everybody, item), own, 1 / exposure.truth.scale.points)
    return likeliest(ratings_among(exposure, rows, item), own, guess), guess


@given(releases(), ATTACKS, st.integers(0, 9))
def test_success_is_that_of_naming_what_most_who_fit_have(exposure, attack, seed):
    assume(attack.misfit(exposure) is None)
    finding, known, hidden = watched(attack, exposure, seed)
    assert all(hidden[person] not in ratings for person, ratings in known.items())
    chances = [chance(exposure, attack, person, ratings, hidden[person]) for person, ratings in known.items()]
    main, guess = np.mean(chances, axis=0)
    assert (finding.main, finding.baseline) == (pytest.approx(main), pytest.approx(guess))
    assert finding.targets == len(known)


@given(releases(), ATTACKS, st.integers(0, 9))
def test_profiles_and_ratings_that_all_who_fit_share_are_counted(exposure, attack, seed):
    assume(attack.misfit(exposure) is None)
    finding, known, hidden = watched(attack, exposure, seed)
    seen = oracles.observable(exposure.seen)
    fits = {person: fitting(exposure, ratings, attack.tolerance) for person, ratings in known.items()}
    different = {person: {seen[row] for row in rows} for person, rows in fits.items()}
    there = {person: exposure.place[person] in rows for person, rows in fits.items()}
    expected = {
        "profile_identified": np.mean([there[person] and len(different[person]) == 1 for person in known]),
        "among_candidates": np.mean(list(there.values())),
        "without_candidates": np.mean([not rows for rows in fits.values()]),
        "average_profiles": np.mean([len(each) for each in different.values()]),
        "fewest_profiles": min([len(different[person]) for person in known if there[person]], default=len(set(seen))),
    }
    if attack.learns == "rating":
        published = {person: {seen[row][hidden[person]] for row in rows} for person, rows in fits.items()}
        shared = {
            person: there[person] and len(published[person]) == 1 and None not in published[person] for person in known
        }
        true = oracles.profiles(exposure.truth)
        right = [
            shared[person] and rounded(min(published[person]), exposure.truth.scale) == true[person][hidden[person]]
            for person in known
        ]
        expected |= {
            "rating_shared": np.mean(list(shared.values())),
            "rating_shared_and_true": np.mean(right),
            "rating_not_held": np.mean([published[person] <= {None} for person in known]),
        }
    assert finding.details == pytest.approx(expected)


@settings(max_examples=40)
@given(releases(), ATTACKS, st.integers(0, 9))
def test_the_control_knows_what_is_true_of_another(exposure, attack, seed):
    """With two targets the other is the only one there is."""
    assume(attack.misfit(exposure) is None)
    finding, known, hidden = watched(attack, exposure, seed)
    assume(len(known) <= 2)
    pairs = zip(known, reversed(known), strict=True)
    chances = [chance(exposure, attack, one, known[other], hidden[one])[0] for one, other in pairs]
    assert finding.control == pytest.approx(np.mean(chances))


@settings(max_examples=40)
@given(releases(), st.integers(1, 3), TOLERANCES, st.integers(2, 4), st.integers(0, 9))
def test_copies_of_everybody_protect_from_being_found_and_not_from_this(exposure, items, tolerance, k, seed):
    """Everybody's record is published k times, as k-anonymity has it: what is learned of profiles stays the same."""
    attack = ProfileHomogeneity(items, tolerance=tolerance)
    assume(attack.misfit(exposure) is None)
    seen = exposure.seen.of_each(np.tile(np.arange(len(exposure.seen)), k))
    seen_once = exposure.seen.of_each(np.arange(len(exposure.seen)))
    once, often = (Exposure(exposure.truth, each, exposure.place) for each in (seen_once, seen))
    before, after = (attack.run(each, Randomness(seed)) for each in (once, often))
    assert (after.main, after.baseline, after.control) == pytest.approx((before.main, before.baseline, before.control))
    assert after.details == before.details
    finder = Structure(items) if tolerance is None else Label(items, tolerance=tolerance)
    assert finder.run(often, Randomness(seed)).main <= 1 / k + 1e-12


@settings(max_examples=40)
@given(releases(), st.integers(1, 3), TOLERANCES, st.integers(0, 9))
def test_where_everybody_has_another_profile_this_is_finding_a_record(exposure, items, tolerance, seed):
    different = Exposure.of_itself(ratings_of(sorted(set(oracles.observable(exposure.truth)), key=str)))
    attack = ProfileHomogeneity(items, tolerance=tolerance)
    assume(attack.misfit(different) is None)
    finder = Structure(items) if tolerance is None else Label(items, tolerance=tolerance)
    found, learned = (each.run(different, Randomness(seed)) for each in (finder, attack))
    assert (learned.main, learned.baseline) == pytest.approx((found.main, found.baseline))
    assert learned.details["profile_identified"] == found.details["singled_out"]


@settings(max_examples=60)
@given(releases(), st.integers(1, 3), st.integers(1, 3), st.integers(0, 9))
def test_b_l_diversity_leaves_l_profiles_to_whoever_knows_b_items(exposure, b, items, seed):
    raw = Exposure.of_itself(exposure.truth)
    attack = ProfileHomogeneity(items)
    assume(items <= b and attack.misfit(raw) is None)
    fewest = min(oracles.fewest_profiles(oracles.observable(raw.truth), b))
    assert attack.run(raw, Randomness(seed)).details["fewest_profiles"] >= fewest


# ── the example of the paper ──────────────────────────────────────────────────────────────────────────────────────


def learned(exposure, person, ratings, tolerance=None):
    """How surely the profile of a person is learned by what is known of some of their items, and its figures."""
    truth = exposure.truth.observable
    row = exposure.truth.users.values.to_list().index(person)
    places = [
        place
        for place in range(truth.indptr[row], truth.indptr[row + 1])
        if truth.items.values[int(truth.indices[place])] in ratings
    ]
    assert len(places) == len(ratings), "they rated what is known"
    known = KnownItems(np.array([row]), np.array([places]))
    profiles = profile_homogeneity.CandidateProfiles(exposure, known, tolerance)
    return float(profiles.chances(np.array([0]))[0]), profiles.details()


ORIGINAL = Exposure.of_itself(load("review-graph-1a"))
RELEASED = Exposure(load("review-graph-1a"), load("review-graph-1b"), np.arange(4))


@pytest.mark.parametrize(
    ("person", "known", "tolerance"),
    [
        ("0004", ["Pretty in Pink"], None),  # Alice, Section 1.1
        ("0002", ["Godfather", "English Patient"], None),  # Ben, Figure 2(a)
        ("0003", ["English Patient"], 0),  # Tim, Figure 2(b)
    ],
)
def test_the_three_of_the_paper_are_found_in_figure_1a_and_their_profiles_learned_from_1b(person, known, tolerance):
    assert learned(ORIGINAL, person, known, tolerance)[0] == 1
    chance, figures = learned(RELEASED, person, known, tolerance)
    assert (chance, figures["profile_identified"], figures["fewest_profiles"]) == (1, 1, 1)


def test_an_item_that_both_groups_of_figure_1b_have_identifies_no_profile():
    for person, item in (("0003", "English Patient"), ("0002", "English Patient"), ("0004", "Star Wars")):
        chance, figures = learned(RELEASED, person, [item])
        assert (chance, figures["profile_identified"], figures["fewest_profiles"]) == (1 / 2, 0, 2)


def test_figure_1b_is_2_anonymous_and_not_1_2_diverse():
    released = load("review-graph-1b")
    assert oracles.holds(released, KAnonymity(2))
    assert not oracles.holds(released, BLDiversity(1, 2))
    finding = ProfileHomogeneity(items=1).run(RELEASED, Randomness(1))
    assert finding.details["fewest_profiles"] == 1
    assert Structure(items=1).run(RELEASED, Randomness(1)).main <= 1 / 2


def test_figure_1b_averages_the_ratings_that_the_users_of_a_group_gave():
    before, after = (oracles.observable(load(f"review-graph-1{part}")) for part in "ab")
    for group in ((0, 1), (2, 3)):
        for item in range(4):
            given_ones = [before[row][item] for row in group if before[row][item] is not None]
            average = sum(given_ones) / len(given_ones) if given_ones else None
            assert [after[row][item] for row in group] == [average, average]


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_rating_that_all_who_fit_share_is_learned_though_their_profiles_differ():
    rows = [(5, 4, 1), (5, 4, 2), (1, 2, 3), (1, 2, 3)]
    exposure = Exposure.of_itself(ratings_of(rows))
    known = KnownItems(np.array([0]), np.array([[0]]))
    profiles = profile_homogeneity.CandidateProfiles(exposure, known, 0)
    sought = profile_homogeneity.SoughtRating.read(exposure, np.array([1]))
    found = profiles.ratings(sought, np.array([0]))
    assert profiles.details()["fewest_profiles"] == 2
    assert (found.shared[0], found.chances(0.0)[0], profiles.guessed_ratings(sought)[0]) == (True, 1, 1 / 2)


def test_a_published_rating_is_read_as_the_nearest_that_could_be_given():
    truth = ratings_of([(3, 4), (5, 4)])
    seen = ratings_of([(3, Fraction(7, 2)), (5, Fraction(7, 2))], FINE)
    finding = ProfileHomogeneity(items=1, learns="rating").run(Exposure(truth, seen, np.arange(2)), Randomness(2))
    assert finding.details["rating_shared"] >= finding.details["rating_shared_and_true"]
    sought = profile_homogeneity.SoughtRating.read(Exposure(truth, seen, np.arange(2)), np.array([1]))
    known = KnownItems(np.array([0]), np.array([[0]]))
    profiles = profile_homogeneity.CandidateProfiles(Exposure(truth, seen, np.arange(2)), known, None)
    assert profiles.ratings(sought, np.array([0])).chances(0.0)[0] == 1


def test_odd_settings_are_refused():
    for odd in ("items=0", "outside_top=-1", "targets=0", "tolerance=-1", "learns=income"):
        with pytest.raises(WordingError, match="profile-homogeneity"):
            attacks.read(f"profile-homogeneity:{odd}")


def test_whoever_seeks_a_rating_needs_one_more_item():
    exposure = Exposure.of_itself(ratings_of([(5, 1), (5, 2)]))
    assert ProfileHomogeneity(items=2).misfit(exposure) is None
    reason = ProfileHomogeneity(items=2, learns="rating").misfit(exposure)
    assert reason == "Nobody who is published rated 3 items."


def test_a_sentence_says_what_is_known_and_what_is_sought():
    assert ProfileHomogeneity(items=1).meaning == (
        "Knows 1 item that a person rated, but not the ratings, and takes the profile that most of the matching people "
        "have in common to be the person's."
    )
    within = ProfileHomogeneity(tolerance=Fraction(1, 2), learns="rating", outside_top=500).meaning
    assert "4 items outside the 500 most rated" in within
    assert "each rating within 0.5, and takes the rating of one more item" in within
    assert "with the exact ratings" in ProfileHomogeneity(tolerance=Fraction(0)).meaning


def test_usual_are_profiles_by_items_and_profiles_and_ratings_within_a_step():
    fine = Exposure.of_itself(ratings_of([(1,)] * 3, FINE))
    step = Fraction(1, 2)
    assert ProfileHomogeneity.usual(fine) == (
        ProfileHomogeneity(),
        ProfileHomogeneity(tolerance=step),
        ProfileHomogeneity(tolerance=step, learns="rating"),
    )
    assert ProfileHomogeneity.usual(Exposure.of_itself(load("thesis-2.1"))) == (ProfileHomogeneity(),)
