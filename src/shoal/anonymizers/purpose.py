"""What data are asked for: which attributes are useful for it, and how much."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.evidence import binned_column

from .chained_priorities import chained_priorities
from .independency_matrix import independency_matrix
from .learnt_priorities import learnt_priorities

__all__ = ["Purpose"]


@dataclass(frozen=True)
class Purpose:
    """Says the priority of each quasi-identifier in one of three ways, or in none: then all are as useful.

    ``priorities`` gives them, ``age:1;zip:0.5``; those not named have 0. ``most`` and ``least`` name the most and the
    least useful one, and the others follow by how independent they are (:mod:`.chained_priorities`), in the order of
    the table. ``target`` names a column that is to be foretold, of any role, and priorities are learnt from what each
    attribute tells of it (:mod:`.learnt_priorities`). For the latter two, numbers of many values are put into ``bins``
    of equal frequency.
    """

    priorities: str | None = None
    most: str | None = None
    least: str | None = None
    target: str | None = None
    bins: int = 10

    def __post_init__(self) -> None:
        _ = self._said  # raises a WordingError of its own
        if (self.most is None) != (self.least is None):
            raise WordingError("A purpose needs both the most and the least useful attribute, or neither.")
        ways = sum(way is not None for way in (self.priorities, self.most, self.target))
        if ways > 1:
            raise WordingError(
                "A purpose is said in more than one way.", "Give priorities, or most and least, or a target."
            )
        if self.bins != Purpose.bins and self.most is None and self.target is None:
            raise WordingError("A purpose puts numbers into bins only where priorities follow or are learnt.")
        if self.bins < 2:
            raise WordingError("A purpose needs at least 2 bins.")

    def of(self, table: Microdata) -> tuple[Fraction, ...]:
        """Give the priority of each quasi-identifier of a table, between 0 and 1."""
        names = [column.name for column in table.quasi_identifiers]
        if self.priorities is not None:
            for name in self._said:
                _refuse_unknown(name, names)
            return tuple(self._said.get(name, Fraction(0)) for name in names)
        if self.most is None and self.target is None:
            return (Fraction(1),) * len(names)
        columns = [binned_column(column, self.bins) for column in table.quasi_identifiers]
        if self.target is not None:
            return learnt_priorities(columns, binned_column(table[self.target], self.bins))
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
    def _said(self) -> dict[str, Fraction]:
        said = {}
        for part in filter(None, (self.priorities or "").split(";")):
            name, _, number = part.rpartition(":")
            try:
                said[name.strip()] = Fraction(number.strip())
            except (ValueError, ZeroDivisionError):
                raise WordingError("A purpose needs priorities such as age:1;zip:0.5.") from None
        if not all(0 <= priority <= 1 for priority in said.values()):
            raise WordingError("A priority is at least 0 and at most 1.")
        return said


def _refuse_unknown(name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise WordingError(f"There is no quasi-identifier {name!r} to be useful.", f"There are: {', '.join(names)}.")
