"""The attack ``nearest``: the published record nearest to what is known of a person is taken to be theirs.

*Knowledge.* All ratings of the target, or ``items`` of them drawn at random, each up to ``error`` points off. Whoever
knows all ratings also knows which items were not rated.

*Distance.* The sum over known items of squared differences between what is known and what is published. Where a record
has no rating of a known item, it counts as one drawn from the published ratings of the item: as their average squared
difference from what is known. With ``items=all``, a published rating of an item that the target did not rate counts as
two drawn from them: as their average squared difference from each other; where neither has one, they are alike.

*Success.* The attacker picks one of the people behind the nearest record, or behind all that are equally near: the
probability is 1 divided by the number of these people if the target is one of them, and 0 if not.

*Reference.* Least squares: the most likely record, were errors normal and alike for all ratings. The papers on (k,ε)
consider an attacker to whom every record within a tolerance is equally likely; this one uses the distances.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Ratings
from shoal.errors import WordingError
from shoal.kernels.compiled import get_num_threads
from shoal.kernels.neighbors.nearest_records import nearest_records
from shoal.randomness import Randomness
from shoal.wording.format import format_count

from .background_knowledge import draw_known_items, rows_with_enough_ratings

__all__ = ["Nearest"]

_MANY = 10_000
_COMPARISONS = 20_000_000_000
"""The most ratings to compare where the number of targets is not set: about a minute."""


@attacks.add
@dataclass(frozen=True)
class Nearest(Attack):
    """Picks the record whose ratings are nearest to what is known, by least squares."""

    name: ClassVar[str] = "nearest"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "linkability"

    items: Literal["all"] | int = "all"
    error: Fraction = Fraction(1)
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.items != "all" and self.items < 1:
            raise WordingError("nearest needs at least one known item.", "Write items=8, or items=all.")
        if self.error < 0:
            raise WordingError("nearest: an error cannot be negative.", "Write error=0 for ratings known exactly.")
        if self.targets is not None and self.targets < 1:
            raise WordingError("nearest needs at least one target.")

    @property
    def needs_ratings(self) -> bool:
        """Distances are those of ratings."""
        return True

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        which = "all ratings" if self.items == "all" else format_count(self.items, "rating")
        how = f", each up to {float(self.error):g} off" if self.error else " exactly"
        return f"Knows {which} of a person{how}, and picks the record with the smallest sum of squared differences."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Know all ratings, up to one step of the scale off; attack as many people as a minute allows."""
        if not isinstance(exposure.truth, Ratings) or not len(exposure.published):
            return (cls(),)
        usual = cls(error=exposure.truth.scale.step)
        assert isinstance(exposure.seen, Ratings)
        pairs = float(np.dot(exposure.truth.observable.raters, exposure.seen.observable.raters))
        each = pairs / len(exposure.truth) + len(exposure.seen)
        limit = min(_MANY, max(int(_COMPARISONS / each), 100))
        return (usual if len(exposure.published) <= limit else replace(usual, targets=limit),)

    def _misfit(self, exposure: Exposure) -> str | None:
        if not len(self._eligible(exposure)):
            wanted = 1 if self.items == "all" else self.items
            return f"Nobody who is published has {format_count(wanted, 'rating')} or more."
        return None

    def _eligible(self, exposure: Exposure) -> np.ndarray:
        matrix = exposure.ratings[0].observable
        return rows_with_enough_ratings(matrix, exposure.published, 1 if self.items == "all" else self.items, 0)

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator("nearest")
        targets = exposure.targets(self.targets, generator, self._eligible(exposure))
        begins, entries = self._known(exposure, targets, generator)
        items, codes = self._perturbed(exposure, entries, generator)
        people, own = exposure.people, exposure.place[targets]
        raters = exposure.ratings[1].observable.by_item()

        def nearest_to(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            compressed = (raters.indptr, raters.indices, raters.codes, people)
            known = (begins, items, codes, lines, own)
            return nearest_records(*compressed, *known, self.items == "all", get_num_threads())

        found, right = nearest_to(np.arange(len(targets)))
        others, mistaken = nearest_to(control_targets(np.arange(len(targets)), generator))
        details = {
            "singled_out": float(np.mean((found == 1) & right)),
            "among_nearest": float(np.mean(right)),
            "average_nearest": float(found.mean()),
        }
        return Outcome(right / found, 1 / int(people.sum()), mistaken / others, details)

    def _known(
        self, exposure: Exposure, targets: np.ndarray, generator: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return where the known ratings of each target begin, and their positions in the matrix of the truth."""
        matrix = exposure.ratings[0].observable
        if self.items != "all":
            entries = draw_known_items(matrix, targets, self.items, 0, generator).entries
            return np.arange(len(targets) + 1) * self.items, entries.ravel()
        lengths = np.diff(matrix.indptr)[targets]
        begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return begins, np.arange(begins[-1]) + np.repeat(matrix.indptr[targets] - begins[:-1], lengths)

    def _perturbed(
        self, exposure: Exposure, entries: np.ndarray, generator: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the known items and what the attacker believes their ratings to be, on the published scale.

        Errors are uniform up to ``error`` points in steps of the true scale; ratings are clipped to the scale.
        """
        truth, seen = exposure.truth, exposure.seen
        assert isinstance(truth, Ratings)
        assert isinstance(seen, Ratings)
        error = min(truth.scale.steps_within(self.error), truth.scale.points)
        off = generator.integers(-error, error + 1, len(entries))
        codes = np.clip(truth.observable.codes[entries] + off, 0, truth.scale.points - 1)
        return truth.observable.indices[entries], codes * int(truth.scale.step / seen.scale.step)
