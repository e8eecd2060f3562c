"""Insensitive columns that depend on generalized quasi-identifiers and so undo the generalization."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Column
from shoal.evidence import people_among

from .inferences import ClassInference, Inference, candidates_left_by_all
from .revealing_columns import TOLERATED, Objection, listed
from .table_inferences import TableInferences

__all__ = ["dependent_columns"]


def dependent_columns(
    inferences: TableInferences, columns: Sequence[Column], k: int, spared: Sequence[str]
) -> Iterator[Objection]:
    """Object to columns that leave people with fewer than ``k`` candidates: one by one, then the others together.

    Nobody may be left so by a column that determines a quasi-identifier as a whole, or is determined by it; where only
    some values do, one person in a hundred may. ``spared`` are columns to which there is an objection already: they are
    examined, but not together with others.
    """
    judge = _Judge(inferences, k)
    found = {column.name: inferences.of_column(column) for column in columns}
    left = []
    for column in columns:
        exposed = judge.exposed(found[column.name])
        if exposed is not None:
            yield _objection((column.name,), found[column.name], exposed, inferences.hidden)
        elif column.name not in spared:
            left.append(column)
    yield from _together(judge, left, found)


@dataclass(frozen=True)
class _Exposed:
    """The number of people with fewer than k candidates left, and of those with their own record only."""

    below: int
    alone: int
    everybody: int
    k: int
    unit: str


@dataclass(frozen=True)
class _Judge:
    inferences: TableInferences
    k: int

    def exposed(self, found: Sequence[Inference]) -> _Exposed | None:
        """Return how many inferences expose, if too many: drawn one by one, and the best about each together."""
        worst = self._worst(found)
        if TOLERATED * worst.below > worst.everybody:
            return worst
        return worst if self._worst([inference for inference in found if inference.whole]).below else None

    def _worst(self, found: Sequence[Inference]) -> _Exposed:
        grouping, persons = self.inferences.grouping, self.inferences.persons
        worst = self._counted(self.inferences.group_sizes)
        for inference in found:
            worst = max(worst, self._counted(inference.candidates_left(grouping, persons)), key=_below)
        best = _best_about_each(inference for inference in found if isinstance(inference, ClassInference))
        if len(best) > 1:
            worst = max(worst, self._counted(candidates_left_by_all(best, grouping, persons)), key=_below)
        return worst

    def _counted(self, left: np.ndarray) -> _Exposed:
        persons = self.inferences.persons
        exposed = (self.inferences.group_sizes >= self.k) & (left < self.k)
        return _Exposed(
            people_among(exposed, persons),
            people_among(exposed & (left == 1), persons),
            people_among(np.ones(len(left), np.bool_), persons),
            self.k,
            "records" if persons is None else "people",
        )


def _below(exposed: _Exposed) -> int:
    return exposed.below


def _best_about_each(found: Iterable[ClassInference]) -> list[ClassInference]:
    """Return, for each set of quasi-identifiers, the inference that places most records; of equals, the finest."""
    best: dict[tuple[str, ...], tuple[tuple[int, int], ClassInference]] = {}
    for inference in found:
        placed = int(np.count_nonzero((inference.of_record >= 0) & (inference.of_target >= 0)))
        value = placed, int(inference.of_record.max())
        if inference.about not in best or value > best[inference.about][0]:
            best[inference.about] = value, inference
    return [inference for _, inference in best.values()]


def _together(judge: _Judge, columns: list[Column], found: dict[str, list[Inference]]) -> Iterator[Objection]:
    """Object to columns that pass one by one: to their inferences combined, and to those from joint values."""
    if len(columns) < 2:
        return
    separately = [column for column in columns if found[column.name]]
    for look in (_Separately(found), _Jointly(judge.inferences)):
        some = separately if isinstance(look, _Separately) else columns
        if len(some) < 2 or judge.exposed(look(some)) is None:
            continue
        for column in list(some):  # leave out columns that are not needed
            fewer = [each for each in some if each is not column]
            if len(fewer) > 1 and judge.exposed(look(fewer)) is not None:
                some = fewer
        inferences = look(some)
        exposed = judge.exposed(inferences)
        assert exposed is not None
        names = tuple(column.name for column in some)
        yield _objection(names, inferences, exposed, judge.inferences.hidden)
        return


@dataclass(frozen=True)
class _Separately:
    found: dict[str, list[Inference]]

    def __call__(self, columns: Sequence[Column]) -> list[Inference]:
        return [inference for column in columns for inference in self.found[column.name]]


@dataclass(frozen=True)
class _Jointly:
    inferences: TableInferences

    def __call__(self, columns: Sequence[Column]) -> list[Inference]:
        return self.inferences.of_columns(columns)


def _objection(columns: tuple[str, ...], inferences: Sequence[Inference], exposed: _Exposed, hidden: str) -> Objection:
    certain = (
        [inference for inference in inferences if inference.exact]
        or [inference for inference in inferences if inference.whole]
        or inferences
    )
    about = list(dict.fromkeys(name for inference in certain for name in inference.about))
    whom = "column" if len(columns) == 1 else "columns"
    together, depend = ("", "depends") if len(columns) == 1 else ("together ", "depend")
    nearly = "" if certain[0].exact else "nearly "
    reason = (
        f"The insensitive {whom} {listed(columns)} {together}{nearly}{depend} on the {hidden}"
        f"{'s' * (len(about) > 1)} {listed(about)}: read beside what is published, {exposed.below:,} of "
        f"{exposed.everybody:,} {exposed.unit} are left with fewer than {exposed.k} candidates, "
        f"{exposed.alone:,} with one."
    )
    return Objection(columns, columns if len(columns) == 1 else columns[:1], reason)
