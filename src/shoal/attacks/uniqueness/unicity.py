"""The attack ``unicity``: the fewest items by which a person is unique.

*Knowledge.* At most ``most`` items that the target rated, the ones fewest others share; with ``by=ratings`` also how
the target rated them.

*Success.* The candidates are the published records that hold all of these items (with these ratings). The attacker
picks one of the people behind them: the probability is 1 divided by the fewest people who share such a set.

*Search.* All sets are searched, except those that cannot be rarer than one already found. Where that takes too long for
a person, they are counted as not decided, and their risk may be higher than reported.

*Reference.* k^m-anonymity (Terrovitis, Mamoulis and Kalnis, 2008) requires that every set of at most m items that
occurs at all occurs in k records: here that is measured, person by person.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import RatingMatrix, Ratings, Vocabulary
from shoal.errors import WordingError
from shoal.kernels.matching.rarest_subsets import fewest_sharing_subsets, rows_with_subsets
from shoal.randomness import Randomness

__all__ = ["Unicity"]

_LARGEST_SETS = 8
_MOST_STEPS = 2 * 10**10
"""The limit on the steps of each of two searches: less than a minute."""
_MOST_COLUMNS = 10**8
_USUAL_PAIRS = 10**8
"""The number of targets times candidates that takes seconds."""
_FEWEST_TARGETS = 1_000


@attacks.add
@dataclass(frozen=True)
class Unicity(Attack):
    """Re-identifies records by the few items that fewest others share."""

    name: ClassVar[str] = "unicity"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "singling out"

    most: int = 4
    by: Literal["items", "ratings"] = "items"
    targets: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.most <= _LARGEST_SETS:
            raise WordingError(f"unicity searches sets of at most 1 to {_LARGEST_SETS} items.")
        if self.targets is not None and self.targets < 1:
            raise WordingError("unicity needs at least one target.")

    @property
    def needs_ratings(self) -> bool:
        """Those that are known, if any."""
        return self.by == "ratings"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        items = f"the {self.most} items" if self.most > 1 else "the one item"
        how = "with the ratings" if self.by == "ratings" else "without the ratings"
        return f"Knows {items} of a person, {how}, that fewest others share, and looks for the person's record."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Attack by items alone and with ratings: everybody, or a sample large enough to estimate the rate."""
        many = max(_USUAL_PAIRS // max(int(exposure.people.sum()), 1), _FEWEST_TARGETS)
        targets = many if many < len(exposure.published) else None
        return cls(targets=targets), cls(by="ratings", targets=targets)

    def _misfit(self, exposure: Exposure) -> str | None:
        truth, _ = exposure.ratings
        if not np.diff(truth.observable.indptr)[exposure.published].any():
            return "Nobody who is published rated an observable item."
        if self._n_columns(exposure) > _MOST_COLUMNS:
            return "The items have too many different ratings to search."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        chosen = exposure.targets(self.targets, generator)
        own = exposure.place[chosen]
        known, seen = self._columns(exposure)
        numbers, sets, finished = self._searched(known, seen, exposure.people, chosen, own)
        hard = np.flatnonzero(finished < self.most)
        if len(hard):  # most people take few steps, which leaves time for these
            again = self._searched(known, seen, exposure.people, chosen[hard], own[hard])
            numbers[hard], sets[hard], finished[hard] = again
        others = control_targets(np.arange(len(chosen)), generator)
        fits = rows_with_subsets(seen.indptr, seen.indices, own, sets[others])
        n = int(exposure.people.sum())
        return Outcome(
            1 / numbers[:, -1], 1 / n, fits / numbers[others, -1], _details(numbers, int((finished < self.most).sum()))
        )

    def _searched(
        self, known: RatingMatrix, seen: RatingMatrix, people: np.ndarray, targets: np.ndarray, own: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Search for the rarest sets of each target, with the same number of steps for each."""
        holders = seen.by_item()
        return fewest_sharing_subsets(
            known.indptr,
            known.indices,
            targets,
            own,
            seen.indptr,
            seen.indices,
            holders.indptr,
            holders.indices,
            people,
            self.most,
            _MOST_STEPS // len(targets),
        )

    def _columns(self, exposure: Exposure) -> tuple[RatingMatrix, RatingMatrix]:
        """Return the known and the published ratings, with a column for everything that may be known of an item."""
        truth, seen = exposure.truth, exposure.seen
        assert isinstance(truth, Ratings)
        assert isinstance(seen, Ratings)
        if self.by == "items":
            return truth.observable, seen.observable
        width, points = self._n_columns(exposure), truth.scale.points
        parts = int(truth.scale.step / seen.scale.step)
        return _by_rating(truth.observable, width, points, 1), _by_rating(seen.observable, width, points, parts)

    def _n_columns(self, exposure: Exposure) -> int:
        assert isinstance(exposure.truth, Ratings)
        return len(exposure.truth.observable.items) * (exposure.truth.scale.points if self.by == "ratings" else 1)


def _by_rating(matrix: RatingMatrix, width: int, points: int, parts: int) -> RatingMatrix:
    """Return a matrix with a column for each item and point of the original scale, of whose steps each has ``parts``.

    A rating between those points cannot be known, and is left out.
    """
    there = matrix.codes % parts == 0
    before = np.zeros(matrix.n_ratings + 1, np.int64)
    np.cumsum(there, out=before[1:])
    codes = matrix.codes[there] // parts
    columns = matrix.indices[there] * points + codes
    return RatingMatrix(Vocabulary.numbered(width), before[matrix.indptr], columns.astype(np.int32), codes)


def _details(numbers: np.ndarray, undecided: int) -> dict[str, int | float]:
    shares = (numbers == 1).mean(axis=0)
    details: dict[str, int | float] = {f"singled_out_by_{i + 1}": float(share) for i, share in enumerate(shares)}
    details["fewest_that_single_out"] = int(np.flatnonzero(shares)[0]) + 1 if shares[-1] else 0
    details["fewest_candidates"] = int(numbers[:, -1].min())
    details["people_not_decided"] = undecided
    return details
