"""Every registered promise keeps the laws of promises, and its verdicts are those of the oracle."""

from fractions import Fraction

import pytest

import oracles
from shoal.models import (
    BLDiversity,
    KAnonymity,
    KEpsilon,
    LDiversity,
    PAlphaSensitive,
    PPlusAlphaSensitive,
    PPlusSensitive,
    PrivacyModel,
    PSensitive,
    TCloseness,
    promises,
)
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
    LDiversity(2, "entropy"),
    LDiversity(Fraction(3, 2), "entropy"),
    LDiversity(2, "recursive", Fraction(2)),
    LDiversity(2, "recursive", Fraction(1, 2)),
    LDiversity(3, "recursive", Fraction(3)),
    PSensitive(2),
    PSensitive(2, 4),
    PPlusSensitive(2),
    PPlusSensitive(3, 2),
    PAlphaSensitive(2, alpha=Fraction(1)),
    PAlphaSensitive(2, 3, alpha=Fraction(4, 3)),
    PPlusAlphaSensitive(2, 2, alpha=Fraction(1, 3)),
    PPlusAlphaSensitive(2, alpha=Fraction(2)),
    TCloseness(Fraction(0)),
    TCloseness(Fraction(1, 3)),
    TCloseness(Fraction(2, 5), "ordered"),
    TCloseness(Fraction(1, 4), "ordered"),
    TCloseness(Fraction(2, 5), "hierarchical"),
    TCloseness(Fraction(1, 4), "hierarchical"),
    BLDiversity(1, 2),
    BLDiversity(1, 3),
    BLDiversity(2, 2),
    BLDiversity(3, 3),
    BLDiversity(99, 2),
]


@pytest.mark.parametrize("model", EXAMPLES, ids=str)
def test_every_promise_keeps_the_laws(model):
    # the oracle of partitions tries all of them, so it is asked less often
    check_model(model, oracle=oracles.violations, examples=20 if "partition" in str(model) else 30)


def test_every_registered_promise_is_tried():
    assert {type(model) for model in EXAMPLES} == set(promises)
