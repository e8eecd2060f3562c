"""The data-modification rules of the survey-rating paper: its examples, where they are wrong, and what is right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers.graph.centroid_rules import corrected_centroid, printed_centroid

EXAMPLES = {
    "2.1.1": ([[5, 6, 0], [2, 5, 0], [4, 7, 0], [5, 6, 0]], [[5, 5, 0], [3, 5, 0], [3, 7, 0], [5, 7, 0]], 4),
    "2.1.2": (
        [[5, 6, 0], [2, 5, 0], [4, 7, 0], [5, 6, 0], [4, 6, 0]],
        [[5, 5, 0], [3, 5, 0], [3, 7, 0], [5, 6, 0], [4, 7, 0]],  # the text, with ties in the order of the records
        4,
    ),
    "2.2.1": ([[5, 6], [2, 5], [4, 6]], [[5, 7], [3, 5], [3, 5]], 4),
    "2.2.2": ([[5, 6], [2, 5], [4, 7], [4, 5]], [[4, 6], [4, 6], [3, 5], [4, 6]], 8),
}


@pytest.mark.parametrize("case", EXAMPLES)
def test_the_printed_rules_give_the_printed_examples(case):
    before, after, distortion = EXAMPLES[case]
    shown = len(before[0]) - (before[0][-1] == 0)  # the issue nobody rated is printed as 0
    ratings = np.array(before)[:, :shown]
    made = printed_centroid(ratings, 2)
    assert made.tolist() == [row[:shown] for row in after]
    assert np.abs(made - ratings).sum() == distortion


@pytest.mark.parametrize("case", EXAMPLES)
def test_made_right_the_rules_leave_issues_within_epsilon_alone(case):
    before, after, _ = EXAMPLES[case]
    ratings, printed = np.array(before), np.array(after)
    expected = np.where(np.ptp(ratings, axis=0) <= 2, ratings, printed)
    assert (expected != printed).any(), "the paper moves ratings that may stay"
    assert corrected_centroid(ratings, 2, 7).tolist() == expected.tolist()


def test_the_matrix_of_case_2_1_2_is_not_what_its_text_says():
    """Matrix (4) changes both means; the text, and the rule with n ratings instead of n + 1, keep them."""
    before = np.array(EXAMPLES["2.1.2"][0])
    matrix = np.array([[3, 6, 0], [3, 5, 0], [4, 7, 0], [5, 6, 0], [3, 7, 0]])
    text = np.array([[5, 5, 0], [3, 5, 0], [4, 7, 0], [5, 6, 0], [3, 7, 0]])
    made = printed_centroid(before[:, :2], 2)
    assert before.sum(axis=0).tolist() == text.sum(axis=0).tolist() == [20, 30, 0]
    assert made.sum(axis=0).tolist() == [20, 30]
    assert np.sort(made, axis=0).tolist() == np.sort(text, axis=0)[:, :2].tolist()
    assert matrix.sum(axis=0).tolist() == [18, 31, 0]


def test_the_integer_rule_breaks_an_epsilon_of_1():
    """Case 2.1.1 as printed: ε ≥ 1, and the outcome is 2 apart. Theorem 3 is false."""
    ratings = np.array([[5], [2], [4], [5]])
    assert printed_centroid(ratings, 1).ravel().tolist() == [5, 3, 3, 5]
    assert corrected_centroid(ratings, 1, 7).ravel().tolist() == [4, 4, 4, 4]


def test_case_2_1_3_moves_everybody_to_the_centroid():
    assert printed_centroid(np.array([[5], [2], [5]]), 1).ravel().tolist() == [4, 4, 4]


def test_the_integer_rule_leaves_the_scale():
    same = np.full((4, 1), 5)
    assert printed_centroid(same, 2).ravel().tolist() == [4, 4, 6, 6]
    assert corrected_centroid(same, 2, 5).ravel().tolist() == [5, 5, 5, 5]


def test_the_fraction_rule_leaves_the_scale():
    """Case 2.2.1 adds all of r to one rating."""
    ratings = np.array([[5], [5], [5], [5], [2]])
    assert printed_centroid(ratings, 2).ravel().tolist() == [6, 4, 4, 4, 4]
    assert corrected_centroid(ratings, 2, 5).ravel().tolist() == [4, 4, 5, 5, 4]


def test_the_fraction_rule_breaks_epsilon_and_the_mean():
    """Case 2.2.2 as printed, where p > 1."""
    ratings = np.array([[1], [1], [2], [4], [5]])
    assert printed_centroid(ratings, 1).ravel().tolist() == [5, 5, 5, 2, 2]
    assert corrected_centroid(ratings, 1, 5).ravel().tolist() == [2, 2, 3, 3, 3]


def test_a_clique_without_issues_is_no_trouble():
    assert corrected_centroid(np.zeros((3, 0), np.int64), 1, 4).shape == (3, 0)


def test_issues_of_both_sorts_go_by_their_own_rules():
    """Case 2.3: the first issue has a whole mean, the second has not."""
    ratings = np.array([[5, 6], [2, 2], [4, 6], [5, 5]])
    alone = [printed_centroid(ratings[:, [issue]], 2).ravel().tolist() for issue in range(2)]
    assert printed_centroid(ratings, 2).T.tolist() == alone == [[5, 3, 3, 5], [5, 5, 4, 5]]


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=4)
    ),
    st.integers(0, 4),
)
def test_made_right_the_rules_keep_epsilon_the_scale_and_the_mean(issues, epsilon):
    ratings = np.array(issues, np.int64).T
    made = corrected_centroid(ratings, epsilon, 4)
    assert made.shape == ratings.shape
    for before, after in zip(ratings.T.tolist(), made.T.tolist(), strict=True):
        assert max(after) - min(after) <= epsilon
        assert min(after) >= 0
        assert max(after) <= 4
        if max(before) - min(before) <= epsilon:
            assert after == before
        elif epsilon:
            assert sum(after) == sum(before)
        else:
            assert abs(sum(after) - sum(before)) * 2 <= len(before)
