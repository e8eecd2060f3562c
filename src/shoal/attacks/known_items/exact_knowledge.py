"""The attack ``exact-knowledge``: whoever knows all ratings of a person looks for the record, within a tolerance.

*Knowledge.* Every observable rating of the target as it was given, and which items the target did not rate.

*Success.* The candidates are the published records whose dissimilarity from what is known, as (k,ε)-anonymity measures
it, is at most ``tolerance`` on every item. The attacker picks one of the people behind them: the probability of
success is 1 divided by their number if the target is among them, and 0 if not. Without any candidate the attacker
guesses.

*Purpose.* (k,ε)-anonymity promises k matching records to those who search with a tolerance of at least their own error
plus ε; the error is here how far the record of the target was changed. With less tolerance nothing is promised, and the
figures show the consequences.

*Reference.* The guarantee of :mod:`shoal.models.k_epsilon`; the papers do not name the attack.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Ratings
from shoal.errors import WordingError
from shoal.kernels.neighbors.rows_within import distances_of_pairs, pattern_keys, people_within
from shoal.randomness import Randomness

__all__ = ["ExactKnowledge"]

_MOST_TOLERANCES = 11
_MOST_PAIRS = 2 * 10**8
"""The number of comparisons between a target and a record that take seconds."""


@attacks.add
@dataclass(frozen=True)
class ExactKnowledge(Attack):
    """Re-identifies records by all ratings of a person, exactly or within a tolerance."""

    name: ClassVar[str] = "exact-knowledge"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "singling out"

    tolerance: Fraction | None = None
    """In rating points; None: the best of those from 0 to the promised ε, in steps of the scale."""
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.tolerance is not None and self.tolerance < 0:
            raise WordingError("exact-knowledge needs a tolerance of at least 0.")

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        within = "the best tolerance up to ε" if self.tolerance is None else f"a tolerance of {float(self.tolerance):g}"
        return (
            "Knows every rating of a person exactly, and which items the person did not rate, and looks for the "
            f"person's record with {within}. The promise of at least k matching records only covers tolerances of the "
            "record's change plus ε or more."
        )

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Attack everybody, or as many as takes seconds."""
        many = _MOST_PAIRS // max(len(exposure.seen), 1)
        return (cls(targets=None if many >= len(exposure.published) else max(many, 100)),)

    def _misfit(self, exposure: Exposure) -> str | None:
        return None if exposure.truth.has_observable else "No item is observable."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        chosen = exposure.targets(self.targets, generator)
        search = _Search(exposure)
        k, promised = _promised(exposure)
        epsilon = min(promised, search.reach)
        tolerances = self._tolerances(exposure, epsilon, search.reach)
        steps = np.array([search.scale.steps_within(tolerance) for tolerance in tolerances], np.int64)
        own = exposure.place[chosen]
        changes = search.distances(chosen, own)
        # beside the tolerances, the one from which the promise protects: it differs by target
        safe = changes + search.scale.steps_within(epsilon)
        radii = np.column_stack([np.tile(steps, (len(chosen), 1)), safe])
        candidates = search.people_within(chosen, radii)
        found = changes[:, None] <= radii
        chances = _chances(candidates, found, search.n_people)[:, :-1]
        best = int(chances.mean(axis=0).argmax())
        others = control_targets(np.arange(len(chosen)), generator)
        mistaken = search.distances(chosen[others], own) <= steps[best]
        control = _chances(candidates[others, best], mistaken, search.n_people)
        details = _details(tolerances, chances, candidates, found, k)
        details["best_tolerance"] = float(tolerances[best])
        details["largest_change"] = float(changes.max() * search.scale.step)
        return Outcome(chances[:, best], 1 / search.n_people, control, details)

    def _tolerances(self, exposure: Exposure, epsilon: Fraction, reach: Fraction) -> list[Fraction]:
        """Return at most ``_MOST_TOLERANCES`` tolerances to try, the smallest and the largest among them."""
        if self.tolerance is not None:
            return [min(self.tolerance, reach)]
        assert isinstance(exposure.truth, Ratings)
        step = exposure.truth.scale.step
        apart = max(-(-int(epsilon / step) // (_MOST_TOLERANCES - 1)), 1) * step
        return [*(apart * i for i in range(-(-epsilon // apart))), epsilon] if epsilon else [epsilon]


class _Search:
    """The known and the published ratings on one scale."""

    def __init__(self, exposure: Exposure) -> None:
        truth, seen = exposure.ratings
        self.scale = seen.scale
        self.n_people = int(exposure.people.sum())
        known, published = truth.observable, seen.observable
        self._known = known.indptr, known.indices, known.codes
        self._published = published.indptr, published.indices, published.codes
        # one record of each equivalence class stands for all of them
        firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
        self._people = np.zeros(len(published), np.int64)
        self._people[firsts] = exposure.group_sizes
        keys = pattern_keys(published.indptr, published.indices)[firsts]
        order = np.argsort(keys, kind="stable")
        self._order, self._keys = firsts[order], keys[order]

    @property
    def reach(self) -> Fraction:
        """The tolerance within which everybody is a candidate: the distance between a rating and none."""
        return self.scale.null_steps * self.scale.step

    def distances(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the distance between what is known of people and published rows, in steps."""
        return distances_of_pairs(*self._known, people, *self._published, rows, self.scale.null_steps)

    def people_within(self, people: np.ndarray, radii: np.ndarray) -> np.ndarray:
        """Count for each person and each of their ``radii`` the people behind the records within it."""
        known = pattern_keys(*self._known[:2])[people]
        begins, ends = (np.searchsorted(self._keys, known, side=side) for side in ("left", "right"))
        found = people_within(*self._known, people, radii, *self._published, self._people, self._order, begins, ends)
        # such a radius reaches from a rating to null, and so to everybody
        return np.where(radii >= self.scale.null_steps, self.n_people, found)


def _promised(exposure: Exposure) -> tuple[int | None, Fraction]:
    """Return the k and ε of the promise with the largest ε; alike records are an ε of 0, and so is no promise."""
    pairs = [(promise.radius, promise.hidden_among) for promise in exposure.promises]
    found = [(radius, k) for radius, k in pairs if radius is not None and k is not None]
    epsilon, k = max(found, default=(Fraction(0), None))
    return k, epsilon


def _chances(candidates: np.ndarray, found: np.ndarray, n: int) -> np.ndarray:
    """Return the probability of picking the target among the candidates, or among all where there is none."""
    return np.where(candidates == 0, 1 / n, found / np.maximum(candidates, 1))


def _details(
    tolerances: list[Fraction], chances: np.ndarray, candidates: np.ndarray, found: np.ndarray, k: int | None
) -> dict[str, int | float]:
    """Return the figures of each tolerance; with a promise, also the share found among fewer than k."""
    details: dict[str, int | float] = {}
    below = found & (candidates < k) if k is not None else None
    for i, tolerance in enumerate(tolerances):
        at = f"at_{float(tolerance):f}".rstrip("0").rstrip(".").replace(".", "_")
        details[f"success_{at}"] = float(chances[:, i].mean())
        details[f"candidates_{at}"] = float(candidates[:, i].mean())
        details[f"share_without_candidates_{at}"] = float(np.mean(candidates[:, i] == 0))
        if below is not None:
            details[f"share_found_among_fewer_than_k_{at}"] = float(below[:, i].mean())
    if below is not None:
        details["share_found_among_fewer_than_k_at_change_plus_epsilon"] = float(below[:, -1].mean())
    return details
