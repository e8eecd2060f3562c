"""Insensitive columns that tell what the quasi-identifiers of a release leave open, by themselves or together."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Column
from shoal.evidence import people_among

from .clues import AnyClue, Clue, left_by_all
from .revealing_columns import TOLERATED, Objection, listed
from .table_clues import TableClues

__all__ = ["telling_columns"]


def telling_columns(clues: TableClues, columns: Sequence[Column], k: int, spared: Sequence[str]) -> Iterator[Objection]:
    """Object to columns by which people fall into groups of fewer than k: one by one, then the others together.

    Of a column that tells as a whole, or is told as a whole, nobody may fall; of one of which some values do, one
    person in a hundred may. ``spared`` are columns to which there is an objection already: they are looked at, but not
    together with others.
    """
    judge = _Judge(clues, k)
    found = {column.name: clues.of_column(column) for column in columns}
    left = []
    for column in columns:
        fallen = judge.fallen(found[column.name])
        if fallen is not None:
            yield _objection((column.name,), found[column.name], fallen)
        elif column.name not in spared:
            left.append(column)
    yield from _together(judge, left, found)


@dataclass(frozen=True)
class _Fallen:
    """How many people have fewer than k candidates left, and how many have only their own record."""

    below: int
    alone: int
    everybody: int
    k: int
    unit: str


@dataclass(frozen=True)
class _Judge:
    clues: TableClues
    k: int

    def fallen(self, found: Sequence[AnyClue]) -> _Fallen | None:
        """Return how many fall by clues, if they are too many: read one by one, and the best about each together."""
        worst = self._worst(found)
        if TOLERATED * worst.below > worst.everybody:
            return worst
        return worst if self._worst([clue for clue in found if clue.whole]).below else None

    def _worst(self, found: Sequence[AnyClue]) -> _Fallen:
        grouping, persons = self.clues.grouping, self.clues.persons
        worst = self._counted(self.clues.group_sizes)
        for clue in found:
            worst = max(worst, self._counted(clue.left(grouping, persons)), key=_below)
        best = _best_about_each(clue for clue in found if isinstance(clue, Clue))
        if len(best) > 1:
            worst = max(worst, self._counted(left_by_all(best, grouping, persons)), key=_below)
        return worst

    def _counted(self, left: np.ndarray) -> _Fallen:
        persons = self.clues.persons
        fell = (self.clues.group_sizes >= self.k) & (left < self.k)
        return _Fallen(
            people_among(fell, persons),
            people_among(fell & (left == 1), persons),
            people_among(np.ones(len(left), np.bool_), persons),
            self.k,
            "records" if persons is None else "people",
        )


def _below(fallen: _Fallen) -> int:
    return fallen.below


def _best_about_each(found: Iterable[Clue]) -> list[Clue]:
    """Return, for each set of quasi-identifiers, the clue that places most records; of equals, the finest."""
    best: dict[tuple[str, ...], tuple[tuple[int, int], Clue]] = {}
    for clue in found:
        placed = int(np.count_nonzero((clue.of_record >= 0) & (clue.of_target >= 0)))
        value = placed, int(clue.of_record.max())
        if clue.about not in best or value > best[clue.about][0]:
            best[clue.about] = value, clue
    return [clue for _, clue in best.values()]


def _together(judge: _Judge, columns: list[Column], found: dict[str, list[AnyClue]]) -> Iterator[Objection]:
    """Object to columns that pass one by one: to what they tell each, read together, and to what they tell jointly."""
    if len(columns) < 2:
        return
    separately = [column for column in columns if found[column.name]]
    for look in (_Separately(found), _Jointly(judge.clues)):
        some = separately if isinstance(look, _Separately) else columns
        if len(some) < 2 or judge.fallen(look(some)) is None:
            continue
        for column in list(some):  # leave out whoever is not needed
            fewer = [each for each in some if each is not column]
            if len(fewer) > 1 and judge.fallen(look(fewer)) is not None:
                some = fewer
        clues = look(some)
        fallen = judge.fallen(clues)
        assert fallen is not None
        yield _objection(tuple(column.name for column in some), clues, fallen)
        return


@dataclass(frozen=True)
class _Separately:
    found: dict[str, list[AnyClue]]

    def __call__(self, columns: Sequence[Column]) -> list[AnyClue]:
        return [clue for column in columns for clue in self.found[column.name]]


@dataclass(frozen=True)
class _Jointly:
    clues: TableClues

    def __call__(self, columns: Sequence[Column]) -> list[AnyClue]:
        return self.clues.of_columns(columns)


def _objection(columns: tuple[str, ...], clues: Sequence[AnyClue], fallen: _Fallen) -> Objection:
    certain = [clue for clue in clues if clue.exact] or [clue for clue in clues if clue.whole] or clues
    about = list(dict.fromkeys(name for clue in certain for name in clue.about))
    whom = "column" if len(columns) == 1 else "columns"
    together, depend = ("", "depends") if len(columns) == 1 else ("together ", "depend")
    nearly = "" if certain[0].exact else "nearly "
    quasi = "quasi-identifier" if len(about) == 1 else "quasi-identifiers"
    reason = (
        f"The insensitive {whom} {listed(columns)} {together}{nearly}{depend} on the generalized {quasi} "
        f"{listed(about)}: read beside what is published, {fallen.below:,} of {fallen.everybody:,} {fallen.unit} are "
        f"left with fewer than {fallen.k} candidates, {fallen.alone:,} with one."
    )
    return Objection(columns, columns if len(columns) == 1 else columns[:1], reason)
