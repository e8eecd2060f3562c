"""What it costs to make groups of compressed rows alike: the same columns, and in each values within a radius.

In one group and column, either nobody keeps a value, at drop a value; or everybody has one, at invent a value that was
not there, and every value is moved into the interval of the given length where that costs least.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["best_interval", "cheapest_split", "column_cost", "gather", "group_costs", "set_cost"]


@compiled
def best_interval(counts: np.ndarray, radius: int) -> tuple[int, int]:
    """Return the lowest start of an interval of this length to which values can be moved at least cost, and that cost.

    counts says how often each value occurs; a value moved by one costs one.
    """
    n_values = len(counts)
    if radius >= n_values - 1:
        return 0, 0
    below, above, passed, beyond = 0, 0, 0, 0
    for value in range(radius + 1, n_values):
        beyond += counts[value]
        above += counts[value] * (value - radius)
    best, cost = 0, above
    for start in range(1, n_values - radius):
        passed += counts[start - 1]
        below += passed
        above -= beyond
        beyond -= counts[start + radius]
        if below + above < cost:
            best, cost = start, below + above
    return best, cost


@compiled
def column_cost(
    counts: np.ndarray, given: int, size: int, radius: int, invent: float, drop: float
) -> tuple[float, int]:
    """Return the cost of one column and the start of its interval, or −1 where dropping is cheaper."""
    start, moved = best_interval(counts, radius)
    keep = moved + invent * (size - given)
    if keep <= drop * given:
        return keep, start
    return drop * given, -1


@compiled
def set_cost(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    radius: int,
    invent: float,
    drop: float,
    counts: np.ndarray,
    given: np.ndarray,
    touched: np.ndarray,
) -> float:
    """Return the cost of making one set of rows alike.

    counts (columns × values), given (columns) and touched (columns) are room to work in; the first two are zero before
    and after.
    """
    found = gather(indptr, indices, data, members, counts, given, touched)
    total = 0.0
    for place in range(found):
        column = touched[place]
        total += column_cost(counts[column], int(given[column]), len(members), radius, invent, drop)[0]
        counts[column] = 0
        given[column] = 0
    return total


@compiled
def gather(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    counts: np.ndarray,
    given: np.ndarray,
    touched: np.ndarray,
) -> int:
    """Count the values of some rows by column; return how many columns were touched."""
    found = 0
    for row in members:
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            if given[column] == 0:
                touched[found] = column
                found += 1
            given[column] += 1
            counts[column, data[place]] += 1
    return found


@compiled(parallel=True)
def group_costs(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    invent: float,
    drop: float,
) -> np.ndarray:
    """Return the cost of every group; group g is made of the rows members[begins[g]:begins[g + 1]].

    shape is the number of columns and of values.
    """
    n_groups = len(begins) - 1
    out = np.zeros(n_groups, np.float64)
    step = 64
    for chunk in prange((n_groups + step - 1) // step):
        counts = np.zeros(shape, np.int32)
        given = np.zeros(shape[0], np.int32)
        touched = np.empty(shape[0], np.int32)
        for g in range(chunk * step, min(n_groups, (chunk + 1) * step)):
            rows = members[begins[g] : begins[g + 1]]
            out[g] = set_cost(indptr, indices, data, rows, radius, invent, drop, counts, given, touched)
    return out


@compiled
def cheapest_split(costs: np.ndarray) -> tuple[np.ndarray, float]:
    """Label the things 0, 1, … so that the costs of the sets add up to least, and return that sum.

    Sets are numbered by their bits; one that costs infinity is not allowed. There is a split that is.
    """
    n = 0
    while (1 << n) < len(costs):
        n += 1
    full = len(costs) - 1
    least = np.full(len(costs), np.inf)
    least[0] = 0.0
    choice = np.zeros(len(costs), np.int64)
    for here in range(1, len(costs)):
        alone = here & -here
        rest = here ^ alone
        others = rest
        while True:  # every set of the first thing and some of the others
            part = others | alone
            if costs[part] + least[here ^ part] < least[here]:
                least[here], choice[here] = costs[part] + least[here ^ part], part
            if others == 0:
                break
            others = (others - 1) & rest
    labels = np.full(n, -1, np.int64)
    here, label = full, 0
    while here:
        for thing in range(n):
            if (choice[here] >> thing) & 1:
                labels[thing] = label
        here ^= choice[here]
        label += 1
    return labels, least[full]
