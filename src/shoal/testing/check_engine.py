"""The laws of engines: every engine computes the numbers of the definitions, however the records are cut up."""

import itertools
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Microdata, Ratings, Records
from shoal.engines import Engine
from shoal.evidence import GroupCounts, Grouping, NeedItemSets, NeedPartition, RatingMoments

from .strategies import ratings, tables

__all__ = ["check_engine"]

_EPSILONS = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(100))


def check_engine(engine: Engine, *, examples: int = 60) -> None:
    """Check every law of engines on one engine.

    * Two records are in one group exactly when their observable parts are equal; groups are numbered without gaps.
    * Sizes and sensitive counts are those of counting one by one, of groups and of all records; the counts of two
      blocks add up to those of both.
    * Neighbors, and the sensitive ratings among them, are those of comparing every two records; asked for only enough
      of them, an engine cuts their numbers off where the definition says.
    * A partition is one: groups are pairwise within ε, and who is not left over is in a group of the size asked for.
    * The groups that hold the rarest sets of items of a group are those of trying every set, up to where that matters.
    * Blocks are answered in the order they were given in.
    """
    _check_groups_and_counts(engine, examples)
    _check_neighbors(engine, examples)
    _check_partition(engine, examples)
    _check_item_sets(engine, examples)
    _check_blocks(engine)


def _check_groups_and_counts(engine: Engine, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(ratings() | tables(min_quasi_identifiers=0), st.integers(0, 12))
    def law(data: Records, border: int) -> None:
        grouping = engine.group(data)
        seen = _observable(data)
        expected = {profile: number for number, profile in enumerate(dict.fromkeys(seen))}
        pairs = set(zip(grouping.labels.tolist(), (expected[profile] for profile in seen), strict=True))
        assert grouping.n_groups == len(expected) == len(pairs), "the groups are not those of equal records"
        assert {label for label, _ in pairs} == set(range(grouping.n_groups)), "the groups are not numbered 0, 1, …"
        counts = engine.count(data, grouping, sensitive=True)
        assert _plain(counts) == _counted(data, grouping.labels.tolist(), grouping.n_groups)
        assert not engine.count(data, grouping, sensitive=False).sensitive
        _check_totals(data, counts)
        _check_sum(engine, data, grouping.labels, grouping.n_groups, min(border, len(data)), counts)

    law()


def _check_sum(
    engine: Engine, data: Records, labels: np.ndarray, n_groups: int, border: int, whole: GroupCounts
) -> None:
    parts = [np.arange(border), np.arange(border, len(data))]
    one, other = (engine.count(data.take(rows), Grouping(labels[rows], n_groups), sensitive=True) for rows in parts)
    assert _plain(one + other) == _plain(whole), "the counts of two blocks do not add up to those of both"
    _check_totals(data, one + other)


def _check_totals(data: Records, counts: GroupCounts) -> None:
    if not isinstance(data, Microdata):
        return
    for column, values in zip(data.sensitive, counts.sensitive, strict=True):
        expected = [column.codes.tolist().count(code) for code in range(len(column.vocabulary))]
        assert values.known is not None, "nothing is known of the values of a sensitive column"
        assert values.known.totals.tolist() == expected, "the values of all records are counted wrongly"


def _observable(data: Records) -> list[tuple[object, ...]]:
    """Return what can be seen of each record."""
    if isinstance(data, Ratings):
        return [tuple(row) for row in data.observable.dense().tolist()]
    assert isinstance(data, Microdata)
    columns = [column.values.to_list() for column in data.quasi_identifiers]
    return [tuple(column[row] for column in columns) for row in range(len(data))]


def _counted(data: Records, labels: list[int], n_groups: int) -> tuple[list[int], list[list[dict[int, int]]]]:
    sizes = [labels.count(group) for group in range(n_groups)]
    attributes: list[list[int]]
    if isinstance(data, Ratings):
        attributes = data.sensitive.dense().T.tolist()
    else:
        assert isinstance(data, Microdata)
        attributes = [column.codes.tolist() for column in data.sensitive]
    counted = []
    for codes in attributes:
        members = [[code for label, code in zip(labels, codes, strict=True) if label == g] for g in range(n_groups)]
        counted.append([{code: group.count(code) for code in sorted(set(group)) if code >= 0} for group in members])
    return sizes, counted


def _plain(counts: GroupCounts) -> tuple[list[int], list[list[dict[int, int]]]]:
    attributes = []
    for attribute in counts.sensitive:
        ends = attribute.indptr.tolist()
        pairs = list(zip(attribute.values.tolist(), attribute.counts.tolist(), strict=True))
        attributes.append([dict(pairs[begin:end]) for begin, end in itertools.pairwise(ends)])
    return counts.sizes.tolist(), attributes


def _check_neighbors(engine: Engine, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(ratings(), st.sampled_from(_EPSILONS), st.integers(0, 5))
    def law(data: Ratings, epsilon: Fraction, enough: int) -> None:
        rows = data.observable.dense().tolist()
        near = [[_near(data, one, other, epsilon) for other in rows] for one in rows]
        expected = [sum(line) - 1 for line in near]
        assert engine.neighbors(data, epsilon).others.tolist() == expected
        most = max(enough, min(expected, default=0))
        cut_off = [min(number, most) for number in expected]
        assert engine.neighbors(data, epsilon, enough=enough).others.tolist() == cut_off
        found = engine.neighbors(data, epsilon, enough=enough, sensitive=True)
        assert found.others.tolist() == expected
        assert found.moments is not None
        assert _sums_by_record(found.moments) == [_added_up(data, line) for line in near]

    law()


def _sums_by_record(moments: RatingMoments) -> list[list[object]]:
    parts = (moments.sizes, moments.given, moments.sums, moments.squares)
    return [list(line) for line in zip(*(part.tolist() for part in parts), strict=True)]


def _added_up(data: Ratings, chosen: list[bool]) -> list[object]:
    """Count the chosen records and, for each sensitive item that anybody rated, those who did, codes and squares."""
    columns = [column for column in data.sensitive.dense().T.tolist() if max(column) >= 0]
    inside = [[code for code, is_in in zip(column, chosen, strict=True) if is_in and code >= 0] for column in columns]
    squares = [sum(code * code for code in codes) for codes in inside]
    return [sum(chosen), [len(codes) for codes in inside], [sum(codes) for codes in inside], squares]


def _check_partition(engine: Engine, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(ratings(), st.sampled_from(_EPSILONS), st.integers(1, 4))
    def law(data: Ratings, epsilon: Fraction, size: int) -> None:
        found = engine.partition(data, NeedPartition(epsilon, size))
        rows = data.observable.dense().tolist()
        labels = found.best.labels.tolist()
        assert set(labels) == set(range(found.best.n_groups)), "the groups are not numbered 0, 1, …"
        for one, group in zip(rows, labels, strict=True):
            for other, same in zip(rows, labels, strict=True):
                assert group != same or _near(data, one, other, epsilon), "a group holds records more than ε apart"
        sizes = [labels.count(group) for group in range(found.best.n_groups)]
        assert found.moments.sizes.tolist() == sizes
        assert (not found.left_over.any()) == (min(sizes) >= size), "a record is left over, or is not, without reason"
        crowd = [sum(_near(data, one, other, epsilon) for other in rows) for one in rows]
        assert all(crowded >= size for crowded, left in zip(crowd, found.left_over, strict=True) if not left)

    law()


def _check_item_sets(engine: Engine, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(ratings(), st.integers(1, 4), st.integers(1, 6))
    def law(data: Ratings, items: int, enough: int) -> None:
        grouping = engine.group(data)
        found = engine.item_sets(data, grouping, NeedItemSets(items, enough))
        profiles = dict(zip(grouping.labels.tolist(), data.observable.dense(), strict=True))
        held = {label: frozenset(np.flatnonzero(row >= 0).tolist()) for label, row in profiles.items()}
        expected = []
        for label in range(grouping.n_groups):
            sets = [s for size in range(items + 1) for s in itertools.combinations(held[label], size)]
            expected.append(min(sum(other.issuperset(some) for other in held.values()) for some in sets))
        most = max(enough, min(expected))
        assert found.fewest.tolist() == [min(number, most) for number in expected]
        assert found.sizes.tolist() == engine.count(data, grouping, sensitive=False).sizes.tolist()

    law()


def _near(data: Ratings, one: list[int], other: list[int], epsilon: Fraction) -> bool:
    """Compare two records on every issue: equal nulls are 0 apart, a null and a rating one step more than the span."""
    scale = data.scale
    apart = scale.highest - scale.lowest + scale.step
    for a, b in zip(one, other, strict=True):
        distance = apart if (a < 0) != (b < 0) else abs(a - b) * scale.step
        if distance > epsilon:
            return False
    return True


def _check_blocks(engine: Engine) -> None:
    blocks = [list(range(n)) for n in range(20)]
    assert engine.map_blocks(sum, blocks) == [sum(block) for block in blocks], "blocks are answered out of order"
    assert engine.map_blocks(sum, []) == []
