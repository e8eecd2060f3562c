"""Look for the nodes of the lattice of generalisations that keep promises.

*Tagging.* Where joining groups never breaks a promise, nodes above one that keeps it keep it, and nodes below one that
breaks it break it. With a budget of withheld records that is so if adding records to a group never breaks the promise:
then the groups that break it have fewer and fewer records on the way up. Otherwise every node is looked at that its
bound does not rule out.

*Bounds.* What a node costs at least is known beforehand, or from nodes below it that were looked at; a node that costs
no less than the best found so far is not looked at, nor is any above it.

*Order.* From the open node with the least bound a chain goes up, each time to the open neighbour with the least bound.
Where bounds are known beforehand its highest node is looked at first: if that breaks the promises, so does everything
below it. Otherwise the first node of the chain that keeps them is found by halving it. Flash (Kohlmayer and others
2012) goes about it like this, with chains to the top of the lattice; here they end where nodes cost too much. Before
all that, what two or three attributes alone rule out is ruled out (:mod:`.crowded_projections`).
"""

from collections.abc import Sequence

import numpy as np

from shoal.progress import stage

from .node_evaluation import EvaluatedNode, NodeEvaluation

__all__ = ["LatticeSearch"]

_BREAKS, _UNKNOWN, _KEEPS = -1, 0, 1


class LatticeSearch:
    """One lattice, what is promised on it, and what is known of its nodes so far."""

    def __init__(self, evaluation: NodeEvaluation, *, tagging: bool) -> None:
        self.evaluation, self._tagging = evaluation, tagging
        self._heights = evaluation.heights
        self.nodes = _all_nodes(self._heights)
        self._levels = np.ascontiguousarray(self.nodes.T)
        self._steps = _steps(self._heights)
        self.state = np.zeros(len(self.nodes), np.int8)
        self._looked_at = np.zeros(len(self.nodes), bool)
        self._bounds = evaluation.loss.bounds(self.nodes)
        if tagging:
            self.state[~evaluation.not_ruled_out(self.nodes)] = _BREAKS

    def optimum(self) -> EvaluatedNode | None:
        """Give a node that keeps the promises at the least cost; None if none does."""
        known = (each for each in self.evaluation.found.values() if each.keeps)
        best = min(known, key=lambda each: (each.loss, each.node), default=None)
        with stage("searching the lattice"):
            while True:
                least = np.inf if best is None else best.loss
                open_ = (self.state >= _UNKNOWN) & ~self._looked_at & (self._bounds < least)
                if not open_.any():
                    return best
                for found in self._pursued(open_):
                    if found.keeps and (best is None or (found.loss, found.node) < (best.loss, best.node)):
                        best = found

    def classify(self) -> None:
        """Find out of every node whether it keeps the promises."""
        with stage("searching the lattice"):
            while (open_ := (self.state == _UNKNOWN) & ~self._looked_at).any():
                self._pursued(open_)

    def minimal(self) -> list[tuple[int, ...]]:
        """Give the nodes that keep the promises and have no such node below them; all are classified."""
        keeps = self.state == _KEEPS
        minimal = keeps.copy()
        for i in range(self.nodes.shape[1]):
            above = np.flatnonzero(keeps & (self.nodes[:, i] > 0))
            minimal[above] &= ~keeps[above - self._steps[i]]
        return [tuple(node) for node in self.nodes[minimal].tolist()]

    def keeps(self, node: Sequence[int]) -> bool:
        """Tell whether a node keeps the promises; it is looked at only if that is not known yet."""
        index = int(np.dot(node, self._steps))
        return self._evaluate(index).keeps if self.state[index] == _UNKNOWN else bool(self.state[index] == _KEEPS)

    def at(self, node: Sequence[int]) -> EvaluatedNode:
        """Look at one node."""
        return self._evaluate(int(np.dot(node, self._steps)))

    def _pursued(self, open_: np.ndarray) -> list[EvaluatedNode]:
        """Look at the open node with the least bound, or halve the chain that goes up from it."""
        candidates = np.flatnonzero(open_)
        start = int(candidates[np.argmin(self._bounds[candidates])])
        if not self._tagging or self.state[start] == _KEEPS:
            return [self._evaluate(start)]
        chain, found = self._chain(start, open_), []
        low, high = 0, len(chain)
        if self.evaluation.loss.exact:  # its end has few groups, and if it breaks the promises so does all of the chain
            found.append(self._evaluate(chain[-1]))
            high = len(chain) - 1 if found[0].keeps else 0
        while low < high:
            middle = (low + high) // 2
            found.append(self._evaluate(chain[middle]))
            low, high = (low, middle) if found[-1].keeps else (middle + 1, high)
        return found

    def _chain(self, start: int, open_: np.ndarray) -> list[int]:
        """Go up from a node, each time to the open node of which least is to be feared."""
        chain = [start]
        while True:
            node = self.nodes[chain[-1]]
            above = [chain[-1] + step for i, step in enumerate(self._steps.tolist()) if node[i] < self._heights[i]]
            above = [index for index in above if open_[index]]
            if not above:
                return chain
            chain.append(min(above, key=lambda index: self._bounds[index]))

    def _evaluate(self, index: int) -> EvaluatedNode:
        found = self.evaluation.at(self.nodes[index].tolist())
        self._looked_at[index] = True
        self._remember(index, keeps=found.keeps, least=found.least)
        return found

    def _remember(self, index: int, *, keeps: bool, least: float) -> None:
        node = self.nodes[index].tolist()
        if not self.evaluation.loss.exact:
            above = self._at_or_above(node)
            self._bounds[above] = np.maximum(self._bounds[above], least)
        if not self._tagging:
            self.state[index] = _KEEPS if keeps else _BREAKS
        elif keeps:
            self.state[self._at_or_above(node)] = _KEEPS
        else:
            self.state[self._at_or_below(node)] = _BREAKS

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


def _all_nodes(heights: Sequence[int]) -> np.ndarray:
    grids = np.indices([height + 1 for height in heights], dtype=np.uint8)
    return np.ascontiguousarray(grids.reshape(len(heights), -1).T)


def _steps(heights: Sequence[int]) -> np.ndarray:
    """Give by how much the number of a node grows when an attribute goes up a level."""
    sizes = np.array([height + 1 for height in heights], np.int64)
    return np.concatenate([np.cumprod(sizes[:0:-1])[::-1], [1]]).astype(np.int64)
