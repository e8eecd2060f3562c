"""Who is left as a candidate is whom going through the group record by record leaves."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import audit_oracle as oracle
from shoal.column_audit.inferences import (
    ClassInference,
    ExclusionInference,
    RangeInference,
    StratumInference,
    candidates_left_by_all,
)
from shoal.evidence import Grouping

SIZES = st.integers(1, 25)


@st.composite
def exposed(draw: st.DrawFn):
    """Return groups, people, what is read, what is known, and what values tell."""
    n = draw(SIZES)
    some = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    persons = draw(st.just(list(range(n))) | st.lists(st.integers(0, 8), min_size=n, max_size=n))
    published = draw(st.dictionaries(st.integers(0, 2), st.integers(0, 2)))
    return draw(some), persons, draw(some), draw(some), published


def grouped(groups: list[int]) -> Grouping:
    _, labels = np.unique(groups, return_inverse=True)
    return Grouping(labels.astype(np.int64), int(labels.max()) + 1)


def inference(of_record: list[int], of_target: list[int]) -> ClassInference:
    return ClassInference(("c",), ("q",), True, True, np.array(of_record, np.int32), np.array(of_target, np.int32))


@given(exposed())
def test_records_with_another_inferred_value_are_ruled_out(case) -> None:
    groups, persons, read, known, published = case
    of_record = [
        published.get(value, -1) if published.get(value) == q else -1 for value, q in zip(read, known, strict=True)
    ]
    left = inference(of_record, known).candidates_left(grouped(groups), np.array(persons))
    expected = oracle.left_by_reading(groups, persons, read, known, published, lambda says, truth: says == truth)
    assert left.tolist() == expected


@given(exposed())
def test_records_with_another_value_than_is_known_are_ruled_out(case) -> None:
    groups, persons, read, known, published = case
    of_target = [
        published.get(q, -1) if published.get(q) == value else -1 for value, q in zip(read, known, strict=True)
    ]
    left = inference(read, of_target).candidates_left(grouped(groups), np.array(persons))
    assert left.tolist() == oracle.left_by_knowing(groups, persons, read, known, published)


@given(st.data(), SIZES)
def test_several_clues_rule_out_whoever_one_of_them_does(data, n) -> None:
    """Where every record is placed by every inference, whoever is of the same class by all of them is left."""
    draw = lambda: data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))  # noqa: E731
    groups, classes = draw(), [draw() for _ in range(3)]
    left = candidates_left_by_all([inference(each, each) for each in classes], grouped(groups))
    rows = list(zip(groups, *classes, strict=True))
    assert left.tolist() == [rows.count(row) for row in rows]


@given(st.data(), SIZES)
def test_the_number_of_candidates_is_never_too_small(data, n) -> None:
    groups = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    truth = [data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)) for _ in range(2)]
    seen = [[each if data.draw(st.booleans()) else -1 for each in classes] for classes in truth]
    left = candidates_left_by_all([inference(*both) for both in zip(seen, truth, strict=True)], grouped(groups))
    for t in range(n):
        fitting = [
            r for r in range(n) if groups[r] == groups[t] and all(seen[i][r] in (-1, truth[i][t]) for i in range(2))
        ]
        assert len(fitting) <= left[t] <= groups.count(groups[t])


@given(st.data(), SIZES)
def test_records_whose_range_does_not_hold_the_value_are_ruled_out(data, n) -> None:
    groups = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    ranks = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    low = [data.draw(st.integers(0, rank)) for rank in ranks]
    high = [data.draw(st.integers(rank, 9)) for rank in ranks]
    inference = RangeInference(("c",), ("q",), np.array(low), np.array(high), np.array(ranks))
    assert inference.candidates_left(grouped(groups)).tolist() == [
        sum(groups[r] == groups[t] and low[r] <= ranks[t] <= high[r] for r in range(n)) for t in range(n)
    ]


@given(exposed(), st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2))))
def test_records_with_a_value_that_the_known_one_excludes_are_ruled_out(case, pairs) -> None:
    groups, persons, read, known, _ = case
    excluded = np.zeros((3, 3), np.bool_)
    for pair in pairs:
        excluded[pair] = True
    inference = ExclusionInference(("c",), ("q",), excluded, np.array(known), np.array(read))
    expected = oracle.left_by_exclusion(groups, persons, read, known, pairs)
    assert inference.candidates_left(grouped(groups), np.array(persons)).tolist() == expected


@given(exposed(), st.data())
def test_strata_rule_out_only_for_their_own_people(case, data) -> None:
    groups, persons, read, known, _ = case
    n = len(groups)
    strata = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    parts = [
        inference(read, [q if s == stratum else -1 for q, s in zip(known, strata, strict=True)]) for stratum in (0, 1)
    ]
    left = StratumInference(("c",), ("q",), parts).candidates_left(grouped(groups), np.array(persons))
    by_stratum = [part.candidates_left(grouped(groups), np.array(persons)).tolist() for part in parts]
    assert left.tolist() == [by_stratum[stratum][i] for i, stratum in enumerate(strata)]
