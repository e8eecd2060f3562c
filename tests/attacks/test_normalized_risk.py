"""The risk above a control: what is left of a rate, and how sure it is."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.attacks.base import wilson_interval
from shoal.attacks.finding import normalized_risk

RATES = st.floats(0, 1)
NUMBERS = st.integers(1, 10**6)


@given(RATES, RATES, NUMBERS, NUMBERS)
def test_it_is_the_share_of_what_the_control_leaves_over(main: float, control: float, n: int, others: int) -> None:
    risk, (low, high) = normalized_risk(main, wilson_interval(main, n), control, wilson_interval(control, others))
    assert 0 <= low <= risk <= high <= 1
    if control == 1:
        assert (risk, low, high) == (0, 0, 1)
        return
    exact = (Fraction(main) - Fraction(control)) / (1 - Fraction(control))
    assert risk == pytest.approx(float(max(exact, Fraction(0))), abs=1e-12)


@given(RATES, RATES, NUMBERS)
def test_margins_are_those_of_a_risk_that_moves_with_both_rates(main: float, control: float, n: int) -> None:
    """The derivatives once more, by how the risk changes with each rate."""
    control = min(control, 0.99)
    ends, others = wilson_interval(main, n), wilson_interval(control, n)
    step = 1e-7
    risk = (main - control) / (1 - control)
    with_main = abs((main + step - control) / (1 - control) - risk) / step
    with_control = abs((main - control + step) / (1 - control + step) - risk) / step
    down = ((main - ends[0]) ** 2 * with_main**2 + (others[1] - control) ** 2 * with_control**2) ** 0.5
    up = ((ends[1] - main) ** 2 * with_main**2 + (control - others[0]) ** 2 * with_control**2) ** 0.5
    _, (low, high) = normalized_risk(main, ends, control, others)
    assert low == pytest.approx(min(max(risk - down, 0), 1), abs=1e-4)
    assert high == pytest.approx(min(max(risk + up, 0), 1), abs=1e-4)


@pytest.mark.parametrize(
    ("main", "control", "risk"), [(0.6, 0.2, 0.5), (1, 0.5, 1), (0.3, 0.3, 0), (0.2, 0.3, 0), (1, 1, 0), (0, 1, 0)]
)
def test_well_known_risks(main: float, control: float, risk: float) -> None:
    found, _ = normalized_risk(main, wilson_interval(main, 100), control, wilson_interval(control, 100))
    assert found == pytest.approx(risk)


def test_more_targets_make_it_surer() -> None:
    widths = []
    for n in (10, 100, 1000):
        _, (low, high) = normalized_risk(0.5, wilson_interval(0.5, n), 0.1, wilson_interval(0.1, n))
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
