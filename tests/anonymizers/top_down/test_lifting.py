"""Lifting: both sides keep the promises, nobody is lifted in vain, and where one record suffices one is lifted."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.top_down import lifting
from shoal.anonymizers.top_down.lifting import Lifting
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import promises

K = 2
Member = tuple[int, int, str]
"""Group, part (−1 for those pushed back) and sensitive value."""


@st.composite
def pushed_back(draw: st.DrawFn) -> list[Member]:
    """Groups of a few parts that have two different values and two records at least; those pushed back have not."""
    members: list[Member] = []
    part = 0
    for group in range(draw(st.integers(1, 3))):
        alike = draw(st.sampled_from("abc"))
        members += [(group, -1, alike)] * draw(st.integers(1, 3))
        for _ in range(draw(st.integers(1, 2))):
            values = draw(
                st.lists(st.sampled_from("abcd"), min_size=2, max_size=4).filter(lambda all_: len(set(all_)) > 1)
            )
            members += [(group, part, value) for value in values]
            part += 1
    return members


def searched(members: list[Member], *wordings: str, more: str = "") -> tuple[list[bool], list[bool]]:
    """Search with one sensitive column, or a second one with the letters of ``more``."""
    column = Column.encode("q", Role.QUASI_IDENTIFIER, pl.Series(["x"] * len(members)))
    values = [value for _, _, value in members]
    categories = (("a",), ("b",), ("c",), ("d",))
    sensitive = Column.encode("s", Role.SENSITIVE, pl.Series(values), categories)
    models = [promises.read(wording) for wording in wordings]
    second = [Column.encode("s2", Role.SENSITIVE, pl.Series(list(more)))] if more else []
    judge = GroupPromises(Microdata((column, sensitive, *second)), models, LocalEngine())
    groups, parts = (np.array([member[i] for member in members], np.int64) for i in (0, 1))
    spare = np.bincount(parts[parts >= 0], minlength=1) - judge.fewest
    rows = np.arange(len(members))
    lifted, possible = Lifting(judge).lifted(rows, groups, parts, spare, int(groups.max()) + 1)
    return lifted.tolist(), possible.tolist()


def sides(members: list[Member], lifted: set[int], group: int) -> list[list[str]]:
    """The values of those pushed back with the lifted, and of each part without them, be it empty."""
    parts: dict[int, list[str]] = {part: [] for own, part, _ in members if own == group}
    for place, (own, part, value) in enumerate(members):
        if own == group:
            parts[-1 if place in lifted else part].append(value)
    return list(parts.values())


def diverse(values: list[str]) -> bool:
    return len(values) >= K and len(set(values)) >= 2


@pytest.mark.parametrize("cells", [4_000_000, 1], ids=["at once", "one by one"])
@settings(max_examples=40)
@given(members=pushed_back())
def test_the_fewest_records_with_which_both_sides_are_diverse(cells, members):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lifting, "_MOST_CELLS", cells)
        lifted, possible = searched(members, f"k-anonymity:k={K}", "p-sensitive:p=2")
    for group, found in enumerate(possible):
        own = [place for place, member in enumerate(members) if member[0] == group and member[1] >= 0]
        chosen = {place for place in own if lifted[place]}
        alone = any(all(map(diverse, sides(members, {place}, group))) for place in own)
        some = any(
            all(map(diverse, sides(members, set(few), group))) for n in (1, 2, 3) for few in combinations(own, n)
        )
        assert found == some
        assert (len(chosen) == 1) == alone
        assert bool(chosen) == found
        assert not found or all(map(diverse, sides(members, chosen, group)))


@settings(max_examples=40)
@given(members=pushed_back(), k=st.integers(2, 3))
def test_by_size_as_many_are_lifted_as_are_missing(members, k):
    """Groups in which nobody is missing are not asked about."""
    counted = {group: sum(m[0] == group and m[1] < 0 for m in members) for group in {m[0] for m in members}}
    parts = {m[1]: sum(n[1] == m[1] for n in members) for m in members if m[1] >= 0}
    if max(counted.values()) >= k or min(parts.values()) < k:
        return
    lifted, possible = searched(members, f"k-anonymity:k={k}")
    for group, found in enumerate(possible):
        spared = {m[1]: parts[m[1]] - k for m in members if m[0] == group and m[1] >= 0}
        missing = k - counted[group]
        assert found == (sum(spared.values()) >= missing)
        chosen = {place for place, up in enumerate(lifted) if up and members[place][0] == group}
        assert len(chosen) == (missing if found else 0)
        assert all(len(side) >= k for side in sides(members, chosen, group)) or not found


def test_records_are_lifted_until_they_weigh_enough():
    """Those pushed back weigh nothing, and d weighs 1: two of them are needed, which the part can give."""
    members = [(0, -1, "a"), (0, -1, "a"), *[(0, 0, value) for value in "aabbbbbddddd"]]
    lifted, possible = searched(members, "k-anonymity:k=2", "p-alpha-sensitive:p=2,alpha=2")
    assert possible == [True]
    assert [value for (_, _, value), up in zip(members, lifted, strict=True) if up] == ["d", "d"]


def test_one_record_makes_two_attributes_diverse():
    """Those pushed back are alike in both; of the five others only the last differs in both, and can be spared."""
    members = [(0, -1, "a"), (0, -1, "a"), *[(0, 0, value) for value in "aabbb"]]
    lifted, possible = searched(members, "k-anonymity:k=2", "p-sensitive:p=2", more="xxxyxxy")
    assert possible == [True]
    assert np.flatnonzero(lifted).tolist() == [6]


def test_where_no_record_differs_in_what_lacks_nothing_is_lifted():
    members = [(0, -1, "a"), (0, -1, "a"), *[(0, 0, value) for value in "aabbb"]]
    lifted, possible = searched(members, "k-anonymity:k=2", "p-sensitive:p=2", more="xxxxxxx")
    assert possible == [False]
    assert not any(lifted)
