"""Cost, distortion per cell, and shifts of mean and deviation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import utility_oracle
from comparisons import compared, rated, ratings_before_and_after
from shoal.data import Scale
from shoal.utility import MEASURES, QUICK, measured


@given(pair=ratings_before_and_after(), withheld=st.integers(0, 3))
def test_cost_and_distortion_per_cell_are_what_counting_gives(pair, withheld):
    found = measured(compared(*pair, withheld=withheld), QUICK)
    before, after = (utility_oracle.rows_of(each) for each in pair)
    assert found.values["cost"] == utility_oracle.cost(before, after, pair[0].scale)
    cells = utility_oracle.rated_cells(before, after)
    if cells:
        assert found.values["distortion per cell"] * cells == pytest.approx(found.values["distortion"])
    else:
        assert "distortion per cell" in found.reasons


@given(pair=ratings_before_and_after(), withheld=st.integers(0, 3))
def test_shifts_are_what_reckoning_item_by_item_gives(pair, withheld):
    comparison = compared(*pair, withheld=withheld)
    found = measured(comparison, QUICK)
    moved = utility_oracle.shifts(*(utility_oracle.rows_of(each) for each in (comparison.whole, comparison.published)))
    for place, name in enumerate(("centroid shift", "standard deviation shift")):
        if moved:
            expected = sum(item[place] for item in moved) / len(moved)
            assert found.values[name] == pytest.approx(expected, abs=1e-7)
        else:
            assert "rated both before and after" in found.reasons[name]


def test_costs_by_hand():
    """Half stars, nine steps: moved by two, invented, dropped; of five rated cells one has nothing happen to it."""
    scale = Scale.of("0.5", 5, "0.5")
    comparison = compared(
        rated([[0, -1], [3, 7], [9, -1]], scale=scale), rated([[2, 5], [3, -1], [9, -1]], scale=scale)
    )
    assert MEASURES["cost"](comparison) == 2 + 9 * 3 / 4 + 9 / 2
    assert MEASURES["distortion per cell"](comparison) == (1 + 3 + 4) / 5


def test_shifts_by_hand():
    """The first item goes from 1, 5 to 3, 3: the mean stays, the deviation falls by 2; the second rises by 1."""
    comparison = compared(rated([[0, 0], [4, -1]]), rated([[2, 1], [2, -1]]))
    assert MEASURES["centroid shift"](comparison) == pytest.approx((0 + 1) / 2)
    assert MEASURES["standard deviation shift"](comparison) == pytest.approx((2 + 0) / 2)


def test_a_rise_does_not_hide_a_fall():
    comparison = compared(rated([[0, 4], [0, 4]]), rated([[1, 3], [1, 3]]))
    assert MEASURES["centroid shift"](comparison) == pytest.approx(1)


def test_items_rated_on_one_side_only_do_not_count():
    comparison = compared(rated([[0, 2, -1], [0, 4, -1]]), rated([[1, -1, 4], [1, -1, 4]]))
    assert MEASURES["centroid shift"](comparison) == pytest.approx(1)
    assert MEASURES["standard deviation shift"](comparison) == pytest.approx(0)
