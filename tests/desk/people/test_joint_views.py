"""What several views tell together is what everybody who has all of them can tell."""

from collections import defaultdict
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from desk_oracle import People, keeps, published, table_of
from shoal.data import Column, Microdata, Role
from shoal.desk.people.joint_views import JointViews, KnownData
from shoal.desk.request import FixedChain
from shoal.desk.views.held import Held
from shoal.errors import RequestRefused
from shoal.models import promises

MODELS = [promises.read("k-anonymity:k=2"), promises.read("l-diversity:l=2,kind=distinct")]
LEVELS = st.tuples(st.integers(0, 2), st.integers(0, 2))


def joined(tables: Sequence[Microdata], identifier: str | None = "name") -> JointViews:
    """Return what is checked of the versions of one data set."""
    return JointViews({("crowd", at): KnownData(table, MODELS, identifier) for at, table in enumerate(tables)})


@st.composite
def crowds(draw: st.DrawFn) -> People:
    """Return people of whom there are few kinds, so that promises hold about as often as not."""
    person = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("xyz"))
    kinds = draw(st.lists(person, min_size=1, max_size=4))
    names = draw(st.lists(st.integers(0, 12), min_size=3, max_size=12, unique=True))
    return {f"p{name}": draw(st.sampled_from(kinds)) for name in names}


@given(people=crowds(), nodes=st.lists(LEVELS, min_size=1, max_size=3))
def test_views_of_one_table_tell_together_what_the_finest_level_of_each_attribute_tells(people, nodes):
    meet = FixedChain.meet(nodes)
    assert _parts(people, nodes) == _parts(people, [meet])
    assert joined([table_of(people)], None).keep({("crowd", 0): Held(meet)}) == keeps(
        [(people, node) for node in nodes], 2, 2
    )


@st.composite
def histories(draw: st.DrawFn) -> list[People]:
    """Return a crowd and what became of it: some went, some came, some are told otherwise."""
    people, other = draw(crowds()), draw(crowds())
    new = {f"new {name}": person for name, person in other.items()}
    ways = [people, other, {**people, **new}, {**people, **other}, dict(list(people.items())[2:]) | new]
    return [people, *draw(st.lists(st.sampled_from(ways), min_size=1, max_size=2))]


TWINS: People = {"p0": (0, 0, "x"), "p1": (0, 0, "y")}


@given(versions=histories(), nodes=st.tuples(LEVELS, LEVELS, LEVELS))
@example(versions=[TWINS, {**TWINS, "new": (0, 0, "x")}], nodes=((2, 2), (2, 2), (2, 2)))
@example(versions=[{**TWINS, "gone": (0, 0, "x")}, TWINS], nodes=((2, 2), (2, 2), (2, 2)))
def test_views_of_several_versions_tell_together_who_came_went_and_stayed(versions, nodes):
    asked = {("crowd", number): Held(node) for number, node in enumerate(nodes[: len(versions)])}
    views = list(zip(versions, nodes, strict=False))
    assume(all(any(each.keys() & other.keys() for other in versions if other is not each) for each in versions))
    assert joined([table_of(people) for people in versions]).keep(asked) == keeps(views, 2, 2)


def test_whoever_cannot_be_known_again_is_refused():
    people = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(4)}
    twins = Column.encode("name", Role.IDENTIFIER, pl.Series(["p0", "p0", "p1", None]))
    numbers = Column.encode("name", Role.IDENTIFIER, pl.Series([1, 2, 3, 4]))
    table = table_of(people)
    for other, identifier in ((table, None), *((table.replaced((each,)), "name") for each in (twins, numbers))):
        with pytest.raises(RequestRefused) as refused:
            joined([table, other], identifier).keep({("crowd", 0): Held((2, 2)), ("crowd", 1): Held((2, 2))})
        assert "p0" not in str(refused.value)
    assert isinstance(table, Microdata)


def test_people_who_all_have_a_new_number_are_not_taken_for_new_people():
    before = {f"p{i}": (0, 0, "xy"[i % 2]) for i in range(4)}
    after = {f"P{i}": person for i, person in enumerate(before.values())}
    between = {"p0": before["p0"], "p1": before["p1"], **dict(list(after.items())[2:])}
    first, second, last = map(table_of, (before, between, after))
    views = {("crowd", 0): Held((2, 2)), ("crowd", 1): Held((2, 2))}
    with pytest.raises(RequestRefused, match="Nobody of version 0"):
        joined([first, last]).keep(views)
    assert joined([first, last, second]).keep(views)


def _parts(people: People, nodes: Sequence[tuple[int, ...]]) -> set[frozenset[str]]:
    """Cross the groups of all views, name by name."""
    groups: defaultdict[object, set[str]] = defaultdict(set)
    for name, (one, two, _) in people.items():
        groups[tuple((published(one, node[0]), published(two, node[1])) for node in nodes)].add(name)
    return {frozenset(group) for group in groups.values()}
