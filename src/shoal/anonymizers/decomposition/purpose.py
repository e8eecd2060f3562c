"""The purpose of a release: the priority of each attribute, given, derived or learned.

*Chained priorities.* Attributes form a chain, the most useful first with priority 1, the least useful last with 0.
Between two neighbors the priority falls by their independence: with m attributes and the distances d₁ … dₘ₋₁ from each
to the next, Pᵢ = (dᵢ + … + dₘ₋₁) / (d₁ + … + dₘ₋₁).

*Order.* The priority of an attribute between the two ends depends on its place in the chain, which the definition
leaves open. In Table 4.1(a), with Gender first and Age last, Postcode has 0.2663; with a fourth attribute, its priority
before it differs from the one behind it.

*Reference.* Sun, thesis, Definition 4.3, a recurrence that this solves. The proof of its Theorem 4.2, that priorities
are between 0 and 1, mistakes all distances for two numbers; the claim is plain from the sums here. Where all distances
are 0 the definition is 0/0; they are then taken to be equal, as in the first case of that proof.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.evidence import binned_column, conditional_entropy, entropy, variation_matrix

__all__ = ["Purpose", "chained_priorities", "independency_matrix", "learned_priorities"]


@dataclass(frozen=True)
class Purpose:
    """The priority of each quasi-identifier, stated in one of three ways, or not at all: then all have priority 1.

    ``priorities`` lists them, ``age:1;zip:0.5``; those not named have 0. ``most`` and ``least`` name the most and the
    least useful one, and the others are derived from their independence (:func:`.chained_priorities`), in the order of
    the table. ``target`` names a column to be predicted, of any role, and priorities are learned from the information
    gain of each attribute (:func:`.learned_priorities`). For the latter two, numbers of many values are put into
    ``bins`` of equal frequency.
    """

    priorities: str | None = None
    most: str | None = None
    least: str | None = None
    target: str | None = None
    bins: int = 10

    def __post_init__(self) -> None:
        _ = self._named  # raises a WordingError of its own
        if (self.most is None) != (self.least is None):
            raise WordingError("A purpose needs both the most and the least useful attribute, or neither.")
        ways = sum(way is not None for way in (self.priorities, self.most, self.target))
        if ways > 1:
            raise WordingError(
                "A purpose is stated in more than one way.", "Give priorities, or most and least, or a target."
            )
        if self.bins != Purpose.bins and self.most is None and self.target is None:
            raise WordingError("A purpose puts numbers into bins only where priorities are derived or learned.")
        if self.bins < 2:
            raise WordingError("A purpose needs at least 2 bins.")

    def of(self, table: Microdata) -> tuple[Fraction, ...]:
        """Return the priority of each quasi-identifier of a table, between 0 and 1."""
        names = [column.name for column in table.quasi_identifiers]
        if self.priorities is not None:
            for name in self._named:
                _refuse_unknown(name, names)
            return tuple(self._named.get(name, Fraction(0)) for name in names)
        if self.most is None and self.target is None:
            return (Fraction(1),) * len(names)
        columns = [binned_column(column, self.bins) for column in table.quasi_identifiers]
        if self.target is not None:
            return learned_priorities(columns, binned_column(table[self.target], self.bins))
        return chained_priorities(independency_matrix(columns), self._order(names))

    def _order(self, names: Sequence[str]) -> list[int]:
        ends = [str(self.most), str(self.least)]
        for name in ends:
            _refuse_unknown(name, names)
        if ends[0] == ends[1] and len(names) > 1:
            raise WordingError("The most and the least useful attribute cannot be the same.")
        between = [name for name in names if name not in ends]
        return [names.index(name) for name in dict.fromkeys([ends[0], *between, ends[1]])]

    @property
    def _named(self) -> dict[str, Fraction]:
        named = {}
        for part in filter(None, (self.priorities or "").split(";")):
            name, _, number = part.rpartition(":")
            try:
                named[name.strip()] = Fraction(number.strip())
            except (ValueError, ZeroDivisionError):
                raise WordingError("A purpose needs priorities such as age:1;zip:0.5.") from None
        if not all(0 <= priority <= 1 for priority in named.values()):
            raise WordingError("A priority is at least 0 and at most 1.")
        return named


def _refuse_unknown(name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise WordingError(f"There is no quasi-identifier {name!r} to prioritize.", f"There are: {', '.join(names)}.")


def chained_priorities(matrix: np.ndarray, order: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the priority of each attribute; ``order`` is the chain of all, from the most to the least useful.

    The matrix may be normalized or not: only ratios count.
    """
    assert sorted(order) == list(range(len(matrix))), "a chain has every attribute once"
    distances = [Fraction(float(matrix[one, next_])) for one, next_ in pairwise(order)]
    if not any(distances):
        distances = [Fraction(1)] * len(distances)
    total = sum(distances, Fraction(0))
    priorities = [Fraction(1)] * len(order)
    for place, attribute in enumerate(order[1:], start=1):
        priorities[attribute] = sum(distances[place:], Fraction(0)) / total
    return tuple(priorities)


def learned_priorities(columns: Sequence[np.ndarray], target: np.ndarray) -> tuple[Fraction, ...]:
    """Return the information gain H(target) − H(target | column) of each column, as a share of the greatest gain.

    Where no column informs about the target all have 0. A column with a value of its own for every record determines
    any target: put numbers into bins first, and leave out names.
    """
    before = entropy(target)
    gains = [max(0.0, before - conditional_entropy(target, column)) for column in columns]
    most = Fraction(max(gains, default=0.0)) or Fraction(1)
    return tuple(Fraction(gain) / most for gain in gains)


def independency_matrix(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return the variation of information of every pair of columns, divided by the sum over all pairs.

    Where all columns induce the same groups of records there is nothing to divide, and every entry is 0.

    *Reference.* Sun, thesis, Definition 4.2, which does not define the normalization; this one yields the printed one.
    """
    matrix = variation_matrix(columns)
    return matrix / (np.triu(matrix).sum() or 1)
