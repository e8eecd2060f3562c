"""Labels of a hierarchy that a reader would take for something else than they stand for."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

import polars as pl

from shoal.data import Column, Role
from shoal.data.exact_numbers import exact_number
from shoal.data.reserved_labels import ROOT
from shoal.labels import covered_values

from .hierarchy_fault import HierarchyFault
from .hierarchy_lines import SPACES, HierarchyLine

__all__ = ["label_faults"]


def label_faults(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that are written as another value, or as something that the value under them is no part of.

    A label is published in place of the value, and whoever has no more than the release reads it as it is written.
    """
    return [*_with_spaces(lines), *_empty(lines), *_other_values(lines), *_misread(lines)]


def _with_spaces(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find what would be another text when it is read back."""
    odd = _numbers(lines, lambda line: any(text != text.strip(SPACES) for text in (line.value or "", *line.labels)))
    sentence = f"Values or labels with spaces around them, which are lost when data are read: {len(odd):,}."
    return [
        HierarchyFault(sentence, "Take the spaces away; what differs by them alone needs another name.", odd)
    ] * bool(odd)


def _empty(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    odd = _numbers(lines, lambda line: line.value is not None and "" in line.labels)
    sentence = f"Empty labels, which would be read as a missing value: {len(odd):,}."
    return [HierarchyFault(sentence, "Give every label a name.", odd)] * bool(odd)


def _other_values(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that are a listed value, and stand for another; 30 and 30.0 are the same among numbers."""
    same = _meaning(lines)
    values = {same(line.value) for line in lines if line.value is not None}

    def is_another(line: HierarchyLine) -> bool:
        own = None if line.value is None else same(line.value)
        return any(label != ROOT and same(label) in values and same(label) != own for label in line.labels)

    odd = _numbers(lines, is_another)
    sentence = f"Labels that are the name of another value: {len(odd):,}."
    return [
        HierarchyFault(sentence, "Give a label a name that no value has, but for one that is alone under it.", odd)
    ] * bool(odd)


def _meaning(lines: Sequence[HierarchyLine]) -> Callable[[str], Hashable]:
    listed = [line.value for line in lines if line.value is not None]
    if not all(exact_number(value) is not None for value in listed):
        return str
    return lambda text: text if exact_number(text) is None else exact_number(text)


def _misread(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    """Find labels that are read as an interval, a set, a period or a masked code, without the value."""
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
    sentence = f"Labels that read as an interval, set, time or masked code without their value: {len(odd):,}."
    return [HierarchyFault(sentence, "Correct them, or write them in other words.", tuple(sorted(set(odd))))] * bool(
        odd
    )


def _numbers(lines: Sequence[HierarchyLine], is_odd: Callable[[HierarchyLine], bool]) -> tuple[int, ...]:
    return tuple(line.number for line in lines if is_odd(line))
