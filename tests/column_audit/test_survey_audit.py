"""Insensitive columns of a survey that undo a promise on its demographics or on its answers are refused."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from shoal import road
from shoal.anonymizers import Joined
from shoal.column_audit import audit_survey
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role, Scale, Survey, Vocabulary
from shoal.errors import AuditRefused
from shoal.evidence import Grouping
from shoal.models import promises
from shoal.randomness import Randomness

N, ITEMS = 400, 12
CHANCE = np.random.default_rng(5)
AGE, ANSWERS = CHANCE.integers(18, 90, N), CHANCE.integers(0, 5, (N, ITEMS))
ANSWERS[CHANCE.random((N, ITEMS)) < 0.1] = -1


def survey(answers: np.ndarray = ANSWERS, **insensitive: np.ndarray) -> Survey:
    items = Vocabulary(pl.Series([f"q{i}" for i in range(answers.shape[1])]))
    rated = RatingMatrix.from_dense(items, answers.astype(np.int32))
    nothing = RatingMatrix.empty(len(answers))
    columns = [Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(AGE[: len(answers)]))]
    columns += [Column.encode(name, Role.INSENSITIVE, pl.Series(each)) for name, each in insensitive.items()]
    ratings = Ratings(Vocabulary.numbered(len(answers)), rated, nothing, Scale.of(1, 5))
    return Survey(Microdata(tuple(columns)), ratings)


def published(data: Survey, *wordings: str, accept: Sequence[str] = ()):
    models = [promises.read(wording) for wording in wordings]
    return road.publish(data, models, Joined(), randomness=Randomness(1), accept=accept)[0]


JOIN, ON_AGE, ON_ANSWERS = "k-anonymity:k=5", "k-anonymity:k=5,part=demographics", "k-anonymity:k=5,part=answers"
OPINION = np.array(["none", "low", "fair", "mean", "good", "best"])[ANSWERS[:, 11] + 1]
DECADE = np.array([f"born {(2000 - age) // 10}" for age in AGE])


@pytest.mark.parametrize("promise", [JOIN, ON_ANSWERS])
def test_a_column_that_repeats_an_answer_is_refused_where_answers_are_hidden(promise):
    with pytest.raises(AuditRefused, match="'opinion' depends on the changed answer 'q11'") as refused:
        published(survey(opinion=OPINION), promise)
    assert "--accept opinion" in str(refused.value)
    accepted = published(survey(opinion=OPINION), promise, accept=["opinion"])
    assert accepted.certificate.accepted_against_audit == ("opinion",)


@pytest.mark.parametrize("promise", [JOIN, ON_AGE])
def test_a_column_that_follows_from_the_demographics_is_refused_where_these_are_hidden(promise):
    with pytest.raises(AuditRefused, match="on the generalized quasi-identifier 'age'"):
        published(survey(decade=DECADE), promise)


def test_what_no_promise_hides_cannot_be_undone():
    assert published(survey(opinion=OPINION), ON_AGE).certificate.accepted_against_audit == ()
    assert published(survey(decade=DECADE), ON_ANSWERS).certificate.accepted_against_audit == ()


def test_every_column_that_undoes_something_is_named_at_once():
    with pytest.raises(AuditRefused) as refused:
        published(survey(decade=DECADE, opinion=OPINION, coin=CHANCE.integers(0, 2, N)), JOIN)
    assert "--accept decade --accept opinion" in str(refused.value)
    assert "coin" not in str(refused.value)


@pytest.mark.parametrize("seed", range(8))
def test_there_is_no_alarm_where_nothing_is_related(seed: int) -> None:
    chance = np.random.default_rng(seed)
    n, taste = int(chance.choice([100, 200, 400])), chance.normal(0, 1, (400, 1))
    answers = np.clip(np.rint(2 + taste + chance.normal(0, 1, (400, 13))), 0, 4).astype(int)[:n]
    data = survey(answers, **{f"c{i}": chance.integers(0, 2 + 2 * i, n) for i in range(3)})
    coarse = np.where(answers > 2, 4, 0)
    told = replace(data, ratings=survey(coarse).ratings)
    groups = Grouping(np.arange(n) // 5, n // 5)
    objections = audit_survey(told, data, {None: (groups, 5)}, 5)
    assert not [each.reason for each in objections if "depend" in each.reason]
