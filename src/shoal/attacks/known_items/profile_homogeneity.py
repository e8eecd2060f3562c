"""The attack ``profile-homogeneity``: where all candidates share a profile, it is learned without telling them apart.

*Knowledge.* Some ``items`` that the target rated, drawn as for ``structure``; with a ``tolerance``, also how they
rated them, as for ``label``.

*Success.* The candidates are those of ``structure`` or ``label``. With ``learns=profile`` the attacker names the
profile (all observable ratings, as published) that most people among the candidates have, and is right if it is the
target's. With ``learns=rating`` the attacker seeks the target's rating of one more item, names the rating that most
people among the candidates have, rounded to the scale on which ratings are given, and is right if it is the true one.
Ties are broken at random. Without a candidate, or one who has the item, the attacker guesses.

*Baseline.* The profile, or the rating of the item, that is most frequent among everybody published.

*Purpose.* k-anonymity bounds the success of ``structure`` and ``label`` by 1/k, and leaves this one unbounded: the k
people of a group have one profile. (b,l)-diversity promises l profiles to those who know b items.

*Reference.* The homogeneity attack in bipartite graphs of Chang, Thompson, Wang and Yao, Predictive Anonymization
(2010), Definition 5.1; there it succeeds only where all candidates are identical, which the figure
``profile_identified`` counts.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Ratings
from shoal.errors import WordingError

from .background_knowledge import KnownItems
from .candidate_profiles import CandidateProfiles, SoughtRating
from .matching import KnownItemsAttack

__all__ = ["ProfileHomogeneity"]


@attacks.add
@dataclass(frozen=True)
class ProfileHomogeneity(KnownItemsAttack):
    """Learns what most of the records have in common that fit some known items of a person."""

    name: ClassVar[str] = "profile-homogeneity"
    yardstick: ClassVar[Yardstick] = "inference"

    tolerance: Fraction | None = None
    """In rating points; None: the ratings of the known items are unknown."""
    learns: Literal["profile", "rating"] = "profile"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None and self.tolerance < 0:
            raise WordingError(
                "profile-homogeneity: a tolerance cannot be negative.", "Write tolerance=0 for ratings known exactly."
            )

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Return the attack on profiles by items alone, and on profiles and ratings with ratings within a step."""
        (by_items,) = super().usual(exposure)
        if not isinstance(exposure.truth, Ratings):
            return (by_items,)
        by_ratings = replace(by_items, tolerance=exposure.truth.scale.step)
        return by_items, by_ratings, replace(by_ratings, learns="rating")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return both goals, with ratings unknown, known exactly and known within a point."""
        tolerances = (None, Fraction(0), Fraction(1))
        return tuple(cls(tolerance=each, learns=goal) for goal in ("profile", "rating") for each in tolerances)

    @property
    def needs_ratings(self) -> bool:
        """Those that are known or inferred, if any."""
        return self.tolerance is not None or self.learns == "rating"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        if self.tolerance is None:
            how = "but not the ratings"
        else:
            how = f"each rating within {float(self.tolerance):g}" if self.tolerance else "with the exact ratings"
        goal = "profile" if self.learns == "profile" else "rating of one more item"
        return (
            f"Knows {self._items} that a person rated, {how}, and takes the {goal} that most of the matching people "
            "have in common to be the person's."
        )

    @property
    def _drawn(self) -> int:
        return self.items + (self.learns == "rating")

    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:
        scale = exposure.ratings[1].scale
        return None if self.tolerance is None else min(scale.steps_within(self.tolerance), scale.points)

    def _outcome(self, exposure: Exposure, known: KnownItems, generator: np.random.Generator) -> Outcome:
        others = control_targets(np.arange(len(known.targets)), generator)
        tolerance = self._tolerance_in_steps(exposure)
        if self.learns == "profile":
            return _profiles_learned(CandidateProfiles(exposure, known, tolerance), others)
        known, sought = _apart(known, generator)
        profiles = CandidateProfiles(exposure, known, tolerance)
        return _ratings_learned(profiles, SoughtRating.read(exposure, sought), others)


def _apart(drawn: KnownItems, generator: np.random.Generator) -> tuple[KnownItems, np.ndarray]:
    """Return all drawn ratings of each target but one as known, and that one, which is drawn, as sought."""
    n, width = drawn.entries.shape
    sought = generator.integers(0, width, n)
    entries = drawn.entries[np.arange(width) != sought[:, None]].reshape(n, width - 1)
    return KnownItems(drawn.targets, entries), drawn.entries[np.arange(n), sought]


def _profiles_learned(profiles: CandidateProfiles, others: np.ndarray) -> Outcome:
    everybody = np.arange(len(others))
    return Outcome(
        profiles.chances(everybody),
        profiles.guess.mean(),
        profiles.chances(others),
        profiles.details(),
    )


def _ratings_learned(profiles: CandidateProfiles, sought: SoughtRating, others: np.ndarray) -> Outcome:
    everybody = np.arange(len(others))
    found = profiles.ratings(sought, everybody)
    guess = profiles.guessed_ratings(sought)
    shared = profiles.matches & found.shared
    main, control = found.chances(guess), profiles.ratings(sought, others).chances(guess)
    return Outcome(
        main,
        float(guess.mean()),
        control,
        profiles.details()
        | {
            "rating_shared": float(shared.mean()),
            "rating_shared_and_true": float(np.mean(shared * main)),
            "rating_not_held": float(np.mean(~found.held)),
        },
    )
