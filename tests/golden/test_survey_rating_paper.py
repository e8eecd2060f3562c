"""The examples of the survey-rating papers and of chapters 6 and 7 of the thesis, recomputed and copied here."""

from fractions import Fraction

import numpy as np
import pytest

import oracles
from shoal.engines import LocalEngine, judge
from shoal.models import KAnonymity, KEpsilon
from shoal.utility import Comparison
from shoal.utility.cells.distortion import distortion
from shoal.utility.cells.kept import cells_changed
from surveys import survey

T1 = [[6, 1, None], [1, 6, None], [2, 5, None], [1, None, 5], [2, None, 6]]
T2 = [[3, 6, None], [2, 5, None], [4, 7, None], [5, 6, None], [1, None, 5], [2, None, 6]]
G1 = T2[:4]


def degrees(rows: list[list[int | None]], r: int, epsilon: int) -> list[int]:
    return LocalEngine().neighbors(survey(rows, r), Fraction(epsilon)).others.tolist()


@pytest.mark.parametrize(("pair", "expected"), [((5, 6), 1), ((3, None), 6), ((None, None), 0)])
def test_the_dissimilarity_of_two_ratings_is_that_of_equation_1(pair, expected):
    assert oracles.dissimilarity(pair[0], pair[1], 6) == expected
    rows = [[pair[0]], [pair[1]]]
    assert degrees(rows, 6, expected) == [1, 1]
    if expected:
        just_below = LocalEngine().neighbors(survey(rows, 6), Fraction(expected) - Fraction(1, 1000))
        assert just_below.others.tolist() == [0, 0]


def test_the_flags_of_table_2_make_two_hamming_groups():
    flags = (survey(T2, 7).observable.dense() >= 0).astype(int).tolist()
    assert flags == [[1, 1, 0]] * 4 + [[1, 0, 1]] * 2
    assert sum(a != b for a, b in zip(flags[0], flags[4], strict=True)) == 2


def test_the_graph_of_table_2_has_the_degrees_of_figure_4():
    assert degrees(T2, 7, 2) == [3, 2, 3, 2, 1, 1]


@pytest.mark.parametrize(
    ("rows", "r", "expected"),
    [(T2, 7, [1, 2, 2, 2, 2, 2, 2, 6]), (T1, 6, [1, 1, 1, 1, 2, 2, 5])],
    ids=["table 2", "table 1"],
)
def test_the_largest_k_by_epsilon(rows, r, expected):
    for epsilon, k in enumerate(expected):
        level = judge(survey(rows, r), [KEpsilon(2, Fraction(epsilon))], LocalEngine()).verdicts[0].level
        assert level == {"k": k}
        assert oracles.largest_k(rows, epsilon, r) == k


def test_a_component_that_cannot_be_split_into_cliques_is_anonymous_all_the_same():
    """The paper says that G1 breaks (3,2)-anonymity; by its own Definition 2 it keeps it."""
    assert degrees(G1, 7, 2) == [3, 2, 3, 2]
    assert judge(survey(G1, 7), [KEpsilon(3, Fraction(2))], LocalEngine()).holds


def test_exact_knowledge_links_uniquely_where_k_epsilon_holds():
    """Records 4 and 5 are (2,1)-anonymous together, and yet each is the only one of its kind."""
    both = survey(T1[3:], 6)
    assert judge(both, [KEpsilon(2, Fraction(1))], LocalEngine()).holds
    verdict = judge(both, [KAnonymity(2)], LocalEngine()).verdicts[0]
    assert (verdict.holds, verdict.violations) == (False, 2)
    near = [i for i, row in enumerate(T1, 1) if oracles.proximate(row, [1, None, 5], 1, 6)]
    exact = [i for i, row in enumerate(T1, 1) if oracles.proximate(row, [1, None, 5], 0, 6)]
    assert (exact, near) == ([4], [4, 5])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([[5, 6, None]], [[5, 5, None]], 1),
        (
            [[5, 6, None], [2, 5, None], [4, 7, None], [5, 6, None]],
            [[5, 5, None], [3, 5, None], [3, 7, None], [5, 7, None]],
            4,
        ),
    ],
    ids=["Definition 5", "Definition 6"],
)
def test_distortion_is_that_of_the_definitions(before, after, expected):
    people = np.arange(len(before))
    comparison = Comparison(survey(before, 7), people, survey(after, 7), np.ones(len(before), np.int64))
    assert distortion(comparison) == expected
    assert cells_changed(comparison) == expected  # every change of the example is by one
