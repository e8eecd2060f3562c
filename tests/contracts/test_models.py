"""Every registered promise keeps the laws of promises, and its verdicts are those of the oracle."""

from fractions import Fraction

import pytest

import oracles
from shoal.models import BLDiversity, KAnonymity, KEpsilon, LDiversity, PrivacyModel, promises
from shoal.testing import check_model

EXAMPLES: list[PrivacyModel] = [
    KAnonymity(2),
    KAnonymity(4),
    KEpsilon(2, Fraction(0)),
    KEpsilon(2, Fraction(1)),
    KEpsilon(3, Fraction(1, 2)),
    KEpsilon(2, Fraction(7)),
    KEpsilon(2, Fraction(1), Fraction(1)),
    KEpsilon(2, Fraction(2), Fraction(1, 2), all_null="accept"),
    KEpsilon(2, Fraction(1), Fraction(1), spread="pairwise"),
    KEpsilon(2, Fraction(3), Fraction(1), spread="over-all", all_null="accept"),
    KEpsilon(2, Fraction(1), Fraction(0)),
    KEpsilon(2, Fraction(1), semantics="partition"),
    KEpsilon(3, Fraction(2), semantics="partition"),
    KEpsilon(2, Fraction(100), semantics="partition"),
    KEpsilon(2, Fraction(1), Fraction(1), semantics="partition"),
    KEpsilon(2, Fraction(7), Fraction(1, 2), semantics="partition", spread="pairwise"),
    LDiversity(2),
    LDiversity(3),
    BLDiversity(1, 2),
    BLDiversity(1, 3),
    BLDiversity(2, 2),
    BLDiversity(3, 3),
    BLDiversity(99, 2),
]


@pytest.mark.parametrize("model", EXAMPLES, ids=str)
def test_every_promise_keeps_the_laws(model):
    # the oracle of partitions tries all of them, so it is asked less often
    check_model(model, oracle=oracles.violations, examples=20 if "partition" in str(model) else 60)


def test_every_registered_promise_is_tried():
    assert {type(model) for model in EXAMPLES} == set(promises)
