"""How far values, records and tables are anonymized, and how a degree is shared out among attributes."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import degree_oracle
from shoal.anonymizers.decomposition.generalization_chain import (
    GeneralizationChain,
    Reading,
    anonymization_degree,
    level_degrees,
    table_degree,
)

SHARES = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]) | st.fractions(0, 1, max_denominator=9)
BETAS = st.sampled_from([None, 1, 2])
ASKED = {
    "drawn": st.integers(1, 3).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 4), min_size=n, max_size=n), st.lists(SHARES, min_size=n, max_size=n)
        )
    ),
    "beta": BETAS,
    "degree": SHARES,
}


def chain_of(heights, priorities, beta: int | None = None, reading: Reading = "purpose") -> GeneralizationChain:
    weight = "uniform" if beta is None else "utility"
    degrees = tuple(level_degrees(height, weight, Fraction(beta or 1)) for height in heights)
    return GeneralizationChain(degrees, tuple(map(Fraction, priorities)), reading)


def test_degrees_of_chapter_4_are_these():
    """Of a date of birth in six levels: two steps up, and one step with weights by use."""
    assert level_degrees(5)[2] == Fraction(2, 5)
    assert float(level_degrees(5, "utility")[1]) == pytest.approx(0.087591, abs=5e-7)
    assert level_degrees(1) == level_degrees(1, "utility") == (0, 1)
    assert level_degrees(0) == (0,)


@given(height=st.integers(0, 6), beta=BETAS)
def test_degrees_of_levels_are_those_of_the_definition(height, beta):
    found = level_degrees(height, "uniform" if beta is None else "utility", Fraction(beta or 1))
    assert list(found) == [degree_oracle.attribute_degree(height, level, beta) for level in range(height + 1)]


@given(height=st.integers(1, 6), beta=st.fractions(1, 20))
def test_steps_near_the_top_count_no_less(height, beta):
    found = level_degrees(height, "utility", beta)
    steps = [above - below for below, above in pairwise(found)]
    assert (found[0], float(found[-1])) == (0, pytest.approx(1))
    assert all(low <= high for low, high in pairwise(steps))


def test_the_tables_of_chapter_4_have_these_degrees():
    """Printed are 0.6 and 0.125 for the tuple, 0.05 and 0.125 for the tables."""
    priorities = (Fraction(0), Fraction(1), Fraction(1, 2))
    degrees = [level_degrees(height) for height in (1, 2, 4)]
    third = anonymization_degree([degrees[0][1], degrees[1][0], degrees[2][1]], priorities)
    assert float(third) == pytest.approx(0.083333, abs=5e-7)
    locally = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 1], [1, 0, 1], [0, 0, 0], [0, 0, 0]])
    assert float(table_degree(locally, degrees, priorities)) == pytest.approx(0.027778, abs=5e-7)
    assert float(table_degree(np.array([[1, 0, 1]] * 6), degrees, priorities)) == pytest.approx(0.083333, abs=5e-7)


def test_priorities_that_are_all_nothing_count_alike():
    assert anonymization_degree([Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]) == Fraction(1, 2)
    assert table_degree(np.zeros((0, 2), np.int64), [level_degrees(2)] * 2, [Fraction(1)] * 2) == 0


@given(**ASKED)
def test_the_degree_of_a_node_is_that_of_the_definition(drawn, beta, degree):
    heights, priorities = drawn
    chain = chain_of(heights, priorities, beta)
    node = chain.nodes[chain.place(degree)]
    assert chain.degree_of(node) == degree_oracle.record_degree(node, heights, priorities, beta)


@settings(max_examples=60)
@given(**ASKED)
@example(([2, 1], [Fraction(1, 2)] * 2), None, Fraction(1, 2))
@example(([4, 2], [Fraction(1, 2), Fraction(0)]), None, Fraction(1, 2)).via("steps at the same key")
def test_a_degree_is_shared_out_as_going_through_every_node_shares_it(drawn, beta, degree):
    heights, priorities = drawn
    meant = chain_of(heights, priorities, beta)
    assert list(meant.nodes) == degree_oracle.chain(heights, priorities, beta)
    assert meant.nodes[meant.place(degree)] == degree_oracle.contingency_tables(degree, heights, priorities, beta)
    printed = chain_of(heights, priorities, beta, "thesis")
    assert printed.nodes[printed.place(degree)] == degree_oracle.as_printed(degree, heights, priorities, beta)


@pytest.mark.parametrize("reading", ["purpose", "thesis"])
@given(**ASKED, other=SHARES)
def test_a_smaller_degree_is_nowhere_told_less_exactly(reading, drawn, beta, degree, other):
    heights, priorities = drawn
    chain = chain_of(heights, priorities, beta, reading)
    less, more = (chain.nodes[chain.place(each)] for each in sorted([degree, other]))
    assert all(low <= high for low, high in zip(less, more, strict=True))


@pytest.mark.parametrize("reading", ["purpose", "thesis"])
@given(**ASKED)
def test_a_chain_goes_from_bottom_to_top_step_by_step(reading, drawn, beta, degree):
    heights, priorities = drawn
    chain = chain_of(heights, priorities, beta, reading)
    assert (chain.nodes[0], chain.nodes[-1]) == ((0,) * len(heights), tuple(heights))
    for low, high in pairwise(chain.nodes):
        assert sorted(b - a for a, b in zip(low, high, strict=True)) == [0] * (len(heights) - 1) + [1]
    assert list(chain.degrees) == sorted(chain.degrees)
    assert chain.place(Fraction(0)) == 0
    if reading == "purpose":
        assert chain.place(Fraction(1)) == len(chain.nodes) - 1
        reached = chain.degrees[chain.place(degree)]
        assert all(abs(reached - degree) <= abs(each - degree) for each in chain.degrees)


@given(height=st.integers(1, 5), beta=BETAS, degree=SHARES, uses=st.lists(SHARES, min_size=2, max_size=4))
def test_of_two_attributes_alike_the_more_useful_is_not_told_less_exactly(height, beta, degree, uses):
    chain = chain_of([height] * len(uses), uses, beta)
    node = chain.nodes[chain.place(degree)]
    by_use = sorted(zip(uses, node, strict=True), key=lambda each: each[0])
    assert all(mine >= better for (use, mine), (more, better) in pairwise(by_use) if use < more)


@given(**ASKED)
def test_an_attribute_that_becomes_more_useful_waits_for_more_of_the_others(drawn, beta, degree):
    """Whatever came before one of its levels still does."""
    heights, priorities = drawn
    before = chain_of(heights, priorities, beta)
    after = chain_of(heights, [priorities[0] + (1 - priorities[0]) * degree, *priorities[1:]], beta)
    for level in range(1, heights[0] + 1):
        old, new = (next(node for node in chain.nodes if node[0] == level)[1:] for chain in (before, after))
        assert all(a <= b for a, b in zip(old, new, strict=True))


@given(height=st.integers(1, 5), beta=BETAS, degree=SHARES, uses=st.lists(SHARES, min_size=1, max_size=4))
def test_of_attributes_alike_the_most_useful_is_at_most_one_step_above_the_degree(height, beta, degree, uses):
    """Were priorities equal, all would be told at about the degree: nobody loses by being useful."""
    chain = chain_of([height] * len(uses), uses, beta)
    level = chain.nodes[chain.place(degree)][uses.index(max(uses))]
    assert chain.level_degrees[0][max(level - 1, 0)] <= degree


@given(**ASKED)
def test_a_chain_can_begin_elsewhere(drawn, beta, degree):
    heights, priorities = drawn
    whole = chain_of(heights, priorities, beta)
    start = whole.nodes[whole.place(degree)]
    later = replace(whole, start=start)
    assert later.nodes == whole.nodes[whole.place(degree) :]
    assert later.place(Fraction(0)) == 0


def test_theorem_4_3_does_not_hold():
    """Asked for the degree that was reached, the printed method tells another table."""
    chain = chain_of((1, 10), (1, 1), reading="thesis")
    first = chain.nodes[chain.place(Fraction(1, 2))]
    assert (first, chain.degree_of(first)) == ((1, 3), Fraction(65, 100))
    assert chain.nodes[chain.place(chain.degree_of(first))] == (1, 4)
    meant = chain_of((1, 10), (1, 1))
    for step in range(21):
        again = meant.degrees[meant.place(Fraction(step, 20))]
        assert meant.degrees[meant.place(again)] == again


def test_the_printed_example_reaches_another_degree_than_it_asks_for():
    """Asked for is 0.125; Gender, of most use, goes altogether."""
    chain = chain_of((1, 4, 2), (Fraction(1), Fraction("0.26632"), Fraction(0)), reading="thesis")
    node = chain.nodes[chain.place(Fraction(1, 8))]
    assert node == (1, 1, 0)
    assert float(chain.degree_of(node)) == pytest.approx(0.842268, abs=5e-6)


def test_the_printed_method_cannot_reach_the_full_degree():
    chain = chain_of((4, 4, 4), (1, 1, 1), reading="thesis")
    node = chain.nodes[chain.place(Fraction(1))]
    assert (node, chain.degree_of(node)) == ((2, 2, 2), Fraction(1, 2))
