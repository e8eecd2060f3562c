"""The exposure: the published records that an attacker sees, and the originals by which success is judged."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from shoal.data import PARTS, Microdata, Part, Ratings, Records, Survey, part_of
from shoal.engines import LocalEngine
from shoal.evidence import Grouping, people_by_class
from shoal.models import PrivacyModel

__all__ = ["Exposure", "aggregate_by_person", "control_targets"]


@dataclass(frozen=True, eq=False, repr=False)
class Exposure:
    """Published records, whose they are, and what is promised of them.

    Raw data are a release of themselves: what is seen is the truth. So is a release without its ledger, and an attack
    on it measures what somebody achieves who knows people's published values.
    """

    truth: Records
    """Every original record, the withheld ones included: the source of background knowledge and right answers. Where
    items of sets are published generalized, what is known of somebody are the labels that stand for their items."""
    seen: Records
    """The published records: ratings over the same items as the truth, tables with the same quasi-identifiers."""
    place: np.ndarray
    """For each record of the truth, the row of its published record; −1 if it was withheld."""
    promises: tuple[PrivacyModel, ...] = ()
    """The promises of the certificate; none for raw data."""
    also: tuple["Exposure", ...] = ()
    """Other releases about the same people: their truth has the same rows."""
    population: Records | None = None
    """The population that the people of a table were sampled from; its columns are those of the truth."""
    outside: Records | None = None
    """People known not to be published, with the columns of the truth; None: only those of the truth who were
    withheld."""
    dates: np.ndarray | None = None
    """For raw ratings, the day on which each observable rating was given, in the order of the matrix: int32, counted
    from 1970, and −2³¹ where it is unknown. None: none is known."""
    method: str | None = None
    """The wording of the method that made the release, from the certificate; None for raw data."""

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

    def of_kinds(self, kinds: frozenset[str]) -> "Exposure":
        """Return what an attack on these kinds of records meets: of a survey, the part that it knows."""
        if self.truth.kind in kinds or not isinstance(self.truth, Survey):
            return self
        return self.of_part("answers" if "ratings" in kinds else "demographics")

    def of_part(self, part: Part) -> "Exposure":
        """Return the exposure of one part of a survey."""
        return self._parts[part]

    @cached_property
    def _parts(self) -> "dict[Part, Exposure]":
        return {part: self._of_part(part) for part in PARTS}

    def _of_part(self, part: Part) -> "Exposure":
        seen = part_of(self.seen, part)
        made = [replace(model, part=None) for model in self.promises if model.part in (None, part)]
        return replace(
            self,
            truth=part_of(self.truth, part),
            seen=seen,
            promises=tuple(model for model in made if seen.kind in model.kinds),
            also=tuple(other._of_part(part) for other in self.also),  # noqa: SLF001 - of its own kind
            population=None if self.population is None else part_of(self.population, part),
            outside=None if self.outside is None else part_of(self.outside, part),
        )

    @cached_property
    def published(self) -> np.ndarray:
        """The rows of the truth that are published: the possible targets."""
        return np.flatnonzero(self.place >= 0)

    @cached_property
    def people(self) -> np.ndarray:
        """The number of people that each published record stands for."""
        several = self.seen.people if isinstance(self.seen, Ratings) else None
        return np.ones(len(self.seen), np.int64) if several is None else several

    @cached_property
    def grouping(self) -> Grouping:
        """The equivalence classes of the published records: equal in all that is observable."""
        return LocalEngine().group(self.seen)

    @property
    def persons(self) -> np.ndarray | None:
        """The person of each record of the truth, where a person may have several; None: one record a person."""
        return self.truth.persons if isinstance(self.truth, Microdata) else None

    @cached_property
    def n_people(self) -> int:
        """The number of people published; for a release without its ledger, a lower bound."""
        if self.persons is None:
            return self.seen.n_people
        return len(np.unique(self.persons[self.published]))

    @property
    def hides_persons(self) -> bool:
        """Whether people have several records and it is unknown which are whose: a release without its ledger."""
        return self.persons is None and self.seen.stated is not None

    def mean_by_person(self, chances: np.ndarray, rows: np.ndarray) -> float:
        """Average chances, one for each of some records, so that everybody counts alike."""
        return float(aggregate_by_person(chances, self.persons_of(rows), worst=False).mean())

    def persons_of(self, rows: np.ndarray) -> np.ndarray | None:
        """Return the persons of some ``rows`` of the truth; None: one record a person."""
        return None if self.persons is None else self.persons[rows]

    def worst_by_person(self, risks: np.ndarray) -> np.ndarray:
        """Return for each published person the largest risk among their records."""
        return aggregate_by_person(risks, self.persons_of(self.published), worst=True)

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """The number of different people in each equivalence class."""
        if self.persons is None:
            return LocalEngine().count(self.seen, self.grouping, sensitive=False).sizes
        return self.people_of_classes(self.grouping.labels, self.grouping.n_groups)

    def people_of_classes(self, labels: np.ndarray, n_classes: int) -> np.ndarray:
        """Return the number of different people in each class of published records; without persons, of records."""
        if self.persons is None:
            return people_by_class(labels, n_classes)
        return people_by_class(labels[self.place[self.published]], n_classes, self.persons_of(self.published))

    @cached_property
    def group_of(self) -> np.ndarray:
        """For each record of the truth, the equivalence class of its published record; −1 if it was withheld."""
        return np.where(self.place >= 0, self.grouping.labels[self.place], -1)

    @property
    def ratings(self) -> tuple[Ratings, Ratings]:
        """Original and published ratings, both on the published scale."""
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
        """The original and the published table."""
        assert isinstance(self.truth, Microdata)
        assert isinstance(self.seen, Microdata)
        return self.truth, self.seen

    @property
    def epsilon(self) -> Fraction | None:
        """The largest ε that is promised, 0 for equal records; None where no promise hides records among others."""
        return max((promise.radius for promise in self.promises if promise.radius is not None), default=None)

    def targets(self, limit: int | None, generator: np.random.Generator, among: np.ndarray | None = None) -> np.ndarray:
        """Return published rows of the truth, in order: all of ``among`` (default: of all), or ``limit`` drawn."""
        choice = self.published if among is None else among
        if limit is None or limit >= len(choice):
            return choice
        return np.sort(generator.choice(choice, limit, replace=False))


def aggregate_by_person(chances: np.ndarray, persons: np.ndarray | None, *, worst: bool) -> np.ndarray:
    """Return one probability per person from one per record; ``persons`` are the records' persons, None: all different.

    ``worst`` takes the largest: whoever knows all records of a person looks for the one found most surely. Otherwise
    the records of a person are averaged, so that everybody counts once.
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
    """Return for each target another one, whose background knowledge the control attack uses: a permutation.

    Nobody stands in for themselves, except a single target. ``persons`` are the targets' persons, where a person may
    have several records: then another person stands in, unless one person has more than half of all records.
    """
    order = generator.permutation(len(targets))
    shift = 1
    if persons is not None and len(persons):
        _, numbers, times = np.unique(persons[order], return_inverse=True, return_counts=True)
        order = order[np.argsort(numbers, kind="stable")]
        shift = int(times.max())  # past all records of the person with most, so past one's own
    others = np.empty_like(targets)
    others[order] = targets[np.roll(order, shift)]
    return others
