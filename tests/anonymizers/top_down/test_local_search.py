"""The search after the descent of ``top-down``: never worse, promises kept, and near to the best there is."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shoal.anonymizers import Allowance, Recoding, TopDown
from shoal.anonymizers.top_down.local_search import LocalSearch
from shoal.data import Column, Microdata, Role
from shoal.engines import LocalEngine
from shoal.models import promises
from shoal.randomness import Randomness
from shoal.testing import tables


def recoded(table: Microdata, method: TopDown, *wordings: str, spare: int = 0) -> Recoding:
    models = [promises.read(wording) for wording in wordings]
    return method.recode(table, models, LocalEngine(), Randomness(1), max_withheld=Allowance.of_records(table, spare))


def labels(made: Recoding) -> list[tuple]:
    """The labels of each record, None for one that is withheld."""
    assert isinstance(made.records, Microdata)
    columns = [column.values.cast(pl.String).to_list() for column in made.records.quasi_identifiers]
    left_out = np.zeros(len(made.records), bool) if made.withheld is None else made.withheld
    return [None if out else published for published, out in zip(zip(*columns, strict=True), left_out, strict=True)]  # type: ignore[misc]


def numbers_and_words(numbers: list, words: list[str], persons: list[int] | None = None) -> Microdata:
    columns = (
        Column.encode("number", Role.QUASI_IDENTIFIER, pl.Series(numbers, dtype=pl.Int64)),
        Column.encode("word", Role.QUASI_IDENTIFIER, pl.Series(words, dtype=pl.String)),
    )
    return Microdata(columns, persons=None if persons is None else np.array(persons, np.int64))


def ends(label: str) -> tuple[int, int]:
    """The lowest and the highest whole number of a label."""
    if label.startswith("["):
        low, high = (int(part) for part in label[1:-1].split(", "))
        return low, high - (label[-1] == ")")
    return int(label), int(label)


def loss(table: Microdata, made: Recoding) -> float:
    """What is lost, counted value by value; a record that is withheld loses 1 in every column."""
    numbers = sorted(set(table["number"].values))
    total = 0.0
    for published in labels(made):
        if published is None:
            total += 2
            continue
        number, word = published
        low, high = (numbers[0], numbers[-1]) if number == "*" else ends(number)
        total += (sum(low <= each <= high for each in numbers) - 1) / max(len(numbers) - 1, 1) + (word == "*")
    return total


small = st.integers(4, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 40), min_size=n, max_size=n), st.lists(st.sampled_from("abc"), min_size=n, max_size=n)
    )
)


@settings(max_examples=40)
@given(drawn=small, k=st.integers(2, 4), kind=st.sampled_from(["safe", "tight"]), rounds=st.integers(1, 6))
def test_a_search_is_never_worse_than_none_nor_more_rounds_than_fewer(drawn, k, kind, rounds):
    table = numbers_and_words(*drawn)
    assume(len(table) >= k)
    losses = []
    for search in (0, rounds, rounds + 3):
        made = recoded(table, TopDown(search=search, labels=kind), f"k-anonymity:k={k}")
        assert min(Counter(labels(made)).values()) >= k
        losses.append(loss(table, made))
    assert losses[2] <= losses[1] + 1e-9
    assert losses[1] <= losses[0] + 1e-9


@settings(max_examples=40)
@given(drawn=small, k=st.integers(2, 4), kind=st.sampled_from(["safe", "tight"]))
def test_every_number_is_inside_its_label(drawn, k, kind):
    table = numbers_and_words(*drawn)
    made = recoded(table, TopDown(labels=kind), f"k-anonymity:k={k}")
    published = labels(made)
    for (number, word), value, true_word in zip(published, *drawn, strict=True):
        assert word in ("*", true_word)
        low, high = (0, 40) if number == "*" else ends(number)
        assert low <= value <= high
        if kind == "tight" and number != "*":
            assert {low, high} <= {each for each, same in zip(drawn[0], published, strict=True) if same[0] == number}
        if kind == "safe" and number.startswith("["):
            width = high - low + 1
            assert width & (width - 1) == 0
            assert low % width == 0


@settings(max_examples=30)
@given(table=tables(min_records=4, max_records=14, max_sensitive=1), spare=st.integers(0, 3), data=st.data())
def test_promises_of_sensitive_values_hold_on_what_is_left(table, spare, data):
    assume(table.has_sensitive)
    wording = data.draw(st.sampled_from(["l-diversity:l=2", "t-closeness:t=0.4", "p-sensitive:k=2,p=2"]))
    model = promises.read(wording)
    made = recoded(table, TopDown(), wording, spare=spare)
    assert isinstance(made.records, Microdata)
    everybody = LocalEngine()
    before = model.judge(_counted(table.replaced(_group_centroids(table)), everybody))
    if not before.holds:
        return  # not even all records together keep it
    left = np.arange(len(table)) if made.withheld is None else np.flatnonzero(~made.withheld)
    assert len(table) - len(left) <= spare
    assert model.judge(_counted(made.records.take(left), everybody)).holds


def _group_centroids(table: Microdata) -> tuple[Column, ...]:
    return tuple(Column.encode(c.name, c.role, pl.Series(["*"] * len(table))) for c in table.quasi_identifiers)


def _counted(table: Microdata, engine: LocalEngine):
    return engine.count(table, engine.group(table), sensitive=True)


def partitions(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """Every way to part rows into groups of at least k."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for chosen in range(1 << len(rest)):
        group = [first, *(row for i, row in enumerate(rest) if chosen >> i & 1)]
        if len(group) >= k:
            others = [row for row in rest if row not in group]
            for more in partitions(others, k):
                yield [group, *more]


def least_possible(numbers: list[int], words: list[str], k: int) -> float:
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    span = max(len(ranks) - 1, 1)

    def lost(group: list[int]) -> float:
        places = [ranks[numbers[row]] for row in group]
        return len(group) * ((max(places) - min(places)) / span + (len({words[row] for row in group}) > 1))

    return min(sum(map(lost, parted)) for parted in partitions(list(range(len(numbers))), k))


def test_tight_groups_are_near_to_the_best_there_are():
    """Of 60 tables of 9 people, beside every way to group them."""
    chance = np.random.default_rng(5)
    found = best = 0.0
    n_best = 0
    for _ in range(60):
        numbers, words = chance.integers(0, 20, 9).tolist(), chance.choice(list("ab"), 9).tolist()
        table = numbers_and_words(numbers, words)
        lost = loss(table, recoded(table, TopDown(labels="tight"), "k-anonymity:k=2"))
        least = least_possible(numbers, words, 2)
        assert lost >= least - 1e-9
        found, best, n_best = found + lost, best + least, n_best + (lost <= least + 1e-9)
    assert found <= 1.07 * best
    assert n_best >= 40


def test_an_outlier_is_withheld_where_the_others_gain_more_than_it_loses():
    numbers = [*range(10, 20), 1000]
    table = numbers_and_words(numbers, ["a"] * 10 + ["b"])
    without = recoded(table, TopDown(labels="tight"), "k-anonymity:k=5")
    assert without.withheld is None
    allowed = recoded(table, TopDown(labels="tight"), "k-anonymity:k=5", spare=1)
    assert allowed.withheld is not None
    assert np.flatnonzero(allowed.withheld).tolist() == [10]
    assert loss(table, allowed) < loss(table, without)


@settings(max_examples=40)
@given(drawn=small, k=st.integers(2, 4), spare=st.integers(0, 4), data=st.data())
def test_to_withhold_is_never_worse_and_within_the_budget_of_records_and_people(drawn, k, spare, data):
    n = len(drawn[0])
    persons = data.draw(st.none() | st.lists(st.integers(0, n // 2), min_size=n, max_size=n))
    if persons is not None:
        persons = np.unique(persons, return_inverse=True)[1].tolist()
    table = numbers_and_words(drawn[0], drawn[1], persons)
    assume(table.n_people >= k)
    without = recoded(table, TopDown(), f"k-anonymity:k={k}")
    made = recoded(table, TopDown(), f"k-anonymity:k={k}", spare=spare)
    assert loss(table, made) <= loss(table, without) + 1e-9
    left_out = np.zeros(n, bool) if made.withheld is None else made.withheld
    assert left_out.sum() <= spare
    who = list(range(n)) if persons is None else persons
    assert len({who[row] for row in np.flatnonzero(left_out)}) * n <= spare * table.n_people
    people: dict[tuple, set[int]] = {}
    for row, published in enumerate(labels(made)):
        if published is not None:
            people.setdefault(published, set()).add(who[row])
    assert min(map(len, people.values())) >= k


def test_the_owner_is_told_what_tight_labels_tell():
    table = numbers_and_words([1, 2, 3, 4], ["a"] * 4)
    assert recoded(table, TopDown(), "k-anonymity:k=2").remarks == ()
    (remark,) = recoded(table, TopDown(labels="tight"), "k-anonymity:k=2").remarks
    assert "downcoding" in remark


@pytest.mark.parametrize("search", [0, 3])
def test_the_plain_algorithm_follows_the_hierarchy_alone(search):
    table = numbers_and_words([1, 2, 3, 4, 30, 31], ["a"] * 6)
    made = recoded(table, TopDown(numbers="hierarchy", search=search), "k-anonymity:k=2")
    assert {number for number, _ in labels(made)} == {"*"}


def test_where_the_rest_would_not_be_close_nothing_is_withheld(monkeypatch):
    """Groups are judged beside those who leave; without them all records are others, and one group is far from them."""
    ills = Column.encode("ill", Role.SENSITIVE, pl.Series(["flu", "flu", "cold", "cold"] * 2))
    table = Microdata((*numbers_and_words([1] * 4 + [2] * 4, ["a"] * 8).columns, ills))
    wordings = ("k-anonymity:k=2", "t-closeness:t=0.1")
    without = recoded(table, TopDown(labels="tight"), *wordings)

    def improved(_search, groups, _rounds, allowance):
        leaving = np.arange(8) < min(allowance.records, 2)
        return np.where(leaving, -1, groups)

    monkeypatch.setattr(LocalSearch, "improved", improved)
    made = recoded(table, TopDown(labels="tight"), *wordings, spare=2)
    assert made.withheld is None
    assert labels(made) == labels(without) == [("1", "a")] * 4 + [("2", "a")] * 4


# ── missing numbers ───────────────────────────────────────────────────────────────────────────────────────────────


def loss_with_missing(numbers: list[int | None], made: Recoding) -> float:
    """What is lost, a missing number being a value that tight labels name beside a range."""
    known = set(numbers)
    total = 0.0
    for published in labels(made):
        if published is None:
            total += 2
            continue
        number, word = published
        missing = number is None or number.startswith("missing or ")
        rest = None if number is None else number.removeprefix("missing or ")
        low, high = (1, 0) if rest is None else ends(rest)
        covered = sum(missing if each is None else low <= each <= high for each in known)
        total += (covered - 1) / max(len(known) - 1, 1) + (word == "*")
    return total


def test_tight_labels_tell_the_range_of_the_numbers_that_are_there():
    table = numbers_and_words([None, 50, 70, 0, 60, 65], ["x"] * 3 + ["y"] * 3)
    made = labels(recoded(table, TopDown(labels="tight"), "k-anonymity:k=3"))
    assert made == [("missing or [50, 70]", "x")] * 3 + [("[0, 65]", "y")] * 3
    alone = numbers_and_words([None, None, 1, 2], list("xxyy"))
    assert labels(recoded(alone, TopDown(labels="tight"), "k-anonymity:k=2"))[:2] == [(None, "x")] * 2


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(st.none() | st.integers(0, 12), st.sampled_from("ab")), min_size=4, max_size=14),
    k=st.integers(2, 4),
    spare=st.integers(0, 4),
)
def test_of_missing_numbers_too_the_search_saves_what_it_reckons(rows, k, spare):
    numbers, words = (list(each) for each in zip(*rows, strict=True))
    table = numbers_and_words(numbers, words)
    plain = recoded(table, TopDown(labels="tight", search=0), f"k-anonymity:k={k}")
    without = recoded(table, TopDown(labels="tight"), f"k-anonymity:k={k}")
    made = recoded(table, TopDown(labels="tight"), f"k-anonymity:k={k}", spare=spare)
    assert loss_with_missing(numbers, without) <= loss_with_missing(numbers, plain) + 1e-9
    assert loss_with_missing(numbers, made) <= loss_with_missing(numbers, without) + 1e-9
    for number, published in zip(numbers, labels(without), strict=True):
        label = published[0]
        assert (label is None or label.startswith("missing")) if number is None else label is not None
