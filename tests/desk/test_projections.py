"""Who is trusted more is never told less, whatever the projection of trust to a degree."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.generalization.table_lattice import TableLattice
from shoal.data import Microdata
from shoal.desk import (
    LinearProjection,
    OwnProjection,
    Projection,
    Purpose,
    QuadraticProjection,
    StepProjection,
    projections,
    view_method,
)
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.testing import tables
from shoal.testing.check_wording import check_wording

STEPS = StepProjection("0:1;0.5:3/5;0.9:0.2")
HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)
EXAMPLES: list[Projection] = [
    LinearProjection(),
    LinearProjection(without=Fraction("0.8"), full=Fraction("0.1")),
    QuadraticProjection(),
    STEPS,
]


@pytest.mark.parametrize("projection", EXAMPLES, ids=str)
def test_projections_are_written_and_read_back(projection):
    check_wording(projection, projections)


def test_every_projection_is_tried():
    assert {type(projection) for projection in EXAMPLES} == set(projections)


@pytest.mark.parametrize(
    "projection",
    [*EXAMPLES, OwnProjection(lambda trust: (1 - float(trust)) ** 3)],
    ids=[*map(str, EXAMPLES), "own"],  # a function is written with its address, another in every process
)
@given(one=st.floats(0, 1), other=st.fractions(0, 1))
def test_more_trust_is_never_a_larger_degree(projection, one, other):
    less, more = sorted([one, other])
    assert 1 >= projection.degree(less) >= projection.degree(more) >= 0


def test_degrees_by_trust():
    assert [LinearProjection().degree(trust) for trust in (0, HALF, 1)] == [1, HALF, 0]
    assert [QuadraticProjection().degree(trust) for trust in (0, HALF, 1)] == [1, Fraction(3, 4), 0]
    assert [STEPS.degree(trust) for trust in (0, 0.4999, 0.5, 0.9, 1)] == [1, 1, Fraction(3, 5), FIFTH, FIFTH]


def test_between_two_thousandths_the_lower_trust_counts():
    """A function that rises there cannot be found out, and is not asked."""
    sly = OwnProjection(lambda trust: 1 if trust * 1000 % 1 else 1 - trust)
    assert sly.degree(Fraction("0.2505")) == sly.degree(Fraction("0.25")) == Fraction("0.75")


@pytest.mark.parametrize("function", [lambda t: t, lambda _: 2, lambda t: -t, lambda _: float("nan"), lambda _: None])
def test_a_function_that_rises_or_leaves_the_degrees_is_refused(function):
    with pytest.raises(WordingError):
        OwnProjection(function)


@pytest.mark.parametrize(
    "wrong",
    [
        *("linear:without=0,full=1", "linear:without=2", "quadratic:full=-1", "steps", "steps:table=0.5:1"),
        *("steps:table=0:0;1:1", "steps:table=0:1;0:0.5", "steps:table=0", "steps:table=0:1;2:0", "steps:table=0:x"),
    ],
)
def test_wordings_that_are_no_projections_are_refused(wrong):
    with pytest.raises(WordingError):
        projections.read(wrong)


@pytest.mark.parametrize("trust", [-0.1, 1.1, float("nan")])
def test_trust_is_between_none_and_full(trust):
    with pytest.raises(WordingError):
        LinearProjection().degree(trust)


@settings(max_examples=20)
@given(
    table=tables(min_records=2, max_records=9, max_sensitive=0, others=False),
    trusts=st.tuples(st.fractions(0, 1), st.fractions(0, 1)),
    projection=st.sampled_from(EXAMPLES),
)
def test_a_view_for_more_trust_is_at_least_as_fine_in_every_attribute(table, trusts, projection):
    lattice = TableLattice(table, LocalEngine())
    last = table.quasi_identifiers[-1].name
    methods = [view_method(Purpose(target=last), projection, trust) for trust in sorted(trusts)]
    models = [promises.read("k-anonymity:k=2")]
    wide, fine = (method.recode(table, models, LocalEngine(), Randomness(1)).records for method in methods)
    assert isinstance(wide, Microdata)
    assert isinstance(fine, Microdata)
    for low, high in zip(fine.quasi_identifiers, wide.quasi_identifiers, strict=True):
        pairs = set(zip(low.codes.tolist(), high.codes.tolist(), strict=True))
        assert len(pairs) == len({code for code, _ in pairs}), "what is told alike to more trust is told alike to less"
    assert methods[0].chain(lattice) == methods[1].chain(lattice)
    assert {method.further for method in methods} == {"chain"}


def test_every_projection_has_a_section_in_their_page():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "projections.md").read_text(encoding="utf-8")
    for cls in projections:
        wording = page.split(f"\n## {cls.name}\n\n`")[1].split("`")[0]
        assert isinstance(projections.read(wording), cls)
