"""What attacks on the columns of rare items have in common: whom they are after, and what they look at.

The attack ``rare-rater``: where a column was fitted to few ratings, the profile that stands out is the rater's.

*Knowledge.* That the target rated an item which few people rated.

*Success.* Of all profiles that hold the item, the attacker takes the one whose cell lies farthest from what the profile
says on average, and one of the people behind it for the target. Profiles that stand out equally are candidates all of
them. Where all are, or none holds the item, so is everybody.

*Baseline.* One of all people. *Control.* The same with the item of another target.

The attack ``rare-rating``: where a column was fitted to few ratings, what stands out in it is about what they were.

*Knowledge.* That the target rated an item which few people rated; with ``profile=own``, which profile stands for the
target too.

*Success.* Of all profiles that hold the item, the attacker takes the one whose cell lies farthest from what the profile
says on average, rounds the cell to the scale on which ratings are given, and is right if the target rated so. Of
profiles that stand out equally one is taken by lot, by the people they stand for. Where all do, or none holds the item,
the attacker guesses like the baseline. With ``profile=own`` it is the cell of the target's own profile.

*Baseline.* The average of all published cells, rounded likewise; where there are none, any rating of the scale. With
``profile=own``, the average of the item's own cells: what it tells is no matter of the profile.

*Control.* The same with the item of another target.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.errors import WordingError
from shoal.models import promised_k
from shoal.randomness import Randomness

from .base import Attack, attacks
from .exposure import Exposure, control_targets
from .finding import Outcome, Yardstick

__all__ = ["RareColumns", "RareItemAttack", "RareRater", "RareRating", "RatedRarely", "rare_items"]


def rare_items(exposure: Exposure, fewest: int, most: int | None) -> np.ndarray:
    """Return the items that so many people rated, somebody who is published among them.

    Where the most is None, it is what the rarest of those has that at least the fewest rated.
    """
    assert isinstance(exposure.truth, Ratings)
    matrix = exposure.truth.observable
    raters = np.where(matrix.take(exposure.published).raters > 0, matrix.raters, 0)
    looked_at = raters[raters >= max(fewest, 1)]
    if most is None:
        most = int(looked_at.min(initial=len(matrix)))
    return np.flatnonzero((raters >= max(fewest, 1)) & (raters <= most))


@dataclass(frozen=True, eq=False)
class RareColumns:
    """What attackers see of some items, one column each.

    A profile *stands out* in a column if its cell lies as far from what the profile says on average as that of no other
    profile, or if several do; unless all published records do, or none holds the item.
    """

    n_items: int
    outstanding: np.ndarray
    """Of each profile that stands out, the number of the column times the number of records, plus that of the record;
    ascending."""
    people: np.ndarray
    """For how many people those stand that stand out, for each column; 0 where none does."""
    readings: np.ndarray
    """For each column and rating of the true scale, how likely it is the rounded cell of one that stands out, drawn by
    people; where none does, that of the guess."""
    guess: np.ndarray
    """How likely each rating is guessed: the average of all cells is, or any rating where there is no cell."""
    totals: np.ndarray
    """The sum of the cells of each column, each as often as it stands for people, in codes of the published scale."""
    holders: np.ndarray
    """For how many people the records stand that hold the item."""
    n_records: int
    columns: RatingMatrix
    """The published cells, one row for each item, by records."""
    parts: int
    """How many steps of the published scale are one of the true scale."""

    @classmethod
    def of(cls, exposure: Exposure, items: np.ndarray) -> "RareColumns":
        """Read the columns of these items."""
        truth, seen = exposure.truth, exposure.seen
        assert isinstance(truth, Ratings)
        assert isinstance(seen, Ratings)
        parts, points = int(truth.scale.step / seen.scale.step), truth.scale.points
        sizes, sums = np.diff(seen.observable.indptr), _row_sums(seen.observable)
        guess = _guess(int(exposure.people @ sizes), int(exposure.people @ sums), parts, points)
        columns = seen.observable.of_items(items).by_item()
        outstanding, people = [], np.zeros(len(items), np.int64)
        readings, (totals, holders) = np.tile(guess, (len(items), 1)), np.zeros((2, len(items)), np.int64)
        for column in np.flatnonzero(np.diff(columns.indptr)).tolist():
            here = slice(int(columns.indptr[column]), int(columns.indptr[column + 1]))
            rows, codes = columns.indices[here].astype(np.int64), columns.codes[here].astype(np.int64)
            totals[column], holders[column] = exposure.people[rows] @ codes, exposure.people[rows].sum()
            farthest = _farthest(np.abs(codes * sizes[rows] - sums[rows]), sizes[rows])
            weights = exposure.people[rows[farthest]]
            if weights.sum() == exposure.people.sum():
                continue
            people[column] = weights.sum()
            outstanding.append(column * len(seen) + rows[farthest])
            rounded = (2 * codes[farthest] + parts) // (2 * parts)
            readings[column] = np.bincount(rounded, weights, points) / weights.sum()
        found = np.concatenate(outstanding) if outstanding else np.zeros(0, np.int64)
        return cls(len(items), found, people, readings, guess, totals, holders, len(seen), columns, parts)

    def stands_out(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Tell for each pair of a published record and a column whether it stands out there."""
        return np.isin(columns * self.n_records + rows, self.outstanding)

    def cells(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return for each pair of a published record and a column the code of the cell; −1 where there is none."""
        matrix = self.columns
        if not matrix.n_ratings:
            return np.full(len(rows), -1, np.int64)
        here = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr)) * self.n_records + matrix.indices  # ascends
        wanted = columns * self.n_records + rows
        places = np.minimum(np.searchsorted(here, wanted), len(here) - 1)
        return np.where(here[places] == wanted, matrix.codes[places].astype(np.int64), -1)

    def read(self, cells: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return how likely each true rating is read from a cell: rounded, or where there is none guessed."""
        rounded = (2 * cells + self.parts) // (2 * self.parts)
        return np.where(cells < 0, self.guess[codes], rounded == codes)

    def read_averages(self, columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return how likely each true rating is read from the average of a column."""
        totals, holders = self.totals[columns], self.holders[columns]
        rounded = (2 * totals + holders * self.parts) // np.maximum(2 * holders * self.parts, 1)
        return np.where(holders == 0, self.guess[codes], rounded == codes)

    def farthest_of_each(self, cells: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return for each column that has any of these cells the number of the one farthest from the column's average.

        Of several the first. Cells of one column are compared in whole numbers.
        """
        far = np.where(cells < 0, -1, np.abs(cells * self.holders[columns] - self.totals[columns]))
        order = np.lexsort((np.arange(len(far)), -far, columns))
        order = order[cells[order] >= 0]
        return order[np.unique(columns[order], return_index=True)[1]]

    @property
    def share_published(self) -> float:
        """The share of the items that any record holds."""
        return float(np.mean(self.holders > 0))

    @property
    def averages(self) -> np.ndarray:
        """The average cell of each column, in codes of the published scale; NaN where no record holds the item."""
        return np.where(self.holders > 0, self.totals / np.maximum(self.holders, 1), np.nan)


def _row_sums(matrix: RatingMatrix) -> np.ndarray:
    """Return the sum of the codes of each record."""
    sums, given = np.zeros(len(matrix), np.int64), np.diff(matrix.indptr) > 0
    if given.any():
        sums[given] = np.add.reduceat(matrix.codes, matrix.indptr[:-1][given], dtype=np.int64)
    return sums


def _farthest(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Return the places of the largest fractions, which are compared as whole numbers."""
    largest = np.argmax(numerators / denominators)
    return np.flatnonzero(numerators * denominators[largest] == numerators[largest] * denominators)


def _guess(cells: int, total: int, parts: int, points: int) -> np.ndarray:
    if not cells:
        return np.full(points, 1 / points)
    return np.eye(points)[(2 * total + cells * parts) // (2 * cells * parts)]


@dataclass(frozen=True, eq=False)
class RatedRarely:
    """Ratings of rare items: each is a target."""

    people: np.ndarray
    """Rows of the truth."""
    columns: np.ndarray
    """Which of the rare items they rated."""
    codes: np.ndarray
    """And how."""


@dataclass(frozen=True)
class RareItemAttack(Attack):
    """Knows that somebody rated an item which few people rated, and looks at the item in all that is published."""

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    fewest: int = 1
    """Items that fewer people rated are not looked at."""
    most: int | None = None
    """Nor are those that more did; None: as many as rated the rarest of the others."""
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.fewest < 1 or (self.most is not None and self.most < self.fewest):
            raise WordingError(
                f"{self.name} looks at items with at least one rater, and at most as many as at least.",
                "Write fewest=5,most=9, for example.",
            )
        if self.targets is not None and self.targets < 1:
            raise WordingError(f"{self.name} needs at least one target.")

    @property
    def known(self) -> str:
        """What the attacker knows, in words."""
        if self.most is None:
            few = "as few people as any" if self.fewest == 1 else f"{self.fewest:,} people, or few more,"
        else:
            few = f"at most {self.most:,} people" if self.fewest == 1 else f"{self.fewest:,} to {self.most:,} people"
        return f"Knows that a person rated an item that {few} rated, and looks at it in all profiles."

    def _misfit(self, exposure: Exposure) -> str | None:
        assert isinstance(exposure.truth, Ratings)
        if exposure.truth.people is not None:
            return "Who rated what behind profiles that stand for several is only in the ledger."
        if not len(rare_items(exposure, self.fewest, self.most)):
            return "Nobody who is published rated an item that so many people rated."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        items = rare_items(exposure, self.fewest, self.most)
        rated = self._rated(exposure, items, generator)
        columns = RareColumns.of(exposure, items)
        others = rated.columns[control_targets(np.arange(len(rated.people)), generator)]
        return self._outcome(exposure, columns, rated, others)

    def _rated(self, exposure: Exposure, items: np.ndarray, generator: np.random.Generator) -> RatedRarely:
        assert isinstance(exposure.truth, Ratings)
        matrix = exposure.truth.observable.of_items(items)
        people = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
        chosen = np.flatnonzero(exposure.place[people] >= 0)
        if self.targets is not None and self.targets < len(chosen):
            chosen = np.sort(generator.choice(chosen, self.targets, replace=False))
        return RatedRarely(people[chosen], matrix.indices[chosen].astype(np.int64), matrix.codes[chosen])

    @abstractmethod
    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        """Return how it went; others are the columns of which those know who are mistaken."""


@attacks.add
@dataclass(frozen=True)
class RareRater(RareItemAttack):
    """Takes the profile that stands out in the column of a rare item for that of a person who rated it."""

    name: ClassVar[str] = "rare-rater"
    yardstick: ClassVar[Yardstick] = "singling out"

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        return f"{self.known} The profile that stands out there is taken for the person's."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Look at the rarest items, and at those that as many people rated as a profile stands for."""
        k = promised_k(exposure.promises)
        return (cls(),) if k is None or k < 2 else (cls(), cls(fewest=k, most=2 * k - 1))

    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        everybody, own = int(exposure.people.sum()), exposure.place[rated.people]
        sizes = exposure.group_sizes[exposure.group_of[rated.people]]
        main, control = (_chances(columns, own, looked_at, everybody) for looked_at in (rated.columns, others))
        return Outcome(
            main,
            1 / everybody,
            control,
            {
                "items": columns.n_items,
                "share_of_items_published": columns.share_published,
                "own_profile_is_taken": float(np.mean(main * sizes)),
                "own_profile_is_taken_by_guessing": float(np.mean(sizes / everybody)),
                "own_profile_is_taken_by_control": float(np.mean(control * sizes)),
            },
        )


def _chances(columns: RareColumns, own: np.ndarray, looked_at: np.ndarray, everybody: int) -> np.ndarray:
    """Return the chance to hit each target among the people behind what stands out in a column."""
    people = columns.people[looked_at]
    candidates = np.where(people > 0, people, everybody)
    return np.where((people == 0) | columns.stands_out(own, looked_at), 1 / candidates, 0.0)


_TIMES = 5
"""Own profiles are looked at for items with up to so many times as many raters as one stands for, unless said."""


@attacks.add
@dataclass(frozen=True)
class RareRating(RareItemAttack):
    """Takes what stands out in the column of a rare item for the rating of a person who rated it."""

    name: ClassVar[str] = "rare-rating"
    yardstick: ClassVar[Yardstick] = "inference"

    profile: Literal["outstanding", "own"] = "outstanding"
    """Which cell is read: what stands out in the column, or that of the target's profile."""

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        if self.profile == "own":
            return f"{self.known} Knows the person's profile, and takes its cell for the person's rating."
        return f"{self.known} The cell that stands out there is taken for the person's rating."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Look at the rarest items, and in own profiles at items that few times as many rated as one stands for."""
        k = promised_k(exposure.promises)
        if k is None or k < 2:
            return (cls(),)
        return cls(), cls(fewest=k, most=_TIMES * k, profile="own")

    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        details = {"items": columns.n_items, "share_of_items_published": columns.share_published}
        if self.profile == "own":
            return _of_own_profiles(exposure, columns, rated, others, details)
        main, control = (columns.readings[looked_at, rated.codes] for looked_at in (rated.columns, others))
        correlation = _correlation(columns.averages[rated.columns], rated.codes)
        details |= {"correlation_with_the_average_of_the_item": correlation}
        return Outcome(main, float(np.mean(columns.guess[rated.codes])), control, details)


def _of_own_profiles(
    exposure: Exposure,
    columns: RareColumns,
    rated: RatedRarely,
    others: np.ndarray,
    details: dict[str, int | float],
) -> Outcome:
    own = exposure.place[rated.people]
    cells = columns.cells(own, rated.columns)
    main, guessed = columns.read(cells, rated.codes), columns.read_averages(rated.columns, rated.codes)
    control = columns.read(columns.cells(own, others), rated.codes)
    worst = columns.farthest_of_each(cells, rated.columns)
    known = np.where(cells < 0, np.nan, cells)
    details = details | {
        "correlation_with_the_cell": _correlation(known, rated.codes),
        "worst_raters": len(worst),
        "worst_raters_read": _mean(main[worst]),
        "worst_raters_read_by_guessing": _mean(guessed[worst]),
        "worst_raters_correlation": _correlation(known[worst], rated.codes[worst]),
    }
    return Outcome(main, float(np.mean(guessed)), control, details)


def _mean(chances: np.ndarray) -> float:
    return float(np.mean(chances)) if len(chances) else 0.0


def _correlation(told: np.ndarray, codes: np.ndarray) -> float:
    """Return the correlation of ratings with what is published; 0 where there is none."""
    held = ~np.isnan(told)
    left, right = told[held], codes[held].astype(np.float64)
    if len(left) < 2 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])
