"""Every registered method keeps the laws of anonymizers, and what it publishes convinces the oracle."""

from fractions import Fraction

import pytest

import oracles
from shoal.anonymizers import (
    Align,
    Anonymizer,
    Decomposition,
    Graph,
    GreedyInterval,
    Lattice,
    Microaggregation,
    Mondrian,
    Nothing,
    Predictive,
    TopDown,
    methods,
)
from shoal.testing import check_anonymizer

EXAMPLES: list[Anonymizer] = [
    Nothing(),
    Align(),
    Align(groups="led"),
    Align(rounds=0, invent_cost=Fraction(0), drop_cost=Fraction(9)),
    GreedyInterval(),
    GreedyInterval(invent_cost=Fraction(1, 2), drop_cost=Fraction(4)),
    Graph(),
    Graph(strategy="centroid"),
    Graph(invent_cost=Fraction(0), drop_cost=Fraction(9)),
    Decomposition(Fraction(2, 5)),
    Decomposition(Fraction(2, 3), reading="thesis", weight="utility", beta=Fraction(2), further="chain"),
    Lattice(),
    Lattice(loss="discernability", search="incognito"),
    Microaggregation(passes=2),
    Microaggregation(method="mdav"),
    Microaggregation(method="v-mdav", gamma=Fraction(11, 10)),
    Microaggregation(method="approximate", k=3),
    Mondrian(),
    Mondrian(mode="relaxed"),
    Mondrian(numbers="hierarchy"),
    Mondrian(mode="relaxed", numbers="hierarchy", labels="tight"),
    Predictive(),
    Predictive(variant="padded", min_raters=2),
    Predictive(variant="simple"),
    TopDown(),
    TopDown(looked_ahead=0),
]


@pytest.mark.parametrize("method", EXAMPLES, ids=str)
def test_every_method_keeps_the_laws(method):
    # means are told instead of what they are means of
    truthful = not isinstance(method, Microaggregation)
    check_anonymizer(method, holds=oracles.holds, examples=30, truthful=truthful)


def test_every_registered_method_is_tried():
    assert {type(method) for method in EXAMPLES} == set(methods)
