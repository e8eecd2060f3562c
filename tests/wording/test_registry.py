"""Promises and methods in words are read as they are written, and anything else is refused."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers import methods
from shoal.errors import InputError, WordingError
from shoal.models import KEpsilon, promises
from shoal.utility import MEASURES
from shoal.wording import Registry, Worded

family: Registry[Worded] = Registry("thing")


@dataclass(frozen=True)
class Plain(Worded):
    name: ClassVar[str] = "plain"


@dataclass(frozen=True)
class Rich(Worded):
    name: ClassVar[str] = "rich"

    count: int
    share: Fraction = Fraction(1)
    level: float = 0.5
    side: Literal["left", "right"] = "left"
    limit: int | None = None
    names: tuple[str, ...] | None = None
    others: tuple[str, ...] = ()


family.add(Plain)
family.add(Rich)

NAMES = st.text(st.sampled_from("ab% +,=:20BC5\u00a0ü"), min_size=1) | st.text(min_size=1)


@given(
    count=st.integers(-(10**40), 10**40),
    share=st.fractions() | st.fractions(-1, 1, max_denominator=10**30) | st.decimals(-100, 100, places=3).map(Fraction),
    level=st.floats(-1e90, -1e-90) | st.just(0.0) | st.floats(1e-90, 1e90),
    side=st.sampled_from(["left", "right"]),
    limit=st.none() | st.integers(0, 9),
    names=st.none() | st.lists(NAMES, min_size=1, max_size=3).map(tuple),
)
def test_what_is_written_is_read_back(count, share, level, side, limit, names):
    thing = Rich(count, share, level, side, limit, names)
    assert family.read(str(thing)) == thing
    assert str(family.read(str(thing))) == str(thing)


@pytest.mark.parametrize(
    ("thing", "written"),
    [
        (Plain(), "plain"),
        (Rich(5), "rich:count=5,share=1,level=0.5,side=left"),
        (Rich(5, Fraction(1, 10)), "rich:count=5,share=0.1,level=0.5,side=left"),
        (Rich(5, Fraction(1, 3)), "rich:count=5,share=1/3,level=0.5,side=left"),
        (Rich(5, Fraction(-7, 2), limit=0), "rich:count=5,share=-3.5,level=0.5,side=left,limit=0"),
        (Rich(5, names=("age", "Zip Code")), "rich:count=5,share=1,level=0.5,side=left,names=age+Zip Code"),
        (Rich(5, names=("a+b,c", " %d")), "rich:count=5,share=1,level=0.5,side=left,names=a%2Bb%2Cc+%20%25d"),
        (Rich(5, others=("a",)), "rich:count=5,share=1,level=0.5,side=left,others=a"),
        (Rich(5, Fraction(1, 10**120)), f"rich:count=5,share=1/1{'0' * 120},level=0.5,side=left"),
    ],
)
def test_things_are_written_as_people_would(thing, written):
    assert str(thing) == written
    assert family.read(written) == thing


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("  plain ", Plain()),
        ("plain:", Plain()),
        ("rich: count = 5 , side=right,", Rich(5, side="right")),
        ("rich:share=2e-1,count=+5", Rich(5, Fraction(1, 5))),
        ("rich:share=2/10,count=5", Rich(5, Fraction(1, 5))),
        ("rich:share=.5,count=5", Rich(5, Fraction(1, 2))),
        ("rich:count=5,names= a + 5%25 fat %2b=b", Rich(5, names=("a", "5% fat +=b"))),
    ],
)
def test_what_is_meant_is_understood(written, meant):
    assert family.read(written) == meant


@pytest.mark.parametrize(
    ("written", "phrase"),
    [
        ("", "no thing named ''. Known are: plain, rich."),
        ("poor:count=5", "no thing named 'poor'. Known are: plain, rich."),
        ("plain:count=5", "no setting 'count'. It knows: none."),
        ("rich", "needs count. Write rich:count=…."),
        ("rich:count", "no setting 'count'. It knows: count, share, level, side, limit, names, others."),
        ("rich:count=5,color=red", "no setting 'color'"),
        ("rich:count=5,count=5", "given 'count' twice"),
        ("rich:count=5.0", "rich: count must be a whole number, not '5.0'"),
        ("rich:count=1e5", "rich: count must be a whole number"),
        ("rich:count=", "rich: count must be a whole number"),
        ("rich:count=1_000", "rich: count must be a whole number"),
        ("rich:count=٣", "rich: count must be a whole number"),
        ("rich:count=5,share=1/0", "rich: share must be a number, not '1/0'"),
        ("rich:count=5,share=nan", "rich: share must be a number"),
        ("rich:count=5,share=1e999999999", "rich: share must be a number"),
        (f"rich:count=5,share=.{'1' * 150}e-99", "rich: share must be a number"),
        ("rich:count=5,level=inf", "rich: level must be a number"),
        ("rich:count=5,limit=None", "rich: limit must be a whole number"),
        ("rich:count=5,names=", "rich: names must be names with + between them. Write names=one+other."),
        ("rich:count=5,names=a++b", "rich: names must be names with + between them"),
        ("rich:count=5,side=up", "rich: side cannot be 'up'. It is one of: left, right."),
    ],
)
def test_what_means_nothing_is_refused(written, phrase):
    with pytest.raises(WordingError) as refusal:
        family.read(written)
    assert phrase in str(refusal.value)


@dataclass(frozen=True)
class Shaded(Worded):
    name: ClassVar[str] = "normalized"

    neighborhood: Literal["gray", "centered", "learned", "precise"] = "gray"
    labeled: int | Literal["generalized"] = 1


shaded: Registry[Shaded] = Registry("thing")
shaded.add(Shaded)


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("normalised:neighbourhood=grey,labelled=generalised", "normalized:neighborhood=gray,labeled=generalized"),
        ("normalised:neighborhood=centred", "normalized:neighborhood=centered,labeled=1"),
        ("normalized:neighbourhood=learnt,labelled=3", "normalized:neighborhood=learned,labeled=3"),
        ("normalized:neighborhood=precise", "normalized:neighborhood=precise,labeled=1"),
    ],
)
def test_a_british_wording_is_read_and_written_in_american(british, american):
    assert str(shaded.read(british)) == american
    assert str(shaded.read(american)) == american


def test_every_choice_that_was_british_is_still_read():
    written = "k-epsilon:k=2,epsilon=1,semantics={}"
    assert promises.read(written.format("neighbourhood")) == promises.read(written.format("neighborhood"))
    assert str(promises.read(written.format("neighbourhood"))) == written.format("neighborhood")
    assert str(KEpsilon(2, 1, semantics="neighbourhood")) == written.format("neighborhood")  # pyright: ignore
    for name in ("normalised average group size", "normalised certainty penalty"):
        assert MEASURES[name] is MEASURES[name.replace("normalised", "normalized")]


@pytest.mark.parametrize(
    ("given", "meant"), [(0.1, Fraction(1, 10)), (3, Fraction(3)), ("1/3", Fraction(1, 3)), (1e-05, Fraction(1, 10**5))]
)
def test_a_number_given_for_a_fraction_is_what_it_is_written_as(given, meant):
    made = replace(Rich(5), share=given)
    assert made.share == meant
    assert isinstance(made.share, Fraction)


@pytest.mark.parametrize("given", [float("nan"), float("inf"), "much", "1/0", ""])
def test_what_is_no_number_is_refused_for_a_fraction(given):
    with pytest.raises(WordingError, match="rich: share must be a number"):
        Rich(5, given)


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x == 0 or 1e-90 < abs(x) < 1e90))
def test_a_float_means_the_shortest_decimal_that_stands_for_it(number):
    share = Rich(5, number).share  # pyright: ignore[reportArgumentType]
    assert share == Fraction(repr(number))
    assert float(share) == number


@given(st.text(max_size=30) | st.from_regex(r"(k-epsilon|l-diversity|k-anonymity|mondrian):[a-z]{1,8}=.{0,9}"))
def test_any_text_is_understood_or_refused_as_bad_input(text):
    for registry in (promises, methods, family):
        try:
            thing = registry.read(text)
        except InputError:
            continue
        assert registry.read(str(thing)) == thing


def test_names_are_listed_in_order_and_taken_once():
    assert [cls.name for cls in family] == ["plain", "rich"]
    with pytest.raises(ValueError, match="registered twice"):
        family.add(Plain)
