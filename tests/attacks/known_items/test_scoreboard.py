"""The attack scoreboard, against an attacker who scores every record by hand."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracles
from shoal.attacks import Exposure, Scoreboard
from shoal.attacks.known_items.background_knowledge import (
    BackgroundKnowledge,
    KnownItems,
    perturbed_knowledge,
    rows_with_enough_ratings,
)
from shoal.attacks.known_items.scored_candidates import ScoredCandidates, inferred_rating_errors
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import WordingError
from shoal.io import read
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY
from shoal.randomness import Randomness

ITEMS, FINE = 5, Scale.of(1, 5, "0.5")
CELL = st.none() | st.integers(1, 5)
PROFILE = st.tuples(*[CELL] * ITEMS)
HALVES = st.tuples(*[st.none() | st.integers(2, 10).map(lambda twice: Fraction(twice, 2))] * ITEMS)


def ratings_of(rows, scale=None, people=None):
    scale = scale or Scale.of(1, 5)
    codes = [[-1 if x is None else int((Fraction(x) - scale.lowest) / scale.step) for x in row] for row in rows]
    items = Vocabulary(pl.Series([f"item {i}" for i in range(ITEMS)]))
    matrix = RatingMatrix.from_dense(items, np.array(codes, np.int32).reshape(len(rows), ITEMS), scale.dtype)
    users = Vocabulary.numbered(len(rows))
    several = None if people is None else np.array(people, np.int64)
    return Ratings(users, matrix, RatingMatrix.empty(len(rows), scale.dtype), scale, several)


@st.composite
def releases(draw, min_seen=1):
    """Raw ratings, or profiles on a finer scale that stand for several people, some of whom are withheld."""
    truth = ratings_of(draw(st.lists(PROFILE, min_size=1, max_size=6)))
    if draw(st.booleans()):
        return Exposure.of_itself(truth)
    seen = draw(st.lists(HALVES, min_size=min_seen, max_size=4))
    people = draw(st.lists(st.integers(1, 3), min_size=len(seen), max_size=len(seen)))
    place = draw(st.lists(st.integers(-1, len(seen) - 1), min_size=len(truth), max_size=len(truth)))
    return Exposure(truth, ratings_of(seen, FINE, people), np.array(place))


def candidates_of(exposure, dates=None):
    """Profiles that differ, with their dates if there are any, and how many people are behind each."""
    rows = oracles.profiles(exposure.seen)
    keys = [(row, None if dates is None else tuple(dates[i])) for i, row in enumerate(rows)]
    behind = Counter()
    for key, many in zip(keys, exposure.people.tolist(), strict=True):
        behind[key] += many
    return keys, behind


def scores_of(behind, line):
    """The score of every candidate against a line of (item, rating, day); a day is None where none is known."""
    support = [sum(many for (row, _), many in behind.items() if row[item] is not None) for item in range(ITEMS)]
    out = {}
    for row, dates in behind:
        score = 0.0
        for item, rating, day in line:
            if row[item] is not None:
                like = math.exp(-abs(float(row[item] - rating)) / 1.5)
                like += 0 if day is None or dates[item] is None else math.exp(-abs(dates[item] - day) / 30)
                score += like / math.log(max(support[item], 2))
        out[row, dates] = round(score, 9)
    return out


def judged(scores, behind, own):
    """Who is best, by how much, and how far scores are apart."""
    first, *others = sorted(scores.values(), reverse=True)
    top = {key for key, score in scores.items() if score == first}
    mean = sum(scores.values()) / len(scores)
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores.values()) / len(scores))
    return sum(behind[key] for key in top), own in top, top, first - max(others, default=first), spread


DAY = st.none() | st.integers(-40, 40)
LINE = st.lists(st.tuples(st.integers(0, ITEMS - 1), st.integers(1, 5), DAY), min_size=2, max_size=2)


@given(releases(), st.lists(LINE, min_size=1, max_size=3), st.booleans(), st.data())
def test_scores_are_those_of_an_attacker_who_scores_every_record(exposure, lines, with_dates, data):
    assume(len(exposure.published))
    dates = None
    if with_dates and exposure.seen is exposure.truth:
        rows = oracles.profiles(exposure.truth)
        dates = [[data.draw(DAY) if x is not None else None for x in row] for row in rows]
        days = [d for pair in zip(rows, dates, strict=True) for x, d in zip(*pair, strict=True) if x is not None]
        exposure = replace(exposure, dates=np.array([UNKNOWN_DAY if d is None else d for d in days], np.int32))
    keys, behind = candidates_of(exposure, dates)
    told = np.array([[(i, x, UNKNOWN_DAY if d is None else d) for i, x, d in line] for line in lines])
    parts = int(1 / exposure.seen.scale.step)
    days = told[:, :, 2] if dates else told[:, :0, 2]
    candidates = ScoredCandidates(exposure)
    targets = np.array([data.draw(st.sampled_from(exposure.published.tolist())) for _ in lines])
    found = candidates.scores(
        BackgroundKnowledge(told[:, :, 0], (told[:, :, 1] - 1) * parts, days),
        candidates.own(targets),
        np.random.default_rng(3),
    )
    order = list(dict.fromkeys(keys))
    assert candidates.people.tolist() == [behind[key] for key in order]
    for i, line in enumerate(lines):
        line = [(item, rating, day if dates else None) for item, rating, day in line]
        own = keys[exposure.place[targets[i]]]
        people, right, top, lead, spread = judged(scores_of(behind, line), behind, own)
        assert found.people_on_top[i] == people
        assert found.own_on_top[i] == right
        assert order[found.chosen[i]] in top
        assert found.lead[i] / 2**40 == pytest.approx(lead, abs=1e-8)
        assert found.spread[i] / 2**40 == pytest.approx(spread, abs=1e-5)


@given(releases(), st.data())
def test_everybody_of_whom_all_is_known_is_found_as_by_hand(exposure, data):
    rows = oracles.profiles(exposure.truth)
    held = [sum(x is not None for x in row) for row in rows]
    known = data.draw(st.integers(1, ITEMS))
    # whoever has more is withheld, so that there is nothing to draw
    place = np.where(np.array(held) > known, -1, exposure.place)
    exposure = replace(exposure, place=place)
    attack = Scoreboard(items=known)
    targets = [t for t in range(len(rows)) if place[t] >= 0 and held[t] == known]
    if not targets:
        assert attack.misfit(exposure) is not None
        return
    finding = attack.run(exposure, Randomness(2))
    keys, behind = candidates_of(exposure)
    chances, groups, sure, sure_right = [], [], 0, 0
    for t in targets:
        line = [(item, x, None) for item, x in enumerate(rows[t]) if x is not None]
        people, right, _, lead, spread = judged(scores_of(behind, line), behind, keys[place[t]])
        chances.append(right / people)
        groups.append(right * behind[keys[place[t]]] / people)
        assume(abs(lead - 1.5 * spread) > 1e-6 or lead == 0)
        matched = lead > 0 and lead >= 1.5 * spread
        sure, sure_right = sure + matched, sure_right + (matched and right)
    assert finding.targets == len(targets)
    assert finding.main == pytest.approx(sum(chances) / len(targets))
    assert finding.baseline == 1 / sum(behind.values())
    assert finding.details["right_group_rate"] == pytest.approx(sum(groups) / len(targets))
    assert finding.details["matched_rate"] == pytest.approx(sure / len(targets))
    assert finding.details["right_when_matched"] == pytest.approx(sure_right / sure if sure else 0)
    assert finding.details["wrong_when_matched"] == pytest.approx(1 - sure_right / sure if sure else 0)
    assert finding.details["candidates"] == len(behind)
    assert "value_rmse" not in finding.details


@given(releases(), st.data())
def test_other_ratings_are_read_off_as_by_hand(exposure, data):
    rows, matrix = oracles.profiles(exposure.truth), exposure.truth.observable
    targets = [t for t in exposure.published.tolist() if any(x is not None for x in rows[t])]
    assume(targets)
    candidates = ScoredCandidates(exposure)
    keys, behind = candidates_of(exposure)
    order = [row for row, _ in dict.fromkeys(keys)]
    chosen = [data.draw(st.integers(0, len(order) - 1)) for _ in targets]
    places = [data.draw(st.integers(int(matrix.indptr[t]), int(matrix.indptr[t + 1]) - 1)) for t in targets]
    known = KnownItems(np.array(targets), np.array(places)[:, None])
    told = inferred_rating_errors(candidates, known, np.array(chosen))
    said = [
        [row[i] for (row, _), many in behind.items() if row[i] is not None for _ in range(many)] for i in range(ITEMS)
    ]
    everything = [x for item in said for x in item]
    overall = float(sum(everything) / len(everything)) if everything else 1.0
    errors, guesses = [], []
    for t, g, place in zip(targets, chosen, places, strict=True):
        for item, true in enumerate(rows[t]):
            if true is None or item == matrix.indices[place]:
                continue
            mean = float(sum(said[item]) / len(said[item])) if said[item] else overall
            whole = Counter(math.floor(x + Fraction(1, 2)) for x in said[item])
            mode = min(whole, key=lambda x: (-whole[x], x)) if whole else None
            there = order[g][item]
            errors.append(((mean if there is None else float(there)) - true, mean - true))
            guesses.append((mode if there is None else math.floor(there + Fraction(1, 2)), mode, true))
    if not errors:
        assert told == {}
        return
    for place, name in enumerate(("value_rmse", "value_rmse_by_item_mean")):
        assert told[name] == pytest.approx(math.sqrt(sum(float(e[place]) ** 2 for e in errors) / len(errors)))
    if all(mode is not None for _, mode, _ in guesses):
        right = [sum(guess[place] == guess[2] for guess in guesses) / len(guesses) for place in (0, 1)]
        assert told["value_exact_rate"] == pytest.approx(right[0])
        assert told["value_exact_rate_by_item_mode"] == pytest.approx(right[1])


def test_on_raw_data_that_differ_everybody_is_found_and_read():
    rows = [(1, 1, 1, 1, 1), (5, 5, 5, 5, 5), (1, 5, 1, 5, 1), (5, 1, 5, 1, 5)]
    finding = Scoreboard(items=4).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert (finding.main, finding.baseline) == (1, 0.25)
    assert (finding.details["right_group_rate"], finding.details["value_rmse"]) == (1, 0)
    assert (finding.details["value_exact_rate"], finding.details["candidates"]) == (1, 4)


def test_alike_records_are_one_candidate_so_that_the_right_one_can_stand_out():
    rows = [(1, 1, 1, 1, 1)] * 3 + [(5, 5, 5, 5, 5)] * 2 + [(5, 5, 5, 5, 4)] * 5
    finding = Scoreboard(items=5, eccentricity=Fraction(1, 10)).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert finding.details["right_group_rate"] == 1
    assert finding.details["matched_rate"] == 1
    assert finding.main == pytest.approx((3 / 3 + 2 / 2 + 5 / 5) / 10)


def test_of_one_single_group_nobody_learns_who_is_who():
    rows = [(3, 3, 3, None, None)] * 4
    finding = Scoreboard(items=2).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert finding.main == finding.baseline == finding.control == 0.25
    assert finding.details["matched_rate"] == 0


def test_where_no_record_holds_anything_that_is_known_the_attacker_guesses():
    truth, seen = ratings_of([(1, None, None, None, None)] * 2), ratings_of([(None, 2, None, None, None)], people=[2])
    finding = Scoreboard(items=1).run(Exposure(truth, seen, np.zeros(2, np.int64)), Randomness(1))
    assert finding.main == finding.baseline == 0.5


def test_one_person_is_found():
    finding = Scoreboard(items=1).run(Exposure.of_itself(ratings_of([(2, 3, None, None, None)])), Randomness(1))
    assert (finding.main, finding.baseline, finding.control) == (1, 1, 1)


def test_dates_tell_apart_who_rates_alike():
    records = ratings_of([(2, 3, 4, None, None)] * 3)
    without = Exposure.of_itself(records)
    dated = Exposure.of_itself(records, dates=np.repeat(np.array([0, 100, 200], np.int32), 3))
    attack = Scoreboard(items=3)
    assert attack.run(without, Randomness(1)).main == pytest.approx(1 / 3)
    assert attack.run(dated, Randomness(1)).main == 1
    assert attack.run(dated, Randomness(1)).details["candidates"] == 3
    assert replace(attack, date_error=500).run(dated, Randomness(1)).main < 1


def test_who_rates_alike_on_the_same_days_is_one_candidate():
    records = ratings_of([(2, 3, None, None, None)] * 2 + [(None, None, 4, 4, 4), (2, 3, None, None, None)])
    dated = Exposure.of_itself(records, dates=np.array([0, 0, 0, 0, 50, 60, 70, 100, 200], np.int32))
    finding = Scoreboard(items=2).run(dated, Randomness(1))
    assert finding.details["candidates"] == 3
    assert finding.main == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)


def test_ratings_are_compared_in_points_though_profiles_have_a_finer_scale():
    truth = ratings_of([(5, 5, 5, 5, 5)] * 2 + [(3, 3, 3, 3, 3)] * 3)
    seen = ratings_of([(5, 5, 5, 5, 5), (3, 3, 3, 3, 3)], FINE, [2, 3])
    finding = Scoreboard(items=4).run(Exposure(truth, seen, np.array([0, 0, 1, 1, 1])), Randomness(1))
    assert finding.details["right_group_rate"] == 1
    assert finding.main == pytest.approx(2 / 5)


def test_who_knows_somebody_else_finds_nobody():
    rows = [(1, 1, 1, 1, 1), (5, 5, 5, 5, 5), (1, 5, 1, 5, 1), (5, 1, 5, 1, 5)]
    finding = Scoreboard(items=5).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert (finding.main, finding.control) == (1, 0)


def test_clues_are_off_by_no_more_than_said_and_stay_on_the_scale():
    rows = [(1, 2, 3, 4, 5)] * 200
    exposure = Exposure.of_itself(ratings_of(rows), dates=np.zeros(1000, np.int32))
    known = KnownItems(np.arange(200), np.arange(1000).reshape(200, 5))
    told = perturbed_knowledge(exposure, known, np.zeros((200, 0), np.int64), 1, 3, np.random.default_rng(1))
    seen = {(int(item), int(code)) for item, code in zip(told.items.ravel(), told.codes.ravel(), strict=True)}
    assert seen == {(item, code) for item in range(5) for code in range(5) if abs(item - code) <= 1}
    assert set(told.days.ravel().tolist()) == set(range(-3, 4))


def test_a_day_that_is_unknown_stays_so():
    exposure = Exposure.of_itself(ratings_of([(1, 2, None, None, None)]), dates=np.array([UNKNOWN_DAY, 7], np.int32))
    known = KnownItems(np.zeros(50, np.int64), np.tile([0, 1], (50, 1)))
    told = perturbed_knowledge(exposure, known, np.zeros((50, 0), np.int64), 0, 3, np.random.default_rng(1))
    assert ((told.days == UNKNOWN_DAY) == (told.items == 0)).all()


def test_so_many_clues_are_somebody_elses():
    exposure = Exposure.of_itself(ratings_of([(1, 2, None, None, None), (None, None, 3, 4, 5)]))
    known = KnownItems(np.zeros(60, np.int64), np.tile([0, 1], (60, 1)))
    told = perturbed_knowledge(exposure, known, np.full((60, 1), 4), 0, 0, np.random.default_rng(1))
    assert (told.items[:, 0] == 4).all()
    assert (told.codes[:, 0] == 4).all()
    assert set(told.items[:, 1].tolist()) == {0, 1}
    assert (told.codes[:, 1] == told.items[:, 1]).all()


def test_wrong_clues_hide_people():
    chance = np.random.default_rng(1)
    records = ratings_of(chance.integers(1, 6, (40, ITEMS)).tolist())
    right = Scoreboard(items=5).run(Exposure.of_itself(records), Randomness(1))
    wrong = Scoreboard(items=5, wrong=5).run(Exposure.of_itself(records), Randomness(1))
    assert wrong.main < right.main / 3


@given(st.lists(PROFILE, min_size=1, max_size=6), st.integers(1, 3), st.integers(0, 4))
def test_those_with_enough_ratings_outside_the_top_are_counted_by_hand(rows, known, outside_top):
    matrix = ratings_of(rows).observable
    raters = [sum(row[item] is not None for row in rows) for item in range(ITEMS)]
    top = sorted(range(ITEMS), key=lambda item: -raters[item])[:outside_top]
    wanted = [r for r, row in enumerate(rows) if sum(row[i] is not None for i in range(ITEMS) if i not in top) >= known]
    assert rows_with_enough_ratings(matrix, np.arange(len(rows)), known, outside_top).tolist() == wanted


def test_so_many_targets_are_drawn_of_those_who_have_enough():
    rows = [(1, None, None, None, None)] * 9 + [(1, 2, 3, 4, 5), (5, 4, 3, 2, 1)]
    finding = Scoreboard(items=3, targets=1).run(Exposure.of_itself(ratings_of(rows)), Randomness(1))
    assert (finding.targets, finding.main) == (1, 1)


@pytest.mark.parametrize(
    "settings", [{"items": 0}, {"wrong": 9}, {"wrong": -1}, {"error": Fraction(-1)}, {"date_error": -1}, {"targets": 0}]
)
def test_settings_that_mean_nothing_are_refused(settings):
    with pytest.raises(WordingError):
        Scoreboard(**settings)


def test_what_cannot_be_known_is_said():
    exposure = Exposure.of_itself(ratings_of([(1, 2, None, None, None)]))
    assert "3 ratings" in str(Scoreboard(items=3).misfit(exposure))
    assert "dates" in str(Scoreboard(items=1, date_error=3).misfit(exposure))


def test_on_very_many_people_some_are_attacked_unless_said():
    few = Exposure.of_itself(ratings_of([(1, 2, None, None, None)]))
    many = Exposure(few.truth, few.seen, np.zeros(1, np.int64))
    assert Scoreboard.usual(many) == (Scoreboard(),)
    crowd = Exposure.of_itself(ratings_of([(1, None, None, None, None)] * 10_001))
    assert Scoreboard.usual(crowd) == (Scoreboard(targets=10_000),)


def test_what_is_known_is_told_in_words():
    said = Scoreboard(wrong=2, error=Fraction(1, 2), outside_top=500).meaning
    assert all(part in said for part in ("8 ratings", "500 most rated", "2 of them wrong", "0.5 off"))


def test_movielens_gives_people_away_as_measured_before(shared_data):
    exposure = Exposure.of_itself(read(shared_data / "ratings" / "ml-100k" / "u.data").records)
    found = {
        known: Scoreboard(items=known, **others).run(exposure, Randomness(1)).main
        for known, others in ((2, {}), (4, {}), (8, {}), (6, {"error": Fraction(1), "outside_top": 500}))
    }
    assert 0.36 < found[2] < 0.46
    assert 0.92 < found[4] < 0.97
    assert found[8] > 0.995
    assert 0.92 < found[6] < 0.97
    rough = Scoreboard(wrong=2, error=Fraction(1))
    assert 0.35 < rough.run(exposure, Randomness(1)).main < 0.45
    assert 0.82 < replace(rough, outside_top=500).run(exposure, Randomness(1)).main < 0.91
