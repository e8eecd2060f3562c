"""Search a lattice that is too large to be searched whole, for as long as there is time.

*Definition.* From the highest node downwards: of all nodes found to keep the promises, the one that costs least is
taken, and each attribute in turn is told one level more exactly. What breaks the promises is left, with everything
below it. It ends when nothing is left to try or the time is up, with the best node found, which need not be the best;
but no attribute is told less exactly than another level that costs the same would tell it.
"""

import heapq
import time

from .node_evaluation import EvaluatedNode, NodeEvaluation

__all__ = ["lattice_descent"]


def lattice_descent(evaluation: NodeEvaluation, seconds: float) -> tuple[EvaluatedNode | None, bool]:
    """Give the best node found, and whether there was nothing left to try."""
    end = time.monotonic() + seconds
    top = evaluation.at(evaluation.heights)
    if not top.keeps:
        return None, True
    best, seen, waiting = top, {top.node}, [top.rank]
    while waiting:
        *_, node = heapq.heappop(waiting)
        for i, level in enumerate(node):
            lower = (*node[:i], level - 1, *node[i + 1 :])
            if level == 0 or lower in seen:
                continue
            if time.monotonic() > end:
                return _lowered(best, evaluation), False
            seen.add(lower)
            found = evaluation.at(lower)
            if found.keeps:
                heapq.heappush(waiting, found.rank)
                best = min(best, found, key=lambda each: each.rank)
    return best, True


def _lowered(node: EvaluatedNode, evaluation: NodeEvaluation) -> EvaluatedNode:
    """Tell attributes more exactly, one after another, as far as that costs the same."""
    for i in range(len(node.node)):
        while (level := node.node[i]) > 0:
            lower = evaluation.at((*node.node[:i], level - 1, *node.node[i + 1 :]))
            if lower.cost != node.cost:
                break
            node = lower
    return node
