"""Figures are written as people write them, with their names."""

import pytest

from shoal.wording.format import format_count, format_name, format_number


@pytest.mark.parametrize(
    ("number", "published"),
    [(0, "0"), (30162, "30,162"), (0.25, "0.25"), (1 / 3, "0.3333"), (999.96, "1,000"), (1234.56, "1,234.6")],
)
def test_a_number_has_four_digits_or_all_before_the_point(number: float, published: str) -> None:
    assert format_number(number) == published


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("records_at_risk_above_0_09", "records at risk above 0.09"),
        ("found_in_top_5", "found in top 5"),
        ("within_1_of_2", "within 1 of 2"),
        ("targets", "targets"),
    ],
)
def test_a_name_is_told_in_words_and_a_threshold_in_it_as_a_number(name: str, published: str) -> None:
    assert format_name(name) == published


def test_a_count_agrees_in_number_with_what_it_counts() -> None:
    assert [format_count(number, "group") for number in (0, 1, 1200)] == ["0 groups", "1 group", "1,200 groups"]
    assert format_count(2, "class", "classes") == "2 classes"
