"""The attack ``known-answers``: who knows some demographics and some answers of a person.

*Knowledge.* ``demographics`` quasi-identifiers and strata, and ``items`` answers of the target, drawn at random from
those that the target has, all of them where there are fewer. Answers are known up to ``tolerance`` rating points.

*Success.* The candidates are the published records whose labels may cover the demographics and that hold the answers
within the tolerance. The attacker picks one of them: the probability is 1 divided by their number, or 0 where the
record of the target is not among them. Where nobody fits, the attacker picks anybody.

*Reference.* Ours. It is the attacker of (k, k^m)-anonymity (Poulis et al. 2013), who knows a person's relational part
and a few items, with knowledge that is drawn and not the worst.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import RatingMatrix
from shoal.errors import WordingError
from shoal.labels import covered_values
from shoal.randomness import Randomness

__all__ = ["KnownAnswers"]

_USUAL_PAIRS = 10**8
"""The number of targets times candidates that takes seconds."""
_FEWEST_TARGETS = 1_000


@attacks.add
@dataclass(frozen=True)
class KnownAnswers(Attack):
    """Re-identifies people by a few demographics and a few answers."""

    name: ClassVar[str] = "known-answers"
    kinds: ClassVar[frozenset[str]] = frozenset({"survey"})
    yardstick: ClassVar[Yardstick] = "singling out"

    demographics: int = 2
    items: int = 3
    tolerance: Fraction = Fraction(0)
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.demographics < 0 or self.items < 0 or self.demographics + self.items == 0:
            raise WordingError("known-answers needs something that is known: demographics, items or both.")
        if self.tolerance < 0:
            raise WordingError("known-answers needs a tolerance of at least 0.")
        if self.targets is not None and self.targets < 1:
            raise WordingError("known-answers needs at least one target.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (
            cls(),
            cls(demographics=0, items=9),
            cls(demographics=9, items=0, targets=5),
            cls(tolerance=Fraction(1)),
        )

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Attack everybody, or a sample large enough to estimate the rate: with little knowledge, and with more."""
        many = max(_USUAL_PAIRS // max(len(exposure.seen), 1), _FEWEST_TARGETS)
        targets = many if many < len(exposure.published) else None
        return cls(targets=targets), cls(demographics=4, items=10, targets=targets)

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        about = f", give or take {float(self.tolerance):g}" if self.tolerance else ""
        return (
            f"Knows up to {self.demographics} quasi-identifiers and {self.items} answers{about} of a person, and looks "
            "for the person's record."
        )

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        chosen = exposure.targets(self.targets, generator)
        search = _Search(exposure, self)
        own, n = exposure.place[chosen], len(exposure.seen)
        others = control_targets(np.arange(len(chosen)), generator)
        main, control, numbers = np.zeros(len(chosen)), np.zeros(len(chosen)), np.zeros(len(chosen), np.int64)
        for place, fits in enumerate(search.candidates(chosen, generator)):
            numbers[place] = np.count_nonzero(fits)
            guess = 1 / max(numbers[place], 1) if numbers[place] else 1 / n
            main[place] = guess if fits[own[place]] or not numbers[place] else 0.0
            about = np.flatnonzero(others == place)  # for whom this knowledge is that about somebody else
            control[about] = np.where(fits[own[about]] | (numbers[place] == 0), guess, 0.0)
        details = {
            "found_for_certain": float((main == 1).mean()),
            "nobody_fits": float((numbers == 0).mean()),
            "median_candidates": float(np.median(numbers)),
        }
        return Outcome(main, 1 / n, control, details, rows=chosen)


class _Search:
    """Looks for the records that fit what is known of people."""

    def __init__(self, exposure: Exposure, knowledge: KnownAnswers) -> None:
        self._knowledge = knowledge
        truth, seen = exposure.of_part("demographics").tables
        explained = exposure.method is None or exposure.truth is not exposure.seen
        self._values = [truth[column.name].codes for column in seen.observable]
        self._labels = [column.codes for column in seen.observable]
        self._covers = [
            covered_values(
                column.vocabulary.values,
                truth[column.name],
                truth[column.name].vocabulary.values,
                explained=explained,
            ).possible
            for column in seen.observable
        ]
        known, published = exposure.of_part("answers").ratings
        self._known: RatingMatrix = known.observable
        self._by_item: RatingMatrix = published.observable.by_item()
        self._tolerance = published.scale.steps_within(knowledge.tolerance)
        self._n = len(published)

    def candidates(self, targets: np.ndarray, generator: np.random.Generator) -> Iterator[np.ndarray]:
        """Yield for each target the mask of the records that fit what is drawn to be known."""
        for target in targets:
            fits = np.ones(self._n, bool)
            for column in self._drawn(generator, np.arange(len(self._labels)), self._knowledge.demographics):
                fits &= self._covers[column][self._labels[column], self._values[column][target]]
            first, last = (int(end) for end in self._known.indptr[[target, target + 1]])
            for place in self._drawn(generator, np.arange(first, last), self._knowledge.items):
                fits &= self._holding(int(self._known.indices[place]), int(self._known.codes[place]))
            yield fits

    @staticmethod
    def _drawn(generator: np.random.Generator, choice: np.ndarray, n: int) -> np.ndarray:
        return choice if n >= len(choice) else generator.choice(choice, n, replace=False)

    def _holding(self, item: int, code: int) -> np.ndarray:
        """Return the mask of the records that hold this answer, within the tolerance."""
        here = slice(int(self._by_item.indptr[item]), int(self._by_item.indptr[item + 1]))
        near = np.abs(self._by_item.codes[here].astype(np.int64) - code) <= self._tolerance
        holding = np.zeros(self._n, bool)
        holding[self._by_item.indices[here][near]] = True
        return holding
