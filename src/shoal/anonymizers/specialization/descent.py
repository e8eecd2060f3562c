"""The descent: of the labels of all cuts, the one is specialized whose specialization scores best, again and again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.progress import stage

from .gain import Gain
from .partition import Partition, PartitionJudge
from .taxonomy import Label, Taxonomy

__all__ = ["Descent", "Step"]


@dataclass(frozen=True, eq=False)
class Step:
    """A label and those that it can be specialized into."""

    attribute: int
    label: Label
    below: tuple[Label, ...]
    rows: np.ndarray
    """The records under the label."""
    parts: np.ndarray
    """For each of them, the number of the label below."""

    @cached_property
    def changes(self) -> np.ndarray:
        """By how much the label of each record costs more afterwards: 0 or less."""
        return np.array([each.cost for each in self.below])[self.parts] - self.label.cost


class Descent:
    """The cuts so far, and the steps that can be taken from them."""

    def __init__(
        self,
        taxonomies: Sequence[Taxonomy],
        gain: Gain,
        judge: PartitionJudge,
        score: Callable[[float, int], float],
    ) -> None:
        """Begin at the roots; ``score`` ranks a step by its gain and by how many people the smallest group loses."""
        self.taxonomies, self._gain, self._judge, self._score = taxonomies, gain, judge, score
        self.cuts = [[taxonomy.root] for taxonomy in taxonomies]
        """The labels of each quasi-identifier."""
        self.taken: list[Step] = []
        """The steps that were taken, in their order."""
        everybody = np.arange(len(taxonomies[0].column))
        self._steps = [
            step for i, (root,) in enumerate(self.cuts) if (step := self._step(i, root, everybody)) is not None
        ]

    def run(self, partition: Partition) -> None:
        """Take the best step, as long as one keeps the promises and gains something."""
        with stage("specializing labels"):
            while (best := self._best(partition)) is not None:
                step, after = best
                self._take(step)
                partition = after.renumbered()

    def _best(self, partition: Partition) -> tuple[Step, Partition] | None:
        """Return the first step of the best score, and the groups after it."""
        best, highest = None, 0.0
        for step in tuple(self._steps):
            after = self._judge.parted(partition, step.rows, step.parts)
            if after is None:
                if self._judge.is_final:
                    self._steps.remove(step)
                continue
            gained = self._gain.of(step, partition, after)
            score = self._score(gained, max(0, partition.smallest - after.smallest))
            if gained > 0 and score > highest:
                best, highest = (step, after), score
        return best

    def _take(self, step: Step) -> None:
        cut = self.cuts[step.attribute]
        place = cut.index(step.label)
        cut[place : place + 1] = step.below
        new = [
            self._step(step.attribute, label, step.rows[step.parts == part]) for part, label in enumerate(step.below)
        ]
        place = self._steps.index(step)
        self._steps[place : place + 1] = [each for each in new if each is not None]
        self._gain.taken(step)
        self.taken.append(step)

    def _step(self, attribute: int, label: Label, rows: np.ndarray) -> Step | None:
        taxonomy = self.taxonomies[attribute]
        below = taxonomy.below(label, rows, self._gain)
        if not below:
            return None
        part_of = np.empty(len(taxonomy.column.vocabulary), np.int64)
        for part, each in enumerate(below):
            part_of[each.values] = part
        return Step(attribute, label, tuple(below), rows, part_of[taxonomy.column.codes[rows]])
