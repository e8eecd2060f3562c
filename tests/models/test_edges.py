"""Every promise at its very edge."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.errors import WordingError
from shoal.evidence import GroupCounts, Neighborhoods, SensitiveValues, SharedItemSets, ValueCounts
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
    Verdict,
    promises,
)

NULL = -1


def sizes(*numbers: int) -> GroupCounts:
    return GroupCounts(np.array(numbers, np.int64))


def crowds(epsilon: Fraction, *others: int) -> Neighborhoods:
    return Neighborhoods(epsilon, np.array(others, np.int64))


def published(verdict: Verdict) -> tuple[bool, dict, int, list[bool]]:
    return verdict.holds, dict(verdict.level), verdict.violations, verdict.violating.tolist()


def verdict_on(rows: list[list[int]], model: PrivacyModel, scale: Scale | None = None) -> Verdict:
    """Judge ratings given as codes."""
    scale = scale or Scale.of(1, 5)
    items = Vocabulary(pl.Series([f"issue {i}" for i in range(len(rows[0]))]))
    matrix = RatingMatrix.from_dense(items, np.array(rows, np.int32), scale.dtype)
    data = Ratings(Vocabulary.numbered(len(rows)), matrix, RatingMatrix.empty(len(rows), scale.dtype), scale)
    return judge(data, [model], LocalEngine()).verdicts[0]


def people(ages: list, *sensitive: list) -> Microdata:
    columns = [Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages, dtype=pl.Int64))]
    for at, values in enumerate(sensitive):
        columns.append(Column.encode(f"secret {at}", Role.SENSITIVE, pl.Series(values, dtype=pl.String)))
    return Microdata(tuple(columns))


# ── k-anonymity ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_group_of_exactly_k_is_enough_and_one_less_is_not():
    assert published(KAnonymity(3).judge(sizes(3, 9))) == (True, {"k": 3}, 0, [False, False])
    assert published(KAnonymity(3).judge(sizes(3, 2, 9, 1))) == (False, {"k": 1}, 3, [False, True, False, True])
    assert published(KAnonymity(2).judge(sizes(2))) == (True, {"k": 2}, 0, [False])


@given(numbers=st.lists(st.integers(1, 6), min_size=1), k=st.integers(2, 7))
def test_the_mask_is_over_groups_and_the_violations_over_records(numbers, k):
    small = [size < k for size in numbers]
    broken = sum(size for size in numbers if size < k)
    assert published(KAnonymity(k).judge(sizes(*numbers))) == (not any(small), {"k": min(numbers)}, broken, small)


def test_missing_quasi_identifiers_are_alike():
    verdict = judge(people([None, None, 31, 31]), [KAnonymity(2)], LocalEngine()).verdicts[0]
    assert (verdict.holds, dict(verdict.level)) == (True, {"k": 2})
    verdict = judge(people([None, 31, 31]), [KAnonymity(2)], LocalEngine()).verdicts[0]
    assert (verdict.holds, dict(verdict.level), verdict.violations) == (False, {"k": 1}, 1)


def test_no_group_at_all_breaks_nothing():
    known = SensitiveValues.of(Column.encode("a", Role.SENSITIVE, pl.Series(list("abcd")), (("a",), tuple("bcd"))))
    none = ValueCounts(np.array([0]), np.zeros(0, np.int32), np.zeros(0, np.int64), 4, known)
    nobody = GroupCounts(np.zeros(0, np.int64), (none,))
    assert published(KAnonymity(2).judge(nobody)) == (True, {"k": 0}, 0, [])
    assert published(LDiversity(2).judge(nobody)) == (True, {"l": 4}, 0, [])
    assert published(LDiversity(2, "entropy").judge(nobody)) == (True, {"l": 4.0}, 0, [])
    assert published(LDiversity(2, "recursive", Fraction(1)).judge(nobody)) == (True, {"l": 4}, 0, [])
    assert published(PPlusAlphaSensitive(2, alpha=Fraction(1)).judge(nobody)) == (True, {"p": 4, "alpha": 0.0}, 0, [])
    assert published(TCloseness(Fraction(0)).judge(nobody)) == (True, {"t": 0.0}, 0, [])
    assert published(KEpsilon(2, Fraction(1)).judge(crowds(Fraction(1)))) == (True, {"k": 1}, 0, [])


# ── (k,ε)-anonymity ───────────────────────────────────────────────────────────────────────────────────────────────


def test_k_less_one_others_are_enough():
    model = KEpsilon(3, Fraction(1))
    assert published(model.judge(crowds(Fraction(1), 2, 2, 2))) == (True, {"k": 3}, 0, [False] * 3)
    assert published(model.judge(crowds(Fraction(1), 2, 1, 1, 0))) == (False, {"k": 1}, 3, [False, True, True, True])


def test_evidence_for_another_epsilon_is_not_judged():
    with pytest.raises(AssertionError):
        KEpsilon(2, Fraction(1)).judge(crowds(Fraction(2), 5, 5))


@pytest.mark.parametrize(
    ("epsilon", "holds"), [("0", False), ("1.999", False), ("2", True), ("2.001", True), ("4", True), ("5", True)]
)
def test_a_distance_of_exactly_epsilon_is_near(epsilon, holds):
    assert verdict_on([[0], [2]], KEpsilon(2, Fraction(epsilon))).holds is holds


@pytest.mark.parametrize(("epsilon", "holds"), [("0.1", False), ("0.29", False), ("0.3", True)])
def test_tenths_are_tenths(epsilon, holds):
    """Three steps of 0.1 are within 0.3, which no sum of doubles would say."""
    scale = Scale.of(0, 1, "0.1")
    assert verdict_on([[0], [3]], KEpsilon(2, Fraction(epsilon)), scale).holds is holds


@pytest.mark.parametrize(("epsilon", "holds"), [("4", False), ("4.99", False), ("5", True)])
def test_a_null_and_a_rating_are_r_apart(epsilon, holds):
    assert verdict_on([[NULL, 0], [4, 0]], KEpsilon(2, Fraction(epsilon))).holds is holds


def test_two_nulls_are_alike_and_people_without_ratings_are_neighbors():
    assert verdict_on([[NULL, 1], [NULL, 1]], KEpsilon(2, Fraction(0))).holds
    assert verdict_on([[NULL, NULL], [NULL, NULL]], KEpsilon(2, Fraction(0))).holds
    assert verdict_on([[NULL], [NULL], [0]], KEpsilon(2, Fraction(0))).violations == 1


def test_being_near_is_not_passed_on():
    verdict = verdict_on([[0], [1], [2]], KEpsilon(3, Fraction(1)))
    assert published(verdict) == (False, {"k": 2}, 2, [True, False, True])


def test_every_issue_must_be_near():
    assert not verdict_on([[0, 0, 0], [0, 0, 2]], KEpsilon(2, Fraction(1))).holds
    assert verdict_on([[0, 0, 1], [1, 1, 0]], KEpsilon(2, Fraction(1))).holds


# ── l-diversity ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (people([31] * 3, ["flu", "cold", "flu"]), (True, {"l": 2}, 0, [False])),
        (people([31] * 3, ["flu", "flu", "flu"]), (False, {"l": 1}, 3, [True])),
        (people([31] * 3, ["flu", None, None]), (True, {"l": 2}, 0, [False])),
        (people([31] * 3, [None, None, None]), (False, {"l": 1}, 3, [True])),
        (people([31, 31, 47], ["flu", "cold", "flu"]), (False, {"l": 1}, 1, [False, True])),
        (people([31] * 3, ["flu", "cold", "ill"], ["a", "a", "a"]), (False, {"l": 1}, 3, [True])),
        (people([31, 31, 47, 47], list("abab"), list("aaab")), (False, {"l": 1}, 2, [True, False])),
    ],
)
def test_different_values_are_counted_in_every_group_and_attribute(data, expected):
    assert published(judge(data, [LDiversity(2)], LocalEngine()).verdicts[0]) == expected


def test_many_of_one_value_and_one_of_another_are_two():
    data = people([31] * 100, ["flu"] * 99 + ["cold"])
    assert judge(data, [LDiversity(2)], LocalEngine()).holds
    assert judge(data, [LDiversity(3)], LocalEngine()).verdicts[0].violations == 100


def test_promises_on_sensitive_values_without_their_counts_are_not_judged():
    for model in (LDiversity(2), PSensitive(2), TCloseness(Fraction(0))):
        with pytest.raises(AssertionError):
            model.judge(sizes(5))


@pytest.mark.parametrize(
    ("numbers", "l", "c", "holds", "level"),
    [
        ([3, 2, 1], 2, "1", False, 1),  # 3 is not below 1·3
        ([3, 2, 1], 2, "1.001", True, 2),
        ([3, 2, 1], 3, "3", False, 2),  # 3 is not below 3·1
        ([3, 2, 1], 3, "3.0000000001", True, 3),
        ([3, 2, 1], 4, "100", False, 3),
        ([5], 2, "100", False, 1),
        ([5], 2, "1/2", False, 0),
        ([1, 1, 1, 1], 4, "2", True, 4),
        ([2**40, 2**40 - 1], 2, "1", False, 1),
        ([2**40, 2**40 - 1], 2, "1.000000000001", True, 2),
    ],
)
def test_recursive_diversity_at_its_edge(numbers, l, c, holds, level):  # noqa: E741
    counts = ValueCounts(
        np.array([0, len(numbers)]), np.arange(len(numbers), dtype=np.int32), np.array(numbers, np.int64), len(numbers)
    )
    verdict = LDiversity(l, "recursive", Fraction(c)).judge(GroupCounts(np.array([sum(numbers)]), (counts,)))
    assert (verdict.holds, dict(verdict.level)) == (holds, {"l": level})


# ── sensitive forms of k-anonymity ────────────────────────────────────────────────────────────────────────────────


GRADES = (("HIV", "cancer"), ("asthma",), ("flu", "cold"))


def patients(*groups: str, categories: tuple[tuple[str, ...], ...] = GRADES) -> Microdata:
    diseases = [None if word == "-" else word for group in groups for word in group.split()]
    ages = [age for age, group in enumerate(groups) for _ in group.split()]
    ill = Column.encode("ill", Role.SENSITIVE, pl.Series(diseases, dtype=pl.String), categories)
    return Microdata((*people(ages).columns, ill))


@pytest.mark.parametrize(
    ("data", "model", "level"),
    [
        (patients("HIV cancer", "flu cold"), PSensitive(2, 2), {"p": 2, "k": 2}),
        (patients("HIV cancer", "flu HIV"), PPlusSensitive(2), {"p": 1}),
        (patients("HIV asthma", "flu HIV"), PPlusSensitive(2), {"p": 2}),
        (patients("HIV -", "flu HIV"), PPlusSensitive(2), {"p": 1}),
        (patients("- -", "flu HIV"), PPlusSensitive(2), {"p": 0}),
        (patients("HIV -", "flu HIV"), PSensitive(2), {"p": 2}),
        (patients("HIV asthma asthma", "flu HIV"), PAlphaSensitive(2, alpha=Fraction(1)), {"p": 2, "alpha": 1.0}),
        (patients("HIV asthma -", "flu HIV"), PAlphaSensitive(2, alpha=Fraction(1)), {"p": 2, "alpha": 0.5}),
        (
            patients("a b", categories=(("a",), ("b",), (), ())),
            PAlphaSensitive(2, alpha=Fraction(1)),
            {"p": 2, "alpha": 0.333333},
        ),
        (patients("HIV " * 99 + "flu"), PAlphaSensitive(2, alpha=Fraction(1)), {"p": 2, "alpha": 1.0}),
        (patients("a b", categories=(("a", "b"),)), PAlphaSensitive(2, alpha=Fraction(1)), {"p": 2, "alpha": 0.0}),
    ],
)
def test_categories_and_weights_are_these(data, model, level):
    verdict = judge(data, [model], LocalEngine()).verdicts[0]
    assert dict(verdict.level) == level
    assert verdict.holds == all(level[key] >= getattr(model, key) for key in level)


def test_an_alpha_of_many_digits_is_compared_in_full():
    data = patients("HIV asthma asthma", "flu HIV")
    assert not judge(data, [PAlphaSensitive(2, alpha=1 + Fraction(1, 10**60))], LocalEngine()).holds
    assert judge(data, [PAlphaSensitive(2, alpha=1 - Fraction(1, 10**60))], LocalEngine()).holds
    assert not judge(data, [PAlphaSensitive(2, alpha=Fraction(10**60))], LocalEngine()).holds


def test_numbers_are_in_categories_however_they_are_written():
    ages = people([1, 1]).columns
    for values in (pl.Series([1, 20]), pl.Series([1.0, 20.0])):
        for words in (("1", "20"), ("1.0", "2e1")):
            column = Column.encode("grade", Role.SENSITIVE, values, ((words[0],), (words[1],)))
            assert judge(Microdata((*ages, column)), [PPlusSensitive(2)], LocalEngine()).holds


# ── (b,l)-diversity ───────────────────────────────────────────────────────────────────────────────────────────────


def shared(items: int, **numbers: list[int]) -> SharedItemSets:
    return SharedItemSets(items, np.array(numbers["sizes"], np.int64), np.array(numbers["fewest"], np.int64))


def test_exactly_l_groups_are_enough_and_the_violations_are_records():
    enough, rare = shared(1, sizes=[5, 9, 2], fewest=[3, 3, 3]), shared(1, sizes=[5, 9, 2], fewest=[3, 2, 1])
    assert published(BLDiversity(1, 3).judge(enough)) == (True, {"l": 3}, 0, [False] * 3)
    assert published(BLDiversity(1, 3).judge(rare)) == (False, {"l": 1}, 11, [False, True, True])
    assert published(BLDiversity(1, 2).judge(shared(1, sizes=[], fewest=[]))) == (True, {"l": 0}, 0, [])


def test_evidence_for_sets_of_another_size_is_not_judged():
    with pytest.raises(AssertionError):
        BLDiversity(2, 2).judge(shared(1, sizes=[1], fewest=[1]))


@pytest.mark.parametrize(
    ("rows", "b", "expected"),
    [
        ([[0, NULL], [1, NULL], [NULL, 0], [NULL, 1]], 1, (True, {"l": 2}, 0, [False] * 4)),
        ([[0, NULL], [0, NULL], [NULL, 0], [NULL, 1]], 1, (False, {"l": 1}, 2, [True, False, False])),
        ([[0, 0], [1, NULL], [NULL, 1]], 1, (True, {"l": 2}, 0, [False] * 3)),
        ([[0, 0], [1, NULL], [NULL, 1]], 2, (False, {"l": 1}, 1, [True, False, False])),
        ([[0, 0], [1, 0], [0, 1]], 2, (True, {"l": 3}, 0, [False] * 3)),
        ([[NULL, NULL], [NULL, NULL]], 1, (False, {"l": 1}, 2, [True])),
        ([[NULL, NULL], [0, 0], [0, 1]], 2, (True, {"l": 2}, 0, [False] * 3)),
    ],
)
def test_different_profiles_are_counted_by_the_items_they_hold(rows, b, expected):
    assert published(verdict_on(rows, BLDiversity(b, 2))) == expected


def test_profiles_shorter_than_b_are_not_passed_over():
    """Of exactly two items there is no set; but who knows the only one of the first record knows the record."""
    assert verdict_on([[0, NULL, NULL], [NULL, 0, 0], [NULL, 0, 1]], BLDiversity(2, 2)).violations == 1


# ── parameters and words ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wording", "phrase"),
    [
        ("k-anonymity:k=1", "k of at least 2"),
        ("k-anonymity:k=-5", "k of at least 2"),
        ("k-epsilon:k=1,epsilon=1", "k of at least 2"),
        ("k-epsilon:k=2,epsilon=-0.5", "epsilon of at least 0"),
        ("l-diversity:l=1", "l of at least 2"),
        ("b-l-diversity:b=0,l=2", "b of at least 1"),
        ("b-l-diversity:b=1,l=1", "l of at least 2"),
        ("l-diversity:l=2,kind=strange", "kind cannot be 'strange'"),
        ("l-diversity:l=2.5", "a whole number for l"),
        ("l-diversity:l=2.5,kind=recursive,c=2", "a whole number for l"),
        ("l-diversity:l=1,kind=entropy", "l above 1"),
        ("l-diversity:l=1,kind=recursive,c=2", "l of at least 2"),
        ("l-diversity:l=2,kind=recursive", "needs it there"),
        ("l-diversity:l=2,c=2", "knows c with kind=recursive"),
        ("l-diversity:l=2,kind=recursive,c=0", "c above 0"),
        ("p-sensitive:p=1", "p of at least 2"),
        ("p-plus-sensitive:p=1,k=3", "p of at least 2"),
        ("p-sensitive:p=2,k=1", "k of at least 2"),
        ("p-alpha-sensitive:p=2,alpha=0", "alpha above 0"),
        ("p-plus-alpha-sensitive:p=2,alpha=-1", "alpha above 0"),
        ("p-alpha-sensitive:p=2", "needs alpha"),
        ("t-closeness:t=1", "at least 0 and below 1"),
        ("t-closeness:t=-0.1", "at least 0 and below 1"),
        ("t-closeness:t=0.2,distance=far", "distance cannot be 'far'"),
    ],
)
def test_a_promise_of_nothing_is_refused(wording, phrase):
    with pytest.raises(WordingError, match=phrase):
        promises.read(wording)


@given(k=st.integers(2, 10**9), epsilon=st.fractions(0, 100), l=st.integers(2, 10**9))
def test_promises_are_written_and_read_back(k, epsilon, l):  # noqa: E741
    for model in (KAnonymity(k), KEpsilon(k, epsilon), LDiversity(l), BLDiversity(k, l)):
        assert promises.read(str(model)) == model
    assert KEpsilon(k, epsilon).fewest_records == KAnonymity(k).fewest_records == k
    assert LDiversity(l).fewest_records == BLDiversity(k, l).fewest_records == l


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (KAnonymity(5), ("at least 4 others", "does not hide a sensitive value")),
        (
            KEpsilon(5, Fraction(3, 2)),
            ("at least 4 others", "no more than 1.5", "does not protect against an attacker who picks the nearest"),
        ),
        (BLDiversity(1, 3), ("knows one item", "at least 3 different published", "does not protect against anyone")),
        (BLDiversity(4, 3), ("knows at most 4 items",)),
        (LDiversity(3), ("at least 3 different values", "does not bound")),
        (LDiversity(Fraction(3, 2), "entropy"), ("by its entropy, as 1.5 values", "only loosely")),
        (
            LDiversity(3, "recursive", Fraction(1, 2)),
            ("less than 0.5 times as often as all values but the 2 most common", "nearly the same"),
        ),
        (PSensitive(2), ("at least 2 different values.", "does not bound")),
        (KAnonymity(2), ("at least 1 other to",)),
        (PPlusSensitive(2, 2), ("at least 1 other. ",)),
        (PPlusSensitive(2, 5), ("at least 4 others", "values of at least 2 categories.")),
        (PAlphaSensitive(3, alpha=Fraction(1, 2)), ("at least 3 different values, which weigh at least 0.5",)),
        (PPlusAlphaSensitive(3, alpha=Fraction(1)), ("at least 3 categories, which weigh at least 1",)),
        (TCloseness(Fraction("0.2")), ("distance of 0.2, any two different", "does not hide what is true of all")),
        (TCloseness(Fraction("0.2"), "ordered"), ("their places in the order",)),
        (TCloseness(Fraction("0.2"), "hierarchical"), ("lowest common label",)),
    ],
)
def test_the_meaning_names_the_parameters_and_what_is_not_promised(model, words):
    assert all(word in model.meaning for word in words)


def test_the_repr_of_a_verdict_shows_no_mask():
    assert "violating" not in repr(KAnonymity(2).judge(sizes(1, 2)))
