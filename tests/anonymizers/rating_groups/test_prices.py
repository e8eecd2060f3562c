"""What ratings cost: shares of the span of the scale, so that a scale multiplied by any factor is the same scale."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.anonymizers import Align, Anonymizer, Graph, GreedyInterval
from shoal.anonymizers.rating_groups.rating_costs import RatingCosts
from shoal.data import RatingMatrix, Ratings, Scale
from shoal.engines import LocalEngine
from shoal.errors import PromiseNotKept
from shoal.models import KEpsilon
from shoal.randomness import Randomness
from shoal.testing.strategies import ratings as drawn_ratings
from surveys import survey

SCALE_FREE = [
    Align(),
    Align(groups="led"),
    Align(invent_cost=Fraction(1, 3), drop_cost=Fraction(1, 7)),
    Graph(),
    GreedyInterval(),
]


def recoded(data: Ratings, model: KEpsilon, method: Anonymizer) -> Ratings:
    made = method.recode(data, [model], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    return made


def multiplied(data: Ratings, factor: int, *, step: bool) -> Ratings:
    """Return the data with every rating and both ends of the scale multiplied; the step too, or as fine as before."""
    old = data.scale
    scale = Scale(old.lowest * factor, old.highest * factor, old.step * (factor if step else 1))
    times = 1 if step else factor
    observable, sensitive = (
        RatingMatrix(side.items, side.indptr, side.indices, side.codes.astype(scale.dtype) * scale.dtype(times))
        for side in (data.observable, data.sensitive)
    )
    return Ratings(data.users, observable, sensitive, scale)


def profiles_by(data: Ratings, factor: int) -> list[list[Fraction | None]]:
    rows = oracles.profiles(data)
    return [[None if rating is None else Fraction(rating) / factor for rating in row] for row in rows]


@pytest.mark.parametrize("method", SCALE_FREE, ids=str)
@settings(max_examples=40)
@given(
    data=drawn_ratings(min_records=4, max_records=14, max_sensitive=0),
    k=st.integers(2, 4),
    epsilon=st.integers(0, 3),
    factor=st.sampled_from([2, 3, 7, 10, 100, 1000]),
    step=st.booleans(),
    semantics=st.sampled_from(["neighborhood", "partition"]),
)
def test_a_scale_multiplied_by_any_factor_changes_nothing(method, data, k, epsilon, factor, step, semantics):
    steps = epsilon * data.scale.step
    model = KEpsilon(k, steps, semantics=semantics)
    once = recoded(data, model, method)
    again = recoded(multiplied(data, factor, step=step), replace(model, epsilon=steps * factor), method)
    assert profiles_by(again, factor) == profiles_by(once, 1)


@given(
    data=drawn_ratings(min_records=4, max_records=12).filter(lambda data: data.has_sensitive),
    factor=st.sampled_from([3, 100]),
    l=st.sampled_from(["1/2", "1"]),
)
def test_nor_does_it_with_sensitive_ratings_that_must_spread(data: Ratings, factor: int, l: str):  # noqa: E741
    step = data.scale.step
    models = [KEpsilon(2, step * by, Fraction(l) * step * by, spread="non-null") for by in (1, factor)]
    outcomes = []
    for model, some, by in zip(models, (data, multiplied(data, factor, step=False)), (1, factor), strict=True):
        try:
            outcomes.append(profiles_by(recoded(some, model, Align()), by))
        except PromiseNotKept:
            outcomes.append("refused")
    assert outcomes[0] == outcomes[1]


def test_many_records_on_a_scale_of_many_points_are_decided_alike():
    chance = np.random.default_rng(2)
    rows = np.where(chance.random((300, 6)) < 0.1, 0, chance.integers(1, 6, (300, 6)))
    data = survey([[int(rating) or None for rating in row] for row in rows], 5)
    once = recoded(data, KEpsilon(4, Fraction(1)), Align())
    again = recoded(multiplied(data, 250, step=False), KEpsilon(4, Fraction(250)), Align())
    assert again.scale.points == 1001
    assert profiles_by(again, 250) == profiles_by(once, 1)


@pytest.mark.parametrize("method", [Align(), Align(groups="led"), Graph()], ids=str)
@pytest.mark.parametrize("highest", [100, 1000])
def test_on_a_fine_scale_ratings_are_moved_and_not_dropped(method: Anonymizer, highest: int):
    """Everybody answered everything, by a slider: nothing needs to be dropped, and little to be invented."""
    chance = np.random.default_rng(1)
    codes = np.clip(np.rint(chance.normal(highest / 2, highest / 5, (200, 5))), 0, highest).astype(np.int32)
    small = survey([[1] * 5] * 200, 5)
    scale = Scale.of(0, highest)
    matrix = RatingMatrix.from_dense(small.observable.items, codes, scale.dtype)
    data = Ratings(small.users, matrix, RatingMatrix.empty(200, scale.dtype), scale)
    made = recoded(data, KEpsilon(5, Fraction(highest, 10)), method)
    assert made.observable.n_ratings == data.observable.n_ratings


@given(scale=st.builds(lambda steps, step: Scale.of(0, str(steps * step), str(step)), st.integers(1, 300), st.just(2)))
def test_prices_are_shares_of_the_span(scale: Scale):
    costs = RatingCosts.on(scale)
    span = (scale.highest - scale.lowest) / scale.step
    assert (costs.invent, costs.drop) == (span * 3 / 4, span / 2)


def test_on_five_points_prices_are_steps():
    assert RatingCosts.on(Scale.of(1, 5)) == RatingCosts(Fraction(3), Fraction(2)) == RatingCosts()
    assert RatingCosts.on(Scale.of(0, 1000), Fraction(1), Fraction(1, 3)) == RatingCosts(
        Fraction(250), Fraction(250, 3)
    )


def test_costs_are_exact():
    """Three tenths are not three times a tenth in doubles."""
    before, after = survey([[1, 2, 3]], 5), survey([[None, None, None]], 5)
    costs = RatingCosts.on(before.scale, drop=Fraction("0.1"))
    assert costs.between(before.observable, after.observable) == Fraction(3, 10)
