"""Generated surveys: dense, similar, with sensitive issues and some silence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Ratings, Scale
from shoal.datasets import generate_demographics, generate_survey
from shoal.errors import WordingError


def answers(survey: Ratings) -> np.ndarray:
    return np.hstack([survey.observable.dense(), survey.sensitive.dense()])


@given(st.integers(1, 60), st.integers(1, 12), st.data())
def test_a_survey_has_the_size_and_the_scale_asked_for(respondents, issues, data):
    sensitive = data.draw(st.integers(0, issues - 1))
    nulls, points = data.draw(st.floats(0, 0.5)), data.draw(st.integers(2, 12))
    survey = generate_survey(respondents, issues, sensitive, 5, nulls, Scale.of(1, points))
    codes = answers(survey)
    assert codes.shape == (respondents, issues)
    assert len(survey.sensitive.items) == sensitive
    assert codes.max() < points
    assert (codes >= 0).any(axis=1).all(), "every respondent answers something"


def test_the_same_seed_gives_the_same_survey_and_a_longer_one_begins_alike():
    short, long = generate_survey(100, 6, 2, 1), generate_survey(40_000, 6, 2, 1)
    assert np.array_equal(answers(short), answers(long)[:100])
    assert not np.array_equal(answers(short), answers(generate_survey(100, 6, 2, 2)))
    assert not np.array_equal(answers(long)[:16_384], answers(long)[16_384:32_768]), "chunks differ"


@pytest.mark.parametrize("nulls", [0.0, 0.05, 0.3, 0.5])
def test_the_share_of_nulls_is_the_one_asked_for(nulls):
    codes = answers(generate_survey(30_000, 20, 3, 4, nulls))
    assert abs((codes < 0).mean() - nulls) < 0.01
    if nulls:
        assert (codes[:, 17:] < 0).mean() > 1.2 * (codes[:, :17] < 0).mean(), "sensitive issues are skipped more"


def test_most_respondents_are_similar_to_others_and_some_are_not():
    codes = generate_survey(1_500, 12, 2, 9).observable.dense()
    codes[codes < 0] = -100  # a missing answer is far from a given one
    alone = np.mean([np.count_nonzero(np.abs(codes - one).max(axis=1) <= 1) == 1 for one in codes])
    assert 0.01 < alone < 0.4


def test_sensitive_issues_are_skewed():
    codes = generate_survey(20_000, 8, 3, 2).sensitive.dense()
    for issue in range(3):
        counts = np.bincount(codes[codes[:, issue] >= 0, issue], minlength=5) / len(codes)
        assert counts[0] == counts.max() > 0.35
        assert counts.min() > 0.01


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ((0, 5, 1, 1), "respondents"),
        ((5, 0, 0, 1), "issues"),
        ((5, 5, 5, 1), "sensitive"),
        ((5, 5, -1, 1), "sensitive"),
        ((5, 5, 1, 1, 0.6), "nulls"),
        ((5, 5, 1, -4), "seed"),
    ],
)
def test_sizes_that_cannot_be_are_refused(asked, named):
    with pytest.raises(WordingError, match=named):
        generate_survey(*asked)


def test_demographics_leave_the_answers_as_they_are_and_explain_some_of_them():
    survey, plain = generate_demographics(4_000, 8, 1, seed=6), generate_survey(4_000, 8, 1, seed=6)
    assert np.array_equal(answers(survey.ratings), answers(plain))
    ages = survey.table["age"].values.to_numpy()
    first = survey.ratings.observable.dense()[:, :4].astype(float)
    among_old, among_young = first[ages >= 55].mean(axis=0), first[ages < 35].mean(axis=0)
    assert np.abs(among_old - among_young).max() > 0.2


def test_demographics_of_a_longer_survey_begin_alike():
    short, long = generate_demographics(50, 3, 0, seed=1), generate_demographics(20_000, 3, 0, seed=1)
    assert short.table.frame().rows() == long.table.frame().head(50).rows()
