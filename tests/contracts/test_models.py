"""Every registered promise keeps the laws of promises, and its verdicts are those of the oracle."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

import oracles
from shoal.evidence import Evidence
from shoal.models import KAnonymity, KEpsilon, LDiversity, PAlphaSensitive, TCloseness, Verdict, promises
from shoal.testing import check_model
from shoal.wording import Registry


@pytest.mark.parametrize("model", [model for cls in promises for model in cls.examples()], ids=str)
def test_every_promise_keeps_the_laws(model):
    # the oracle of partitions tries all of them, so it is asked less often
    check_model(model, oracle=oracles.violations, examples=15 if "partition" in str(model) else 20)


@dataclass(frozen=True)
class OfFractions(KAnonymity):
    """It says how far it is reached with a fraction, which no report can write."""

    name: ClassVar[str] = "of-fractions"

    def judge(self, evidence: Evidence) -> Verdict:
        verdict = super().judge(evidence)
        return replace(verdict, promise=str(self), level={"k": Fraction(verdict.level["k"])})


@dataclass(frozen=True)
class Endless(KAnonymity):
    """It is reached to a degree that JSON cannot say."""

    name: ClassVar[str] = "endless"

    def judge(self, evidence: Evidence) -> Verdict:
        return replace(super().judge(evidence), promise=str(self), level={"k": float("inf")})


@pytest.mark.parametrize("cls", [OfFractions, Endless])
def test_a_level_that_cannot_be_reported_breaks_the_laws(cls):
    mine: Registry[KAnonymity] = Registry("promise")
    mine.add(cls)
    with pytest.raises((TypeError, AssertionError), match="level"):
        check_model(cls(2), registry=mine, examples=5)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("level", [Fraction(1, 2), np.int64(3), True, "3", None])
def test_a_verdict_takes_no_level_but_a_number_of_python(level):
    with pytest.raises(TypeError, match="level 'k' of 'k-anonymity:k=3'"):
        Verdict("k-anonymity:k=3", holds=False, level={"k": level}, violations=1, violating=np.ones(1, bool))


@pytest.mark.parametrize(
    ("model", "setting", "given", "meant"),
    [
        (KEpsilon(2, Fraction(1)), "epsilon", 0.1, Fraction(1, 10)),
        (KEpsilon(2, Fraction(1)), "epsilon", "1/3", Fraction(1, 3)),
        (KEpsilon(2, Fraction(1), Fraction(1)), "l", 2, Fraction(2)),
        (TCloseness(Fraction(1, 2)), "t", 0.25, Fraction(1, 4)),
        (LDiversity(2, "recursive", Fraction(2)), "c", 1.5, Fraction(3, 2)),
        (PAlphaSensitive(2, alpha=Fraction(1)), "alpha", 0.5, Fraction(1, 2)),
    ],
)
def test_a_number_given_for_a_fraction_is_the_decimal_it_is_written_as(model, setting, given, meant):
    changed = getattr(replace(model, **{setting: given}), setting)
    assert changed == meant
    assert isinstance(changed, Fraction)
