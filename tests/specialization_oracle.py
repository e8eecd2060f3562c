"""Top-Down Specialization once more, record by record, on sets and dictionaries."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from shoal.data import Column, Microdata

Label = frozenset[int]
"""The codes of the values that occur under a label."""


@dataclass
class ByHand:
    """A descent with what it is given."""

    table: Microdata
    k: int
    l: int  # noqa: E741
    spare: int
    target: str | None
    score: str
    split: bool
    taken: list[tuple[int, Label, tuple[Label, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.columns = self.table.quasi_identifiers
        self.cuts = [[frozenset(column.codes.tolist())] for column in self.columns]

    def run(self) -> bool:
        """Specialize as far as possible; tell whether the promises hold at the roots at all."""
        if self.gone(self.cuts) is None:
            return False
        while self._step():
            pass
        return True

    def _step(self) -> bool:
        best, highest = None, 0.0
        for at, label, below in self.steps():
            cuts = specialized(self.cuts, at, label, below)
            if self.gone(cuts) is None:
                continue
            gained = self.gain(at, label, below, cuts)
            lost = max(0, self.smallest(self.cuts) - self.smallest(cuts))
            scores = {
                "ratio": gained / lost if lost else gained,
                "plus-one": gained / (lost + 1),
                "gain": gained,
            }
            if gained > 0 and scores[self.score] > highest:
                best, highest = (at, label, below), scores[self.score]
        if best is None:
            return False
        self.taken.append(best)
        self.cuts = specialized(self.cuts, *best)
        return True

    def steps(self) -> list[tuple[int, Label, tuple[Label, ...]]]:
        found = [(at, label, self.below(at, label)) for at, cut in enumerate(self.cuts) for label in cut]
        return [step for step in found if step[2]]

    # ── labels ────────────────────────────────────────────────────────────────────────────────────────────────────

    def is_split(self, at: int) -> bool:
        column = self.columns[at]
        ordered = column.vocabulary.values.dtype.is_numeric() or column.vocabulary.values.dtype.is_temporal()
        return ordered and (column.hierarchy is None or self.split)

    def below(self, at: int, label: Label) -> tuple[Label, ...]:
        column = self.columns[at]
        if len(label) == 1:
            return ()
        if self.is_split(at):
            values = column.vocabulary.values.to_list()
            order = sorted(label, key=lambda code: (values[code] is not None, values[code]))
            cuts = [(frozenset(order[:n]), frozenset(order[n:])) for n in range(1, len(order))]
            worths = [round(self.cut_worth(at, label, cut), 9) for cut in cuts]
            return cuts[worths.index(max(worths))]
        for codes in reversed(levels(column)):
            if len({codes[code] for code in label}) > 1:
                parts: dict[int, set[int]] = {}
                for code in sorted(label):
                    parts.setdefault(codes[code], set()).add(code)
                return tuple(frozenset(part) for part in parts.values())
        raise AssertionError("the values themselves differ")

    def cut_worth(self, at: int, label: Label, cut: tuple[Label, ...]) -> float:
        if self.target is not None:
            return self.information(at, label, cut)
        codes = self.columns[at].codes.tolist()
        return sum(len(label) - len(part) for part in cut for code in codes if code in part)

    def cost(self, at: int, label: Label) -> float:
        column = self.columns[at]
        if self.is_split(at):
            return (len(label) - 1) / max(len(set(column.codes.tolist())) - 1, 1)
        for codes in levels(column):
            if len({codes[code] for code in label}) == 1:
                some = next(iter(label))
                return (sum(code == codes[some] for code in codes) - 1) / max(len(codes) - 1, 1)
        raise AssertionError("the root covers all values")

    # ── groups ────────────────────────────────────────────────────────────────────────────────────────────────────

    def groups(self, cuts: list[list[Label]]) -> list[list[int]]:
        found: dict[tuple[Label, ...], list[int]] = {}
        for record in range(len(self.table)):
            labels = tuple(
                next(label for label in cut if int(column.codes[record]) in label)
                for cut, column in zip(cuts, self.columns, strict=True)
            )
            found.setdefault(labels, []).append(record)
        return list(found.values())

    def breaks(self, group: list[int]) -> bool:
        few = any(len({int(column.codes[i]) for i in group}) < self.l for column in self.table.sensitive)
        return len(group) < self.k or few

    def gone(self, cuts: list[list[Label]]) -> set[int] | None:
        """Return the records that are withheld; None where these are too many."""
        withheld = {record for group in self.groups(cuts) if self.breaks(group) for record in group}
        return withheld if len(withheld) <= self.spare and len(withheld) < len(self.table) else None

    def smallest(self, cuts: list[list[Label]]) -> int:
        return min(len(group) for group in self.groups(cuts) if not self.breaks(group))

    # ── gains ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def gain(self, at: int, label: Label, below: tuple[Label, ...], cuts: list[list[Label]]) -> float:
        if self.target is not None:
            return round(self.information(at, label, below), 12)
        return round((self.lost(self.cuts) - self.lost(cuts)) / len(self.table) / len(self.columns), 12)

    def information(self, at: int, label: Label, below: tuple[Label, ...]) -> float:
        classes, codes = self.table[str(self.target)].codes.tolist(), self.columns[at].codes.tolist()
        before = [one for one, code in zip(classes, codes, strict=True) if code in label]
        parts = [[one for one, code in zip(classes, codes, strict=True) if code in part] for part in below]
        return impurity(before) - sum(len(part) / len(before) * impurity(part) for part in parts)

    def lost(self, cuts: list[list[Label]]) -> float:
        gone, total = self.gone(cuts), 0.0
        assert gone is not None
        for at, column in enumerate(self.columns):
            for record, code in enumerate(column.codes.tolist()):
                label = next(label for label in cuts[at] if code in label)
                total += 1 if record in gone else self.cost(at, label)
        return total


def impurity(classes: list[int]) -> float:
    shares = [count / len(classes) for count in Counter(classes).values()]
    return -sum(share * math.log2(share) for share in shares)


def levels(column: Column) -> list[list[int]]:
    """Return the label of each value at each level, the values first."""
    n = len(column.vocabulary)
    if column.hierarchy is None:
        return [list(range(n)), [0] * n]
    return [codes.tolist() for codes in column.hierarchy.maps]


def specialized(cuts: list[list[Label]], at: int, label: Label, below: Iterable[Label]) -> list[list[Label]]:
    """Return the cuts after one step."""
    place = cuts[at].index(label)
    return [*cuts[:at], [*cuts[at][:place], *below, *cuts[at][place + 1 :]], *cuts[at + 1 :]]
