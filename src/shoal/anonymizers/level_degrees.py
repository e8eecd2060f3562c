"""How far a value is anonymised at each level of its hierarchy: the degree of attribute anonymisation.

*Definition.* Every step up a hierarchy of ``height`` steps has a weight; the degree of a level is the weight of the
steps up to it as a share of the weight of all. ``uniform``: every step weighs 1. ``utility``: the last step, to the
root, weighs 1, the one before it 1/2^β, the first 1/height^β: what is lost near the top counts more.

*Reference.* Sun, thesis, Definition 4.4, where levels are numbered from the root (1) down, so that Deg(A_p, A_q) is the
degree here of q less that of p. Its condition for generalising, printed p < q, must be p > q.
"""

from fractions import Fraction
from typing import Literal

__all__ = ["WeightName", "level_degrees"]

WeightName = Literal["uniform", "utility"]


def level_degrees(height: int, weight: WeightName = "uniform", beta: Fraction = Fraction(1)) -> tuple[Fraction, ...]:
    """Give the degree of each level from the values (0) to the root (1): exact, but for powers with a broken beta."""
    weights = [_weight(height - step, beta) if weight == "utility" else Fraction(1) for step in range(height)]
    total = sum(weights, Fraction(0))
    return tuple(sum(weights[:level], Fraction(0)) / (total or 1) for level in range(height + 1))


def _weight(steps_left: int, beta: Fraction) -> Fraction:
    if beta.denominator == 1:
        return Fraction(1, steps_left**beta.numerator)
    return Fraction(steps_left ** -float(beta))
