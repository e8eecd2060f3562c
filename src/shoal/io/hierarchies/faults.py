"""All faults of a hierarchy file at once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.data import Column, Role
from shoal.data.same_values import exact_number
from shoal.data.written_label import ROOT
from shoal.labels import covered_values

from .lines import SPACES, HierarchyLine

__all__ = ["HierarchyFault", "hierarchy_faults", "label_faults"]


@dataclass(frozen=True)
class HierarchyFault:
    """One fault, described by counts and line numbers, never by values."""

    sentence: str
    cure: str
    lines: tuple[int, ...] = ()
    """The numbers of the lines that have it."""


def hierarchy_faults(lines: Sequence[HierarchyLine]) -> tuple[HierarchyFault, ...]:
    """Return every reason why lines are not a hierarchy; none if they can be read as one."""
    ragged = _ragged(lines)
    faults = [*ragged, *_twice(lines)]
    if not ragged:
        height = len(lines[0].labels)
        faults += [fault for level in range(1, height) for fault in _crossed(lines, level)]
        faults += _roots(lines)
    return (*faults, *label_faults(lines))


def _ragged(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    depth = len(lines[0].labels)
    odd = tuple(line.number for line in lines if len(line.labels) != depth)
    if not odd:
        return []
    return [
        HierarchyFault(
            f"{_many(len(odd), 'line does', 'lines do')} not have {depth + 1} levels as the first line does.",
            "Give every value the same number of levels; repeat a label where it does not change.",
            odd,
        )
    ]


def _twice(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    first: dict[str | None, int] = {}
    again = tuple(line.number for line in lines if first.setdefault(line.value, line.number) != line.number)
    if not again:
        return []
    sentence = f"{_many(len(again), 'line lists a value', 'lines list values')} that an earlier line already lists."
    return [HierarchyFault(sentence, "List each value on one line.", again)]


def _crossed(lines: Sequence[HierarchyLine], level: int) -> list[HierarchyFault]:
    """Find the lines on which a label has a different parent than where it occurs first."""
    above: dict[str, str] = {}
    astray = []
    crossed = set()
    for line in lines:
        label, parent = line.labels[level - 1], line.labels[level]
        if above.setdefault(label, parent) != parent:
            astray.append(line.number)
            crossed.add(label)
    if not astray:
        return []
    return [
        HierarchyFault(
            f"Levels {level} and {level + 1} do not nest: {_many(len(crossed), 'label', 'labels')} of level {level} "
            f"{'has' if len(crossed) == 1 else 'have'} more than one parent.",
            "Put every label under exactly one label of the next level.",
            tuple(astray),
        )
    ]


def _roots(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    tops = [line.labels[-1] if line.labels else line.value for line in lines]
    roots = Counter(tops)
    if len(roots) == 1:
        return []
    usual = roots.most_common(1)[0][0]  # of several that are equally frequent, the first
    return [
        HierarchyFault(
            f"The last level has {len(roots):,} different labels; it must have one, the root.",
            "Add a last level that is the same for every value, such as '*'.",
            tuple(line.number for line, top in zip(lines, tops, strict=True) if top != usual),
        )
    ]


def _many(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def label_faults(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that read as another value, or as a range or set that does not contain the value under them.

    A label is published in place of the value, and whoever has only the release reads it as it is written.
    """
    return [*_with_spaces(lines), *_empty(lines), *_other_values(lines), *_misread(lines)]


def _with_spaces(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find text that would not be the same when it is read back."""
    odd = _numbers(lines, lambda line: any(text != text.strip(SPACES) for text in (line.value or "", *line.labels)))
    sentence = (
        f"{_many(len(odd), 'line has', 'lines have')} spaces around a value or label; they are lost when data are read."
    )
    return [
        HierarchyFault(sentence, "Remove the spaces; values that differ by spaces alone need different names.", odd)
    ] * bool(odd)


def _empty(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    odd = _numbers(lines, lambda line: line.value is not None and "" in line.labels)
    sentence = f"{_many(len(odd), 'line has', 'lines have')} an empty label, which would be read as a missing value."
    return [HierarchyFault(sentence, "Give every label a name.", odd)] * bool(odd)


def _other_values(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that equal a listed value other than the one under them; among numbers 30 equals 30.0."""
    same = _meaning(lines)
    values = {same(line.value) for line in lines if line.value is not None}

    def is_another(line: HierarchyLine) -> bool:
        own = None if line.value is None else same(line.value)
        return any(label != ROOT and same(label) in values and same(label) != own for label in line.labels)

    odd = _numbers(lines, is_another)
    sentence = f"{_many(len(odd), 'line has a label that is', 'lines have labels that are')} the name of another value."
    return [
        HierarchyFault(sentence, "Choose a label that is not a value, unless it stands for that value alone.", odd)
    ] * bool(odd)


def _meaning(lines: Sequence[HierarchyLine]) -> Callable[[str], Hashable]:
    listed = [line.value for line in lines if line.value is not None]
    if not all(exact_number(value) is not None for value in listed):
        return str
    return lambda text: text if exact_number(text) is None else exact_number(text)


def _misread(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that read as an interval, a set, a period or a masked code that does not contain the value."""
    under: dict[str, list[HierarchyLine]] = defaultdict(list)
    for line in lines:
        for label in {*line.labels} - {ROOT, "", line.value}:
            if line.value is None or not (label.endswith(ROOT) and line.value.startswith(label.rstrip(ROOT))):
                under[label].append(line)
    odd = []
    nothing = Column.encode("", Role.DROP, pl.Series([""]))
    for label, among in under.items():
        values = pl.Series([line.value for line in among], dtype=pl.String)
        possible = covered_values(pl.Series([label]), nothing, values, explained=False).possible[0]
        odd += [line.number for line, may_be in zip(among, possible, strict=True) if not may_be]
    sentence = (
        f"{_many(len(odd), 'line has a label that reads', 'lines have labels that read')} as an interval, set, time or "
        "masked code that does not contain the value."
    )
    return [
        HierarchyFault(sentence, "Correct these labels, or word them differently.", tuple(sorted(set(odd))))
    ] * bool(odd)


def _numbers(lines: Sequence[HierarchyLine], is_odd: Callable[[HierarchyLine], bool]) -> tuple[int, ...]:
    return tuple(line.number for line in lines if is_odd(line))
