"""Claims are decided from means over seeds, in every data set by itself."""

import polars as pl
import pytest

from experiments.claims import (
    Series,
    at_least,
    at_most,
    below,
    both,
    come_closer,
    falls,
    falls_then_rises,
    grow_apart,
    highest_at,
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
    ],
)
def test_a_claim_holds_where_it_does_in_every_data_set(test, holds) -> None:
    assert test(TABLE).holds is holds


def test_the_numbers_name_data_and_setting() -> None:
    assert rises(OURS)(TABLE).numbers == "A: 1.25 at k 2, 3.25 at k 5; B: 2.25 at k 2, 4.25 at k 5"
    assert below(OURS, 9)(TABLE).numbers == "A: at most 3.25 at k 5; B: at most 4.25 at k 5"
    assert lower(OURS, THEIRS)(TABLE).numbers.startswith("A: lower at 2 of 3 settings, 3.25 against 2.25 at k 5; B: ")


def test_nothing_holds_where_nothing_was_measured() -> None:
    assert not rises(Series("loss", "k", {"method": "nobody's"}))(TABLE).holds
