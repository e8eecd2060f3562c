"""Searches of the lattice of generalizations for the best node that keeps the promises.

**Exhaustive search.** *Tagging.* Where merging groups never breaks a promise, nodes above one that keeps it keep it,
and nodes below one that breaks it break it. Where records may be withheld this holds if adding records to a group never
breaks the promise: then the groups that break it have fewer and fewer records on the way up. Otherwise a promise still
bounds the records of a group that are in parts that break it, however the group is split: all records of a group that
is too small, and some of others. Where these are more than may be withheld, all nodes below break the promises.

*Bounds.* A lower bound on the cost of a node is known before it is evaluated, from evaluated nodes below it, or, where
records may be withheld, from nodes above it, which bound what it withholds. A node whose bound exceeds the best cost so
far is not evaluated, and one whose bound equals it only if it would rank before the best (:attr:`.EvaluatedNode.rank`).

*Order.* From the open node with the least bound a chain goes up to the top, through open nodes with the least bounds as
far as there are any, and then so that many open nodes lie below it while groups grow little. Somewhere on the chain is
the turn: a node below the turn rules the first node of the chain out, as it breaks the promises or withholds too many
records, and a node above does not. Nodes just below the turn have few groups, and rule out most. The search for the
turn begins where that of the last chain was, as groups are about as large there. Flash (Kohlmayer and others 2012)
bisects such chains. Before all that, projections on two or three attributes rule out what they can
(:mod:`.crowded_projections`).

**Descent**, for a lattice too large for that, as long as there is time. Of all nodes found to keep the promises, the
cheapest is expanded: each attribute in turn is taken down one level. Where none is left, the search goes on from the
node that withholds least of those that break the promises, unless everything below is known to break them too. It ends
when nothing is left to try, and then nothing is better than the best node found; or when the time is up, with the best
node found so far. No attribute of it could be taken down a level at the same cost.
"""

import heapq
import math
import time
from collections.abc import Sequence

import numpy as np

from shoal.progress import stage

from .node_evaluation import EvaluatedNode, NodeEvaluation

__all__ = ["LatticeSearch", "is_exhaustive", "lattice_descent"]


_BREAKS, _UNKNOWN, _KEEPS = -1, 0, 1
_ROUNDING = 1e-12
_RECOUNT = 0.8
"""Open nodes below each node are recounted when less than this share of the open nodes is left."""


class LatticeSearch:
    """The exhaustive search: a lattice, its promises, and what is known of its nodes so far."""

    def __init__(self, evaluation: NodeEvaluation) -> None:
        self.evaluation = evaluation
        self._heights = evaluation.heights
        self.nodes = _all_nodes(self._heights, evaluation.levels)
        self._levels = np.ascontiguousarray(self.nodes.T)
        self._steps = _steps(self._heights)
        self.state = np.zeros(len(self.nodes), np.int8)
        self._evaluated = np.zeros(len(self.nodes), bool)
        self._beaten = np.zeros(len(self.nodes), bool)
        self._beaten_by: EvaluatedNode | None = None
        projected = evaluation.projected()
        self._squares = np.maximum(projected.squares.ravel(), 1)
        self._turn = np.inf
        self._below, self._open_then = np.zeros(0, np.int32), 0
        self._bounds = evaluation.loss.bounds(self.nodes, projected.squares.ravel())
        self.state[~projected.possible.ravel()] = _BREAKS

    def optimum(self) -> EvaluatedNode | None:
        """Return the best node that keeps the promises, by :attr:`.EvaluatedNode.rank`; None if none does."""
        known = (each for each in self.evaluation.found.values() if each.keeps)
        best = min(known, key=lambda each: each.rank, default=None)
        with stage("searching the lattice"):
            while (open_ := self._open(best)).any():
                found = self._follow_chain(open_, np.inf if best is None else best.loss)
                keeping = [each for each in (*found, best) if each is not None and each.keeps]
                best = min(keeping, key=lambda each: each.rank, default=None)
        return best

    def _open(self, best: EvaluatedNode | None) -> np.ndarray:
        """Return the mask of the nodes that may be better than the best so far."""
        open_ = (self.state >= _UNKNOWN) & ~self._evaluated & ~self._beaten
        if best is not None:
            open_ &= self._bounds <= best.loss * (1 + _ROUNDING)
            if best is not self._beaten_by:
                for index in np.flatnonzero(open_ & (self._bounds >= best.loss * (1 - _ROUNDING))).tolist():
                    self._beaten[index] = not self._may_beat(index, best)  # a later, better best beats it too
                self._beaten_by = best
            open_ &= ~self._beaten
        return open_

    def _may_beat(self, index: int, best: EvaluatedNode) -> bool:
        """Decide whether a node whose bound equals the cost of the best may rank before it."""
        node = tuple(self.nodes[index].tolist())
        least, order = self._bounds[index], (sum(node), node)
        if not self.evaluation.loss.exact:  # such losses are integers, which doubles distinguish
            return (least, *order) < (best.loss, *best.rank[1:])
        return (self.evaluation.loss.alone(node), *order) < best.rank

    def classify(self) -> None:
        """Decide for every node whether it keeps the promises."""
        with stage("searching the lattice"):
            while (open_ := (self.state == _UNKNOWN) & ~self._evaluated).any():
                self._follow_chain(open_, np.inf)

    def minimal(self) -> list[tuple[int, ...]]:
        """Return the nodes that keep the promises and have no such node below them, once all are classified."""
        keeps = self.state == _KEEPS
        at_or_below = keeps.reshape([height + 1 for height in self._heights])
        for axis in range(at_or_below.ndim):
            at_or_below = np.logical_or.accumulate(at_or_below, axis=axis)
        minimal = keeps.copy()
        for i in range(self.nodes.shape[1]):
            above = np.flatnonzero(keeps & (self.nodes[:, i] > 0))
            minimal[above] &= ~at_or_below.ravel()[above - self._steps[i]]
        return [tuple(node) for node in self.nodes[minimal].tolist()]

    def keeps(self, node: Sequence[int]) -> bool:
        """Decide whether a node keeps the promises; it is evaluated only if that is not known yet."""
        index = int(np.dot(node, self._steps))
        return self._evaluate(index).keeps if self.state[index] == _UNKNOWN else bool(self.state[index] == _KEEPS)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Evaluate one node."""
        return self._evaluate(int(np.dot(node, self._steps)))

    def _follow_chain(self, open_: np.ndarray, least: float) -> list[EvaluatedNode]:
        """Evaluate the open node with the least bound, or some nodes of a chain that goes up from it."""
        candidates = np.flatnonzero(open_)
        start = int(candidates[np.argmin(self._bounds[candidates])])
        if self.state[start] == _KEEPS and not self._withholding_costs:
            return [self._evaluate(start)]
        chain, found = self._chain(start, open_), []
        low, high, step = 0, len(chain), 1
        middle = min(int(np.searchsorted(self._squares[chain], self._turn)), high - 1)
        while low < high:
            found.append(self._evaluate(chain[middle]))
            least = min(least, found[-1].loss)
            if self._ruled_out(start, least) or found[-1].loss > 2 * found[-1].least:  # withheld records cost most
                low = middle + 1
            else:
                high = middle
            if high == len(chain):
                middle = min(middle + step, high - 1)
            elif low == 0:
                middle = max(middle - step, 0)
            else:
                middle = (low + high) // 2
            step *= 2
        self._turn = self._squares[chain[min(low, len(chain) - 1)]]
        return found

    @property
    def _withholding_costs(self) -> bool:
        """Whether a node that keeps the promises may withhold too many records to be the best."""
        return self.evaluation.max_withheld.records > 0 and not self.evaluation.loss.exact

    def _ruled_out(self, index: int, least: float) -> bool:
        return bool(self.state[index] == _BREAKS or self._bounds[index] > least * (1 + _ROUNDING))

    def _chain(self, start: int, open_: np.ndarray) -> list[int]:
        """Go up from a node, to open nodes with the least bounds, then to those that have many open nodes below."""
        undecided = ~self._evaluated if self._withholding_costs else self.state == _UNKNOWN
        below = self._open_below(open_)

        def worth(index: int, last: int) -> float:
            """Return the growth in open nodes below, relative to the growth of groups."""
            larger = math.log(self._squares[index] / self._squares[last])
            return math.log((below[index] + 1) / (below[last] + 1)) / max(larger, _ROUNDING)

        chain = [start]
        while True:
            last = chain[-1]
            lower = self.nodes[last] < self._heights
            above = [last + step for step, can in zip(self._steps.tolist(), lower.tolist(), strict=True) if can]
            if candidates := [index for index in above if open_[index]]:
                chain.append(min(candidates, key=lambda index: self._bounds[index]))
            elif candidates := [index for index in above if undecided[index]]:
                chain.append(max(candidates, key=lambda index: worth(index, last)))
            else:
                return chain

    def _open_below(self, open_: np.ndarray) -> np.ndarray:
        """Count for each node the open ones at or below it, again only when enough of them are closed."""
        now = int(open_.sum())
        if not _RECOUNT * self._open_then <= now <= self._open_then:
            below = open_.reshape([height + 1 for height in self._heights]).astype(np.int32)
            for axis in range(below.ndim):
                np.cumsum(below, axis=axis, out=below)
            self._below, self._open_then = below.ravel(), now
        return self._below

    def _evaluate(self, index: int) -> EvaluatedNode:
        found = self.evaluation.at(self.nodes[index].tolist())
        self._evaluated[index] = True
        self._propagate(index, found)
        return found

    def _propagate(self, index: int, found: EvaluatedNode) -> None:
        node = self.nodes[index].tolist()
        if not self.evaluation.loss.exact:
            above = self._at_or_above(node)
            self._bounds[above] = np.maximum(self._bounds[above], found.least)
        self.state[index] = _KEEPS if found.keeps else _BREAKS
        if found.keeps_above:
            self.state[self._at_or_above(node)] = _KEEPS
        if found.breaks_below:
            self.state[self._at_or_below(node)] = _BREAKS
        elif found.withheld_below:
            below = np.flatnonzero(self._at_or_below(node))
            raised = self.evaluation.loss.withholding(self.nodes[below], found.withheld_below)
            self._bounds[below] = np.maximum(self._bounds[below], raised * (1 - _ROUNDING) - _ROUNDING)

    def _at_or_above(self, node: Sequence[int]) -> np.ndarray:
        mask = np.ones(len(self.nodes), bool)
        for i, level in enumerate(node):
            if level > 0:
                mask &= self._levels[i] >= level
        return mask

    def _at_or_below(self, node: Sequence[int]) -> np.ndarray:
        mask = np.ones(len(self.nodes), bool)
        for i, level in enumerate(node):
            if level < self._heights[i]:
                mask &= self._levels[i] <= level
        return mask


def _all_nodes(heights: Sequence[int], levels: np.dtype) -> np.ndarray:
    grids = np.indices([height + 1 for height in heights], dtype=levels)
    return np.ascontiguousarray(grids.reshape(len(heights), -1).T)


def _steps(heights: Sequence[int]) -> np.ndarray:
    """Return by how much the index of a node grows when an attribute goes up a level."""
    sizes = np.array([height + 1 for height in heights], np.int64)
    return np.concatenate([np.cumprod(sizes[:0:-1])[::-1], [1]]).astype(np.int64)


_MOST_NODES = 1_000_000


def is_exhaustive(heights: Sequence[int]) -> bool:
    """Decide whether a lattice is small enough for an exhaustive search."""
    return math.prod(height + 1 for height in heights) <= _MOST_NODES


def lattice_descent(evaluation: NodeEvaluation, seconds: float) -> tuple[EvaluatedNode | None, bool]:
    """Return the best node found, and whether there was nothing left to try."""
    end = time.monotonic() + seconds
    top = evaluation.at(evaluation.heights)
    best = top if top.keeps else None
    seen, waiting = {top.node}, [] if top.breaks_below else [_priority(top)]
    while waiting:
        *_, node = heapq.heappop(waiting)
        for i, level in enumerate(node):
            lower = (*node[:i], level - 1, *node[i + 1 :])
            if level == 0 or lower in seen:
                continue
            if time.monotonic() > end:
                return None if best is None else _lowered(best, evaluation), False
            seen.add(lower)
            found = evaluation.at(lower)
            if not found.breaks_below:
                heapq.heappush(waiting, _priority(found))
            if found.keeps and (best is None or found.rank < best.rank):
                best = found
    return best, True


def _priority(found: EvaluatedNode) -> tuple:
    """Return the sort key of nodes to expand: those that keep the promises come first."""
    return (False, *found.rank) if found.keeps else (True, found.withheld, sum(found.node), found.node)


def _lowered(node: EvaluatedNode, evaluation: NodeEvaluation) -> EvaluatedNode:
    """Take attributes down, one after another, as far as that costs the same."""
    for i in range(len(node.node)):
        while (level := node.node[i]) > 0:
            lower = evaluation.at((*node.node[:i], level - 1, *node.node[i + 1 :]))
            if lower.cost != node.cost:
                break
            node = lower
    return node
