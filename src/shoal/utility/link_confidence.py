r"""How sure an attacker may be that a person rated an item that the person's group is published with.

If everybody rated an item with probability p, independently of everybody else, and a group of k is published with an
item exactly if one of them rated it, then the probability that a given one of them did is p / (1 − (1 − p)ᵏ).

That is never less than 1/k, and more for every p above 0. Theorem 6.2 of Chang, Thompson, Wang and Yao, Predictive
Anonymization (2010), says that it is at most 1/k for an attacker without prior knowledge; its proof says "at least",
and at least it is. Theorem 6.3 bounds it by 1/k + p/(2 − k·p) for p ≤ 1/k (:func:`link_confidence_bound`), which is
true under the same assumption. Both assume what is not so: members of a group were put together because they
rate alike, so that one having rated an item makes it likelier that another did.
"""

import math
from fractions import Fraction
from typing import overload

__all__ = ["link_confidence", "link_confidence_bound"]


@overload
def link_confidence(p: Fraction, k: int) -> Fraction: ...
@overload
def link_confidence(p: float, k: int) -> float: ...
def link_confidence(p: Fraction | float, k: int) -> Fraction | float:
    """Give p / (1 − (1 − p)ᵏ): exactly for a fraction, and to the precision of a float for a float.

    The share p is above 0 and at most 1: where nobody rates an item, no group is published with it. Towards 0 it goes
    to 1/k.
    """
    assert 0 < p <= 1
    assert k >= 1
    if isinstance(p, Fraction):
        return p / (1 - (1 - p) ** k)
    return 1.0 if p == 1 else p / -math.expm1(k * math.log1p(-p))


def link_confidence_bound(p: Fraction, k: int) -> Fraction | None:
    """Give the paper's bound on it, 1/k + p/(2 − k·p), or None where p is above 1/k and the theorem says nothing."""
    assert 0 < p <= 1
    assert k >= 1
    return Fraction(1, k) + p / (2 - k * p) if k * p <= 1 else None
