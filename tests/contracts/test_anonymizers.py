"""Every registered method keeps the laws of anonymizers, and what it publishes convinces the oracle."""

import pytest

import oracles
from shoal.anonymizers import methods
from shoal.testing import check_anonymizer


@pytest.mark.parametrize("method", [method for cls in methods for method in cls.examples()], ids=str)
def test_every_method_keeps_the_laws(method):
    check_anonymizer(method, holds=oracles.holds, examples=20)
