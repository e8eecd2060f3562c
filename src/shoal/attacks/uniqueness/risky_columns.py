"""The attack ``risky-columns``: the few quasi-identifiers by which most people are unique.

*Knowledge.* The target is in the table, and the attacker knows the published values of the ``most`` quasi-identifiers
that distinguish people best.

*Success.* The attacker picks one of the people with the same values: the probability is 1 divided by their number.

*Reference.* Sweeney, Simple demographics often identify people uniquely (2000): three columns did.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Column
from shoal.errors import WordingError
from shoal.kernels.numbering import distinct_keys
from shoal.progress import stage
from shoal.randomness import Randomness

__all__ = ["RiskyColumns"]

_LISTED = 10
_USUAL_WORK = 200_000_000
"""The default limit on records times combinations: seconds."""


@attacks.add
@dataclass(frozen=True)
class RiskyColumns(Attack):
    """Re-identifies records by the few quasi-identifiers that single out most people."""

    name: ClassVar[str] = "risky-columns"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    yardstick: ClassVar[Yardstick] = "singling out"

    most: int = 3
    """The largest number of quasi-identifiers combined."""

    def __post_init__(self) -> None:
        if self.most < 1:
            raise WordingError("risky-columns needs at least one column.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        few = "one quasi-identifier" if self.most == 1 else f"{self.most} quasi-identifiers"
        return f"Knows {few} of a person in the table, those that single out most people, and looks for the record."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Combine up to three columns, as far as that is quick."""
        if exposure.truth.kind not in cls.kinds:
            return (cls(),)
        columns = len(exposure.tables[1].observable)
        quick = [most for most in (2, 3) if len(exposure.seen) * _combinations(columns, most) <= _USUAL_WORK]
        return (cls(max(quick, default=1)),)

    def _misfit(self, exposure: Exposure) -> str | None:
        return None if exposure.tables[1].observable else "The table has no quasi-identifier."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        columns = exposure.tables[1].observable
        n = len(exposure.seen)
        unique_by: dict[tuple[str, ...], float] = {}
        most_classes, worst = 0, np.zeros(n, np.int64)
        with stage("combining columns", _combinations(len(columns), self.most)) as progress:
            for names, labels, n_classes in _classes(columns, self.most, (), np.zeros(n, np.int64)):
                unique_by[names] = float((_people(exposure, labels, n_classes)[labels] == 1).mean())
                if n_classes > most_classes:
                    most_classes, worst = n_classes, labels
                progress.advance(1)
        own = worst[exposure.place[exposure.published]]
        chances = 1 / _people(exposure, worst, most_classes)[own]
        persons = exposure.persons_of(exposure.published)
        others = control_targets(own, randomness.generator("risky-columns"), persons)
        control = np.where(others == own, chances, 0.0)
        return Outcome(chances, 1 / exposure.n_people, control, _worst(unique_by), rows=exposure.published)


def _people(exposure: Exposure, labels: np.ndarray, n_classes: int) -> np.ndarray:
    """Count the different people in each class of published records; a class without any counts as one person."""
    return np.maximum(exposure.people_of_classes(labels, n_classes), 1)


def _combinations(columns: int, most: int) -> int:
    return sum(comb(columns, some) for some in range(1, most + 1))


def _classes(
    columns: tuple[Column, ...], most: int, names: tuple[str, ...], labels: np.ndarray
) -> Iterator[tuple[tuple[str, ...], np.ndarray, int]]:
    """Yield every combination that extends ``names``, with the class of each record and the number of classes."""
    for at, column in enumerate(columns):
        with_it = (*names, column.name)
        finer, found = distinct_keys(labels * len(column.vocabulary) + column.codes)
        yield with_it, finer, found
        if len(with_it) < most:
            yield from _classes(columns[at + 1 :], most, with_it, finer)


def _worst(unique_by: dict[tuple[str, ...], float]) -> dict[str, int | float]:
    """Return the combinations by which most people are unique; among equals, those of fewer columns first."""
    ranked = sorted(unique_by, key=lambda names: (-unique_by[names], len(names)))
    listed = {f"unique_by {'+'.join(names)}": unique_by[names] for names in ranked[:_LISTED] if unique_by[names] > 0}
    return {"combinations": len(unique_by), "largest_unique_share": unique_by[ranked[0]], **listed}
