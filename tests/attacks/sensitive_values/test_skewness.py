"""``skewness``: what is rare among all may be common among those who look alike."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inference_oracle as oracle
from released import released
from shoal.attacks import Exposure, Skewness
from shoal.data import Column, Microdata, Role
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.randomness import Randomness

CHANCE = Randomness(1)


@given(
    released("table", max_sensitive=1) | released("ratings", max_sensitive=1),
    st.sampled_from([None, Fraction(1), Fraction(30)]),
)
def test_bets_are_laid_by_the_shares_of_those_who_look_alike(exposure: Exposure, within: Fraction | None) -> None:
    for name in oracle.names(exposure):
        attack = Skewness(name, within if exposure.truth.kind == "ratings" else None)
        people = oracle.concluded(exposure, name, within or Fraction(0))
        if not people:
            assert attack.misfit(exposure) is not None
            continue
        found = attack.run(exposure, CHANCE)
        assert found.main == pytest.approx(np.mean([oracle.share(own, alike or every) for own, alike, every in people]))
        assert found.baseline == pytest.approx(np.mean([oracle.share(own, every) for own, _, every in people]))
        distances = [distance(exposure, name, alike or every, every) for _, alike, every in people]
        assert found.details["largest_distance"] == pytest.approx(max(distances), abs=1e-12)
        assert found.details["average_distance"] == pytest.approx(np.mean(distances), abs=1e-12)


def distance(exposure: Exposure, name: str, some: list, every: list) -> float:
    if exposure.truth.kind == "ratings":
        scale = exposure.ratings[1].scale
        line = [scale.lowest + at * scale.step for at in range(scale.points)]
        return oracle.ordered_distance(some, every, line)
    kind = exposure.tables[0][name].vocabulary.values.dtype
    if None in every or not (kind.is_numeric() or kind.is_temporal()):
        return oracle.total_variation(some, every)
    return oracle.ordered_distance(some, every, sorted(set(every)))


def test_the_salaries_of_the_paper_on_t_closeness() -> None:
    # Li, Li and Venkatasubramanian, section 4.2: 3k 4k 5k is 0.375 from all nine salaries, 6k 8k 11k is 0.167
    groups = [(3, 4, 5), (6, 8, 11), (7, 9, 10)]
    place = Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series([at for at in range(3) for _ in range(3)]))
    salary = Column.encode("salary", Role.SENSITIVE, pl.Series([value for group in groups for value in group]))
    found = Skewness().run(Exposure.of_itself(Microdata((place, salary))), CHANCE)
    assert found.details["largest_distance"] == pytest.approx(0.375)
    assert found.details["average_distance"] == pytest.approx((0.375 + 1 / 6 + 17 / 72) / 3)
    assert found.main == pytest.approx(1 / 3)
    assert found.baseline == pytest.approx(1 / 9)


def test_on_a_scale_distances_are_in_steps() -> None:
    near = ratings_of([(1, 1), (2, 2)], 5)
    far = ratings_of([(1, 1), (2, 5)], 5)
    assert Skewness().run(Exposure.of_itself(near), CHANCE).details["largest_distance"] == pytest.approx(1 / 8)
    assert Skewness().run(Exposure.of_itself(far), CHANCE).details["largest_distance"] == pytest.approx(1 / 2)


def test_the_control_bets_by_somebody_else() -> None:
    two = ratings_of([(1, 1), (2, 5)], 5)
    found = Skewness().run(Exposure.of_itself(two), CHANCE)
    assert (found.main, found.baseline, found.control) == (1.0, 0.5, 0.0)


def test_a_word_that_was_made_for_the_release_is_nobodys_value() -> None:
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2, 2]))
    truth = Microdata((ages, Column.encode("salary", Role.SENSITIVE, pl.Series([3, 4, 5]))))
    seen = Microdata((ages, Column.encode("salary", Role.SENSITIVE, pl.Series(["3", "high", "high"]))))
    found = Skewness().run(Exposure(truth, seen, np.arange(3)), CHANCE)
    assert found.main == pytest.approx(1 / 3)
    assert found.baseline == pytest.approx(1 / 9)
    assert found.details["largest_distance"] == pytest.approx(2 / 3)
