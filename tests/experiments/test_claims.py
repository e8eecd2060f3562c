"""Claims are decided from means over seeds, in every data set by itself."""

import polars as pl
import pytest

from experiments.claims import (
    Series,
    at_least,
    at_most,
    below,
    between,
    both,
    come_closer,
    either,
    falls,
    falls_then_rises,
    for_each,
    grow_apart,
    higher,
    highest_at,
    labeled,
    lower,
    lowest_at,
    near,
    rises,
    times,
)

TABLE = pl.DataFrame(
    [
        {"data": data, "method": method, "k": k, "seed": seed, "loss": loss + 0.5 * seed}
        for data, method, losses in [
            ("A", "ours", [1.0, 2.0, 3.0]),
            ("B", "ours", [2.0, 1.0, 4.0]),
            ("A", "theirs", [2.0, 2.5, 2.0]),
            ("B", "theirs", [3.0, 3.0, 3.0]),
        ]
        for k, loss in zip([2, 3, 5], losses, strict=True)
        for seed in (0, 1)
    ]
)
OURS, THEIRS = (Series("loss", "k", {"method": name}) for name in ("ours", "theirs"))


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        (rises(OURS), True),
        (rises(OURS, at_every_step=True), False),
        (rises(OURS, by=0.8), True),
        (rises(OURS, by=0.9), False),
        (rises(THEIRS), False),
        (falls(OURS), False),
        (falls_then_rises(OURS), False),
        (falls_then_rises(Series("loss", "k", {"method": "ours", "data": "B"})), True),
        (falls_then_rises(Series("loss", "k", {"method": "ours", "data": "B"}), by=0.79), True),
        (falls_then_rises(Series("loss", "k", {"method": "ours", "data": "B"}), by=0.81), False),
        (falls_then_rises(Series("loss", "k", {"method": "ours", "data": "A"})), False),
        (at_most(OURS, 4.25), True),
        (at_most(OURS, 4.24), False),
        (below(OURS, 4.25), False),
        (below(OURS, 4.26), True),
        (at_least(OURS, 1.25), True),
        (at_least(OURS, 1.26), False),
        (lower(OURS, THEIRS), False),
        (lower(Series("loss", "k", {"method": "ours", "k": 2}), THEIRS), True),
        (times(OURS, THEIRS, 0.79, 1), True),
        (times(OURS, THEIRS, 0.9, 1), False),
        (times(OURS, THEIRS, 0.79, 0.85), False),
        (grow_apart(OURS, THEIRS), True),
        (grow_apart(THEIRS, OURS), False),
        (come_closer(OURS, THEIRS), False),
        (come_closer(THEIRS, OURS), True),
        (highest_at(OURS, 5), True),
        (highest_at(OURS, 3), False),
        (highest_at(OURS, 4), False),
        (lowest_at(OURS, 2), False),
        (lowest_at(OURS, 2, [5]), True),
        (lower(Series("loss", "k", {"method": "ours", "k": (2, 3)}), THEIRS), True),
        (near(OURS, THEIRS, 2 / 3), True),
        (near(OURS, THEIRS, 0.6), False),
        (near(OURS, THEIRS, 2, relative=False), True),
        (near(OURS, THEIRS, 1.9, relative=False), False),
        (both(rises(OURS), at_least(OURS, 1)), True),
        (both(rises(OURS), falls(OURS)), False),
        (either(rises(OURS), falls(OURS)), True),
        (either(rises(THEIRS), falls(THEIRS)), False),
        (for_each("seed", rises(OURS)), True),
        (for_each("method", rises(Series("loss", "k"))), False),
        (for_each("seed", rises(Series("loss", "k", {"method": "nobody's"}))), False),
        (higher(THEIRS, OURS), False),
        (higher(THEIRS, Series("loss", "k", {"method": "ours", "k": (2, 3)})), True),
        (between(OURS, 1.25, 4.25), True),
        (between(OURS, 1.26, 4.25), False),
        (between(OURS, 1.25, 4.24), False),
    ],
)
def test_a_claim_holds_where_it_does_in_every_data_set(test, holds) -> None:
    assert test(TABLE).holds is holds


def test_the_numbers_name_data_and_setting() -> None:
    assert rises(OURS)(TABLE).numbers == "A: 1.25 at k = 2, 3.25 at k = 5; B: 2.25 at k = 2, 4.25 at k = 5"
    assert below(OURS, 9)(TABLE).numbers == "A: at most 3.25 at k = 5; B: at most 4.25 at k = 5"
    assert lower(OURS, THEIRS)(TABLE).numbers.startswith("A: lower at 2 of 3 settings, 3.25 against 2.25 at k = 5; B: ")


def test_one_value_is_no_range_and_less_is_not_negative() -> None:
    only = Series("loss", "k", {"method": "ours", "k": 5}, unit="s")
    assert below(only, 9)(TABLE).numbers == "A: 3.25 s at k = 5; B: 4.25 s at k = 5"
    assert times(only, THEIRS, 1)(TABLE).numbers == "A: 1.44 times at k = 5; B: 1.31 times at k = 5"
    assert lower(only, THEIRS)(TABLE).numbers.startswith("A: 3.25 s against 2.25 s at k = 5; B: ")
    assert between(only, 0, 9)(TABLE).numbers == "A: 3.25 s at k = 5; B: 4.25 s at k = 5"
    assert at_least(Series("loss", "k", {"method": "theirs", "data": "B"}), 3)(TABLE).numbers == "B: 3.25 at every k"
    assert for_each("k", below(only, 9))(TABLE.filter(k=5)).numbers.startswith("*k = 5*: A: 3.25 s at k = 5; B: ")
    assert grow_apart(OURS, THEIRS)(TABLE).numbers.startswith("A: 1 less at k = 2, 1 more at k = 5; B: ")
    shares = Series("loss", "k", {"method": "ours", "k": 5, "data": "A"}, show=".1%")
    percent = Series("loss", "k", {"method": "ours"}, unit="%")
    assert grow_apart(percent, THEIRS)(TABLE).numbers.startswith(
        "A: 1 points less at k = 2, 1 points more at k = 5; B: "
    )
    assert near(shares, THEIRS, 1, relative=False)(TABLE).numbers.startswith("A: 100.0 points apart")


def test_large_numbers_are_written_out() -> None:
    assert Series("loss", "k").written(89_051_234.0) == "89,100,000"
    assert Series("loss", "k").written(0.0012345) == "0.00123"


def test_joined_tests_may_be_labeled() -> None:
    only = Series("loss", "k", {"method": "ours", "data": "A"}, across="")
    found = both(labeled("up", rises(only)), labeled("down", falls(only)))(TABLE)
    assert not found.holds
    assert found.numbers == "up: 1.25 at k = 2, 3.25 at k = 5; down: 1.25 at k = 2, 3.25 at k = 5"


def test_a_setting_is_named_as_the_papers_do() -> None:
    assert Series("loss", "epsilon").setting(2) == "ε = 2"
    assert Series("loss", "share").setting(20) == "20 % of the data"
    assert Series("loss", "trust").setting(0.5) == "trust 0.5"


def test_nothing_holds_where_nothing_was_measured() -> None:
    assert not rises(Series("loss", "k", {"method": "nobody's"}))(TABLE).holds
