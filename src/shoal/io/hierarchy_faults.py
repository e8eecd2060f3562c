"""What is wrong with the lines of a hierarchy file, all of it at once."""

from collections import Counter
from collections.abc import Sequence

from .hierarchy_fault import HierarchyFault
from .hierarchy_lines import HierarchyLine
from .label_faults import label_faults

__all__ = ["hierarchy_faults"]


def hierarchy_faults(lines: Sequence[HierarchyLine]) -> tuple[HierarchyFault, ...]:
    """Find every fault because of which lines are not a hierarchy; there is none if they can be read as one."""
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
            f"{_many(len(odd), 'line has', 'lines have')} another number of levels than the first line, "
            f"which has {depth + 1}.",
            "Give every value the same number of levels; repeat a label where nothing changes.",
            odd,
        )
    ]


def _twice(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    first: dict[str | None, int] = {}
    again = tuple(line.number for line in lines if first.setdefault(line.value, line.number) != line.number)
    if not again:
        return []
    sentence = f"{_many(len(again), 'line lists a value', 'lines list values')} that an earlier line lists already."
    return [HierarchyFault(sentence, "List each value on one line.", again)]


def _crossed(lines: Sequence[HierarchyLine], level: int) -> list[HierarchyFault]:
    """Find the lines on which a label has another label above it than where it stands first."""
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
            f"{'has' if len(crossed) == 1 else 'have'} more than one label above.",
            "Make every label belong to exactly one label of the next level.",
            tuple(astray),
        )
    ]


def _roots(lines: Sequence[HierarchyLine]) -> list[HierarchyFault]:
    tops = [line.labels[-1] if line.labels else line.value for line in lines]
    roots = Counter(tops)
    if len(roots) == 1:
        return []
    usual = roots.most_common(1)[0][0]  # of several as usual, the one that stands first
    return [
        HierarchyFault(
            f"The last level has {len(roots):,} different labels; it must have one root.",
            "Add a last level that is the same for every value, such as '*'.",
            tuple(line.number for line, top in zip(lines, tops, strict=True) if top != usual),
        )
    ]


def _many(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"
