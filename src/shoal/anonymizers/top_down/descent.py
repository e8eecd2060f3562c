"""The descent of ``top-down``: every group takes the step that saves most, until no group can go on.

What a group does depends on its own records alone, so groups may go on in different places.
"""

import os
from collections.abc import Iterator
from functools import partial

import numpy as np

from shoal.engines import Engine
from shoal.progress import stage

from .specialization import LabeledGroups, Specialization, Steps

__all__ = ["Descent"]

_AT_ONCE = 200_000
"""About the number of records whose steps are carried through at once, on all cores together."""

_WORTH_A_THREAD = 25_000
"""Fewer records are carried through sooner than a thread begins."""


class Descent:
    """One descent from a group."""

    def __init__(self, down: Specialization, engine: Engine, ahead: int) -> None:
        self._down, self._engine, self._ahead = down, engine, ahead

    def run(self, order: np.ndarray, group_of: np.ndarray, closed: np.ndarray | None = None) -> None:
        """Specialize the records of ``order``, one group, until no group can go on; write the group of each record.

        ``closed`` says in which attributes they were pushed back before; in none unless said.
        """
        closed = np.zeros(self._down.n_attributes, bool) if closed is None else closed
        groups = LabeledGroups(order, np.array([0, len(order)]), closed[None, :], np.zeros(1, np.int64))
        done = 0
        with stage("specializing groups", len(order)) as progress:
            while len(groups):
                levels = self._down.levels(groups)
                steps = self._down.steps(groups, levels)
                goes = steps.n_possible > 0
                attributes = steps.worth.argmax(axis=1)
                near = (groups.sizes <= self._ahead) & (steps.n_possible > 1)
                blocks = list(_blocks(near, groups.sizes))
                best = self._engine.map_blocks(partial(self._looked_ahead, groups, steps), blocks)
                for some, chosen in zip(blocks, best, strict=True):
                    attributes[some] = chosen
                here = ~np.repeat(goes, groups.sizes)
                group_of[groups.rows[here]] = done + groups.group_of[here]
                done += len(groups)
                progress.advance(int(here.sum()))
                groups = steps.taken(groups, goes, attributes)

    def _looked_ahead(self, groups: LabeledGroups, steps: Steps, some: np.ndarray) -> np.ndarray:
        """Carry every step of some groups through to the end; return the attribute of each with the least cost then."""
        owners = np.arange(len(groups) * steps.worth.shape[1]).reshape(steps.worth.shape)
        tried = []
        for attribute in range(steps.worth.shape[1]):
            chosen = np.zeros(len(groups), bool)
            chosen[some] = steps.possible[some, attribute]
            if chosen.any():
                owned = groups.owned(owners[:, attribute])
                tried.append(steps.taken(owned, chosen, np.full(len(groups), attribute)))
        costs = np.full(owners.size, 0.0)
        self._carry_through(LabeledGroups.joined(tried), costs)
        left = np.where(steps.possible, costs.reshape(owners.shape), np.inf)[some]
        # costs that differ only by the order of summation are equal
        least = np.round(left, 9) == np.round(left.min(axis=1, keepdims=True), 9)
        return np.where(least, steps.worth[some], -np.inf).argmax(axis=1)

    def _carry_through(self, groups: LabeledGroups, costs: np.ndarray) -> None:
        """Always take the next step that saves most; add the final cost of each group to that of its owner."""
        while len(groups):
            levels = self._down.levels(groups)
            steps = self._down.steps(groups, levels)
            goes = steps.n_possible > 0
            np.add.at(costs, groups.owners[~goes], self._down.costs(groups, levels)[~goes])
            groups = steps.taken(groups, goes, steps.worth.argmax(axis=1))


def _blocks(chosen: np.ndarray, sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the chosen groups in blocks whose look-ahead fits into memory."""
    groups = np.flatnonzero(chosen)
    blocks = np.cumsum(sizes[groups]) // max(_AT_ONCE // (os.cpu_count() or 1), _WORTH_A_THREAD)
    for block in np.unique(blocks):
        yield groups[blocks == block]
