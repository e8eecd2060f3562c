"""How often items are rated, cells are null and ratings are given, before and after, against counting."""

import importlib

import pytest
from hypothesis import given, settings

import utility_oracle
from comparisons import compared, profiled, profiles_of_groups, rated
from shoal.data import Ratings, Scale
from shoal.utility import MEASURES, Comparison, measured
from shoal.utility.ratings.items import rating_histograms

POPULARITY, DISTANCE = MEASURES["item popularity correlation"], MEASURES["rating histogram distance"]
BEFORE, AFTER = MEASURES["sparsity before"], MEASURES["sparsity"]


def both_sides(comparison: Comparison) -> tuple[list[list], list[list]]:
    return utility_oracle.rows_of(comparison.whole), utility_oracle.published_rows(comparison)


@pytest.mark.parametrize("block", [3, 1 << 22])
@settings(max_examples=60)
@given(comparison=profiles_of_groups())
def test_popularity_is_correlated_as_reckoning_item_by_item_gives(block, comparison):
    blocks = importlib.import_module("shoal.utility.ratings.items")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", block)
        found = measured(comparison, [POPULARITY])
    pairs = zip(*(utility_oracle.raters(rows) for rows in both_sides(comparison)), strict=True)
    shown = [pair for pair in pairs if any(pair)]
    before, after = ([pair[side] for pair in shown] for side in (0, 1))
    if len(set(before)) < 2 or len(set(after)) < 2:
        assert "same number of raters" in found.reasons[POPULARITY.name]
    else:
        assert found.values[POPULARITY.name] == pytest.approx(utility_oracle.spearman(before, after), abs=1e-9)


def test_popularity_by_hand():
    """Rated by 3, 2, 1 and 1 before; by 3, 4, 2 and 0 after, as profiles stand for two people each.

    The ranks are 4, 3, 1½, 1½ and 3, 4, 2, 1: less their mean, 1½, ½, −1, −1 and ½, 1½, −½, −1½. That is
    (¾ + ¾ + ½ + 1½) / √(4½ · 5).
    """
    whole = rated([[0, 0, 0, -1], [0, 0, -1, -1], [0, -1, -1, 0], [-1, -1, -1, -1]])
    comparison = profiled(whole, [0, 1, 2, 3], [[1, 1, 1, -1], [1, 1, -1, -1], [-1, 1, -1, -1]], [0, 0, 1, 2], parts=1)
    assert POPULARITY(comparison) == pytest.approx(3.5 / (4.5 * 5) ** 0.5)


def test_items_that_nobody_rates_before_or_after_tell_nothing():
    """Two items change places; a third that nobody has would be the least popular of both sides."""
    whole = rated([[0, 0, -1], [0, -1, -1]])
    comparison = profiled(whole, [0, 1], [[1, 1, -1], [-1, 1, -1]], [0, 1], parts=1)
    assert POPULARITY(comparison) == pytest.approx(-1)


def test_complete_profiles_leave_no_popularity():
    comparison = profiled(rated([[0, -1], [0, 1]]), [0, 1], [[1, 2]], [0, 0], parts=1)
    assert "the same number of raters after" in measured(comparison, [POPULARITY]).reasons[POPULARITY.name]


@settings(max_examples=60)
@given(profiles_of_groups())
def test_histograms_and_sparsity_are_what_counting_cells_gives(comparison):
    assert isinstance(comparison.whole, Ratings)
    scale = comparison.whole.scale
    points = [scale.lowest + place * scale.step for place in range(scale.points)]
    counts = [utility_oracle.rating_histogram(rows, points) for rows in both_sides(comparison)]
    assert [histogram.tolist() for histogram in rating_histograms(comparison)] == counts
    for measure, histogram in zip((BEFORE, AFTER), counts, strict=True):
        assert measure(comparison) == histogram[0] / sum(histogram)
    found = measured(comparison, [DISTANCE])
    totals = [sum(histogram[1:]) for histogram in counts]
    if all(totals):
        shares = zip(
            *([count / total for count in h[1:]] for h, total in zip(counts, totals, strict=True)), strict=True
        )
        assert found.values[DISTANCE.name] == pytest.approx(sum(abs(a - b) for a, b in shares) / 2, abs=1e-12)
    else:
        assert DISTANCE.name in found.reasons


def test_table_2_by_hand():
    """Six cells. Before, two nulls, a 1, a 3 and two 5; after, two people with 1.5 and null, and one with 4 and 5."""
    whole = rated([[0, -1], [2, 4], [4, -1]])
    comparison = profiled(whole, [0, 1, 2], [[1, -1], [6, 8]], [0, 0, 1], parts=2)
    before, after = rating_histograms(comparison)
    assert before.tolist() == [2, 1, 0, 1, 0, 2]
    assert after.tolist() == [2, 0, 2, 0, 1, 1]  # 1.5 is as near to 2 as to 1
    assert BEFORE(comparison) == AFTER(comparison) == pytest.approx(1 / 3)
    assert DISTANCE(comparison) == pytest.approx((1 / 4 + 1 / 2 + 1 / 4 + 1 / 4 + 1 / 4) / 2)


def test_nothing_changes_where_nothing_changed():
    ratings = rated([[0, -1, 3], [2, 4, -1], [4, -1, -1]], scale=Scale.of("0.5", 5, "0.5"))
    comparison = compared(ratings, ratings)
    assert POPULARITY(comparison) == pytest.approx(1)
    assert DISTANCE(comparison) == 0
    assert BEFORE(comparison) == AFTER(comparison) == pytest.approx(4 / 9)
