"""Search a lattice that is too large to be searched whole, for as long as there is time.

*Definition.* From the highest node downwards: of all nodes found to keep the promises, the one that costs least is
taken, and each attribute in turn is told one level more exactly. Where no such node is left, it goes on from the one
that withholds least of those that break the promises, unless it is known that everything below breaks them too. It ends
when nothing is left to try, and then nothing is better than the best found; or when the time is up, with the best found
so far. No attribute is then told less exactly than another level that costs the same would tell it.
"""

import heapq
import time

from .node_evaluation import EvaluatedNode, NodeEvaluation

__all__ = ["lattice_descent"]


def lattice_descent(evaluation: NodeEvaluation, seconds: float) -> tuple[EvaluatedNode | None, bool]:
    """Give the best node found, and whether there was nothing left to try."""
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
