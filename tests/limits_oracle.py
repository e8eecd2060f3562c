"""The limits of k, ε and l once more, by trying everything; nothing here calls the library to compute anything."""

from fractions import Fraction

import oracles
from shoal.data import Ratings, Survey
from shoal.models import KEpsilon

ANY = Fraction(10**6)
"""Stands for the spread of people among whom nobody rated, where that is accepted: larger than every other."""


class BruteForce:
    """Answers for one small data set, person by person and partition by partition."""

    def __init__(self, records: Ratings | Survey, semantics: str, spread: str, all_null: str) -> None:
        self.records, self.semantics = records, semantics
        self.ratings = ratings = records.ratings if isinstance(records, Survey) else records
        self._reading = KEpsilon(2, Fraction(0), Fraction(0), spread=spread, all_null=all_null)  # type: ignore[arg-type]
        self._secrets, self._r = oracles.sensitive_profiles(ratings), oracles.farthest(ratings)
        self._seen: dict[Fraction, list[list[list[int]]]] = {}

    def steps(self) -> list[Fraction]:
        """Every whole number of steps up to the distance of a null."""
        step = self.ratings.scale.step
        return [number * step for number in range(int(self._r / step) + 1)]

    def holds(self, k: int, epsilon: Fraction, square: Fraction = Fraction(0)) -> bool:
        return any(self._all(sets, k, square) for sets in self._families(epsilon))

    def largest_k(self, epsilon: Fraction, square: Fraction = Fraction(0)) -> int | None:
        return max((k for k in range(1, len(self.ratings) + 1) if self.holds(k, epsilon, square)), default=None)

    def largest_square(self, k: int, epsilon: Fraction) -> Fraction | None:
        """The square of the largest spread; nothing where k does not hold."""
        reached = [min(map(self._spread, sets)) for sets in self._families(epsilon) if self._all(sets, k, Fraction(0))]
        return max(reached, default=None)

    def smallest_epsilon(self, k: int, square: Fraction = Fraction(0)) -> Fraction | None:
        return next((epsilon for epsilon in self.steps() if self.holds(k, epsilon, square)), None)

    def _families(self, epsilon: Fraction) -> list[list[list[int]]]:
        """The neighborhoods; or every partition into parts that are pairwise within epsilon."""
        if epsilon not in self._seen:
            near = oracles.who_is_near(self.records, epsilon)
            if self.semantics == "partition":
                self._seen[epsilon] = list(oracles.partitions(list(range(len(near))), near))
            else:
                self._seen[epsilon] = [[[j for j, is_near in enumerate(row) if is_near] for row in near]]
        return self._seen[epsilon]

    def _all(self, sets: list[list[int]], k: int, square: Fraction) -> bool:
        return all(len(people) >= k and self._spread(people) >= square for people in sets)

    def _spread(self, people: list[int]) -> Fraction:
        least = oracles.least_squared_spread([self._secrets[j] for j in people], self._reading, self._r)
        return ANY if least is None else least
