"""The best parameters that data meet are those of trying everything, and ``check`` agrees with them."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from limits_oracle import ANY, BruteForce
from shoal.data import Ratings, Scale, Survey
from shoal.datasets import generate_demographics, load
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.engines import LocalEngine
from shoal.errors import InputError, SchemaError, WordingError
from shoal.io import RatingsSchema, Source
from shoal.jobs.limits import LimitsResult
from shoal.jobs.limits.neighborhood_limits import NeighborhoodLimits
from shoal.jobs.limits.partition_limits import PartitionLimits
from shoal.models import KEpsilon
from shoal.models.spread import Spread
from shoal.testing import ratings, surveys

TICK = Fraction(1, 10**6)
READINGS = ("non-null", "pairwise", "over-all", "null-as-zero")


def source_of(data: Ratings | Survey) -> Source:
    return Source(data, RatingsSchema(layout="wide", id=("respondent",)), (), ())


def table(name: str) -> Ratings:
    data = load(name)
    assert isinstance(data, Ratings)
    return data


def limits(data: Ratings | Survey, asked: dict[str, Any], **settings: Any) -> LimitsResult:
    result = shoal.limits(source_of(data), asked, **settings)
    assert isinstance(result, LimitsResult)
    return result


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """For a few people, waking a second thread costs more than the work."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


# ── the papers' examples ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "expected"),
    [("survey-ratings-2", [1, 2, 2, 2, 2, 2, 2, 6]), ("survey-ratings-1", [1, 1, 1, 1, 2, 2, 5])],
)
def test_the_largest_k_by_epsilon(name, expected):
    for epsilon, k in enumerate(expected):
        assert limits(table(name), {"epsilon": epsilon}).k == k


@pytest.mark.parametrize(("semantics", "epsilon"), [("neighborhood", 4), ("partition", 5)])
def test_the_smallest_epsilon_for_k_2_on_table_1(semantics, epsilon):
    """The thesis prints 5 (7.2.3), which is right for partitions only."""
    found = limits(table("survey-ratings-1"), {"k": 2}, semantics=semantics)
    assert (found.epsilon, found.proven) == (epsilon, True)


@pytest.mark.parametrize(("semantics", "epsilon"), [("neighborhood", 2), ("partition", 3)])
def test_the_smallest_epsilon_for_k_2_and_l_2_on_table_2(semantics, epsilon):
    """The thesis prints 3 (7.2.4), which is right for partitions only."""
    for asked in ({"k": 2, "l": 2}, {"l": 2}):
        found = limits(table("survey-ratings-2"), asked, semantics=semantics)
        assert (found.epsilon, found.k, found.proven) == (epsilon, 2, True)


@pytest.mark.parametrize("semantics", ["neighborhood", "partition"])
def test_the_largest_l_at_epsilon_1_on_table_2(semantics):
    found = limits(table("survey-ratings-2"), {"epsilon": 1, "k": 2}, semantics=semantics)
    assert found.l == Fraction(3, 2)


def not_monotone() -> Ratings:
    """People for whom a larger ε lets l fall from 1.633 to 1.414, before it rises again."""
    places, secrets = (1, 1, 3, 3, 4, 4, 4, 4), (1, 5, 3, 3, 1, 5, 1, 5)
    return ratings_of(list(zip(places, secrets, strict=True)), highest=5)


def test_the_largest_l_may_fall_where_epsilon_grows_and_the_smallest_epsilon_is_found_all_the_same():
    published = [limits(not_monotone(), {"epsilon": epsilon}).l for epsilon in (1, 2, 3)]
    assert published == [Fraction("1.632993"), Fraction("1.414213"), Fraction("1.732050")]
    assert limits(not_monotone(), {"l": "1.6"}).epsilon == 1
    assert limits(not_monotone(), {"l": "1.7"}).epsilon == 3


# ── everything tried ──────────────────────────────────────────────────────────────────────────────────────────────

KS = st.integers(2, 5)
EPSILONS = st.sampled_from(["0", "0.1", "0.5", "1", "3/2", "2", "3", "100"]).map(Fraction)
LS = st.sampled_from(["0", "0.05", "0.5", "0.471404", "1", "1.5", "2", "2.5", "9", "40"]).map(Fraction)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    letters = draw(st.sampled_from(["k", "epsilon", "l", "k epsilon", "k l", "epsilon l"])).split()
    return {letter: draw({"k": KS, "epsilon": EPSILONS, "l": LS}[letter]) for letter in letters}


def expected(brute: BruteForce, k: int | None, epsilon: Fraction | None, square: Fraction | None) -> dict[str, Any]:
    """Complete what is given; l is told by its square."""
    if epsilon is None:
        epsilon = brute.smallest_epsilon(k or 2, square or Fraction(0))
    if epsilon is not None and k is None:
        k = brute.largest_k(epsilon, square or Fraction(0))
        if square is not None and k == 1:
            k = None  # an l is asked for together with people who hide each other
    if square is None and epsilon is not None and k is not None and brute.ratings.has_sensitive:
        square = brute.largest_square(k, epsilon)
    return {"k": k, "epsilon": epsilon, "square": square}


def agrees(
    data: Ratings | Survey, asked: dict[str, Any], semantics: str, spread: Any, all_null: Any, search: Any
) -> None:
    answers = data.ratings if isinstance(data, Survey) else data
    needs_l = "l" in asked or len(asked) == 2
    if needs_l and not answers.has_sensitive:
        with pytest.raises(SchemaError, match="no issue is declared sensitive"):
            limits(data, asked, semantics=semantics)
        return
    # how the spread is taken is refused where nothing is sensitive
    readings = {"spread": spread, "all_null": all_null} if answers.has_sensitive else {}
    found = limits(data, asked, semantics=semantics, search=search, **readings)
    brute = BruteForce(data, semantics, spread, all_null)
    square = asked["l"] ** 2 if "l" in asked else None
    right = expected(brute, asked.get("k"), asked.get("epsilon"), square)
    assert found.proven
    assert (found.k, found.epsilon) == (right["k"], right["epsilon"])
    if "l" in asked:
        assert found.l == asked["l"]
    elif right["square"] is None:
        assert found.l is None
    elif right["square"] == ANY:
        assert found.l == answers.scale.highest - answers.scale.lowest
    else:
        assert found.l is not None
        assert found.l**2 <= right["square"] < (found.l + TICK) ** 2
    missing = None in (found.k, found.epsilon) or (found.l is None and answers.has_sensitive)
    assert bool(found.reasons) == missing
    if found.promise is not None:
        assert isinstance(found.promise, KEpsilon)
        check_agrees(data, asked, found, found.promise, readings, any_l=right["square"] == ANY)


def check_agrees(
    data: Ratings | Survey,
    asked: dict[str, Any],
    found: LimitsResult,
    published: KEpsilon,
    readings: dict[str, Any],
    *,
    any_l: bool,
) -> None:
    """What is told holds by ``check``, and nothing better does."""
    assert (published.k, published.epsilon, published.l or 0) == (found.k, found.epsilon, found.l or 0)
    assert holds(data, published)
    if "k" not in asked:
        assert not holds(data, replace(published, k=published.k + 1))
    if "epsilon" not in asked and published.epsilon > 0:
        step = (data.ratings if isinstance(data, Survey) else data).scale.step
        closer = KEpsilon(published.k if "k" in asked else 2, published.epsilon - step, semantics=published.semantics)
        assert not holds(data, replace(closer, l=asked["l"], **readings) if "l" in asked else closer)
    if "l" not in asked and found.l is not None and not any_l:
        assert not holds(data, replace(published, l=found.l + TICK, **readings))


def holds(data: Ratings | Survey, promise: KEpsilon) -> bool:
    return promise.k <= len(data) and shoal.check(source_of(data), [promise]).holds


@settings(max_examples=250)
@given(
    ratings(max_records=8),
    questions(),
    st.sampled_from(READINGS),
    st.sampled_from(["refuse", "accept"]),
    st.sampled_from(["auto", "slicing", "pairwise"]),
)
def test_by_neighborhoods_the_limits_are_those_of_trying_everything(data, asked, spread, all_null, search):
    agrees(data, asked, "neighborhood", spread, all_null, search)


RATED = (Scale.of(1, 5), Scale.of(1, 2), Scale.of("0.5", 3, "0.5"))


@settings(max_examples=120)
@given(
    surveys(max_records=8, max_quasi_identifiers=1, max_sensitive=1, scales=RATED, others=False),
    questions(),
    st.sampled_from(READINGS),
    st.sampled_from(["refuse", "accept"]),
)
def test_on_a_survey_the_limits_are_those_of_trying_everything_within_classes(data, asked, spread, all_null):
    agrees(data, asked, "neighborhood", spread, all_null, "auto")


@settings(max_examples=60)
@given(
    surveys(max_records=5, max_quasi_identifiers=1, max_sensitive=1, scales=RATED, others=False),
    questions(),
    st.sampled_from(READINGS),
)
def test_on_a_survey_groups_are_of_one_class(data, asked, spread):
    agrees(data, asked, "partition", spread, "refuse", "auto")


@given(surveys(scales=RATED), st.integers(0, 2))
def test_the_limits_of_the_answers_alone_are_those_of_ratings(data, epsilon):
    whole, alone = (limits(each, {"epsilon": epsilon}, **part) for each, part in (
        (data, {"part": "answers"}), (data.ratings, {})))  # fmt: skip
    assert (whole.k, whole.l, whole.joined) == (alone.k, alone.l, False)
    assert whole.promise is None or whole.promise.part == "answers"
    joined = limits(data, {"epsilon": epsilon})
    assert joined.k is not None
    assert alone.k is not None
    assert joined.k <= alone.k


def test_limits_of_a_part_that_has_none_say_what_to_do():
    data = generate_demographics(30, 4, 1, seed=1)
    with pytest.raises(WordingError, match="no epsilon and no l"):
        limits(data, {"k": 2}, part="demographics")
    with pytest.raises(WordingError, match="no part 'nonsense'"):
        limits(data, {"k": 2}, part="nonsense")
    with pytest.raises(WordingError, match="ratings alone"):
        limits(data.ratings, {"k": 2}, part="answers")


def test_a_class_that_is_too_small_is_named_as_the_reason():
    found = limits(generate_demographics(30, 4, 1, seed=1), {"k": 2})
    assert found.epsilon is None
    assert "class of equal demographics" in found.reasons[0]
    assert "equal demographics" in found.question
    assert not found.vacuous


@pytest.mark.parametrize("spread", READINGS)
def test_by_partition_the_limits_are_those_of_trying_everything(spread):
    @settings(max_examples=60)
    @given(ratings(max_records=5, scales=RATED), questions(), st.sampled_from(["refuse", "accept"]))
    def law(data, asked, all_null):
        agrees(data, asked, "partition", spread, all_null, "auto")

    law()


# ── stopping early ────────────────────────────────────────────────────────────────────────────────────────────────


class Recording(LocalEngine):
    """Notes what was asked for."""

    def neighbors(self, records, epsilon, *, enough=None, sensitive=False):  # type: ignore[override]
        asked.append((epsilon, sensitive))
        return super().neighbors(records, epsilon, enough=enough, sensitive=sensitive)


asked: list[tuple[Fraction, bool]] = []


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    asked.clear()


def test_an_l_beyond_theorem_7_2_is_refused_without_looking():
    seeker = NeighborhoodLimits(not_monotone(), Recording(), Spread())
    assert seeker.smallest_epsilon(2, Fraction(2) + TICK) is None
    assert asked == []
    assert seeker.smallest_epsilon(2, Fraction(2)) is None
    assert asked


@pytest.mark.parametrize(("l", "looked"), [("1.885618", True), ("1.885619", False)])
def test_an_odd_number_of_ratings_spreads_by_less(l, looked):  # noqa: E741
    seeker = NeighborhoodLimits(ratings_of([(1, 1), (1, 5), (1, 5)], highest=5), Recording(), Spread())
    assert (seeker.smallest_epsilon(2, Fraction(l)) == 0) is looked
    assert bool(asked) is looked


def test_sensitive_ratings_are_not_added_up_where_the_smallest_neighborhood_cannot_spread_enough():
    rows = [(1, 1), (1, 5), (1, 5), (5, 1), (5, 1), (5, 5)]
    seeker = NeighborhoodLimits(ratings_of(rows, highest=5), Recording(), Spread())
    assert seeker.smallest_epsilon(2, Fraction(2)) == 4
    assert [epsilon for epsilon, sensitive in asked if sensitive] == [4]


class Doubting(LocalEngine):
    """Never rules out that a split exists which it does not find."""

    def partition(self, records, need):
        return replace(super().partition(records, need), proven=False)


@pytest.mark.parametrize(
    ("name", "k", "epsilon", "proven"),
    [("survey-ratings-1", 2, 5, False), ("survey-ratings-2", 2, 1, True), ("survey-ratings-2", 7, None, True)],
)
def test_what_neighborhoods_rule_out_is_proven_whatever_the_search_of_splits_says(name, k, epsilon, proven):
    seeker = PartitionLimits(table(name), Doubting(), Spread())
    assert (seeker.smallest_epsilon(k), seeker.proven) == (epsilon, proven)


def test_what_no_search_rules_out_is_not_proven():
    for ask in (
        lambda seeker: seeker.smallest_epsilon(2, Fraction(2)),
        lambda seeker: seeker.largest_l(Fraction(1), 2),
        lambda seeker: seeker.largest_l(Fraction(0), 2),
    ):
        sure, unsure = (
            PartitionLimits(table("survey-ratings-2"), each, Spread()) for each in (LocalEngine(), Doubting())
        )
        assert ask(sure) == ask(unsure)
        assert (sure.proven, unsure.proven) == (True, False)


@given(st.integers(0, 3), st.integers(0, 2_000_000), st.integers(0, 2_000_000), st.sampled_from([0, 1, 1000]))
def test_the_largest_number_is_found_in_few_steps_however_little_is_found_at_once(low, more, found, luck):
    """The splits that are found reach what was asked for, or a little more by luck."""
    seeker = PartitionLimits(table("survey-ratings-1"), Doubting(), Spread())
    seeker._ruled_out = False
    high, most, tried = low + more, low + found, []

    def reached(number: int) -> int | None:
        tried.append(number)
        return min(number + luck, most) if number <= most else None

    assert seeker._largest(low, high, reached) == min(high, most)
    assert seeker.proven == (most >= high)
    assert len(tried) <= 100
    assert len(set(tried)) == len(tried)


# ── what is told, and what is refused ─────────────────────────────────────────────────────────────────────────────


def test_the_result_is_told_in_the_agreed_shape():
    published = limits(table("survey-ratings-2"), {"k": 2}).to_json()
    assert published.pop("seconds") >= 0
    assert published == {
        "given": {"k": 2},
        "k": 2,
        "epsilon": 1,
        "l": 1.5,
        "semantics": "neighborhood",
        "promise": "k-epsilon:k=2,epsilon=1,l=1.5,semantics=neighborhood,spread=non-null,all_null=refuse",
        "vacuous": False,
        "span": 6,
        "vacuous_from": 7,
        "records": 6,
    }
    published = limits(table("survey-ratings-2"), {"k": 7}, semantics="partition").to_json()
    assert (published["k"], published["epsilon"], published["l"], published["promise"], published["proven"]) == (
        7,
        None,
        None,
        None,
        True,
    )
    assert published["reasons"] == ["There are 6 records, fewer than k."]


def test_half_steps_are_told_as_they_are_written():
    halves = replace(ratings_of([(1, 1), (2, 1), (2, 3)], highest=5), scale=Scale.of("0.5", "2.5", "0.5"))
    published = limits(halves, {"k": 2}).to_json()
    assert (published["epsilon"], published["l"]) == (0.5, 0.471404)
    assert limits(halves, {"epsilon": 0.5}).to_json()["given"] == {"epsilon": 0.5}


@pytest.mark.parametrize(
    ("given_letters", "sentence"),
    [
        ({}, "Nothing is given"),
        ({"k": 2, "epsilon": 1, "l": 1}, "nothing is left to find"),
        ({"k": 1}, "at least 2"),
        ({"k": "2.5"}, "whole number"),
        ({"k": True}, "whole number"),
        ({"k": "3,semantics=partition"}, "twice"),
        ({"epsilon": -1}, "at least 0"),
        ({"epsilon": float("nan")}, "a number"),
        ({"l": "-0.5"}, "at least 0"),
        ({"n": 3}, "no parameter 'n'"),
    ],
)
def test_questions_that_mean_nothing_are_refused(given_letters, sentence):
    with pytest.raises(WordingError, match=sentence):
        limits(table("survey-ratings-1"), given_letters)


@pytest.mark.parametrize(
    "settings", [{"semantics": "clique"}, {"spread": "wide"}, {"all_null": "perhaps"}, {"search": "luck"}]
)
def test_settings_that_do_not_exist_are_refused(settings):
    with pytest.raises(WordingError, match="one of"):
        limits(table("survey-ratings-1"), {"k": 2}, **settings)


def test_data_without_anything_observable_or_of_another_kind_are_refused():
    with pytest.raises(InputError, match="a table"):
        shoal.limits(Source(load("thesis-2.1"), RatingsSchema(layout="wide"), (), ()), {"k": 2})
    with pytest.raises(SchemaError, match="no issue is declared as known"):
        limits(ratings_of([(1,), (2,)], highest=5, sensitive=1), {"k": 2})
