"""Every registered method keeps the laws of anonymizers, and what it publishes convinces the oracle."""

import pytest

import oracles
from shoal.anonymizers import Anonymizer, Mondrian, Nothing, methods
from shoal.testing import check_anonymizer

EXAMPLES: list[Anonymizer] = [
    Nothing(),
    Mondrian(),
    Mondrian(mode="relaxed"),
    Mondrian(numbers="hierarchy"),
    Mondrian(mode="relaxed", numbers="hierarchy"),
]


@pytest.mark.parametrize("method", EXAMPLES, ids=str)
def test_every_method_keeps_the_laws(method):
    check_anonymizer(method, holds=oracles.holds, examples=100)


def test_every_registered_method_is_tried():
    assert {type(method) for method in EXAMPLES} == set(methods)
