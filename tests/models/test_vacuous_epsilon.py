"""From which ε on a promise asks nothing of the records it is made on."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracles
from comparisons import rated
from shoal.data import Ratings, Scale
from shoal.engines import LocalEngine, judge
from shoal.models import BLDiversity, KAnonymity, KEpsilon
from shoal.models.k_epsilon import vacuous_from
from shoal.testing import ratings


def complete_again(records: Ratings, draw: st.DataObject) -> Ratings:
    """The same records with every gap filled, as some of the records that are tried are to have none."""
    codes = records.observable.dense()
    drawn = draw.draw(st.integers(0, records.scale.points - 1))
    return rated(np.where(codes < 0, drawn, codes).tolist(), scale=records.scale)


@given(ratings(max_sensitive=0), st.booleans(), st.integers(-3, 4), st.data())
def test_a_promise_is_vacuous_exactly_where_no_ratings_could_break_it(
    records: Ratings, complete: bool, halves: int, draw: st.DataObject
) -> None:
    assume(len(records) > 1)
    records = complete_again(records, draw) if complete else records
    assume(records.observable.n_ratings)
    scale = records.scale
    epsilon = max(scale.highest - scale.lowest + halves * scale.step / 2, Fraction(0))  # around where it matters
    expected = oracles.asks_nothing(
        oracles.profiles(records), epsilon, scale.lowest, scale.highest, oracles.farthest(records)
    )
    caveat = KEpsilon(2, epsilon).caveat(records)
    assert (caveat is not None and caveat.vacuous) == expected == (epsilon >= vacuous_from(records))
    if expected:
        verdict = judge(records, [KEpsilon(2, epsilon), KEpsilon(2, epsilon, semantics="partition")], LocalEngine())
        assert [each.level["k"] for each in verdict.verdicts] == [len(records)] * 2
        assert all(each.caveat is not None and each.caveat.vacuous for each in verdict.verdicts)
    elif epsilon >= scale.highest - scale.lowest:
        assert caveat is not None, "what is left is said"
        assert "only about which issues" in caveat.sentence
    else:
        assert caveat is None


GAPLESS = [[0, 4], [4, 0], [2, 2]]
GAPS = [[0, -1], [4, -1], [-1, 2]]
NOBODY_RATED_THE_LAST = [[0, 4, -1], [4, 0, -1]]


@pytest.mark.parametrize(
    ("rows", "scale", "expected"),
    [
        (GAPLESS, Scale.of(1, 5), 4),
        (GAPS, Scale.of(1, 5), 5),
        (NOBODY_RATED_THE_LAST, Scale.of(1, 5), 4),
        (GAPLESS, Scale.of(0, 10), 10),
        (GAPS, Scale.of(0, 10), 11),
        (GAPS, Scale.of("0.5", "5", "0.5"), 5),
        (GAPLESS, Scale.of("0.5", "5", "0.5"), Fraction(9, 2)),
    ],
)
def test_vacuous_from_the_span_on_or_with_gaps_from_that_of_a_missing_rating(rows, scale, expected) -> None:
    assert vacuous_from(rated(rows, scale=scale)) == expected


def test_ratings_that_are_near_each_other_make_no_promise_vacuous() -> None:
    alike = rated([[2, 2], [2, 2], [2, 2]])
    assert KEpsilon(3, Fraction(0)).caveat(alike) is None
    assert KEpsilon(3, Fraction(3)).caveat(alike) is None


def test_a_fraction_below_the_span_is_not_vacuous() -> None:
    assert KEpsilon(2, Fraction(4) - Fraction(1, 10**9)).caveat(rated(GAPLESS)) is None


def test_with_l_it_is_said_what_l_still_asks() -> None:
    published = rated(GAPLESS, [[0], [2], [4]])
    for semantics, words in (("neighborhood", "all records together"), ("partition", "records grouped at will")):
        caveat = KEpsilon(2, Fraction(4), Fraction(1), semantics=semantics).caveat(published)  # type: ignore[arg-type]
        assert caveat is not None
        assert caveat.vacuous
        assert words in caveat.sentence


@pytest.mark.parametrize("model", [KAnonymity(2), BLDiversity(1, 2)])
def test_promises_without_an_epsilon_have_no_caveat(model) -> None:
    assert model.caveat(rated(GAPLESS)) is None
