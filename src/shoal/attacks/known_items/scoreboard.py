"""The attack ``scoreboard``: a few ratings, even if some are wrong, re-identify a person's record.

*Knowledge.* ``items`` that the target rated, and their ratings, up to ``error`` rating points off. ``wrong`` of them
are not the target's but somebody else's. Where dates are known, those of the known ratings too, up to ``date_error``
days off.

*Score.* Each published record gets, for each known item i that it rates, ``wt(i)·(exp(−|ρ−ρ'|/1.5) + exp(−|d−d'|/30))``
with ``wt(i) = 1/ln(max(people who rate i, 2))``, ratings ρ in points and days d; the second term only where days are
known. Equal records are one candidate.

*Success.* The attacker picks one of the people behind the record with the highest score. An attacker who wants to be
sure claims a match only if that score is ``eccentricity`` standard deviations of all scores above the second.

*Reference.* Scoreboard-RH of Narayanan and Shmatikov, Robust De-anonymization of Large Sparse Datasets (2008).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import RatingMatrix, Ratings
from shoal.errors import WordingError
from shoal.randomness import Randomness
from shoal.wording.format import format_count

from .background_knowledge import draw_known_items, outside_most_rated, perturbed_knowledge, rows_with_enough_ratings
from .scored_candidates import ScoredCandidates, Scores, inferred_rating_errors

__all__ = ["Scoreboard"]

_MANY = 10_000


@attacks.add
@dataclass(frozen=True)
class Scoreboard(Attack):
    """Re-identifies records by roughly known ratings, and infers the other ratings from them."""

    name: ClassVar[str] = "scoreboard"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "linkability"

    items: int = 8
    wrong: int = 0
    error: Fraction = Fraction(0)
    date_error: int = 0
    outside_top: int = 0
    eccentricity: Fraction = Fraction(3, 2)
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.items < 1:
            raise WordingError("scoreboard needs at least one known item.")
        if not 0 <= self.wrong <= self.items:
            raise WordingError("scoreboard: wrong must be between 0 and items.")
        if min(self.error, self.date_error, self.outside_top, self.eccentricity) < 0:
            raise WordingError("The error, date_error, outside_top and eccentricity of scoreboard cannot be negative.")
        if self.targets is not None and self.targets < 1:
            raise WordingError("scoreboard needs at least one target.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        where = f" outside the {self.outside_top:,} most rated items" if self.outside_top else ""
        flaws = [f"{self.wrong} of them wrong"] if self.wrong else []
        flaws += [f"each up to {float(self.error):g} off"] if self.error else []
        flaws += [f"dates up to {format_count(self.date_error, 'day')} off"] if self.date_error else []
        flawed = f" ({', '.join(flaws)})" if flaws else ""
        known = format_count(self.items, "rating")
        return f"Knows {known} of a person{where}{flawed}, and looks for the record that agrees best."

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Attack everybody, or a sample where there are very many people."""
        return (cls(targets=_MANY if len(exposure.published) > _MANY else None),)

    @property
    def heeds(self) -> frozenset[str]:
        """The dates of ratings."""
        return frozenset({"dates"})

    def _misfit(self, exposure: Exposure) -> str | None:
        if self.date_error and exposure.dates is None:
            return "The dates of the ratings are unknown."
        if not len(self._eligible(exposure)):
            return f"Nobody who is published has {format_count(self.items, 'rating')} or more that may be known."
        return None

    def _eligible(self, exposure: Exposure) -> np.ndarray:
        assert isinstance(exposure.truth, Ratings)
        return rows_with_enough_ratings(exposure.truth.observable, exposure.published, self.items, self.outside_top)

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        assert isinstance(exposure.truth, Ratings)
        truth, generator = exposure.truth.observable, randomness.generator("scoreboard")
        targets = exposure.targets(self.targets, generator, self._eligible(exposure))
        known = draw_known_items(truth, targets, self.items, self.outside_top, generator)
        error = exposure.truth.scale.steps_within(self.error)
        knowledge = perturbed_knowledge(
            exposure, known, self._wrong(truth, len(targets), generator), error, self.date_error, generator
        )
        candidates = ScoredCandidates(exposure)
        own = candidates.own(known.targets)
        found = candidates.scores(knowledge, own, generator)
        others = control_targets(np.arange(len(own)), generator)
        control = candidates.scores(knowledge.take(others), own, generator)
        details = self._details(found, candidates.people[own])
        details |= {"candidates": len(candidates.people), **inferred_rating_errors(candidates, known, found.chosen)}
        n = int(candidates.people.sum())
        return Outcome(_chances(found), 1 / n, _chances(control), details)

    def _wrong(self, matrix: RatingMatrix, n: int, generator: np.random.Generator) -> np.ndarray:
        """Draw positions in the matrix of other people's ratings that are mistaken for the targets'."""
        places = np.flatnonzero(outside_most_rated(matrix, self.outside_top)) if self.outside_top else None
        drawn = generator.integers(0, matrix.n_ratings if places is None else len(places), (n, self.wrong))
        return drawn if places is None else places[drawn]

    def _details(self, found: Scores, people: np.ndarray) -> dict[str, int | float]:
        """Return how often the target's record scores best, and how often confident matches are right."""
        matched = found.stand_out(self.eccentricity)
        right = float(found.own_on_top[matched].mean()) if matched.any() else 0.0
        return {
            "right_group_rate": float((_chances(found) * people).mean()),
            "matched_rate": float(matched.mean()),
            "right_when_matched": right,
            "wrong_when_matched": 1 - right if matched.any() else 0.0,
        }


def _chances(scores: Scores) -> np.ndarray:
    """Return the probability of picking the target among the people behind the best candidates."""
    return scores.own_on_top / scores.people_on_top
