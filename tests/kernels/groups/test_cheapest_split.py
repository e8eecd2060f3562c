"""The cheapest split of a few things, against writing down every one."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.group_costs import cheapest_split

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]


def every_split(things: list[int]) -> Iterator[list[list[int]]]:
    if not things:
        yield []
        return
    for split in every_split(things[1:]):
        yield [[things[0]], *split]
        for at, part in enumerate(split):
            yield [*split[:at], [things[0], *part], *split[at + 1 :]]


def number(part: list[int]) -> int:
    return sum(2**thing for thing in part)


@COMPILED
@given(data=st.data(), n=st.integers(1, 5))
def test_no_split_is_cheaper(run: Runner, data, n: int) -> None:
    price = st.integers(0, 20).map(float) | st.just(np.inf)
    costs = [np.inf, *data.draw(st.lists(price, min_size=2**n - 1, max_size=2**n - 1))]
    costs[-1] = float(data.draw(st.integers(0, 60)))  # there is a split that is allowed
    labels, cost = run(cheapest_split)(np.array(costs))
    assert cost == min(sum(costs[number(part)] for part in split) for split in every_split(list(range(n))))
    parts = [[i for i in range(n) if labels[i] == label] for label in range(int(labels.max()) + 1)]
    assert sorted(i for part in parts for i in part) == list(range(n))
    assert all(parts)
    assert sum(costs[number(part)] for part in parts) == cost
