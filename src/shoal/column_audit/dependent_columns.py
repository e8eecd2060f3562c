"""Insensitive columns that depend on generalized quasi-identifiers and so undo the generalization."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from .audited_records import AuditedRecords, Exposed, TooManyCombinationsError
from .revealing_columns import TOLERATED, Objection, listed
from .rules import ClassRule, Rule
from .table_inferences import TableInferences

__all__ = ["dependent_columns"]


def dependent_columns(
    records: AuditedRecords, columns: Sequence[str], k: int, spared: Sequence[str]
) -> Iterator[Objection]:
    """Object to columns that leave people with fewer than ``k`` candidates: one by one, then the others together.

    Nobody may be left so by a column that determines a quasi-identifier as a whole, or is determined by it; where only
    some values do, one person in a hundred may. ``spared`` are columns to which there is an objection already: they are
    examined, but not together with others.
    """
    judge, inferences = _Judge(records, k), TableInferences(records)
    found: dict[str, list[Rule]] = {}
    left: list[str] = []
    for name in columns:
        try:
            found[name] = inferences.of_column(name)
            exposed = judge.exposed(found[name])
        except TooManyCombinationsError:
            yield _not_examined((name,), records)
            continue
        if exposed is not None:
            yield _objection((name,), found[name], exposed, judge)
        elif name not in spared:
            left.append(name)
    try:
        yield from _together(judge, inferences, left, found)
    except TooManyCombinationsError:
        yield _not_examined(tuple(left), records)


@dataclass(frozen=True)
class _Judge:
    records: AuditedRecords
    k: int

    def exposed(self, found: Sequence[Rule]) -> Exposed | None:
        """Return how many rules expose, if too many: one by one, and the best about each together."""
        by_class = [rule for rule in found if isinstance(rule, ClassRule)]
        placed = dict(zip(map(id, by_class), self.records.placed(by_class), strict=True))
        best = _best_about_each(by_class, placed)
        surest = _best_about_each([rule for rule in by_class if rule.whole], placed)
        *singly, by_best, by_surest = self.records.exposed([*([rule] for rule in found), best, surest], self.k)
        worst = _worst([*singly, by_best])
        if TOLERATED * worst.below > self.records.everybody:
            return worst
        certain = [each for rule, each in zip(found, singly, strict=True) if rule.whole]
        return worst if _worst([*certain, by_surest]).below else None


def _worst(counted: Sequence[Exposed]) -> Exposed:
    """Return the most exposed; of equals the first."""
    return reduce(lambda one, other: max(one, other, key=lambda each: each.below), counted, Exposed())


def _best_about_each(found: Sequence[ClassRule], placed: Mapping[int, tuple[int, int]]) -> list[ClassRule]:
    """Return, for each set of quasi-identifiers, the rule that places most records; of equals, the finest.

    One alone is judged by itself already.
    """
    best: dict[tuple[str, ...], ClassRule] = {}
    for rule in found:
        if rule.about not in best or placed[id(rule)] > placed[id(best[rule.about])]:
            best[rule.about] = rule
    return list(best.values()) if len(best) > 1 else []


def _together(
    judge: _Judge, inferences: TableInferences, columns: list[str], found: Mapping[str, list[Rule]]
) -> Iterator[Objection]:
    """Object to columns that pass one by one: to their rules combined, and to those from joint values."""
    if len(columns) < 2:
        return
    separately = [name for name in columns if found[name]]
    for look in (_Separately(found), _Jointly(inferences)):
        some = separately if isinstance(look, _Separately) else columns
        if len(some) < 2 or judge.exposed(look(some)) is None:
            continue
        for name in list(some):  # leave out columns that are not needed
            fewer = [each for each in some if each != name]
            if len(fewer) > 1 and judge.exposed(look(fewer)) is not None:
                some = fewer
        rules = look(some)
        exposed = judge.exposed(rules)
        assert exposed is not None
        yield _objection(tuple(some), rules, exposed, judge)
        return


@dataclass(frozen=True)
class _Separately:
    found: Mapping[str, list[Rule]]

    def __call__(self, columns: Sequence[str]) -> list[Rule]:
        return [rule for name in columns for rule in self.found[name]]


@dataclass(frozen=True)
class _Jointly:
    inferences: TableInferences

    def __call__(self, columns: Sequence[str]) -> list[Rule]:
        return self.inferences.of_columns(tuple(columns))


def _objection(columns: tuple[str, ...], rules: Sequence[Rule], exposed: Exposed, judge: _Judge) -> Objection:
    certain = [rule for rule in rules if rule.exact] or [rule for rule in rules if rule.whole] or rules
    about = list(dict.fromkeys(name for rule in certain for name in rule.about))
    whom = "column" if len(columns) == 1 else "columns"
    together, depend = ("", "depends") if len(columns) == 1 else ("together ", "depend")
    nearly = "" if certain[0].exact else "nearly "
    reason = (
        f"The insensitive {whom} {listed(columns)} {together}{nearly}{depend} on the {judge.records.hidden}"
        f"{'s' * (len(about) > 1)} {listed(about)}: read beside what is published, {exposed.below:,} of "
        f"{judge.records.everybody:,} {judge.records.unit} are left with fewer than {judge.k} candidates, "
        f"{exposed.alone:,} with one."
    )
    return Objection(columns, columns if len(columns) == 1 else columns[:1], reason)


def _not_examined(columns: tuple[str, ...], records: AuditedRecords) -> Objection:
    """Object to columns that have too many combinations of values to be examined where the records are."""
    whom, have = ("column", "has") if len(columns) == 1 else ("columns", "have together")
    reason = (
        f"Nobody looked whether the insensitive {whom} {listed(columns)} {'depends' if len(columns) == 1 else 'depend'}"
        f" on a {records.hidden}: {'it' if len(columns) == 1 else 'they'} {have} too many combinations of values with "
        "it to be counted here."
    )
    return Objection(columns, columns, reason)
