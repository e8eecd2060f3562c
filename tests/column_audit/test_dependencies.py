"""What columns tell of each other is what guessing person by person finds."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import audit_oracle as oracle
from shoal.column_audit.dependency import determination, determined_within, determining_values
from shoal.column_audit.inferences import excluded_values
from shoal.column_audit.known_column import common_parts, determined_ranges
from shoal.evidence import PairCounts


@st.composite
def dependent(draw: st.DrawFn, width: int = 4) -> tuple[list[int], list[int]]:
    """Return two columns of which the second mostly follows the first, with some exceptions."""
    n = draw(st.integers(1, 90))
    table = draw(st.lists(st.integers(0, width - 1), min_size=width, max_size=width))
    one = [draw(st.integers(0, width - 1)) for _ in range(n)]
    wrong = draw(st.sets(st.integers(0, n - 1), max_size=draw(st.sampled_from([0, 1, 3, n]))))
    other = [draw(st.integers(0, width - 1)) if i in wrong else table[a] for i, a in enumerate(one)]
    return one, other


def pairs_of(one: list[int], other: list[int]) -> PairCounts:
    return PairCounts.of(np.array(one), max(one) + 1, np.array(other), max(other) + 1)


@settings(max_examples=150)
@given(dependent())
def test_it_tells_what_guessing_from_the_others_finds(columns) -> None:
    one, other = columns
    said = determination(pairs_of(one, other))
    assert said.whole == oracle.determines_as_a_whole(one, other)
    by_value = oracle.determined_by_value(one, other)
    values = determining_values(pairs_of(one, other))
    assert {value: published for value, published in enumerate(values.tolist()) if published >= 0} == by_value
    if not said.whole:
        assert said.determined.tolist() == values.tolist()
    else:
        assert all(said.determined[value] >= 0 for value in one)
        assert said.exact == (len(set(zip(one, other, strict=True))) == len(set(one)))


def test_a_function_is_exact_and_one_exception_in_twenty_is_nearly() -> None:
    one = [i % 5 for i in range(100)]
    other = [value * value % 5 for value in one]
    assert determination(pairs_of(one, other)).exact
    other[:5] = [1, 2, 3, 4, 0]
    said = determination(pairs_of(one, other))
    assert said.whole
    assert not said.exact
    other[5:10] = [1, 2, 3, 4, 0]
    assert not determination(pairs_of(one, other)).whole


def test_different_values_do_not_foretell() -> None:
    """Every value occurs once or belongs to a few twins: nothing is learned of the others."""
    one = [*range(190), *range(5), *range(5)]
    other = [i % 7 for i in one]
    assert not determination(pairs_of(one, other)).whole


def test_a_tie_among_the_others_is_no_guess() -> None:
    """Of three who share a value two agree: for each of these the others are one against one."""
    one = [*(i // 5 for i in range(100)), 20, 20, 20, 21, 21, 21]
    other = [*(i // 5 % 4 for i in range(100)), 0, 0, 1, 1, 1, 2]
    assert not determination(pairs_of(one, other)).whole, "6 of 106 are wrong"
    assert determination(pairs_of(one[:-3], other[:-3])).whole, "3 of 103 are wrong"


def test_one_in_forty_is_set_aside_at_either_end_of_a_range() -> None:
    for carried, lowest in ((39, 0), (40, 5)):
        ranks = [0, *[5] * (carried - 1), *[i % 10 for i in range(200)]]
        found = determined_ranges(pairs_of([*[0] * carried, *[1] * 200], ranks))
        assert (found[0][0], found[1][0]) == (lowest, 5)


@given(dependent(width=6))
def test_a_range_is_spanned_by_most_of_those_who_carry_the_value(columns) -> None:
    one, ranks = columns
    pairs = pairs_of(one, ranks)
    lowest, highest = determined_ranges(pairs)
    for value in set(one):
        expected = oracle.determined_range(one, ranks, value) or (0, pairs.n_other - 1)
        assert (lowest[value], highest[value]) == expected


@given(dependent())
def test_what_occurs_together_is_one_part(columns) -> None:
    one, other = columns
    of_one, of_other, _ = common_parts(pairs_of(one, other))
    expected = oracle.parts(one, other)
    part_of = {value: number for number, part in enumerate(expected) for value in part}
    found = [(int(of_one[a]), part_of[0, a]) for a in one] + [(int(of_other[b]), part_of[1, b]) for b in other]
    assert len(set(found)) == len({a for a, _ in found}) == len({b for _, b in found})


@settings(max_examples=100)
@given(st.data())
def test_within_a_stratum_it_tells_what_guessing_from_the_others_there_finds(data) -> None:
    parts = [data.draw(dependent()) for _ in range(2)]
    strata = [stratum for stratum, (one, _) in enumerate(parts) for _ in one]
    one, other = ([value for part in parts for value in part[side]] for side in range(2))
    width = max(one) + 1
    pairs = pairs_of([stratum * width + a for stratum, a in zip(strata, one, strict=True)], other)
    published = determined_within(pairs, np.arange(pairs.n_one) // width, 2)
    found = {(at // width, at % width): value for at, value in enumerate(published.tolist()) if value >= 0}
    assert found == oracle.determined_within_stratum(strata, one, other)


@settings(max_examples=100)
@given(st.data())
def test_values_exclude_each_other_where_more_were_expected_together_than_chance_leaves_out(data) -> None:
    n, width = data.draw(st.integers(1, 150)), data.draw(st.integers(1, 5))
    chance = np.random.default_rng(data.draw(st.integers(0, 999)))
    one = chance.integers(0, width, n)
    other = (one * data.draw(st.integers(0, 2)) + chance.integers(0, data.draw(st.integers(1, width)), n)) % width
    found = excluded_values(pairs_of(one.tolist(), other.tolist()))
    pairs = set() if found is None else {(int(a), int(b)) for a, b in zip(*np.nonzero(found), strict=True)}
    assert pairs == oracle.excluded(one.tolist(), other.tolist())
