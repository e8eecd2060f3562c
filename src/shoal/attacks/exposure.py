"""What attackers see, and the truth by which they are right or wrong."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.data import Microdata, Ratings, Records
from shoal.engines import LocalEngine
from shoal.evidence import Grouping, people_by_class
from shoal.models import PrivacyModel

__all__ = ["Exposure", "by_person", "control_targets"]


@dataclass(frozen=True, eq=False, repr=False)
class Exposure:
    """Records as they are published, who is behind them, and what is promised of them.

    Raw data are a release of themselves: what is seen is the truth. So is a release without its ledger, and an attack
    on it tells what somebody achieves who knows about people what is published.
    """

    truth: Records
    """Every original record, the withheld ones included: what attackers may know of, and what they want to know."""
    seen: Records
    """The published records: ratings over the same items as the truth, tables with the same quasi-identifiers."""
    place: np.ndarray
    """For each record of the truth, the row of what is seen that stands for it; −1 if none does."""
    promises: tuple[PrivacyModel, ...] = ()
    """What the certificate promises; nothing for raw data."""
    also: tuple["Exposure", ...] = ()
    """Other releases about the same people: their truth has the same rows."""
    population: Records | None = None
    """People from whom those of a table were drawn, as anybody may have them; columns as of the truth."""
    outside: Records | None = None
    """People who are known not to be published, with columns as of the truth; None: only those of the truth who were
    withheld are known to be."""
    dates: np.ndarray | None = None
    """For raw ratings, the day on which each observable rating was given, in the order of the matrix: int32, counted
    from 1970, and −2³¹ where it is unknown. None: none is known."""
    method: str | None = None
    """How it was made, in the words of the certificate; None for raw data."""

    def __post_init__(self) -> None:
        assert self.truth.kind == self.seen.kind
        assert len(self.place) == len(self.truth)
        assert self.place.max(initial=-1) < len(self.seen)
        assert all(len(other.truth) == len(self.truth) for other in self.also)

    @classmethod
    def of_itself(cls, records: Records, **others: object) -> "Exposure":
        """Return raw data as a release of themselves."""
        return cls(records, records, np.arange(len(records)), **others)  # pyright: ignore[reportArgumentType]

    def __repr__(self) -> str:
        return f"Exposure({len(self.published):,} of {len(self.truth):,} records published)"

    @cached_property
    def published(self) -> np.ndarray:
        """The rows of the truth that are published: those whom attackers are after."""
        return np.flatnonzero(self.place >= 0)

    @cached_property
    def people(self) -> np.ndarray:
        """How many people each seen record stands for."""
        several = self.seen.people if isinstance(self.seen, Ratings) else None
        return np.ones(len(self.seen), np.int64) if several is None else several

    @cached_property
    def grouping(self) -> Grouping:
        """Which seen records are alike in all that is observable."""
        return LocalEngine().group(self.seen)

    @property
    def persons(self) -> np.ndarray | None:
        """The person each record of the truth is of, where a person may have several; None: every one of another."""
        return self.truth.persons if isinstance(self.truth, Microdata) else None

    @cached_property
    def n_people(self) -> int:
        """How many people are published; of a release without its ledger, at least."""
        if self.persons is None:
            return self.seen.n_people
        return len(np.unique(self.persons[self.published]))

    @property
    def hides_persons(self) -> bool:
        """Whether people have several records and it is not known who has which: of a release without its ledger."""
        return self.persons is None and self.seen.stated is not None

    def mean_by_person(self, chances: np.ndarray, rows: np.ndarray) -> float:
        """Average chances, one for each of some records, so that everybody counts alike."""
        return float(by_person(chances, self.persons_of(rows), worst=False).mean())

    def persons_of(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the persons of some records of the truth; None: every one of another."""
        return None if self.persons is None else self.persons[rows]

    def worst_by_person(self, risks: np.ndarray) -> np.ndarray:
        """Return for each published person the largest of the risks of their records."""
        return by_person(risks, self.persons_of(self.published), worst=True)

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """How many different people stand behind each group of alike records."""
        if self.persons is None:
            return LocalEngine().count(self.seen, self.grouping, sensitive=False).sizes
        return self.people_of_classes(self.grouping.labels, self.grouping.n_groups)

    def people_of_classes(self, labels: np.ndarray, n_classes: int) -> np.ndarray:
        """Return how many different people stand behind each class of seen records; without persons, the records."""
        if self.persons is None:
            return people_by_class(labels, n_classes)
        return people_by_class(labels[self.place[self.published]], n_classes, self.persons_of(self.published))

    @cached_property
    def group_of(self) -> np.ndarray:
        """For each record of the truth, the group of its seen record; −1 if there is none."""
        return np.where(self.place >= 0, self.grouping.labels[self.place], -1)

    @property
    def ratings(self) -> tuple[Ratings, Ratings]:
        """Truth and seen of ratings, the truth on the scale of what is seen."""
        truth, seen = self._on_one_scale
        return truth, seen

    @cached_property
    def _on_one_scale(self) -> tuple[Ratings, Ratings]:
        assert isinstance(self.truth, Ratings)
        assert isinstance(self.seen, Ratings)
        truth = self.truth if self.truth.scale == self.seen.scale else self.truth.on(self.seen.scale)
        return truth, self.seen

    @property
    def tables(self) -> tuple[Microdata, Microdata]:
        """Truth and seen of tables."""
        assert isinstance(self.truth, Microdata)
        assert isinstance(self.seen, Microdata)
        return self.truth, self.seen

    @property
    def epsilon(self) -> Fraction | None:
        """The largest ε that is promised, 0 for equal records; None where no promise hides records among others."""
        return max((promise.radius for promise in self.promises if promise.radius is not None), default=None)

    def targets(self, limit: int | None, generator: np.random.Generator, among: np.ndarray | None = None) -> np.ndarray:
        """Return published rows of the truth, in order: all of them (of those among whom to choose), or so many drawn."""
        choice = self.published if among is None else among
        if limit is None or limit >= len(choice):
            return choice
        return np.sort(generator.choice(choice, limit, replace=False))


def by_person(chances: np.ndarray, persons: np.ndarray | None, *, worst: bool) -> np.ndarray:
    """Return one chance a person from one a record; ``persons`` says whose each is, None: every one another's.

    ``worst`` takes the record by which a person is found most surely: whoever knows all of a person's records looks for
    that one. Otherwise the records of a person are averaged, so that everybody counts alike.
    """
    if persons is None:
        return chances
    _, numbers, times = np.unique(persons, return_inverse=True, return_counts=True)
    if not worst:
        return np.bincount(numbers, chances) / times
    largest = np.zeros(len(times))
    np.maximum.at(largest, numbers, chances)
    return largest


def control_targets(
    targets: np.ndarray, generator: np.random.Generator, persons: np.ndarray | None = None
) -> np.ndarray:
    """Return a target's knowledge to another: each target stands in for another once, none for themselves if possible.

    With one target there is nobody else, and it stands in for itself. ``persons`` says whose record each target is,
    where a person may have several: then another person stands in, unless one has more than half of all records.
    """
    order = generator.permutation(len(targets))
    shift = 1
    if persons is not None and len(persons):
        _, numbers, times = np.unique(persons[order], return_inverse=True, return_counts=True)
        order = order[np.argsort(numbers, kind="stable")]
        shift = int(times.max())  # past all records of whoever has most, so past one's own
    others = np.empty_like(targets)
    others[order] = targets[np.roll(order, shift)]
    return others
