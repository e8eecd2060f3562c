"""The grid of a sweep: which methods are tried under which promises, and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeVar

from shoal.anonymizers import Anonymizer, methods
from shoal.data import Ratings, Records, part_of
from shoal.errors import WordingError
from shoal.models import promises
from shoal.models.k_epsilon import Semantics

from .point import Point

__all__ = ["Grid"]

T = TypeVar("T")


class Grid:
    """Methods × k × ε, or methods × k × m; a table has neither ε nor m, sets have no ε, and ratings need neither.

    Without either, k-anonymity is tried: of ratings, that of whole profiles.

    Each may be given as a list, or in words with commas between them.
    """

    def __init__(
        self,
        method: Sequence[str | Anonymizer],
        k: Sequence[object],
        epsilon: Sequence[object] = (),
        m: Sequence[object] = (),
    ) -> None:
        self.methods = _distinct(_methods(method))
        self._k, self._epsilon, self._m = (_distinct(_numbers(each)) for each in (k, epsilon, m))
        for name, values in (("method", self.methods), ("k", self._k)):
            if not values:
                raise WordingError(f"The sweep needs at least one {name}.", f"Add --{name}.")
        if self._epsilon and self._m:
            raise WordingError("A sweep is over epsilon or over m, not over both.", "Leave one of them out.")

    def points(self, records: Records, l: object, semantics: Semantics) -> list[Point]:  # noqa: E741
        """Return the points for these records: the corners of the grid first, then ever finer."""
        self._refuse_misfits(records, l, semantics)
        ranked = [
            (max(row, column), row, column, promises.read(self._promise(l, semantics).format(k, other)))
            for (row, k), (column, other) in product(
                enumerate(_coarse_first(self._k)), enumerate(_coarse_first(self._epsilon or self._m) or [None])
            )
        ]
        in_order = _distinct(promise for *_, promise in sorted(ranked, key=lambda rank: rank[:3]))
        return [Point(method, promise) for promise in in_order for method in self._fitting(records.kind)]

    def _promise(self, l: object, semantics: Semantics) -> str:  # noqa: E741
        """Return the wording of the promise, with places for k and for ε or m."""
        if self._m:
            return "km-anonymity:k={},m={}"
        spread = "" if l is None else f",l={l}"
        return f"k-epsilon:k={{}},epsilon={{}}{spread},semantics={semantics}" if self._epsilon else "k-anonymity:k={}"

    def _fitting(self, kind: str) -> Sequence[Anonymizer]:
        for method in self.methods:
            if kind not in method.kinds:
                raise method.misfit(kind)
        return self.methods

    def _refuse_misfits(self, records: Records, l: object, semantics: Semantics) -> None:  # noqa: E741
        """Refuse letters that say nothing of these records, and ratings without any."""
        ratings = part_of(records, "answers")
        if not isinstance(ratings, Ratings):
            if self._epsilon or self._m or l is not None:
                raise WordingError(
                    "A table has no ratings, so there is no epsilon, no l and no m.",
                    "Leave them out, or add --model l-diversity:l=2.",
                )
        elif ratings.is_sets and (self._epsilon or l is not None):
            raise WordingError(
                "Sets have no ratings, so there is no epsilon and no l.",
                "Give --m 1,2,3 for km-anonymity, or k alone for k-anonymity of whole sets.",
            )
        if not self._epsilon and (l is not None or semantics != "neighborhood"):
            raise WordingError(
                "Without an epsilon there are no neighborhoods, so an l and semantics say nothing.",
                "Leave them out, or give an epsilon.",
            )


def _methods(given: Sequence[str | Anonymizer]) -> Iterator[Anonymizer]:
    """Read methods; a comma parts two of them only where the name of a method follows, as settings have commas too."""
    known = {cls.name for cls in methods}
    for each in [given] if isinstance(given, str) else given:
        if isinstance(each, Anonymizer):
            yield each
            continue
        wordings: list[str] = []
        for part in each.split(","):
            if wordings and "=" in part and part.partition(":")[0].strip() not in known:
                wordings[-1] += f",{part}"
            else:
                wordings.append(part)
        yield from (methods.read(wording) for wording in wordings)


def _numbers(given: Sequence[object]) -> Iterator[str]:
    for each in [given] if isinstance(given, str) else given:
        yield from (number.strip() for number in str(each).split(","))


def _distinct(items: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(items))


def _coarse_first(values: Sequence[str]) -> list[str]:
    """Return the first, the last, then what lies in the middle of the gaps that are left."""
    order = list(dict.fromkeys((0, len(values) - 1))) if values else []
    gaps = [(0, len(values) - 1)]
    for first, last in gaps:  # it grows as gaps are halved
        if last - first > 1:
            middle = (first + last) // 2
            order.append(middle)
            gaps += [(first, middle), (middle, last)]
    return [values[place] for place in order]
