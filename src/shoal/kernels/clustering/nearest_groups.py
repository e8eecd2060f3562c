"""Put compressed rows together with those nearest to them: by the cost of making two rows alike.

Two rows are made alike by moving the values of a column until they are within a radius, a step at a cost of one, and
by a fixed price, the gap, for every column that only one of them has.
"""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["nearest_groups", "row_costs"]


@compiled
def row_costs(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    n_columns: int,
    row: int,
    others: np.ndarray,
    radius: int,
    gap: float,
) -> np.ndarray:
    """Return the cost of making one row and each of the others alike."""
    held = np.full(n_columns, -1, np.int64)
    length = _hold(indptr, indices, data, row, held)
    out = np.empty(len(others), np.float64)
    for place in range(len(others)):
        out[place] = _cost(indptr, indices, data, others[place], held, length, radius, gap, np.inf)
    return out


@compiled
def nearest_groups(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    n_columns: int,
    order: np.ndarray,
    size: int,
    radius: int,
    gap: float,
) -> tuple[np.ndarray, int]:
    """Label the rows of an order by group; return the labels and the number of groups, each of size to 2·size − 1 rows.

    The first row that is still free takes the rows nearest to it, of equally near ones the first; the last group takes
    what is left. There are at least size rows, and size is at least 2.
    """
    labels = np.full(len(order), -1, np.int64)
    free = np.arange(len(order))
    held = np.full(n_columns, -1, np.int64)
    cost, chosen = np.empty(size - 1, np.float64), np.empty(size - 1, np.int64)
    made = 0
    while len(free) >= 2 * size:
        first = int(order[free[0]])
        length = _hold(indptr, indices, data, first, held)
        cost[:] = np.inf
        for place in free[1:]:
            found = _cost(indptr, indices, data, int(order[place]), held, length, radius, gap, cost[-1])
            if found < cost[-1]:
                _insert(cost, chosen, found, place)
        for at in range(indptr[first], indptr[first + 1]):
            held[indices[at]] = -1
        labels[free[0]] = made
        for place in chosen:
            labels[place] = made
        free = free[labels[free] < 0]
        made += 1
    for place in free:
        labels[place] = made
    return labels, made + 1


@compiled
def _hold(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, row: int, held: np.ndarray) -> int:
    """Spread a row out by column; return how many columns it has."""
    for place in range(indptr[row], indptr[row + 1]):
        held[indices[place]] = data[place]
    return indptr[row + 1] - indptr[row]


@compiled
def _cost(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    row: int,
    held: np.ndarray,
    length: int,
    radius: int,
    gap: float,
    bound: float,
) -> float:
    """Return the cost of making a row and the one that is held equal; some part of it where it exceeds the bound."""
    total = 0.0
    shared = 0
    for place in range(indptr[row], indptr[row + 1]):
        value = held[indices[place]]
        if value < 0:
            total += gap
        else:
            shared += 1
            total += float(max(0, abs(value - np.int64(data[place])) - radius))
        if total > bound:
            return total
    return total + gap * (length - shared)


@compiled
def _insert(cost: np.ndarray, chosen: np.ndarray, found: float, place: int) -> None:
    """Put a place where it belongs among the cheapest, after those that cost as much; the last one goes."""
    at = len(cost) - 1
    while at > 0 and cost[at - 1] > found:
        cost[at], chosen[at] = cost[at - 1], chosen[at - 1]
        at -= 1
    cost[at], chosen[at] = found, place
