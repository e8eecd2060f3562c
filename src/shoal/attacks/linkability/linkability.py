"""The attack ``linkability``: two sets of attributes from two sources are linked to one person through the release.

*Knowledge.* Of a person who is in the table, the original values of the columns of a *left* set from one source, and
those of a *right* set, which has none of the same columns, from another. By default the published columns are halved so
that both sets have about the same entropy.

*Success.* By each set the attacker finds the ``neighbors`` nearest published records; ties are broken at random. The
two sets of values are linked if some record was found by both. Success is the probability of that.

*Baseline.* The same with records picked at random.

*Control.* How often the values of people outside the release are linked; or, where there are too few of them, the left
values of one person and the right values of another.

*Reference.* Giomi, Boenisch, Wehmeyer and Tasnádi, A Unified Framework for Quantifying Privacy Risk in Synthetic Data
(2023), section 4.2; distances after Gower, A General Coefficient of Similarity and Some of Its Properties (1971).
"""

from dataclasses import dataclass
from math import comb
from typing import ClassVar, Literal

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Column, Microdata, Role
from shoal.errors import WordingError
from shoal.evidence.entropy import entropy
from shoal.randomness import Randomness

from .nearest_records import NearestRecords

__all__ = ["Linkability", "halved_columns", "knowable_columns"]


_KNOWABLE = (Role.QUASI_IDENTIFIER, Role.STRATUM, Role.INSENSITIVE)


def knowable_columns(truth: Microdata, seen: Microdata) -> tuple[Column, ...]:
    """Return the original columns that are published and may be known from elsewhere: all but identifiers."""
    kept = {column.name for column in seen.columns if column.role in (*_KNOWABLE, Role.SENSITIVE)}
    return tuple(column for column in truth.columns if column.name in kept)


def halved_columns(columns: tuple[Column, ...]) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return the columns in two sets; a set is empty if there are too few.

    All sensitive columns are on the right. The others are assigned in order of decreasing entropy, each to the side
    whose columns have the smaller joint entropy so far, or else are fewer, or else to the left.
    """
    others = [column for column in columns if column.role in _KNOWABLE]
    left: list[Column] = []
    right = [column for column in columns if column.role not in _KNOWABLE]
    for column in sorted(others, key=lambda column: -entropy(column.codes)):
        smaller = min((left, right), key=lambda side: (_joint_entropy(side), len(side)))
        smaller.append(column)
    return _in_order(left, columns), _in_order(right, columns)


def _joint_entropy(side: list[Column]) -> float:
    return entropy(*(column.codes for column in side)) if side else 0.0


def _in_order(side: list[Column], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    names = {column.name for column in side}
    return tuple(column for column in columns if column.name in names)


_ENOUGH = 100
"""The fewest people outside the release who can be the control: with fewer, its margin is ±10 % at best."""
_USUAL_PAIRS = 10**8
"""The number of targets times records that takes seconds."""
_FEWEST_TARGETS = 1_000
Names = tuple[str, ...]


@attacks.add
@dataclass(frozen=True)
class Linkability(Attack):
    """Links values from two sources to one person if their nearest published records coincide."""

    name: ClassVar[str] = "linkability"
    kinds: ClassVar[frozenset[str]] = frozenset({"table"})
    yardstick: ClassVar[Yardstick] = "linkability"

    left: Names | None = None
    right: Names | None = None
    neighbors: int = 1
    control: Literal["outside", "mismatched"] | None = None
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.neighbors < 1:
            raise WordingError("linkability needs at least one neighbor.")
        if self.targets is not None and self.targets < 1:
            raise WordingError("linkability needs at least one target.")
        named = [*(self.left or ()), *(self.right or ())]
        if len(set(named)) < len(named):
            raise WordingError("linkability: a column may be named only once, on one side.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        found = "record" if self.neighbors == 1 else f"{self.neighbors} records"
        return (
            "Knows some attributes of a person from one source and others from another, finds the nearest published "
            f"{found} by each, and links the two sources where both find the same record."
        )

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Halve the columns; attack everybody, or a sample where there are very many people."""
        many = max(_USUAL_PAIRS // max(len(exposure.seen), 1), _FEWEST_TARGETS)
        return (cls(targets=many if many < len(exposure.published) else None),)

    @property
    def heeds(self) -> frozenset[str]:
        """People outside the release, unless the control mismatches halves."""
        return frozenset() if self.control == "mismatched" else frozenset({"outside"})

    def _misfit(self, exposure: Exposure) -> str | None:
        left, right = self._sides(exposure)
        published = {column.name for column in knowable_columns(*exposure.tables)}
        if not {*left, *right} <= published:
            return "A named column is not published, or is an identifier."
        if not (left and right):
            return "It needs two columns, one of them not sensitive: one from each source."
        if exposure.outside is not None:
            reason = _why_outside_misfits(exposure, {*left, *right})
            if reason is not None:
                return reason
        if self.control == "outside" and not len(_people_outside(exposure)):
            return "Nobody is known to be outside: nobody was withheld, and no table of people outside was given."
        return None

    def _sides(self, exposure: Exposure) -> tuple[Names, Names]:
        """Return the two sets of columns: as named, or halves; where one set is named, all other columns."""
        columns = knowable_columns(*exposure.tables)
        if self.left is None and self.right is None:
            left, right = halved_columns(columns)
            return tuple(column.name for column in left), tuple(column.name for column in right)
        others = tuple(column.name for column in columns if column.name not in (self.left or self.right or ()))
        return self.left or others, self.right or others

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        truth, seen = exposure.tables
        left, right = self._sides(exposure)
        generator = randomness.generator(self.name)
        rows = exposure.targets(self.targets, generator)
        outside = _people_outside(exposure)
        outside = outside.take(_some(len(outside), self.targets, generator))
        records = NearestRecords(truth, seen, left, right, outside if exposure.outside is not None else None)
        people = truth.take(rows)
        main = records.met(people, people, exposure.place[rows], self.neighbors)
        others = control_targets(rows, generator, exposure.persons_of(rows))
        mixed = records.met(people, truth.take(others), None, self.neighbors).chances
        apart = records.met(outside, outside, None, self.neighbors).chances if len(outside) else mixed[:0]
        use_outside = self.control == "outside" or (self.control is None and outside.n_people >= _ENOUGH)
        details = {
            f"bits_known_on_the_left {'+'.join(left)}": _bits(truth, left),
            f"bits_known_on_the_right {'+'.join(right)}": _bits(truth, right),
            "meets_at_own_record": float(main.at_own_record.mean()),
            "average_candidates_left": float(main.candidates_left.mean()),
            "average_candidates_right": float(main.candidates_right.mean()),
            "people_outside": outside.n_people,
            **({"control_of_people_outside": float(apart.mean())} if len(outside) else {}),
            "control_of_two_different_people": float(mixed.mean()),
        }
        return Outcome(
            main.chances,
            _by_chance(len(seen), self.neighbors),
            apart if use_outside else mixed,
            details,
            "people outside the release" if use_outside else "two different people",
            rows,
            _persons(outside) if use_outside else None,
        )


def _people_outside(exposure: Exposure) -> Microdata:
    """Return the people known not to be published: the table given, or else those who were withheld."""
    if exposure.outside is not None:
        assert isinstance(exposure.outside, Microdata)
        return exposure.outside
    outside = exposure.place < 0
    if exposure.persons is not None:  # none of a person's records may be published
        outside &= ~np.isin(exposure.persons, exposure.persons[exposure.published])
    return exposure.tables[0].take(np.flatnonzero(outside))


def _persons(people: Microdata) -> np.ndarray:
    return np.arange(len(people)) if people.persons is None else people.persons


def _why_outside_misfits(exposure: Exposure, names: set[str]) -> str | None:
    outside, truth = exposure.outside, exposure.tables[0]
    if not isinstance(outside, Microdata) or not names <= set(outside.names):
        return "The table of people outside lacks columns of the table."
    kinds = ((truth[name].vocabulary.values.dtype, outside[name].vocabulary.values.dtype) for name in names)
    if not all(one == other or (one.is_numeric() and other.is_numeric()) for one, other in kinds):
        return "The table of people outside has values of another type than the table."
    return None


def _some(n: int, limit: int | None, generator: np.random.Generator) -> np.ndarray:
    return np.arange(n) if limit is None or limit >= n else np.sort(generator.choice(n, limit, replace=False))


def _bits(truth: Microdata, names: Names) -> float:
    return entropy(*(truth[name].codes for name in names))


def _by_chance(n: int, neighbors: int) -> float:
    """Return the probability that two random sets of ``neighbors`` of ``n`` records intersect."""
    taken = min(neighbors, n)
    return 1 - comb(n - taken, taken) / comb(n, taken)
