"""Degrees of anonymization, and the chain of generalizations on which every degree has its place.

*Degree of a level* (Sun, thesis, Definition 4.4). Every step up a hierarchy of ``height`` steps has a weight; the
degree of a level is the weight of the steps up to it as a share of the weight of all. ``uniform``: every step weighs 1.
``utility``: the last step, to the root, weighs 1, the one before it 1/2^β, the first 1/height^β: losses near the top
count more. In the thesis levels are numbered from the root (1) down, so that Deg(A_p, A_q) is the degree here of q less
that of p. Its condition for generalizing, printed p < q, must be p > q.

*Chain* (thesis §4.4). It leads from the original table to the root in every attribute, and each step takes one
attribute up a level; or it begins at another node and goes on in the same order. Every step has a key that does not
depend on the degree asked for, and steps are taken in the order of their keys. So a smaller degree never generalizes
any attribute further than a larger one: the views of all degrees are nested.

``purpose``: attributes are to be anonymized in proportion to 1 − P, up to 1 each, so that useful ones keep detail;
those of priority 1 come last, together. A step is taken where this reaches the middle between its two levels. The place
of a degree is the node whose own degree is closest: of two as close the higher, and the lowest for degree 0 only.

``thesis``: equation 4.11 as printed: attribute i is anonymized to P_i / ΣP of the degree, rounded up to a level. Useful
attributes lose most. The degree reached can be far from the one asked for, on either side: asked for 1, three equal
attributes of five levels reach 1/2; and asked for the degree reached, the table differs (Theorem 4.3 is false).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

__all__ = ["GeneralizationChain", "Reading", "WeightName", "anonymization_degree", "level_degrees", "table_degree"]


Reading = Literal["purpose", "thesis"]


@dataclass(frozen=True)
class GeneralizationChain:
    """Nodes of the lattice, each above the one before it by one level of one attribute."""

    level_degrees: tuple[tuple[Fraction, ...], ...]
    """For each attribute, the degree of each of its levels (:func:`.level_degrees`)."""
    priorities: tuple[Fraction, ...]
    reading: Reading = "purpose"
    start: tuple[int, ...] | None = None
    """The lowest node; None: that of the original table."""

    def __post_init__(self) -> None:
        assert len(self.level_degrees) == len(self.priorities)
        assert all(0 <= priority <= 1 for priority in self.priorities)

    @cached_property
    def nodes(self) -> tuple[tuple[int, ...], ...]:
        """The level of each attribute, from the lowest node to the highest."""
        nodes = [self._lowest]
        for _, attribute, level in self._steps:
            nodes.append((*nodes[-1][:attribute], level, *nodes[-1][attribute + 1 :]))
        return tuple(nodes)

    @cached_property
    def degrees(self) -> tuple[Fraction, ...]:
        """The degree of anonymization of each node; it never falls on the way up."""
        return tuple(self.degree_of(node) for node in self.nodes)

    def degree_of(self, node: Sequence[int]) -> Fraction:
        """Return the degree of a table generalized to a node, on the chain or not."""
        degrees = [of_level[level] for of_level, level in zip(self.level_degrees, node, strict=True)]
        return anonymization_degree(degrees, self.priorities)

    def place(self, degree: Fraction) -> int:
        """Return the place in the chain of a degree between 0 and 1."""
        assert 0 <= degree <= 1
        if self.reading == "thesis":
            return sum(not last and key < degree for (last, key), _, _ in self._steps)
        if degree == 0:
            return 0
        return min(range(len(self.nodes)), key=lambda place: (abs(self.degrees[place] - degree), -place))

    @property
    def _lowest(self) -> tuple[int, ...]:
        return self.start or (0,) * len(self.priorities)

    @cached_property
    def _steps(self) -> list[tuple[tuple[bool, Fraction], int, int]]:
        """The steps in order: key, attribute, and the level it is taken up to."""
        keyed = self._thesis_key if self.reading == "thesis" else self._purpose_key
        steps = [
            (keyed(attribute, level), attribute, level)
            for attribute, degrees in enumerate(self.level_degrees)
            for level in range(self._lowest[attribute] + 1, len(degrees))
        ]
        return sorted(steps, key=lambda step: (step[0], self.priorities[step[1]], *step[1:]))

    def _purpose_key(self, attribute: int, level: int) -> tuple[bool, Fraction]:
        """The factor of 1 − P that reaches the middle of a step; steps of attributes of priority 1 come last."""
        below, above = self.level_degrees[attribute][level - 1 : level + 1]
        left = 1 - self.priorities[attribute]
        return left == 0, (below + above) / 2 / (left or 1)

    def _thesis_key(self, attribute: int, level: int) -> tuple[bool, Fraction]:
        """The degree above which the level below does not suffice; attributes of priority 0 come last."""
        weights = self.priorities if any(self.priorities) else (Fraction(1),) * len(self.priorities)
        below, mine = self.level_degrees[attribute][level - 1], weights[attribute]
        return mine == 0, below * sum(weights, Fraction(0)) / (mine or 1)


WeightName = Literal["uniform", "utility"]


def level_degrees(height: int, weight: WeightName = "uniform", beta: Fraction = Fraction(1)) -> tuple[Fraction, ...]:
    """Return the degree of each level from the values (0) to the root (1): exact, except for a fractional beta."""
    weights = [_weight(height - step, beta) if weight == "utility" else Fraction(1) for step in range(height)]
    total = sum(weights, Fraction(0))
    return tuple(sum(weights[:level], Fraction(0)) / (total or 1) for level in range(height + 1))


def _weight(steps_left: int, beta: Fraction) -> Fraction:
    if beta.denominator == 1:
        return Fraction(1, steps_left**beta.numerator)
    return Fraction(steps_left ** -float(beta))


def anonymization_degree(degrees: Sequence[Fraction], priorities: Sequence[Fraction]) -> Fraction:
    """Return Σ P·Deg / Σ P over the attributes; where all priorities are 0, attributes count alike.

    The degree of a table is the mean over its records; where all have the same levels it is that of any record.

    *Reference.* Sun, thesis, Definition 4.5. The tuple of its example has degree 0.0833; printed are 0.6 and, later,
    0.125.
    """
    weights = priorities if any(priorities) else [Fraction(1)] * len(degrees)
    weighed = (degree * weight for degree, weight in zip(degrees, weights, strict=True))
    return sum(weighed, Fraction(0)) / (sum(weights, Fraction(0)) or 1)


def table_degree(levels: np.ndarray, degrees: Sequence[Sequence[Fraction]], priorities: Sequence[Fraction]) -> Fraction:
    """Return the mean degree of the records; ``levels`` has a line for each record, with the level of each attribute.

    ``degrees`` holds for each attribute the degrees of its levels.

    *Reference.* Sun, thesis, Definition 4.6. Tables 4.1(b) and (c) have 0.0278 and 0.0833; printed are 0.05 and 0.125.
    """
    means = []
    for own, of_level in zip(levels.T, degrees, strict=True):
        counts = np.bincount(own, minlength=len(of_level)).tolist()
        total = sum((count * degree for count, degree in zip(counts, of_level, strict=True)), Fraction(0))
        means.append(total / max(len(levels), 1))
    return anonymization_degree(means, priorities)
