"""Look for the nodes of the lattice of generalizations that keep promises.

*Tagging.* Where joining groups never breaks a promise, nodes above one that keeps it keep it, and nodes below one that
breaks it break it. With a budget of withheld records that is so if adding records to a group never breaks the promise:
then the groups that break it have fewer and fewer records on the way up. Otherwise a promise still says how many of
the records of a group are in parts that break it, however the group is split: all those of a group that is too small,
and some of others. Where these are more than may be withheld, all nodes below break the promises.

*Bounds.* What a node costs at least is known beforehand, from nodes below it that were looked at, or, with a budget,
from nodes above it, which say what it withholds at least. A node that costs more than the best found so far is not
looked at, and one that costs the same only if it would be taken before the best (:attr:`.EvaluatedNode.rank`).

*Order.* From the open node with the least bound a chain goes up to the top, through open nodes with the least bounds as
far as there are any, and then so that many open nodes lie below it while groups grow little. Somewhere on it is the
turn: what is found below rules the first node out, as it breaks the promises or withholds too many, and what is found
above does not. Nodes just below the turn have few groups, and rule out most. The turn is looked for where that of the
last chain was, as groups are about as large there. Flash (Kohlmayer and others 2012) halves such chains. Before all
that, what two or three attributes alone rule out is ruled out (:mod:`.crowded_projections`).

Search a lattice that is too large to be searched whole, for as long as there is time.

*Definition.* From the highest node downwards: of all nodes found to keep the promises, the one that costs least is
taken, and each attribute in turn is told one level more exactly. Where no such node is left, it goes on from the one
that withholds least of those that break the promises, unless it is known that everything below breaks them too. It ends
when nothing is left to try, and then nothing is better than the best found; or when the time is up, with the best found
so far. No attribute is then told less exactly than another level that costs the same would tell it.
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
_ANEW = 0.8


class LatticeSearch:
    """One lattice, what is promised on it, and what is known of its nodes so far."""

    def __init__(self, evaluation: NodeEvaluation) -> None:
        self.evaluation = evaluation
        self._heights = evaluation.heights
        self.nodes = _all_nodes(self._heights, evaluation.levels)
        self._levels = np.ascontiguousarray(self.nodes.T)
        self._steps = _steps(self._heights)
        self.state = np.zeros(len(self.nodes), np.int8)
        self._looked_at = np.zeros(len(self.nodes), bool)
        self._beaten = np.zeros(len(self.nodes), bool)
        self._beaten_by: EvaluatedNode | None = None
        projected = evaluation.projected()
        self._squares = np.maximum(projected.squares.ravel(), 1)
        self._turn = np.inf
        self._below, self._open_then = np.zeros(0, np.int32), 0
        self._bounds = evaluation.loss.bounds(self.nodes, projected.squares.ravel())
        self.state[~projected.possible.ravel()] = _BREAKS

    def optimum(self) -> EvaluatedNode | None:
        """Return the lowest of the nodes that keep the promises at the least cost; None if none does."""
        known = (each for each in self.evaluation.found.values() if each.keeps)
        best = min(known, key=lambda each: each.rank, default=None)
        with stage("searching the lattice"):
            while (open_ := self._open(best)).any():
                found = self._pursued(open_, np.inf if best is None else best.loss)
                keeping = [each for each in (*found, best) if each is not None and each.keeps]
                best = min(keeping, key=lambda each: each.rank, default=None)
        return best

    def _open(self, best: EvaluatedNode | None) -> np.ndarray:
        """Return the mask of the nodes that may be better than the best so far."""
        open_ = (self.state >= _UNKNOWN) & ~self._looked_at & ~self._beaten
        if best is not None:
            open_ &= self._bounds <= best.loss * (1 + _ROUNDING)
            if best is not self._beaten_by:
                for index in np.flatnonzero(open_ & (self._bounds >= best.loss * (1 - _ROUNDING))).tolist():
                    self._beaten[index] = not self._may_beat(index, best)  # and what beats the best beats it too
                self._beaten_by = best
            open_ &= ~self._beaten
        return open_

    def _may_beat(self, index: int, best: EvaluatedNode) -> bool:
        """Tell whether a node whose bound is as good as what the best costs may come before it."""
        node = tuple(self.nodes[index].tolist())
        least, order = self._bounds[index], (sum(node), node)
        if not self.evaluation.loss.exact:  # groups are counted in whole numbers, and doubles tell these apart
            return (least, *order) < (best.loss, *best.rank[1:])
        return (self.evaluation.loss.alone(node), *order) < best.rank

    def classify(self) -> None:
        """Find out of every node whether it keeps the promises."""
        with stage("searching the lattice"):
            while (open_ := (self.state == _UNKNOWN) & ~self._looked_at).any():
                self._pursued(open_, np.inf)

    def minimal(self) -> list[tuple[int, ...]]:
        """Return the nodes that keep the promises and have no such node below them; all are classified."""
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
        """Tell whether a node keeps the promises; it is looked at only if that is not known yet."""
        index = int(np.dot(node, self._steps))
        return self._evaluate(index).keeps if self.state[index] == _UNKNOWN else bool(self.state[index] == _KEEPS)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Look at one node."""
        return self._evaluate(int(np.dot(node, self._steps)))

    def _pursued(self, open_: np.ndarray, least: float) -> list[EvaluatedNode]:
        """Look at the open node with the least bound, or at some of a chain that goes up from it."""
        candidates = np.flatnonzero(open_)
        start = int(candidates[np.argmin(self._bounds[candidates])])
        if self.state[start] == _KEEPS and not self._withholding_is_dear:
            return [self._evaluate(start)]
        chain, found = self._chain(start, open_), []
        low, high, step = 0, len(chain), 1
        middle = min(int(np.searchsorted(self._squares[chain], self._turn)), high - 1)
        while low < high:
            found.append(self._evaluate(chain[middle]))
            least = min(least, found[-1].loss)
            if self._ruled_out(start, least) or found[-1].loss > 2 * found[-1].least:  # dear for those it withholds
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
    def _withholding_is_dear(self) -> bool:
        """Whether it is of use to look for nodes that keep the promises, but withhold too many to be the best."""
        return self.evaluation.spare > 0 and not self.evaluation.loss.exact

    def _ruled_out(self, index: int, least: float) -> bool:
        return bool(self.state[index] == _BREAKS or self._bounds[index] > least * (1 + _ROUNDING))

    def _chain(self, start: int, open_: np.ndarray) -> list[int]:
        """Go up from a node, to open nodes with the least bounds, then to those that have many open nodes below."""
        undecided = ~self._looked_at if self._withholding_is_dear else self.state == _UNKNOWN
        below = self._open_below(open_)

        def worth(index: int, last: int) -> float:
            """Return by how much more nodes lie below for how much larger groups."""
            larger = math.log(self._squares[index] / self._squares[last])
            return math.log((below[index] + 1) / (below[last] + 1)) / max(larger, _ROUNDING)

        chain = [start]
        while True:
            last = chain[-1]
            lower = self.nodes[last] < self._heights
            above = [last + step for step, can in zip(self._steps.tolist(), lower.tolist(), strict=True) if can]
            if published := [index for index in above if open_[index]]:
                chain.append(min(published, key=lambda index: self._bounds[index]))
            elif published := [index for index in above if undecided[index]]:
                chain.append(max(published, key=lambda index: worth(index, last)))
            else:
                return chain

    def _open_below(self, open_: np.ndarray) -> np.ndarray:
        """Count for each node the open ones at or below it, anew only when they have become fewer by a part."""
        now = int(open_.sum())
        if not _ANEW * self._open_then <= now <= self._open_then:
            below = open_.reshape([height + 1 for height in self._heights]).astype(np.int32)
            for axis in range(below.ndim):
                np.cumsum(below, axis=axis, out=below)
            self._below, self._open_then = below.ravel(), now
        return self._below

    def _evaluate(self, index: int) -> EvaluatedNode:
        found = self.evaluation.at(self.nodes[index].tolist())
        self._looked_at[index] = True
        self._remember(index, found)
        return found

    def _remember(self, index: int, found: EvaluatedNode) -> None:
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
            dearer = self.evaluation.loss.withholding(self.nodes[below], found.withheld_below)
            self._bounds[below] = np.maximum(self._bounds[below], dearer * (1 - _ROUNDING) - _ROUNDING)

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
    """Return by how much the number of a node grows when an attribute goes up a level."""
    sizes = np.array([height + 1 for height in heights], np.int64)
    return np.concatenate([np.cumprod(sizes[:0:-1])[::-1], [1]]).astype(np.int64)


_MOST_NODES = 1_000_000


def is_exhaustive(heights: Sequence[int]) -> bool:
    """Tell whether a lattice is small enough that the best is found, and not only what there is time for."""
    return math.prod(height + 1 for height in heights) <= _MOST_NODES


def lattice_descent(evaluation: NodeEvaluation, seconds: float) -> tuple[EvaluatedNode | None, bool]:
    """Return the best node found, and whether there was nothing left to try."""
    end = time.monotonic() + seconds
    top = evaluation.at(evaluation.heights)
    best = top if top.keeps else None
    seen, waiting = {top.node}, [] if top.breaks_below else [_turn(top)]
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
                heapq.heappush(waiting, _turn(found))
            if found.keeps and (best is None or found.rank < best.rank):
                best = found
    return best, True


def _turn(found: EvaluatedNode) -> tuple:
    """Return what orders the nodes that are gone on from: those that keep the promises come first."""
    return (False, *found.rank) if found.keeps else (True, found.withheld, sum(found.node), found.node)


def _lowered(node: EvaluatedNode, evaluation: NodeEvaluation) -> EvaluatedNode:
    """Tell attributes more exactly, one after another, as far as that costs the same."""
    for i in range(len(node.node)):
        while (level := node.node[i]) > 0:
            lower = evaluation.at((*node.node[:i], level - 1, *node.node[i + 1 :]))
            if lower.cost != node.cost:
                break
            node = lower
    return node
