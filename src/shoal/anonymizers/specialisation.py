"""Tell a group of records more exactly in one attribute, as far as promises allow.

The records of a group share a label in every attribute. One step down a hierarchy parts them by the label below. Parts
that keep the promises go on; the others are pushed back and stay with the old label, together. If those alone do not
keep the promises, records of parts that can spare them are lifted back to them: the fewest with which both sides do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from shoal.data import Hierarchy

from .group_promises import GroupPromises
from .leaf_costs import leaf_costs

__all__ = ["LabelledGroup", "Specialisation", "Step"]

_MOST_TRIED = 50
"""So many sets of records are tried at most before a step is given up."""


@dataclass(frozen=True, eq=False)
class LabelledGroup:
    """Records and the level at which each attribute is told."""

    rows: np.ndarray
    levels: tuple[int, ...]
    closed: frozenset[int] = frozenset()
    """Attributes in which these records were pushed back."""


@dataclass(frozen=True, eq=False)
class Step:
    """A way to tell a group more exactly."""

    parts: tuple[LabelledGroup, ...]
    gain: float
    """How much less the records cost."""


class Specialisation:
    """Steps down the hierarchies of one table."""

    def __init__(self, codes: np.ndarray, hierarchies: Sequence[Hierarchy], promises: GroupPromises) -> None:
        self._promises = promises
        self._labels = [
            [hierarchy.generalised(codes[:, i], level).astype(np.int64) for level in range(hierarchy.height + 1)]
            for i, hierarchy in enumerate(hierarchies)
        ]
        self._costs = [leaf_costs(hierarchy) for hierarchy in hierarchies]
        self.top = tuple(hierarchy.height for hierarchy in hierarchies)

    def cost(self, group: LabelledGroup) -> float:
        """Give what the records of a group cost."""
        first = group.rows[0]
        each = (self._costs[i][level][self._labels[i][level][first]] for i, level in enumerate(group.levels))
        return len(group.rows) * float(sum(each))

    def narrowed(self, group: LabelledGroup) -> LabelledGroup:
        """Tell every attribute as exactly as the records have it in common: that costs nobody anything."""
        levels = list(group.levels)
        for i, labels in enumerate(self._labels):
            while levels[i] > 0:
                below = labels[levels[i] - 1][group.rows]
                if (below != below[0]).any():
                    break
                levels[i] -= 1
        return LabelledGroup(group.rows, tuple(levels), group.closed)

    def steps(self, group: LabelledGroup, spread: float) -> list[Step]:
        """Give every step that is possible, the best first.

        A step is worth what it saves, less ``spread`` for each record and bit by which records are scattered: small
        groups cannot be told more exactly in other attributes.
        """
        found = []
        for attribute in range(len(self.top)):
            if group.levels[attribute] == 0 or attribute in group.closed:
                continue
            step = self._step(group, attribute)
            if step is not None and step[1].gain > 0:
                worth = step[1].gain - spread * step[0] * len(group.rows)
                found.append((-worth, attribute, step[1]))
        return [step for _, _, step in sorted(found, key=lambda entry: entry[:2])]

    def _step(self, group: LabelledGroup, attribute: int) -> tuple[float, Step] | None:
        """Give how many bits a step scatters by, and the step; None if it is not possible."""
        level = group.levels[attribute] - 1
        below = self._labels[attribute][level][group.rows]
        sizes = np.bincount(below)
        if sizes.max() < self._promises.fewest:
            return None
        kept = self._promises.kept(group.rows, below, len(sizes))
        goes = kept[below]
        if not goes.any():
            return None
        back = np.flatnonzero(~goes)
        if len(back):
            lifted = self._lifted(group.rows, back, below, sizes, kept)
            if lifted is None:
                return None
            goes[lifted] = False
        costs = self._costs[attribute]
        before = costs[level + 1][self._labels[attribute][level + 1][group.rows[0]]]
        gain = float((before - costs[level][below[goes]]).sum())
        shares = sizes[kept] / len(below)
        bits = float(-(shares * np.log2(shares)).sum())
        return bits, Step(tuple(_parts(group, attribute, below, goes, np.flatnonzero(kept))), gain)

    def _lifted(
        self, rows: np.ndarray, back: np.ndarray, below: np.ndarray, sizes: np.ndarray, kept: np.ndarray
    ) -> np.ndarray | None:
        """Give the fewest records that can be lifted to those pushed back so that both sides keep the promises."""
        missing = max(self._promises.fewest - len(back), 0)
        if not missing and (self._promises.by_size or self._promises.keeps(rows[back])):
            return np.zeros(0, np.int64)
        spare = np.where(kept, sizes - self._promises.fewest, 0)
        if spare.sum() < max(missing, 1):
            return None
        if self._promises.by_size:
            return _most_spared(below, spare, missing)
        for tried, lifted in enumerate(self._liftable(rows, below, spare, max(missing, 1))):
            if tried == _MOST_TRIED:
                break
            if self._both_kept(rows, back, below, kept, lifted):
                return lifted
        return None

    def _liftable(self, rows: np.ndarray, below: np.ndarray, spare: np.ndarray, least: int) -> Iterator[np.ndarray]:
        """Give sets of records to lift, small ones first; records that promises cannot tell apart count once."""
        candidates = np.flatnonzero(spare[below] > 0)
        kinds = self._promises.alike(rows[candidates]) * len(spare) + below[candidates]
        by_kind = [candidates[kinds == kind] for kind in np.unique(kinds)]
        for size in range(least, least + 3):
            for chosen in combinations(range(len(by_kind)), min(size, len(by_kind))):
                for more in product(chosen, repeat=size - len(chosen)) if size > len(chosen) else [()]:
                    wanted = np.bincount([*chosen, *more], minlength=len(by_kind))
                    if all(wanted[kind] <= len(by_kind[kind]) for kind in chosen):
                        yield np.concatenate([by_kind[kind][: wanted[kind]] for kind in chosen])

    def _both_kept(
        self, rows: np.ndarray, back: np.ndarray, below: np.ndarray, kept: np.ndarray, lifted: np.ndarray
    ) -> bool:
        """Tell whether promises are kept by those pushed back with the lifted, and by the parts these leave."""
        if not self._promises.keeps(rows[np.concatenate([back, lifted])]):
            return False
        touched = np.unique(below[lifted])
        stays = np.isin(below, touched)
        stays[lifted] = False
        still = self._promises.kept(rows[stays], below[stays], len(kept))
        return bool(still[touched].all())


def _most_spared(below: np.ndarray, spare: np.ndarray, missing: int) -> np.ndarray:
    """Give so many records of the parts that can spare most."""
    lifted: list[np.ndarray] = []
    for part in np.argsort(-spare, kind="stable"):
        taken = np.flatnonzero(below == part)[: min(int(spare[part]), missing)]
        lifted.append(taken)
        missing -= len(taken)
        if not missing:
            break
    return np.concatenate(lifted)


def _parts(
    group: LabelledGroup, attribute: int, below: np.ndarray, goes: np.ndarray, kept: np.ndarray
) -> Iterator[LabelledGroup]:
    levels = (*group.levels[:attribute], group.levels[attribute] - 1, *group.levels[attribute + 1 :])
    for part in kept:
        yield LabelledGroup(group.rows[goes & (below == part)], levels, group.closed)
    if not goes.all():
        yield LabelledGroup(group.rows[~goes], group.levels, group.closed | {attribute})
