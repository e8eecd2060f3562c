"""How far a record is anonymised: the degrees of its attributes, weighed by their priorities."""

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["anonymisation_degree"]


def anonymisation_degree(degrees: Sequence[Fraction], priorities: Sequence[Fraction]) -> Fraction:
    """Give Σ P·Deg / Σ P over the attributes; where all priorities are nothing they count alike.

    The degree of a table is the mean over its records; where all are told at the same levels it is that of any.

    *Reference.* Sun, thesis, Definition 4.5. The tuple of its example has degree 0.0833; printed are 0.6 and, later,
    0.125.
    """
    weights = priorities if any(priorities) else [Fraction(1)] * len(degrees)
    weighed = (degree * weight for degree, weight in zip(degrees, weights, strict=True))
    return sum(weighed, Fraction(0)) / (sum(weights, Fraction(0)) or 1)
