"""The grid of a sweep: which methods are tried under which promises, and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeVar

from shoal.anonymizers import Anonymizer, methods
from shoal.errors import WordingError
from shoal.models import PrivacyModel, promises
from shoal.models.k_epsilon import Semantics

from .point import Point

__all__ = ["Grid"]

T = TypeVar("T")


class Grid:
    """Methods × k × ε; a table has no ε. Each may be given as a list, or in words with commas between them."""

    def __init__(self, method: Sequence[str | Anonymizer], k: Sequence[object], epsilon: Sequence[object]) -> None:
        self.methods = _distinct(_methods(method))
        self._k = _distinct(_numbers(k))
        self._epsilon = _distinct(_numbers(epsilon))
        for name, values in (("method", self.methods), ("k", self._k)):
            if not values:
                raise WordingError(f"The sweep needs at least one {name}.", f"Add --{name}.")

    def points(self, kind: str, l: object, semantics: Semantics) -> list[Point]:  # noqa: E741
        """Return the points for records of this kind: the corners of the grid first, then ever finer."""
        ranked = [
            (max(row, column), row, column, self._promise(kind, k, epsilon, l, semantics))
            for (row, k), (column, epsilon) in product(
                enumerate(_coarse_first(self._k)), enumerate(_coarse_first(self._epsilon) or [None])
            )
        ]
        in_order = _distinct(promise for *_, promise in sorted(ranked, key=lambda rank: rank[:3]))
        return [Point(method, promise) for promise in in_order for method in self._fitting(kind)]

    def _fitting(self, kind: str) -> Sequence[Anonymizer]:
        for method in self.methods:
            if kind not in method.kinds:
                kinds = " and ".join(sorted(method.kinds))
                raise WordingError(f"The method {method.name!r} works on {kinds}, and these data are {kind}.")
        return self.methods

    def _promise(self, kind: str, k: str, epsilon: str | None, l: object, semantics: Semantics) -> PrivacyModel:  # noqa: E741
        if kind == "ratings":
            if epsilon is None:
                raise WordingError("A sweep over ratings needs at least one epsilon.", "Add --epsilon 0,1,2.")
            spread = "" if l is None else f",l={l}"
            return promises.read(f"k-epsilon:k={k},epsilon={epsilon}{spread},semantics={semantics}")
        if epsilon is not None or l is not None:
            raise WordingError(
                "A table has no ratings, so there is no epsilon and no l.",
                "Leave them out, or add --model l-diversity:l=2.",
            )
        if semantics != "neighborhood":
            raise WordingError("A table has no neighborhoods, so nothing is said by semantics.", "Leave it out.")
        return promises.read(f"k-anonymity:k={k}")


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
