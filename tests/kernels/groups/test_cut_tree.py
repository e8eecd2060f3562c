"""The leaf that a row reaches in a tree of cuts, beside going down a nested tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.cut_tree import follow_cuts

WIDTH, VALUES = 3, 6


class Leaf:
    """A leaf, which is numbered once the tree is written down."""

    number = -1


def cuts(below: st.SearchStrategy) -> st.SearchStrategy:
    """A column, and by the lowest value of a run what lies below; the first run begins with the lowest value."""
    others = st.dictionaries(st.integers(1, VALUES - 1), below, max_size=3)
    runs = st.tuples(below, others).map(lambda drawn: {0: drawn[0], **dict(sorted(drawn[1].items()))})
    return st.tuples(st.integers(0, WIDTH - 1), runs)


TREES = st.recursive(st.builds(Leaf), cuts, max_leaves=8)


def written(tree) -> tuple[np.ndarray, ...]:
    """Write a tree as arrays, one level after the other."""
    nodes, attributes, begins, starts, children = [tree], [], [0], [], []
    for number, node in enumerate(nodes):  # which grows on the way
        if isinstance(node, Leaf):
            node.number = number
            attributes.append(-1)
        else:
            attributes.append(node[0])
            for start, below in node[1].items():
                starts.append(start)
                children.append(len(nodes))
                nodes.append(below)
        begins.append(len(starts))
    return tuple(np.array(each, np.int64) for each in (attributes, begins, starts, children))


def reached(tree, row: list[int]) -> int:
    while not isinstance(tree, Leaf):
        attribute, runs = tree
        tree = runs[max(start for start in runs if start <= row[attribute])]
    return tree.number


@pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
@given(
    tree=TREES,
    rows=st.lists(st.lists(st.integers(0, VALUES - 1), min_size=WIDTH, max_size=WIDTH), max_size=8),
)
def test_a_row_reaches_its_leaf(run, tree, rows) -> None:
    arrays = written(tree)
    codes = np.array(rows, np.int32).reshape(-1, WIDTH)
    assert run(follow_cuts)(codes, *arrays).tolist() == [reached(tree, row) for row in rows]
