"""Ratings that are not in memory are judged as those that are: the same verdicts, levels, violations and reasons."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.backends.stream import StreamBackend
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.errors import DataError, InputError, WordingError
from shoal.models import promises
from shoal.partitioned.ratings import item_sets, judge_partitioned_ratings, partitioned_ratings, pattern_blocks
from shoal.testing import ratings

_PROMISES = (
    "k-anonymity:k=2",
    "k-anonymity:k=3",
    "k-epsilon:k=2,epsilon=0",
    "k-epsilon:k=3,epsilon=1",
    "k-epsilon:k=2,epsilon=4",
    "k-epsilon:k=2,epsilon=100",
    "k-epsilon:k=2,epsilon=1,l=1",
    "k-epsilon:k=2,epsilon=1,l=0.5,all_null=accept",
    "k-epsilon:k=2,epsilon=1,l=1,spread=pairwise",
    "k-epsilon:k=2,epsilon=2,l=2,spread=null-as-zero,all_null=accept",
    "k-epsilon:k=2,epsilon=100,l=1",
    "km-anonymity:k=2,m=1",
    "km-anonymity:k=3,m=2",
    "b-l-diversity:b=1,l=2",
)
_SEVERAL_PARTITIONS = 3_000
"""So little memory that a dozen ratings make several partitions."""


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, _SEVERAL_PARTITIONS) as backend:
        yield backend


@settings(max_examples=60, deadline=None)
@given(
    data=ratings(max_records=12),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=3, unique=True),
    in_runs=st.booleans(),
)
def test_verdicts_are_those_of_ratings_in_memory(backend, data: Ratings, wordings: list[str], in_runs: bool) -> None:
    models = [promises.read(each) for each in wordings]
    expected = _judged(lambda: judge(data, models, LocalEngine()).verdicts)
    found = _judged(lambda: judge_partitioned_ratings(partitioned_ratings(data, backend, in_runs=in_runs), models))
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    assert [_plain(each) for each in found] == [_plain(each) for each in expected]


Judged = TypeVar("Judged")


def _judged(judging: Callable[[], Judged]) -> Judged | str:
    """Return what is judged, or why it is refused."""
    try:
        return judging()
    except InputError as error:
        return f"{type(error).__name__}: {error}"


def _plain(verdict) -> tuple:
    return verdict.promise, verdict.holds, dict(verdict.level), verdict.violations, verdict.remarks


@pytest.mark.parametrize(
    "wording",
    ["k-epsilon:k=2,epsilon=1,semantics=partition", "b-l-diversity:b=2,l=2", "km-anonymity:k=2,m=3"],
)
def test_promises_on_all_records_at_once_are_refused(backend, wording: str) -> None:
    with pytest.raises(WordingError, match="in memory"):
        judge_partitioned_ratings(partitioned_ratings(_of_one_pattern(4), backend), [promises.read(wording)])


@settings(max_examples=30, deadline=None)
@given(
    data=st.integers(4, 60).flatmap(lambda n: st.builds(_of_one_pattern, st.just(n), st.integers(0, 99), st.just(3))),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=3, unique=True),
)
def test_a_survey_that_everybody_completed_is_compared_block_by_block(backend, data: Ratings, wordings) -> None:
    models = [promises.read(each) for each in wordings]
    expected = _judged(lambda: judge(data, models, LocalEngine()).verdicts)
    found = _judged(lambda: judge_partitioned_ratings(partitioned_ratings(data, backend), models))
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    assert [_plain(each) for each in found] == [_plain(each) for each in expected]


def test_counting_stops_at_no_number_below_the_smallest(tmp_path: Path) -> None:
    data = _of_one_pattern(7000, items=8)
    model = promises.read("k-epsilon:k=2,epsilon=3")
    with StreamBackend(tmp_path / "spill", 5000 << 15) as backend:  # blocks of 5,000 profiles
        (found,) = judge_partitioned_ratings(partitioned_ratings(data, backend, in_runs=True), [model])
    expected = judge(data, [model], LocalEngine()).verdicts[0]
    assert expected.level["k"] > 2
    assert _plain(found) == _plain(expected)


def _of_one_pattern(n: int, seed: int = 1, items: int = 3) -> Ratings:
    """Return complete answers of n people to some questions, and of some of them to one that is sensitive."""
    scale = Scale(Fraction(1), Fraction(5))
    chance = np.random.default_rng(seed)
    codes, sensitive = chance.integers(0, 5, (n, items)), chance.integers(-1, 5, (n, 1))
    observable, private = (
        RatingMatrix.from_dense(Vocabulary(pl.Series(names)), given, scale.dtype)
        for names, given in (([f"i{i}" for i in range(items)], codes), (["s"], sensitive))
    )
    return Ratings(Vocabulary.numbered(n), observable, private, scale)


def test_more_profiles_of_one_pattern_than_can_be_compared_are_refused(backend, monkeypatch) -> None:
    monkeypatch.setattr(pattern_blocks, "_MOST_COPIES", 100)
    with pytest.raises(DataError, match="different profiles"):
        judge_partitioned_ratings(
            partitioned_ratings(_of_one_pattern(60), backend), [promises.read("k-epsilon:k=2,epsilon=1")]
        )


def test_more_pairs_of_items_than_can_be_counted_are_refused(backend, monkeypatch) -> None:
    monkeypatch.setattr(item_sets, "_MOST_SETS", 10)
    with pytest.raises(WordingError, match="too many pairs"):
        judge_partitioned_ratings(
            partitioned_ratings(_of_one_pattern(60), backend), [promises.read("km-anonymity:k=2,m=2")]
        )
