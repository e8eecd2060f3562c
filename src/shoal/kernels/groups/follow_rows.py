"""Bring a row near enough to some that stay as they are.

Leaders are in an order in which similar rows are neighbors, so that only some of them have to be looked at.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.neighbors.pairwise import near_rows

__all__ = ["follow", "nearest_leader"]


@compiled(parallel=True)
def nearest_leader(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    rows: np.ndarray,
    leaders: np.ndarray,
    places: np.ndarray,
    tries: int,
    radius: int,
    invent: float,
    drop: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row the place of the leader within whose radius it comes at least cost, and that cost.

    places says where among the leaders each row belongs; those in a window around it are tried.
    """
    chosen = np.empty(len(rows), np.int64)
    costs = np.empty(len(rows), np.float64)
    for i in prange(len(rows)):
        best, least = -1, np.inf
        first = max(min(places[i] - tries // 2, len(leaders) - tries), 0)
        for place in range(first, min(first + tries, len(leaders))):
            cost = _difference(indptr, indices, data, rows[i], leaders[place], radius, invent, drop, least)
            if cost < least:
                best, least = place, cost
        chosen[i], costs[i] = best, least
    return chosen, costs


@compiled
def _difference(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    row: int,
    leader: int,
    radius: int,
    invent: float,
    drop: float,
    enough: float,
) -> float:
    """Return the cost of bringing a row near another; what is dearer than enough is not worked out further."""
    a, end_a, b, end_b = indptr[row], indptr[row + 1], indptr[leader], indptr[leader + 1]
    total = 0.0
    while (a < end_a or b < end_b) and total < enough:
        if b == end_b or (a < end_a and indices[a] < indices[b]):
            total += drop
            a += 1
        elif a == end_a or indices[b] < indices[a]:
            total += invent
            b += 1
        else:
            total += max(abs(np.int64(data[a]) - np.int64(data[b])) - radius, 0)
            a += 1
            b += 1
    return total


@compiled(parallel=True)
def follow(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    rows: np.ndarray,
    chosen: np.ndarray,
    leaders: np.ndarray,
    company: int,
    looks: int,
    radius: int,
    n_values: int,
    invent: float,
    drop: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bring each row within the radius of its leader and enough others, so that they are company of them.

    chosen gives the place of the leader among leaders; it has company − 1 others of them within the radius. Of the
    leaders those in a window about its place are looked at, and of those near it the ones nearest to the row taken;
    where they are too few, the row becomes equal to its leader and has its company. Returned are the values of each row
    over the columns of its leader, where each begins, and the cost.
    """
    begins = np.zeros(len(rows) + 1, np.int64)
    for i in range(len(rows)):
        leader = leaders[chosen[i]]
        begins[i + 1] = begins[i] + indptr[leader + 1] - indptr[leader]
    out = np.empty(begins[-1], data.dtype)
    costs = np.empty(len(rows), np.float64)
    for i in prange(len(rows)):
        row, leader = rows[i], leaders[chosen[i]]
        width = begins[i + 1] - begins[i]
        near, far = np.empty(company, np.int64), np.full(company, np.inf)
        near[0], far[0] = leader, -1.0
        found = 1
        for at in range(max(chosen[i] - looks, 0), min(chosen[i] + looks + 1, len(leaders))):
            other = leaders[at]
            if at != chosen[i] and near_rows(indptr, indices, data, int(leader), int(other), radius):
                found += 1
                apart = _difference(indptr, indices, data, row, other, radius, invent, drop, far[-1])
                place = company
                while place > 1 and apart < far[place - 1]:
                    place -= 1
                if place < company:
                    for worse in range(company - 1, place, -1):
                        near[worse], far[worse] = near[worse - 1], far[worse - 1]
                    near[place], far[place] = other, apart
        a = indptr[row]
        costs[i] = drop * (indptr[row + 1] - a)
        for step in range(width):
            low, high = np.int64(0), np.int64(n_values - 1)
            if found < company:
                low = high = np.int64(data[indptr[leader] + step])
            for other in near[: min(found, company)]:
                value = np.int64(data[indptr[other] + step])
                low, high = max(low, value - radius), min(high, value + radius)
            column = indices[indptr[leader] + step]
            while a < indptr[row + 1] and indices[a] < column:
                a += 1
            if a < indptr[row + 1] and indices[a] == column:
                value = np.int64(data[a])
                moved = min(max(value, low), high)
                costs[i] += abs(moved - value) - drop
            else:
                moved = np.int64(data[indptr[leader] + step])
                costs[i] += invent
            out[begins[i] + step] = moved
    return out, begins, costs
